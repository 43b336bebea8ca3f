/* The tables of the Cortex-A57. */
#define CORE_DEF      "catalog/cortex_a57.def"
#define CORE_DOCUMENT "ARM DDI 0487"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_cortex_a57 = {
    .name = "cortex-a57",
    .title = "Arm Cortex-A57",
    .pmu = "armv8_cortex_a57",
    .pmu_aliases = {"a57", "arm_a57", "arm_ac57", NULL},
    .document = "Arm Cortex-A57 MPCore Processor Technical Reference Manual, DDI 0488 (r1p3)",
    .n_event_counters = 6,
    .counter_bits = 32,
    .pmu_version = 1,
    .cycles_event = 0x11,
    .not_stalled = "Dispatch",
    CORE_TABLES,
};
