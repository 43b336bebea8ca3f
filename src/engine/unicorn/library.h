/* The Unicorn library, found when firmware is to run: armpmu itself does without it. */
#ifndef ENGINE_UNICORN_LIBRARY_H
#define ENGINE_UNICORN_LIBRARY_H

#include <unicorn/unicorn.h>

#include "armpmu/status.h"

struct library {
#define UNICORN(name, result, arguments) result(*name) arguments;
#include "engine/unicorn/library.def"
#undef UNICORN
};

/* UC_CTL_READ, UC_CTL_WRITE and UC_CTL_READ_WRITE, whose shift is past the sign of an int. */
#define LIBRARY_GET(control, n) (uc_control_type)((control) | (unsigned)(n) << 26 | 2u << 30)
#define LIBRARY_SET(control, n) (uc_control_type)((control) | (unsigned)(n) << 26 | 1u << 30)

#define LIBRARY_BOTH(control, n) (uc_control_type)((control) | (unsigned)(n) << 26 | 3u << 30)

/* Loads the library; *out stays loaded until the process ends. Returns ARMPMU_OK or
 * ARMPMU_BAD_CONFIG (it is not installed, or another version). */
ARMPMU_MUST_USE enum armpmu_status library_load(const struct library **out,
                                                struct armpmu_error *err);

#endif
