/* The tables of the Cortex-A77. */
#define CORE_DEF      "catalog/cortex_a77.def"
#define CORE_DOCUMENT "ARM DDI 0487"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_cortex_a77 = {
    .name = "cortex-a77",
    .title = "Arm Cortex-A77",
    .pmu = "armv8_cortex_a77",
    .pmu_aliases = {"a77", "arm_ac77", NULL},
    .document = "Arm Cortex-A77 Core Technical Reference Manual, 101111 (r1p1)",
    .n_event_counters = 6,
    .counter_bits = 32,
    .pmu_version = 4,
    .cycles_event = 0x11,
    .not_stalled = "Dispatch",
    CORE_TABLES,
};
