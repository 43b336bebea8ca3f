/* The functions that headers define, once more as symbols: Python, Rust and C# call what a
 * library exports. C still compiles them in place. */
#define ARMPMU_INLINE_AS_SYMBOLS

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#endif

#include "armpmu/pmu.h"
