#include "armv7_bench.h"

const struct armv7_core armv7_core = {
    .name = "cortex-r4f", .n_counters = 3, .pmnc_reset = 0x41141800, .has_validation = true};
