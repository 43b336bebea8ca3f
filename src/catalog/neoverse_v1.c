/* The tables of the Neoverse V1. */
#define CORE_DEF      "catalog/neoverse_v1.def"
#define CORE_DOCUMENT "ARM DDI 0487"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_neoverse_v1 = {
    .name = "neoverse-v1",
    .title = "Arm Neoverse V1",
    .pmu = "armv8_neoverse_v1",
    .pmu_aliases = {"v1", "arm_v1", NULL},
    .document = "Arm Neoverse V1 Core Technical Reference Manual, 101427 (r1p1)",
    .n_event_counters = 6,
    .counter_bits = 32,
    .pmu_version = 5,
    .cycles_event = 0x11,
    .not_stalled = "Dispatch",
    CORE_TABLES,
};
