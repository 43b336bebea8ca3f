/* A small profile with one of everything, for the tests of what reads profiles. */
#ifndef TESTS_PROFILE_SAMPLE_H
#define TESTS_PROFILE_SAMPLE_H

#include "profile/profile.h"

/* The program below, on a Cortex-A8, with four events. Ends the test without memory.
 *
 *   _start -> main -> fib -> fib -> fib             A32, of /opt/demo/prog
 *                  -> list::sum(int) -> memcpy      Thumb, with two functions inlined; of libc
 *                  -> [0x7f001000]                  code without a file
 *   and a second thread in list::sum(int).
 *
 * Totals: CPU_CYCLES 11330, INST_RETIRED 6210, L1D_CACHE_REFILL 1007, BR_MIS_PRED 46. */
struct profile *sample_profile(void);

enum {
    SAMPLE_CPU_CYCLES,
    SAMPLE_INST_RETIRED,
    SAMPLE_L1D_CACHE_REFILL,
    SAMPLE_BR_MIS_PRED,
    SAMPLE_EVENTS
};

#endif
