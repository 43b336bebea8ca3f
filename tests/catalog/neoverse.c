/* The tables of the cores with PMUv3 against the manuals, written down a second time. */
#include "../test.h"

#include <string.h>

#include "armpmu/pmu.h"

#define NEOVERSE_N2 2 /* in the list of cores */

static const struct {
    const char *name, *linux_name, *short_name;
    char letter, published;
    unsigned version, slots, left_out;
    uint64_t ids[2]; /* PMCEID0 and PMCEID1: bit n, event n; bit 32 + n, event 0x4000 + n */
} cores[] = {
#define PMUV3_CORE(name, id, linux, short, letter, published, version, slots, midr, idcode, part,  \
                   left_out, ceid0, ceid1)                                                         \
    {name,   linux,     short,                                                                     \
     letter, published, version,                                                                   \
     slots,  left_out,  {UINT64_C(ceid0), UINT64_C(ceid1)}},
#include "../manual/pmuv3_cores.def"
#undef PMUV3_CORE
};

#define N_CORES (sizeof cores / sizeof cores[0])

static const struct {
    unsigned number;
    const char *cores, *name;
    enum armpmu_signal signals[4];
} events[] = {
#define NONE                            ARMPMU_SIGNAL_COUNT
#define EVENT(number, cores, name, ...) {number, cores, #name, {__VA_ARGS__}},
#include "../manual/neoverse_events.def"
#undef EVENT
#undef NONE
};

#define N_EVENTS (sizeof events / sizeof events[0])

/* Arm's own tables; see the file. */
static const struct {
    unsigned number;
    const char *cores, *name;
} published[] = {
#define PUBLISHED(number, cores, name) {number, cores, #name},
#include "../manual/neoverse_published.def"
#undef PUBLISHED
};

#define N_PUBLISHED (sizeof published / sizeof published[0])

static const struct armpmu_core *core_at(size_t i)
{
    const struct armpmu_core *const core = armpmu_core_find(cores[i].name);

    assert_non_null(core);
    return core;
}

static const struct armpmu_register *named(const char *name)
{
    const struct armpmu_register *const reg =
        armpmu_register_find(core_at(NEOVERSE_N2), name, NULL);

    if (reg == NULL)
        fail_msg("no register %s", name);
    return reg;
}

TEST(cores_are_found_by_their_names)
{
    for (size_t i = 0; i < N_CORES; i++) {
        assert_ptr_equal(armpmu_core_find(cores[i].linux_name), core_at(i));
        assert_ptr_equal(armpmu_core_find(cores[i].short_name), core_at(i));
        assert_int_equal(core_at(i)->pmu_version, cores[i].version);
        assert_int_equal(core_at(i)->counter_bits, cores[i].version >= 6 ? 64 : 32);
        assert_int_equal(core_at(i)->n_event_counters, 6);
        assert_int_equal(core_at(i)->cycles_event, 0x11);
    }
}

/* --- Events ---------------------------------------------------------------------------------- */

static bool counts(const struct armpmu_event *event, enum armpmu_signal signal)
{
    for (unsigned n = 0; n < event->n_signals; n++)
        if (event->signals[n] == signal)
            return true;
    return false;
}

static void check_event(const struct armpmu_core *core, size_t row)
{
    const struct armpmu_event *const event = armpmu_event_by_number(core, events[row].number);
    unsigned n = 0;

    if (event->fidelity == ARMPMU_RESERVED)
        fail_msg("%s has no event %#x", core->name, events[row].number);
    assert_int_equal(event->first, events[row].number);
    assert_string_equal(event->name, events[row].name);
    assert_ptr_equal(armpmu_event_by_name(core, events[row].name), event);
    for (; n < 4 && events[row].signals[n] != ARMPMU_SIGNAL_COUNT; n++)
        if (!counts(event, events[row].signals[n]))
            fail_msg("%s, %s lacks a signal", core->name, event->name);
    assert_int_equal(event->n_signals, n);
}

