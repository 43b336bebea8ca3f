/* The tables of the Neoverse V2. */
#define CORE_DEF      "catalog/neoverse_v2.def"
#define CORE_DOCUMENT "ARM DDI 0487"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_neoverse_v2 = {
    .name = "neoverse-v2",
    .title = "Arm Neoverse V2",
    .pmu = "armv9_neoverse_v2",
    .pmu_aliases = {"v2", "arm_v2", NULL},
    .document = "Arm Neoverse V2 Core Technical Reference Manual, 102375 (r0p2)",
    .n_event_counters = 6,
    .counter_bits = 64,
    .pmu_version = 6,
    .cycles_event = 0x11,
    .not_stalled = "Dispatch",
    CORE_TABLES,
};
