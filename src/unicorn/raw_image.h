/* Programs without an ELF file: bytes (.bin), Intel hex, Motorola S-records. The first line tells
 * which.
 *
 *   :LLAAAATTdd..CC   LL bytes at AAAA of type TT: 0 data, 1 end, 2 and 4 what is added to AAAA, 3
 *                     and 5 where it starts
 *   StLLaa..dd..CC    LL bytes follow; t: 0 header, 1 to 3 data at 2 to 4 bytes of address, 5 and 6
 *                     how many, 7 to 9 where it starts
 *
 * Every checksum is verified. Leaves out: symbols, data of other orders than the host's. */
#ifndef UNICORN_RAW_IMAGE_H
#define UNICORN_RAW_IMAGE_H

#include "unicorn/image.h"

/* Reads a file: bytes go to `address`, records to their own addresses plus that; an ELF file is
 * image_load()'s. It starts where
 * the file says, else at its lowest address. Returns ARMPMU_OK, ARMPMU_NOT_FOUND,
 * ARMPMU_NOT_ALLOWED, ARMPMU_BAD_INPUT (the message names the line), ARMPMU_IO or ARMPMU_NO_MEMORY.
 * image_free in any case. */
ARMPMU_MUST_USE enum armpmu_status raw_image_load(const char *path, uint64_t address,
                                                  struct image *out, struct armpmu_error *err);

#endif