/* Every number: listed with its name and signals, or reserved. */
TEST(events_are_those_of_the_manuals)
{
    for (size_t i = 0; i < N_CORES; i++) {
        size_t row = 0;
        for (unsigned number = 0; number <= 0xffff; number++) {
            bool is_counted = false;
            for (; row < N_EVENTS && events[row].number == number; row++)
                if (strchr(events[row].cores, cores[i].letter) != NULL) {
                    check_event(core_at(i), row);
                    is_counted = true;
                }
            if (!is_counted &&
                armpmu_event_by_number(core_at(i), number)->fidelity != ARMPMU_RESERVED)
                fail_msg("%s counts %#x", cores[i].name, number);
        }
        assert_int_equal(row, N_EVENTS);
        assert_null(armpmu_event_by_number(core_at(i), 0x10000));
    }
}

/* A row that says what is left out, and why. */
static bool is_left_out(const struct armpmu_event *event, const char *name)
{
    return event->fidelity == ARMPMU_RESERVED && strcmp(event->name, name) == 0 &&
           strstr(event->meaning, "which is not modelled") != NULL;
}

/* Each published number counts under its name or says why not; no other counts. */
TEST(events_are_those_that_arm_publishes)
{
    for (size_t i = 0; i < N_CORES; i++) {
        size_t row = 0, left_out = 0;
        for (unsigned number = 0; number <= 0xffff; number++) {
            const struct armpmu_event *const event = armpmu_event_by_number(core_at(i), number);
            const char *name = "";
            for (; row < N_PUBLISHED && published[row].number == number; row++)
                if (strchr(published[row].cores, cores[i].published) != NULL)
                    name = published[row].name;
            if (name[0] == '\0' && event->fidelity != ARMPMU_RESERVED)
                fail_msg("%s has no event %#x", cores[i].name, number);
            if (strcmp(event->name, name) != 0)
                fail_msg("%s, %#x: '%s' is called '%s'", cores[i].name, number, event->name, name);
            left_out += name[0] != '\0' && is_left_out(event, name);
        }
        assert_int_equal(row, N_PUBLISHED);
        assert_int_equal(left_out, cores[i].left_out);
    }
}

/* Numbers in which the cores differ, without the lists: the letters of those that count them. */
TEST(cores_differ_in_these_events)
{
    static const struct {
        unsigned first, last;
        const char *on;
    } cases[] = {
        {0x0020, 0x0026, "1V82M"},  {0x0029, 0x002b, "1V82M"},
        {0x002d, 0x002d, "1V82M"},  {0x002f, 0x002f, "1V82M"},
        {0x0031, 0x0031, "1V82"},   {0x0034, 0x0037, "1V82M"},
        {0x0044, 0x0045, "1V82M"},  {0x004e, 0x004f, "1V82"},
        {0x005c, 0x005f, "1V82"},   {0x0062, 0x0065, ""},
        {0x006f, 0x006f, "1V82"},   {0x0038, 0x0038, "M"}, /* REMOTE_ACCESS_RD */
        {0x0039, 0x003f, "V82"},                           /* v3p4: STALL_SLOT and its kin */
        {0x0070, 0x0071, "1V820M"}, {0x0072, 0x0072, "10M"},
        {0x0073, 0x0073, "1V820M"}, {0x0091, 0x0091, "1V820"},
        {0x00a0, 0x00a0, "1V82M"},  {0x4000, 0x4003, ""},
        {0x4004, 0x4006, "V82"},    {0x4009, 0x4009, "V82"},
        {0x400b, 0x400b, "V82"},    {0x4010, 0x4013, "2"},
        {0x4018, 0x401b, "2"},      {0x4020, 0x4022, "2"},
        {0x8005, 0x8005, "V2"},     {0x8014, 0x8014, "2"},
        {0x8018, 0x8018, "2"},      {0x801c, 0x801c, "2"},
        {0x80c1, 0x80c1, "V2"},
    };

    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++)
        for (unsigned number = cases[n].first; number <= cases[n].last; number++)
            for (size_t i = 0; i < N_CORES; i++)
                if ((armpmu_event_by_number(core_at(i), number)->fidelity != ARMPMU_RESERVED) !=
                    (strchr(cases[n].on, cores[i].letter) != NULL))
                    fail_msg("%s and %#x", cores[i].name, number);
}

