/* The tables of the Cortex-A55. */
#define CORE_DEF      "catalog/cortex_a55.def"
#define CORE_DOCUMENT "ARM DDI 0487"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_cortex_a55 = {
    .name = "cortex-a55",
    .title = "Arm Cortex-A55",
    .pmu = "armv8_cortex_a55",
    .pmu_aliases = {"a55", "arm_ac55", NULL},
    .document = "Arm Cortex-A55 Core Technical Reference Manual, 100442 (r2p0)",
    .n_event_counters = 6,
    .counter_bits = 32,
    .pmu_version = 4,
    .cycles_event = 0x11,
    .not_stalled = "Issue",
    CORE_TABLES,
};
