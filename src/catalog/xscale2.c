/* The tables of the Intel XScale with four event counters. */
#define CORE_DEF      "catalog/xscale2.def"
#define CORE_DOCUMENT "Intel 273473-002"
#include "catalog/core_tables.inc"

const struct armpmu_core catalog_core_xscale2 = {
    .name = "xscale2",
    .title = "Intel XScale with four event counters",
    .pmu = "armv5_xscale2",
    .pmu_aliases = {NULL},
    .document = "Intel XScale Core Developer's Manual, order number 273473-002 (January 2004)",
    .n_event_counters = 4,
    .counter_bits = 32,
    .cycles_event = 0x100,
    .cycles_config = 0xfe, /* Linux drivers/perf/arm_xscale_pmu.c, XSCALE_PERFCTR_CCNT */
    .not_stalled = "Issue, flushes by branches, walks for data: no event tells them apart",
    CORE_TABLES,
};