/* Names of the architecture and of perf, where the catalogue's own may differ. */
TEST(other_names_lead_to_the_same_number)
{
    static const struct {
        const char *name;
        unsigned number;
    } cases[] = {
        {"cycles", 0x11},
        {"cpu_cycles", 0x11},
        {"instructions", 0x08},
        {"inst_retired", 0x08},
        {"cache-references", 0x04},
        {"cache-misses", 0x03},
        {"branch-misses", 0x10},
        {"L1-dcache-loads", 0x04},
        {"L1-icache-load-misses", 0x01},
        {"dTLB-load-misses", 0x05},
        {"iTLB-load-misses", 0x02},
        {"stall_frontend", 0x23},
        {"stall_backend", 0x24},
        {"stalled-cycles-frontend", 0x23},
        {"stalled-cycles-backend", 0x24},
        {"l2d_cache_refill", 0x17},
        {"ll_cache_miss_rd", 0x37},
    };

    for (size_t i = 0; i < N_CORES; i++)
        for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
            const struct armpmu_event *const event =
                armpmu_event_by_name(core_at(i), cases[n].name);
            if (armpmu_event_by_number(core_at(i), cases[n].number)->fidelity == ARMPMU_RESERVED)
                continue; /* of a core of few events */
            if (event == NULL || event->first != cases[n].number)
                fail_msg("%s: %s is not %#x", cores[i].name, cases[n].name, cases[n].number);
        }
}

/* PMMIR_EL1 of those with level 1 of top-down; the N1 has none. */
TEST(slots_are_in_their_register)
{
    static union armpmu_memory memory;

    for (size_t i = 0; i < N_CORES; i++) {
        const struct armpmu_config config = {.core = cores[i].name};
        struct armpmu *pmu = NULL;
        assert_int_equal(armpmu_create(&memory, sizeof memory, &config, &pmu, NULL), ARMPMU_OK);
        if (cores[i].slots != 0)
            assert_int_equal(armpmu_peek(pmu, named("PMMIR_EL1"), 0) & 0xff, cores[i].slots);
    }
}

TEST(pmceid_says_which_common_events_there_are)
{
    static union armpmu_memory memory;

    for (size_t i = 0; i < N_CORES; i++)
        for (uint8_t counters = 0; counters <= 1; counters++) {
            const struct armpmu_config config = {.core = cores[i].name,
                                                 .pmuv3 = {.counters = counters}};
            struct armpmu *pmu = NULL;
            /* One counter alone has none to chain to. */
            const uint64_t chain = counters == 1 ? UINT64_C(1) << 0x1e : 0;
            assert_int_equal(armpmu_create(&memory, sizeof memory, &config, &pmu, NULL), ARMPMU_OK);
            assert_int_equal(armpmu_peek(pmu, named("PMCEID0_EL0"), 0), cores[i].ids[0] & ~chain);
            assert_int_equal(armpmu_peek(pmu, named("PMCEID1_EL0"), 0), cores[i].ids[1]);
        }
}

/* --- Registers -------------------------------------------------------------------------------- */

#define NO 0xffffu

/* op1, CRn, CRm, op2 of MSR with op0 3; MCR p15, 0 has the same CRn, CRm, op2. op1 is NO where
 * AArch64 has no such register; the offset NO where the view has none. */
