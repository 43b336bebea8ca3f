/* The tables of the Cortex-A53. */
#define CORE_DEF      "catalog/cortex_a53.def"
#define CORE_DOCUMENT "ARM DDI 0487"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_cortex_a53 = {
    .name = "cortex-a53",
    .title = "Arm Cortex-A53",
    .pmu = "armv8_cortex_a53",
    .pmu_aliases = {"a53", "arm_ac53", NULL},
    .document = "Arm Cortex-A53 MPCore Processor Technical Reference Manual, DDI 0500 (r0p4)",
    .n_event_counters = 6,
    .counter_bits = 32,
    .pmu_version = 1,
    .cycles_event = 0x11,
    .not_stalled = "Issue",
    CORE_TABLES,
};
