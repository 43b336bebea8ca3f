/* The tables of the activity monitors. */
#define CORE_DEF      "catalog/amuv1.def"
#define CORE_DOCUMENT "ARM DDI 0487"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_amuv1 = {
    .name = "amuv1",
    .title = "Armv8 Activity Monitors",
    .pmu = "amuv1",
    .pmu_aliases = {"amu", "armv8_amuv1", NULL},
    .document =
        "Arm Architecture Reference Manual for A-profile architecture, ARM DDI 0487 (issue M.a.a)",
    .n_event_counters = 20,
    .counter_bits = 64,
    .cycles_event = 0x11,
    .not_stalled = "Dispatch, and waits that no event tells",
    CORE_TABLES,
};
