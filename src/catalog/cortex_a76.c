/* The tables of the Cortex-A76. */
#define CORE_DEF      "catalog/cortex_a76.def"
#define CORE_DOCUMENT "ARM DDI 0487"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_cortex_a76 = {
    .name = "cortex-a76",
    .title = "Arm Cortex-A76",
    .pmu = "armv8_cortex_a76",
    .pmu_aliases = {"a76", "arm_ac76", NULL},
    .document = "Arm Cortex-A76 Core Technical Reference Manual, 100798 (r4p1)",
    .n_event_counters = 6,
    .counter_bits = 32,
    .pmu_version = 4,
    .cycles_event = 0x11,
    .not_stalled = "Dispatch",
    CORE_TABLES,
};
