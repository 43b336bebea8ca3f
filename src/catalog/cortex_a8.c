/* The Cortex-A8's tables. */
#define CORE_DEF      "catalog/cortex_a8.def"
#define CORE_DOCUMENT "ARM DDI 0344K"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_cortex_a8 = {
    .name = "cortex-a8",
    .title = "Arm Cortex-A8",
    .pmu = "armv7_cortex_a8",
    .pmu_aliases = {"a8", "cpu", "arm_ac8", "ARMv7_Cortex_A8", NULL},
    .document = "Arm Cortex-A8 Technical Reference Manual, ARM DDI 0344K (r3p2)",
    .n_event_counters = 4,
    .counter_bits = 32,
    .cycles_event = 0x11,
    .not_stalled =
        "Issue, misses of the data cache and TLB, dependencies: no event tells them apart",
    CORE_TABLES,
};
