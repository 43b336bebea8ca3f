/* The tables of the Cortex-X1. */
#define CORE_DEF      "catalog/cortex_x1.def"
#define CORE_DOCUMENT "ARM DDI 0487"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_cortex_x1 = {
    .name = "cortex-x1",
    .title = "Arm Cortex-X1",
    .pmu = "armv8_cortex_x1",
    .pmu_aliases = {"x1", "arm_cx1", NULL},
    .document = "Arm Cortex-X1 Core Technical Reference Manual, 101433 (r1p2)",
    .n_event_counters = 6,
    .counter_bits = 32,
    .pmu_version = 5,
    .cycles_event = 0x11,
    .not_stalled = "Dispatch",
    CORE_TABLES,
};
