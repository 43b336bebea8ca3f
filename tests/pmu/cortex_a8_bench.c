#include "armv7_bench.h"

const struct armv7_core armv7_core = {
    .name = "cortex-a8", .n_counters = 4, .pmnc_reset = 0x41002000};
