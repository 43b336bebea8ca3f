/* The tables of the Neoverse N1. */
#define CORE_DEF      "catalog/neoverse_n1.def"
#define CORE_DOCUMENT "ARM DDI 0487"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_neoverse_n1 = {
    .name = "neoverse-n1",
    .title = "Arm Neoverse N1",
    .pmu = "armv8_neoverse_n1",
    .pmu_aliases = {"n1", "arm_n1", NULL},
    .document = "Arm Neoverse N1 Core Technical Reference Manual, 100616 (r4p1)",
    .n_event_counters = 6,
    .counter_bits = 32,
    .pmu_version = 4,
    .cycles_event = 0x11,
    .not_stalled = "Dispatch",
    CORE_TABLES,
};
