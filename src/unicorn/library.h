/* The Unicorn library, loaded when firmware runs; armpmu works without it otherwise. */
#ifndef UNICORN_LIBRARY_H
#define UNICORN_LIBRARY_H

#include <stdbool.h>

#include <unicorn/unicorn.h>

#include "armpmu/status.h"
#include "unicorn/library_version.h"

struct library {
    uint32_t number; /* of the version, as library_version.h has it */
    void *handle;    /* as dlopen returned it */
#define UNICORN(name, result, arguments) result(*name) arguments;
#include "unicorn/library.def"
#undef UNICORN
};

/* UC_CTL_READ, UC_CTL_WRITE and UC_CTL_READ_WRITE, whose shift is past the sign of an int. */
#define LIBRARY_GET(control, n) (uc_control_type)((control) | (unsigned)(n) << 26 | 2u << 30)
#define LIBRARY_SET(control, n) (uc_control_type)((control) | (unsigned)(n) << 26 | 1u << 30)

#define LIBRARY_BOTH(control, n) (uc_control_type)((control) | (unsigned)(n) << 26 | 3u << 30)

/* Runs have no end but what stops them. Without this the library ends blocks at the address at
 * which a run is to end, and takes a number of its own, mostly 0, for that address in blocks that
 * it translates outside of any run (UC_CTL_TB_REQUEST_CACHE): code at address 0 would end there. */
static inline uc_err library_end_nowhere(const struct library *lib, uc_engine *uc)
{
    return lib->ctl(uc, LIBRARY_SET(UC_CTL_UC_USE_EXITS, 1), 1);
}

/* A run from an address to another. */
static inline uc_err library_run_to(const struct library *lib, uc_engine *uc, uint64_t from,
                                    uint64_t end)
{
    (void)lib->ctl(uc, LIBRARY_SET(UC_CTL_UC_USE_EXITS, 1), 0);
    const uc_err error = lib->emu_start(uc, from, end, 0, 0);
    (void)library_end_nowhere(lib, uc);
    return error;
}

/* Loads the library; *out stays loaded until the process ends. Returns ARMPMU_OK or
 * ARMPMU_BAD_CONFIG (it is not installed, or another version). */
ARMPMU_MUST_USE enum armpmu_status library_load(const struct library **out,
                                                struct armpmu_error *err);

/* The library's number of a CPU, by its name in QEMU; -1 for none. */
int library_cpu(const char *name);

/* The memory that a processor takes at once: the buffer of its translations, and the rest with room
 * to spare.
 */
#define LIBRARY_BYTES (UINT64_C(1120) << 20)

/* Checks that the host gives this number of bytes, which the library will take; it would end the
 * process without. Returns ARMPMU_OK, or ARMPMU_NO_MEMORY with the limits there are. */
ARMPMU_MUST_USE enum armpmu_status library_reserve(uint64_t n_bytes, const char *what,
                                                   struct armpmu_error *err);

/* While the library works: when it ends the process then, a message says so, and the status is that
 * of a failure of armpmu. */
void library_enter(bool inside);

#endif
