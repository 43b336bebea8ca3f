/* The Cortex-R4F's tables. */
#define CORE_DEF      "catalog/cortex_r4f.def"
#define CORE_DOCUMENT "ARM DDI 0363E"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_cortex_r4f = {
    .name = "cortex-r4f",
    .title = "Arm Cortex-R4F",
    .pmu = "armv7_cortex_r4",
    .pmu_aliases = {"r4f", "r4", "armv7_cortex_r4f", "arm_cortex_r4", "ARMv7R_Cortex_R4", NULL},
    .document = "Cortex-R4 and Cortex-R4F Technical Reference Manual, ARM DDI 0363E (r1p3)",
    .n_event_counters = 3,
    .counter_bits = 32,
    .cycles_event = 0x11,
    .not_stalled = "Issue, and waits that no event tells",
    CORE_TABLES,
};
