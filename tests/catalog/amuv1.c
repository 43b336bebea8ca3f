/* The tables of the activity monitors are those of the architecture manual.
 *
 * The rows are written by hand from ARM DDI 0487: the register summaries of the AArch64, AArch32
 * and external views, and the field descriptions. */
#include "../test.h"

#include <string.h>

#include "armpmu/catalog.h"

static const struct armpmu_core *amu(void)
{
    const struct armpmu_core *const core = armpmu_core_find("amuv1");
    assert_non_null(core);
    return core;
}

static const struct armpmu_register *named(const char *name)
{
    const struct armpmu_register *const reg = armpmu_register_find(amu(), name, NULL);
    if (reg == NULL)
        fail_msg("no register %s", name);
    return reg;
}

TEST(events_are_those_of_the_architecture)
{
    static const struct {
        unsigned number;
        const char *name, *architecture;
        enum armpmu_signal signal;
    } cases[] = {
        {0x0008, "INST_RETIRED", "Instructions retired", ARMPMU_SIGNAL_INST_RETIRED},
        {0x0011, "CPU_CYCLES", "Processor frequency cycles", ARMPMU_SIGNAL_CPU_CYCLES},
        {0x0300, "MPMM_GEAR0", "MPMM_GEAR0", ARMPMU_SIGNAL_MPMM_GEAR0},
        {0x0301, "MPMM_GEAR1", "MPMM_GEAR1", ARMPMU_SIGNAL_MPMM_GEAR1},
        {0x0302, "MPMM_GEAR2", "MPMM_GEAR2", ARMPMU_SIGNAL_MPMM_GEAR2},
        {0x4004, "CNT_CYCLES", "Constant frequency cycles", ARMPMU_SIGNAL_CONSTANT_CYCLES},
        {0x4005, "STALL_BACKEND_MEM", "STALL_BACKEND_MEM_CYCLES", ARMPMU_SIGNAL_MEMORY_STALL},
    };
    unsigned found = 0;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct armpmu_event *const event = armpmu_event_by_number(amu(), cases[i].number);
        assert_string_equal(event->name, cases[i].name);
        assert_ptr_equal(armpmu_event_by_name(amu(), cases[i].name), event);
        assert_ptr_equal(armpmu_event_by_name(amu(), cases[i].architecture), event);
        assert_int_equal(event->n_signals, 1);
        assert_int_equal(event->signals[0], cases[i].signal);
    }
    for (size_t i = 0; i < amu()->n_events; i++)
        found += amu()->events[i].fidelity != ARMPMU_RESERVED;
    assert_int_equal(found, sizeof cases / sizeof cases[0]);
    assert_int_equal(armpmu_event_by_number(amu(), 0x10)->fidelity, ARMPMU_RESERVED);
    assert_int_equal(armpmu_event_by_number(amu(), 0xffff)->fidelity, ARMPMU_RESERVED);
    assert_string_equal(armpmu_event_by_number(amu(), 0xffff)->meaning,
                        "an auxiliary counter with this number counts its own input");
    assert_null(armpmu_event_by_number(amu(), 0x10000));
}

#define NO 0xffffu

/* A system register: op1, CRm, op2 of MSR with op0 3 and CRn 13; CRm, opc2 of MCR p15, 0, c13, or
 * CRm of MCRR p15. The offsets of both layouts, NO where the register is not in the view. */
