/* The tables of the Neoverse N2. */
#define CORE_DEF      "catalog/neoverse_n2.def"
#define CORE_DOCUMENT "ARM DDI 0487"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_neoverse_n2 = {
    .name = "neoverse-n2",
    .title = "Arm Neoverse N2",
    .pmu = "armv9_neoverse_n2",
    .pmu_aliases = {"n2", "arm_n2", NULL},
    .document = "Arm Neoverse N2 Core Technical Reference Manual, 102099 (r0p0)",
    .n_event_counters = 6,
    .counter_bits = 64,
    .pmu_version = 6,
    .cycles_event = 0x11,
    .not_stalled = "Dispatch",
    CORE_TABLES,
};