static const struct {
    const char *name, *aarch32;
    unsigned bits, count, op1, crn, crm, op2, offset, bytes;
    bool readable, writable;
} system_rows[] = {
    {"PMCR_EL0", "PMCR", 32, 1, 3, 9, 12, 0, 0xe04, 4, true, true},
    {"PMCNTENSET_EL0", "PMCNTENSET", 32, 1, 3, 9, 12, 1, 0xc00, 4, true, true},
    {"PMCNTENCLR_EL0", "PMCNTENCLR", 32, 1, 3, 9, 12, 2, 0xc20, 4, true, true},
    {"PMOVSCLR_EL0", "PMOVSR", 32, 1, 3, 9, 12, 3, 0xc80, 4, true, true},
    {"PMSWINC_EL0", "PMSWINC", 32, 1, 3, 9, 12, 4, 0xca0, 4, false, true},
    {"PMSELR_EL0", "PMSELR", 32, 1, 3, 9, 12, 5, NO, 0, true, true},
    {"PMCEID0_EL0", "PMCEID0", 64, 1, 3, 9, 12, 6, 0xe20, 4, true, false},
    {"PMCEID1_EL0", "PMCEID1", 64, 1, 3, 9, 12, 7, 0xe24, 4, true, false},
    {"PMCCNTR_EL0", "PMCCNTR", 64, 1, 3, 9, 13, 0, 0x0f8, 8, true, true},
    {"PMUSERENR_EL0", "PMUSERENR", 32, 1, 3, 9, 14, 0, NO, 0, true, true},
    {"PMINTENSET_EL1", "PMINTENSET", 32, 1, 0, 9, 14, 1, 0xc40, 4, true, true},
    {"PMINTENCLR_EL1", "PMINTENCLR", 32, 1, 0, 9, 14, 2, 0xc60, 4, true, true},
    {"PMOVSSET_EL0", "PMOVSSET", 32, 1, 3, 9, 14, 3, 0xcc0, 4, true, true},
    {"PMCEID2", "PMCEID2", 32, 1, NO, 9, 14, 4, 0xe28, 4, true, false},
    {"PMCEID3", "PMCEID3", 32, 1, NO, 9, 14, 5, 0xe2c, 4, true, false},
    {"PMMIR_EL1", "PMMIR", 32, 1, 0, 9, 14, 6, 0xe40, 4, true, false},
    {"PMEVCNTR<n>_EL0", "PMEVCNTR<n>", 64, 31, 3, 14, 8, 0, 0x000, 8, true, true},
    {"PMEVTYPER<n>_EL0", "PMEVTYPER<n>", 32, 31, 3, 14, 12, 0, 0x400, 4, true, true},
    {"PMCCFILTR_EL0", "PMCCFILTR", 32, 1, 3, 14, 15, 7, 0x47c, 4, true, true},
};

#define N_SYSTEM (sizeof system_rows / sizeof system_rows[0])

static const struct armpmu_encodings *route_of(const struct armpmu_register *reg,
                                               enum armpmu_access access)
{
    for (size_t i = 0; i < reg->n_encodings; i++)
        if (reg->encodings[i].first.access == access)
            return &reg->encodings[i];
    return NULL;
}

static void check_route(const struct armpmu_register *reg, unsigned n,
                        struct armpmu_encoding expected)
{
    const struct armpmu_encodings *const encodings = route_of(reg, expected.access);

    if (encodings == NULL)
        fail_msg("%s has no %s", reg->name, armpmu_access_name(expected.access));
    const struct armpmu_encoding got = armpmu_encoding_of(encodings, n);
    assert_int_equal(got.coproc, expected.coproc);
    assert_int_equal(got.op1, expected.op1);
    assert_int_equal(got.crn, expected.crn);
    assert_int_equal(got.crm, expected.crm);
    assert_int_equal(got.op2, expected.op2);
    assert_int_equal(got.offset, expected.offset);
}