static const struct {
    const char *name, *aarch32;
    unsigned bits, count;
    unsigned op1, crm, op2;
    enum { NONE, MCR, MCRR } aarch32_face;
    unsigned aarch32_crm, opc2;
    unsigned ext32, ext32_bytes, ext64;
    bool writable;
} system_rows[] = {
    {"AMCR_EL0", "AMCR", 32, 1, 3, 2, 0, MCR, 2, 0, 0xe04, 4, 0xe10, true},
    {"AMCFGR_EL0", "AMCFGR", 32, 1, 3, 2, 1, MCR, 2, 1, 0xe00, 4, 0xe00, false},
    {"AMCGCR_EL0", "AMCGCR", 32, 1, 3, 2, 2, MCR, 2, 2, 0xce0, 4, 0xce0, false},
    {"AMUSERENR_EL0", "AMUSERENR", 32, 1, 3, 2, 3, MCR, 2, 3, NO, 0, NO, true},
    {"AMCNTENCLR0_EL0", "AMCNTENCLR0", 32, 1, 3, 2, 4, MCR, 2, 4, 0xc20, 4, NO, true},
    {"AMCNTENSET0_EL0", "AMCNTENSET0", 32, 1, 3, 2, 5, MCR, 2, 5, 0xc00, 4, NO, true},
    {"AMCG1IDR_EL0", "AMCG1IDR", 32, 1, 3, 2, 6, NONE, 0, 0, NO, 0, NO, false},
    {"AMCNTENCLR1_EL0", "AMCNTENCLR1", 32, 1, 3, 3, 0, MCR, 3, 0, 0xc24, 4, NO, true},
    {"AMCNTENSET1_EL0", "AMCNTENSET1", 32, 1, 3, 3, 1, MCR, 3, 1, 0xc04, 4, NO, true},
    {"AMEVCNTR0<n>_EL0", "AMEVCNTR0<n>", 64, 4, 3, 4, 0, MCRR, 0, 0, 0x000, 8, 0x000, true},
    {"AMEVTYPER0<n>_EL0", "AMEVTYPER0<n>", 32, 4, 3, 6, 0, MCR, 6, 0, 0x400, 4, 0x400, false},
    {"AMEVCNTR1<n>_EL0", "AMEVCNTR1<n>", 64, 16, 3, 12, 0, MCRR, 4, 0, 0x100, 8, 0x100, true},
    {"AMEVTYPER1<n>_EL0", "AMEVTYPER1<n>", 32, 16, 3, 14, 0, MCR, 14, 0, 0x480, 4, 0x500, true},
    {"AMEVCNTVOFF0<n>_EL2", "AMEVCNTVOFF0<n>_EL2", 64, 4, 4, 8, 0, NONE, 0, 0, NO, 0, NO, true},
    {"AMEVCNTVOFF1<n>_EL2", "AMEVCNTVOFF1<n>_EL2", 64, 16, 4, 10, 0, NONE, 0, 0, NO, 0, NO, true},
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

static void check_encoding(const struct armpmu_encodings *encodings, unsigned n,
                           struct armpmu_encoding expected)
{
    assert_non_null(encodings);
    const struct armpmu_encoding got = armpmu_encoding_of(encodings, n);
    assert_int_equal(got.access, expected.access);
    assert_int_equal(got.coproc, expected.coproc);
    assert_int_equal(got.op1, expected.op1);
    assert_int_equal(got.crn, expected.crn);
    assert_int_equal(got.crm, expected.crm);
    assert_int_equal(got.op2, expected.op2);
    assert_int_equal(got.offset, expected.offset);
}

static void check_offsets(const struct armpmu_register *reg, enum armpmu_access access,
                          unsigned first, unsigned bytes)
{
    const struct armpmu_encodings *const encodings = route_of(reg, access);

    assert_int_equal(encodings != NULL, first != NO);
    if (encodings == NULL)
        return;
    assert_int_equal(encodings->bytes, bytes);
    for (unsigned n = 0; n < reg->count; n++)
        check_encoding(encodings, n,
                       (struct armpmu_encoding){.access = access, .offset = first + n * bytes});
}

static void check_aarch32(const struct armpmu_register *reg, size_t row, unsigned n)
{
    const unsigned crm = system_rows[row].aarch32_crm + n / 8, opc2 = system_rows[row].opc2 + n % 8;

    if (system_rows[row].aarch32_face == MCR)
        check_encoding(route_of(reg, ARMPMU_ACCESS_MCR), n,
                       (struct armpmu_encoding){ARMPMU_ACCESS_MCR, 15, 0, 13, crm, opc2, 0});
    else
        assert_null(route_of(reg, ARMPMU_ACCESS_MCR));
    if (system_rows[row].aarch32_face == MCRR)
        check_encoding(route_of(reg, ARMPMU_ACCESS_MCRR), n,
                       (struct armpmu_encoding){ARMPMU_ACCESS_MCRR, 15, opc2, 0, crm, 0, 0});
    else
        assert_null(route_of(reg, ARMPMU_ACCESS_MCRR));
}

TEST(system_registers_have_the_manual_s_encodings)
{
    for (size_t i = 0; i < N_SYSTEM; i++) {
        const struct armpmu_register *const reg = named(system_rows[i].name);
        assert_ptr_equal(named(system_rows[i].aarch32), reg);
        assert_int_equal(reg->bits, system_rows[i].bits);
        assert_int_equal(reg->count, system_rows[i].count);
        assert_int_equal(reg->writable, system_rows[i].writable);
        assert_true(reg->readable);
        for (unsigned n = 0; n < reg->count; n++) {
            check_encoding(route_of(reg, ARMPMU_ACCESS_MSR), n,
                           (struct armpmu_encoding){ARMPMU_ACCESS_MSR, 3, system_rows[i].op1, 13,
                                                    system_rows[i].crm + n / 8,
                                                    system_rows[i].op2 + n % 8, 0});
            check_aarch32(reg, i, n);
        }
        check_offsets(reg, ARMPMU_ACCESS_EXT32, system_rows[i].ext32, system_rows[i].ext32_bytes);
        check_offsets(reg, ARMPMU_ACCESS_EXT64, system_rows[i].ext64, 8);
    }
}

/* Registers of the memory-mapped view alone. */
static const struct {
    const char *name;
    unsigned bits, ext32, ext64, ext64_bytes;
    uint64_t reset;
    bool writable;
} external_rows[] = {
    {"AMCNTENSET", 64, NO, 0xc00, 8, 0, false},
    {"AMCNTEN", 64, NO, 0xc10, 8, 0, false},
    {"AMCNTENCLR", 64, NO, 0xc20, 8, 0, false},
    {"AMIIDR", 32, 0xe08, 0xe08, 8, 0, false},
    {"AMSCR", 64, 0xe40, 0xe40, 8, 0x80000000, true},
    {"AMROOTCR", 64, 0xe48, 0xe48, 8, 0x80000000, true},
    {"AMDEVAFF0", 32, 0xfa8, NO, 0, 0, false},
    {"AMDEVAFF1", 32, 0xfac, NO, 0, 0, false},
    {"AMDEVAFF", 64, NO, 0xfa8, 8, 0, false},
    {"AMDEVARCH", 32, 0xfbc, 0xfbc, 4, 0x47700a66, false},
    {"AMDEVTYPE", 32, 0xfcc, 0xfcc, 4, 0x16, false},
    {"AMPIDR4", 32, 0xfd0, 0xfd0, 4, 0x04, false},
    {"AMPIDR0", 32, 0xfe0, 0xfe0, 4, 0x00, false},
    {"AMPIDR1", 32, 0xfe4, 0xfe4, 4, 0xb0, false},
    {"AMPIDR2", 32, 0xfe8, 0xfe8, 4, 0x0b, false},
    {"AMPIDR3", 32, 0xfec, 0xfec, 4, 0x00, false},
    {"AMCIDR0", 32, 0xff0, 0xff0, 4, 0x0d, false},
    {"AMCIDR1", 32, 0xff4, 0xff4, 4, 0x90, false},
    {"AMCIDR2", 32, 0xff8, 0xff8, 4, 0x05, false},
    {"AMCIDR3", 32, 0xffc, 0xffc, 4, 0xb1, false},
};

#define N_EXTERNAL (sizeof external_rows / sizeof external_rows[0])

TEST(external_registers_have_the_manual_s_offsets)
{
    assert_int_equal(amu()->n_registers, N_SYSTEM + N_EXTERNAL);
    for (size_t i = 0; i < N_EXTERNAL; i++) {
        const struct armpmu_register *const reg = named(external_rows[i].name);
        assert_int_equal(reg->bits, external_rows[i].bits);
        assert_int_equal(reg->count, 1);
        assert_int_equal(reg->permission, ARMPMU_PERMIT_BUS);
        assert_int_equal(armpmu_register_reset(reg), external_rows[i].reset);
        assert_int_equal(reg->writable, external_rows[i].writable);
        assert_null(route_of(reg, ARMPMU_ACCESS_MSR));
        assert_null(route_of(reg, ARMPMU_ACCESS_MCR));
        check_offsets(reg, ARMPMU_ACCESS_EXT32, external_rows[i].ext32, reg->bits / 8);
        check_offsets(reg, ARMPMU_ACCESS_EXT64, external_rows[i].ext64,
                      external_rows[i].ext64_bytes);
    }
}

TEST(fields_are_those_of_the_manual)
{
    static const struct {
        const char *reg, *field;
        unsigned msb, lsb;
        enum armpmu_field_rule rule;
        uint64_t reset;
    } cases[] = {
        {"AMCR", "CG1RZ", 17, 17, ARMPMU_FIELD_RW, 0},
        {"AMCR", "HDBG", 10, 10, ARMPMU_FIELD_RW, 0},
        {"AMCFGR", "NCG", 31, 28, ARMPMU_FIELD_RO, 0},
        {"AMCFGR", "HDBG", 24, 24, ARMPMU_FIELD_RO, 1},
        {"AMCFGR", "SIZE", 13, 8, ARMPMU_FIELD_RO, 0x3f},
        {"AMCFGR", "N", 7, 0, ARMPMU_FIELD_RO, 3},
        {"AMCGCR", "CG1NC", 15, 8, ARMPMU_FIELD_RO, 0},
        {"AMCGCR", "CG0NC", 7, 0, ARMPMU_FIELD_RO, 4},
        {"AMUSERENR", "EN", 0, 0, ARMPMU_FIELD_RW, 0},
        {"AMCNTENSET0", "P3", 3, 3, ARMPMU_FIELD_W1S, 0},
        {"AMCNTENSET0", "P0", 0, 0, ARMPMU_FIELD_W1S, 0},
        {"AMCNTENCLR0", "P3", 3, 3, ARMPMU_FIELD_W1C, 0},
        {"AMCNTENCLR0", "P0", 0, 0, ARMPMU_FIELD_W1C, 0},
        {"AMCNTENSET1", "P", 15, 0, ARMPMU_FIELD_W1S, 0},
        {"AMCNTENCLR1", "P", 15, 0, ARMPMU_FIELD_W1C, 0},
        {"AMCG1IDR", "AMEVCNTOFF1", 31, 16, ARMPMU_FIELD_RO, 0},
        {"AMCG1IDR", "AMEVCNTR1", 15, 0, ARMPMU_FIELD_RO, 0},
        {"AMEVCNTR00", "ACNT", 63, 0, ARMPMU_FIELD_RW, 0},
        {"AMEVCNTR115", "ACNT", 63, 0, ARMPMU_FIELD_RW, 0},
        {"AMEVTYPER00", "evtCount", 15, 0, ARMPMU_FIELD_RO, 0x11},
        {"AMEVTYPER115", "evtCount", 15, 0, ARMPMU_FIELD_RW, 0},
        {"AMEVCNTVOFF03_EL2", "VOffset", 63, 0, ARMPMU_FIELD_RW, 0},
        {"AMEVCNTVOFF115_EL2", "VOffset", 63, 0, ARMPMU_FIELD_RW, 0},
        {"AMSCR", "IMPL", 31, 31, ARMPMU_FIELD_RO, 1},
        {"AMSCR", "NSRA", 1, 1, ARMPMU_FIELD_RW, 0},
        {"AMROOTCR", "RA", 6, 4, ARMPMU_FIELD_RW, 0},
        {"AMDEVARCH", "ARCHITECT", 31, 21, ARMPMU_FIELD_RO, 0x23b},
        {"AMDEVARCH", "ARCHPART", 11, 0, ARMPMU_FIELD_RO, 0xa66},
        {"AMIIDR", "ProductID", 31, 20, ARMPMU_FIELD_RO, 0},
        {"AMIIDR", "Implementer", 11, 0, ARMPMU_FIELD_RO, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct armpmu_field *const field =
            armpmu_field_find(named(cases[i].reg), cases[i].field);
        if (field == NULL)
            fail_msg("%s has no field %s", cases[i].reg, cases[i].field);
        assert_int_equal(field->msb, cases[i].msb);
        assert_int_equal(field->lsb, cases[i].lsb);
        assert_int_equal(field->rule, cases[i].rule);
        assert_int_equal(field->reset, cases[i].reset);
    }
}

/* All bits that software can change, by hand; everything else is constant or reserved. */
TEST(no_other_bit_can_be_written)
{
    static const struct {
        const char *reg;
        uint64_t changes;
    } cases[] = {
        {"AMCR", 0x20400},
        {"AMUSERENR", 1},
        {"AMCNTENSET0", 0xf},
        {"AMCNTENCLR0", 0xf},
        {"AMCNTENSET1", 0xffff},
        {"AMCNTENCLR1", 0xffff},
        {"AMEVCNTR0<n>", UINT64_MAX},
        {"AMEVCNTR1<n>", UINT64_MAX},
        {"AMEVTYPER1<n>", 0xffff},
        {"AMEVCNTVOFF0<n>_EL2", UINT64_MAX},
        {"AMEVCNTVOFF1<n>_EL2", UINT64_MAX},
        {"AMSCR", 2},
        {"AMROOTCR", 0x70},
    };
    size_t writable = 0;

    for (size_t i = 0; i < amu()->n_registers; i++)
        writable += amu()->registers[i].writable;
    assert_int_equal(writable, sizeof cases / sizeof cases[0]);
    for (size_t i = 0; i < writable; i++) {
        const struct armpmu_register *const reg = named(cases[i].reg);
        assert_true(reg->writable);
        assert_int_equal(armpmu_register_mask(reg, ARMPMU_FIELD_RW) |
                             armpmu_register_mask(reg, ARMPMU_FIELD_W1S) |
                             armpmu_register_mask(reg, ARMPMU_FIELD_W1C),
                         cases[i].changes);
    }
}

TEST(an_element_is_named_by_its_number)
{
    unsigned element = 99;

    assert_ptr_equal(armpmu_register_find(amu(), "AMEVCNTR02_EL0", &element),
                     named("AMEVCNTR0<n>"));
    assert_int_equal(element, 2);
    assert_ptr_equal(armpmu_register_find(amu(), "amevtyper115", &element), named("AMEVTYPER1<n>"));
    assert_int_equal(element, 15);
    assert_null(armpmu_register_find(amu(), "AMEVCNTR04_EL0", &element));
    assert_null(armpmu_register_find(amu(), "AMEVCNTR116_EL0", &element));
}

/* Counter, its bit in AMCNTENSET0 or AMCNTENSET1 above it, its element: nothing else steers it. */
TEST(counters_are_wired_to_their_enable_bits)
{
    assert_int_equal(amu()->n_counters, 20);
    for (unsigned i = 0; i < 20; i++) {
        const struct armpmu_counter *const counter = &amu()->counters[i];
        const unsigned element = i < 4 ? i : i - 4 + 16;
        assert_int_equal(counter->count.slot, ARMPMU_SLOT_COUNT + element);
        assert_int_equal(counter->event.slot, ARMPMU_SLOT_EVENT + element);
        assert_int_equal(counter->event_bits, 16);
        assert_int_equal(counter->bits, 64);
        assert_int_equal(counter->enable.slot, ARMPMU_SLOT_ENABLE);
        assert_int_equal(counter->enable.lsb, i < 4 ? i : i - 4 + 32);
        assert_int_equal(counter->flag.slot, ARMPMU_SLOT_NONE);
        assert_int_equal(counter->interrupt.slot, ARMPMU_SLOT_NONE);
    }
    assert_string_equal(amu()->counters[3].name, "AMEVCNTR03");
    assert_string_equal(amu()->counters[19].name, "AMEVCNTR115");
}
