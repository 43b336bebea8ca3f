/* The tables of the Cortex-A78. */
#define CORE_DEF      "catalog/cortex_a78.def"
#define CORE_DOCUMENT "ARM DDI 0487"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_cortex_a78 = {
    .name = "cortex-a78",
    .title = "Arm Cortex-A78",
    .pmu = "armv8_cortex_a78",
    .pmu_aliases = {"a78", "arm_ac78", NULL},
    .document = "Arm Cortex-A78 Core Technical Reference Manual, 101430 (r1p2)",
    .n_event_counters = 6,
    .counter_bits = 32,
    .pmu_version = 5,
    .cycles_event = 0x11,
    .not_stalled = "Dispatch",
    CORE_TABLES,
};