static void check_routes(const struct armpmu_register *reg, size_t row, unsigned n)
{
    const uint8_t op1 = (uint8_t)system_rows[row].op1, crn = (uint8_t)system_rows[row].crn;
    const uint8_t crm = (uint8_t)(system_rows[row].crm + n / 8);
    const uint8_t op2 = (uint8_t)(system_rows[row].op2 + n % 8);
    const uint16_t offset = (uint16_t)(system_rows[row].offset + n * system_rows[row].bytes);

    check_route(reg, n, (struct armpmu_encoding){ARMPMU_ACCESS_MCR, 15, 0, crn, crm, op2, 0});
    if (system_rows[row].op1 == NO)
        assert_null(route_of(reg, ARMPMU_ACCESS_MSR));
    else
        check_route(reg, n, (struct armpmu_encoding){ARMPMU_ACCESS_MSR, 3, op1, crn, crm, op2, 0});
    if (system_rows[row].offset == NO)
        assert_null(route_of(reg, ARMPMU_ACCESS_EXT32));
    else
        check_route(reg, n,
                    (struct armpmu_encoding){.access = ARMPMU_ACCESS_EXT32, .offset = offset});
}

TEST(system_registers_have_the_manual_s_encodings)
{
    for (size_t i = 0; i < N_SYSTEM; i++) {
        const struct armpmu_register *const reg = named(system_rows[i].name);
        assert_ptr_equal(named(system_rows[i].aarch32), reg);
        assert_int_equal(reg->bits, system_rows[i].bits);
        assert_int_equal(reg->count, system_rows[i].count);
        assert_int_equal(reg->readable, system_rows[i].readable);
        assert_int_equal(reg->writable, system_rows[i].writable);
        for (unsigned n = 0; n < reg->count; n++)
            check_routes(reg, i, n);
    }
    check_route(named("PMCCNTR"), 0,
                (struct armpmu_encoding){ARMPMU_ACCESS_MCRR, 15, 0, 0, 9, 0, 0});
}

/* Registers of the memory-mapped view alone, and what they say after reset on the N2. */
TEST(external_registers_have_the_manual_s_offsets)
{
    static const struct {
        const char *name;
        unsigned offset;
        uint64_t reset;
    } cases[] = {
        {"PMCFGR", 0xe00, 0x0009ff06}, {"PMITCTRL", 0xf00, 0},
        {"PMDEVAFF0", 0xfa8, 0},       {"PMDEVAFF1", 0xfac, 0},
        {"PMLAR", 0xfb0, 0},           {"PMLSR", 0xfb4, 0},
        {"PMAUTHSTATUS", 0xfb8, 0xcc}, {"PMDEVARCH", 0xfbc, 0x47702a16},
        {"PMDEVID", 0xfc8, 0},         {"PMDEVTYPE", 0xfcc, 0x16},
        {"PMPIDR4", 0xfd0, 0x04},      {"PMPIDR0", 0xfe0, 0x49},
        {"PMPIDR1", 0xfe4, 0xbd},      {"PMPIDR2", 0xfe8, 0x0b},
        {"PMPIDR3", 0xfec, 0},         {"PMCIDR0", 0xff0, 0x0d},
        {"PMCIDR1", 0xff4, 0x90},      {"PMCIDR2", 0xff8, 0x05},
        {"PMCIDR3", 0xffc, 0xb1},
    };

    assert_int_equal(core_at(NEOVERSE_N2)->n_registers, N_SYSTEM + sizeof cases / sizeof cases[0]);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct armpmu_register *const reg = named(cases[i].name);
        assert_int_equal(reg->n_encodings, 1);
        check_route(reg, 0,
                    (struct armpmu_encoding){.access = ARMPMU_ACCESS_EXT32,
                                             .offset = (uint16_t)cases[i].offset});
        assert_int_equal(armpmu_register_reset(reg), cases[i].reset);
    }
}

