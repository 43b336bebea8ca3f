/* The tables of the Cortex-A72. */
#define CORE_DEF      "catalog/cortex_a72.def"
#define CORE_DOCUMENT "ARM DDI 0487"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_cortex_a72 = {
    .name = "cortex-a72",
    .title = "Arm Cortex-A72",
    .pmu = "armv8_cortex_a72",
    .pmu_aliases = {"a72", "arm_a72", "arm_ac72", NULL},
    .document = "Arm Cortex-A72 MPCore Processor Technical Reference Manual, 100095 (r0p3)",
    .n_event_counters = 6,
    .counter_bits = 32,
    .pmu_version = 1,
    .cycles_event = 0x11,
    .not_stalled = "Dispatch",
    CORE_TABLES,
};
