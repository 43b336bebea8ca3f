/* The kind of a file that is no ELF file, told by its first bytes: records that are read, bytes, or
 * a format that is not read, which would execute as code. */
#ifndef UNICORN_RAW_FORMAT_H
#define UNICORN_RAW_FORMAT_H

#include <stddef.h>

#include "armpmu/status.h"

#define IMAGE_BUILD                                                                                \
    "build it for bare metal (arm-none-eabi-gcc, or aarch64-linux-gnu-gcc -nostdlib)"

enum raw_format {
    RAW_BYTES,
    RAW_INTEL_HEX,
    RAW_S_RECORDS,
    RAW_REFUSED, /* by raw_format_refuse() */
};

/* How many bytes precede the text of records: a byte-order mark. */
size_t raw_format_mark(const char *text, size_t n);

enum raw_format raw_format_of(const char *text, size_t n);

/* ARMPMU_BAD_INPUT: names the format and what to do. */
enum armpmu_status raw_format_refuse(const char *path, const char *text, size_t n,
                                     struct armpmu_error *err);

/* The same of a file that is no ELF file and was given without --load. */
enum armpmu_status raw_format_ask(const char *path, struct armpmu_error *err);

#endif