/* All bits that software can change, by hand. */
TEST(no_other_bit_can_be_written)
{
    static const struct {
        const char *reg;
        uint64_t stored, acts; /* kept as written; set, clear or do something where one */
    } cases[] = {
        {"PMCR", 0x2f9, 0x6},
        {"PMCNTENSET", 0, UINT32_MAX},
        {"PMCNTENCLR", 0, UINT32_MAX},
        {"PMOVSSET", 0, UINT32_MAX},
        {"PMOVSR", 0, UINT32_MAX},
        {"PMSWINC", 0, 0x7fffffff},
        {"PMSELR", 0x1f, 0},
        {"PMCCNTR", UINT64_MAX, 0},
        {"PMEVTYPER<n>", 0xff00ffff, 0},
        {"PMEVCNTR<n>", UINT64_MAX, 0},
        {"PMCCFILTR", 0xfd000000, 0},
        {"PMUSERENR", 0xf, 0},
        {"PMINTENSET", 0, UINT32_MAX},
        {"PMINTENCLR", 0, UINT32_MAX},
        {"PMMIR", 0, 0},
        {"PMCEID0", 0, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct armpmu_register *const reg = named(cases[i].reg);
        assert_int_equal(armpmu_register_mask(reg, ARMPMU_FIELD_RW), cases[i].stored);
        assert_int_equal(armpmu_register_mask(reg, ARMPMU_FIELD_W1S) |
                             armpmu_register_mask(reg, ARMPMU_FIELD_W1C) |
                             armpmu_register_mask(reg, ARMPMU_FIELD_W1A),
                         cases[i].acts);
    }
}

TEST(fields_are_those_of_the_manual)
{
    static const struct {
        const char *reg, *field;
        unsigned msb, lsb;
    } cases[] = {
        {"PMCR", "IMP", 31, 24},
        {"PMCR", "IDCODE", 23, 16},
        {"PMCR", "N", 15, 11},
        {"PMCR", "FZO", 9, 9},
        {"PMCR", "LP", 7, 7},
        {"PMCR", "LC", 6, 6},
        {"PMCR", "DP", 5, 5},
        {"PMCR", "X", 4, 4},
        {"PMCR", "D", 3, 3},
        {"PMCR", "C", 2, 2},
        {"PMCR", "P", 1, 1},
        {"PMCR", "E", 0, 0},
        {"PMEVTYPER0", "P", 31, 31},
        {"PMEVTYPER0", "U", 30, 30},
        {"PMEVTYPER0", "NSK", 29, 29},
        {"PMEVTYPER0", "NSU", 28, 28},
        {"PMEVTYPER0", "NSH", 27, 27},
        {"PMEVTYPER0", "M", 26, 26},
        {"PMEVTYPER0", "MT", 25, 25},
        {"PMEVTYPER0", "SH", 24, 24},
        {"PMEVTYPER0", "evtCount", 15, 0},
        {"PMCCFILTR", "SH", 24, 24},
        {"PMUSERENR", "ER", 3, 3},
        {"PMUSERENR", "CR", 2, 2},
        {"PMUSERENR", "SW", 1, 1},
        {"PMUSERENR", "EN", 0, 0},
        {"PMSELR", "SEL", 4, 0},
        {"PMMIR", "SLOTS", 7, 0},
        {"PMCFGR", "SIZE", 13, 8},
        {"PMDEVARCH", "ARCHITECT", 31, 21},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct armpmu_field *const field =
            armpmu_field_find(named(cases[i].reg), cases[i].field);
        if (field == NULL)
            fail_msg("%s has no field %s", cases[i].reg, cases[i].field);
        assert_int_equal(field->msb, cases[i].msb);
        assert_int_equal(field->lsb, cases[i].lsb);
    }
}

/* The cycle counter and bit 31 of the sets, then event counter n and bit n. */
TEST(counters_are_wired_to_their_bits)
{
    for (size_t i = 0; i < N_CORES; i++) {
        assert_int_equal(core_at(i)->n_counters, 32);
        for (unsigned n = 0; n < 32; n++) {
            const struct armpmu_counter *const counter = &core_at(i)->counters[n];
            const unsigned bit = n == 0 ? 31 : n - 1;
            assert_int_equal(counter->enable.lsb, bit);
            assert_int_equal(counter->flag.lsb, bit);
            assert_int_equal(counter->interrupt.lsb, bit);
            assert_int_equal(counter->event.slot == ARMPMU_SLOT_NONE, n == 0);
            assert_int_equal(counter->event_bits, n == 0 ? 0 : 16);
        }
    }
}
