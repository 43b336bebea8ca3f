/* The Cortex-A8's tables, all made from cortex_a8.def: one pass over it for each kind of row. */
#include "catalog/cores.h"

#define ONE(a)          {ARMPMU_SIGNAL_##a}, 1
#define BOTH(a, b)      {ARMPMU_SIGNAL_##a, ARMPMU_SIGNAL_##b}, 2
#define LINUX(names)    [ARMPMU_NAMING_LINUX] = names,
#define LIBPFM4(names)  [ARMPMU_NAMING_LIBPFM4] = names,
#define PAPI(names)     [ARMPMU_NAMING_PAPI] = names,
#define GATOR(names)    [ARMPMU_NAMING_GATOR] = names,
#define CUSTOMARY(name) [ARMPMU_NAMING_OTHER] = name,

#define FIELD(name, msb, lsb, rule, reset, meaning)                                                \
    {#name, msb, lsb, ARMPMU_FIELD_##rule, reset, meaning},
#define GAP(msb, lsb) {"-", msb, lsb, ARMPMU_FIELD_RAZ, 0, "reserved"},

#define EVENT(number, name, unit, fidelity, signals, aliases, meaning)                             \
    {number, number, #name, meaning, ARMPMU_UNIT_##unit, ARMPMU_##fidelity, signals, {aliases}},
#define RESERVED(first, last)                                                                      \
    {first, last, "",    "reserved: never counts", ARMPMU_UNIT_OCCURRENCES, ARMPMU_RESERVED,       \
     {0},   0,    {NULL}},
#define REGISTER(...)
#define METRIC(...)
static const struct armpmu_event events[] = {
#include "catalog/cortex_a8.def"
};
#undef EVENT
#undef RESERVED
#undef REGISTER
#undef METRIC

#define EVENT(...)
#define RESERVED(...)
#define METRIC(...)

#define REGISTER(name, arch, crm, opc2, type, user, bank, purpose, section, fields)                \
    static const struct armpmu_field name##_fields[] = {fields};
#include "catalog/cortex_a8.def"
#undef REGISTER

enum { RW = 1, WO = 0 };                   /* readable */
enum { NEVER = 0, ENABLED = 1, READ = 2 }; /* User access */

#define REGISTER(name, arch, crm, opc2, type, user, bank, purpose, section, fields)                \
    {#name,                                                                                        \
     #arch,                                                                                        \
     purpose,                                                                                      \
     15,                                                                                           \
     0,                                                                                            \
     9,                                                                                            \
     crm,                                                                                          \
     opc2,                                                                                         \
     type == RW,                                                                                   \
     true,                                                                                         \
     user == ENABLED,                                                                              \
     user == READ,                                                                                 \
     bank,                                                                                         \
     name##_fields,                                                                                \
     sizeof name##_fields / sizeof name##_fields[0],                                               \
     "ARM DDI 0344K, " section},
static const struct armpmu_register registers[] = {
#include "catalog/cortex_a8.def"
};
#undef METRIC
#undef REGISTER

#define REGISTER(...)
#define METRIC(name, beside, numerator, denominator, factor, unit, meaning)                        \
    {#name, beside, numerator, denominator, factor, unit, meaning},
static const struct armpmu_metric metrics[] = {
#include "catalog/cortex_a8.def"
};

const struct armpmu_core core_cortex_a8 = {
    .name = "cortex-a8",
    .title = "Arm Cortex-A8",
    .pmu = "armv7_cortex_a8",
    .pmu_aliases = {"a8", "cpu", "arm_ac8", "ARMv7_Cortex_A8", NULL},
    .document = "Arm Cortex-A8 Technical Reference Manual, ARM DDI 0344K (r3p2)",
    .counters = 4,
    .counter_bits = 32,
    .cycles_event = 0x11,
    .events = events,
    .n_events = sizeof events / sizeof events[0],
    .registers = registers,
    .n_registers = sizeof registers / sizeof registers[0],
    .metrics = metrics,
    .n_metrics = sizeof metrics / sizeof metrics[0],
};
