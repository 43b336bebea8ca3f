/* The definitions of blocks that the recorder wrote into the ring, read for core models: no store,
 * nothing is kept here.
 *
 * The program may have written there as well: an impossible definition is none, and code is copied
 * before anybody decodes it. */
#ifndef QEMU_LAUNCHER_RECORDED_BLOCKS_H
#define QEMU_LAUNCHER_RECORDED_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "qemu/engine.h"

struct recorded_blocks {
    void *ring; /* borrowed; set before the first look-up */
};

/* An armpmu_block_lookup; user: struct recorded_blocks. The bytes are valid until the thread looks
 * up another. */
bool recorded_blocks_look_up(void *user, uint32_t id, struct armpmu_block_source *out);

/* The same of one, by its number: a path of NULL where there is none. Its path is freed by the
 * caller. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
enum armpmu_status recorded_file(void *ring, uint32_t number, struct engine_file *out,
                                 struct armpmu_error *err);

/* The name of a process's program, "" for the first one's. name: RING_PROGRAM_NAME bytes. Gives
 * whether a process executed it in place of another. */
bool recorded_program(void *ring, uint32_t process, char *name);

/* The process on the host. */
int32_t recorded_pid(void *ring, uint32_t process);

/* How many programs were executed and recorded. */
unsigned recorded_programs(void *ring);

/* Copies the files that code is from: *out has the path of number n at n - 1, NULL where there is
 * none, n_files of them. Each path and the array are freed by the caller. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
enum armpmu_status recorded_files(void *ring, struct engine_file **out, size_t *n_files,
                                  struct armpmu_error *err);

#endif
