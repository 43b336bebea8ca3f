/* The Cortex-R4F's tables against its manual: each row is a line of Table 6-1 or of a register
 * page, written down apart from the catalogue. */
#include "../test.h"

#include <stdio.h>
#include <string.h>

#include "armpmu/catalog.h"

static const struct armpmu_core *r4f(void)
{
    const struct armpmu_core *const core = armpmu_core_find("cortex-r4f");
    assert_non_null(core);
    return core;
}

#define NO 0xff /* N/A in the column of bus bits */

/* Number, bus bit, whether it goes with an update of the CFLR; our name and the customary one; the
 * unit; whether it comes from outside the processor; the wire. */
static const struct line {
    unsigned number, bit;
    bool located;
    const char *name, *customary;
    enum armpmu_unit unit;
    bool input;
    enum armpmu_signal signal;
} lines[] = {
#define EVENT(number, bit, located, name, customary, unit, input, signal)                          \
    {number, bit, located, #name, #customary, ARMPMU_UNIT_##unit, input, ARMPMU_SIGNAL_##signal},
#include "../manual/cortex_r4f_events.def"
#undef EVENT
};

#define N_LINES (sizeof lines / sizeof lines[0])

/* Decided by the executed instructions alone. */
static bool is_exact(uint32_t number)
{
    static const uint8_t exact[] = {0x00, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b,
                                    0x0c, 0x0d, 0x0e, 0x0f, 0x12, 0x53, 0x5d};
    return memchr(exact, (int)number, sizeof exact) != NULL;
}

TEST(each_event_is_a_line_of_the_manual)
{
    for (size_t i = 0; i < N_LINES; i++) {
        const struct line *const line = &lines[i];
        const struct armpmu_event *const event = armpmu_event_by_number(r4f(), line->number);
        assert_string_equal(event->name, line->name);
        assert_ptr_equal(armpmu_event_by_name(r4f(), line->name), event);
        assert_ptr_equal(armpmu_event_by_name(r4f(), line->customary), event);
        assert_int_equal(event->unit, line->unit);
        assert_int_equal(event->fidelity, line->input              ? ARMPMU_INPUT
                                          : is_exact(line->number) ? ARMPMU_EXACT
                                                                   : ARMPMU_MODELLED);
        assert_int_equal(event->n_signals, 1);
        assert_int_equal(event->signals[0], line->signal);
        assert_int_equal(event->bus_bit, line->bit);
        assert_int_equal(event->locates_a_fault, line->located);
    }
}

static const struct line *line_of(unsigned number)
{
    for (size_t i = 0; i < N_LINES; i++)
        if (lines[i].number == number)
            return &lines[i];
    return NULL;
}

TEST(every_other_number_is_reserved)
{
    unsigned reserved = 0;

    for (unsigned number = 0; number <= 0xff; number++) {
        if (line_of(number) != NULL)
            continue;
        const struct armpmu_event *const event = armpmu_event_by_number(r4f(), number);
        assert_int_equal(event->fidelity, ARMPMU_RESERVED);
        assert_int_equal(event->n_signals, 0);
        assert_int_equal(event->bus_bit, ARMPMU_NOT_ON_BUS);
        reserved++;
    }
    assert_int_equal(reserved, 256 - N_LINES);
}

/* EVNTBUS[46:0]; bit 36 is the one that no event drives. */
TEST(the_event_bus_has_46_of_47_bits)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < r4f()->n_events; i++)
        if (r4f()->events[i].bus_bit != ARMPMU_NOT_ON_BUS)
            bits |= UINT64_C(1) << r4f()->events[i].bus_bit;
    assert_int_equal(bits, UINT64_C(0x7fffffffffff) & ~(UINT64_C(1) << 36));
}

TEST(other_tools_names_lead_to_the_same_number)
{
    static const struct {
        const char *name;
        unsigned number;
    } cases[] = {
        {"cycles", 0x11},
        {"instructions", 0x08},
        {"cache-references", 0x04},
        {"cache-misses", 0x03},
        {"branches", 0x0c},
        {"branch-misses", 0x10},
        {"stalled-cycles-frontend", 0x40},
        {"L1-icache-loads", 0x58},
        {"L1-icache-load-misses", 0x01},
        {"STALL_IFETCH", 0x40},
        {"Clock: Cycles", 0x11},
        {"Branch: Dual issue case B1, B2, F2, F2D", 0x5b},
        {"Instruction: Dual-issued Pair Executed", 0x5e},
        {"ETM: ETMEXTOUT[0]", 0x48},
        {"Store Buffer: IRQ Disabled", 0x47},
        {"TCM: AXI slave error", 0x6d},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct armpmu_event *const event = armpmu_event_by_name(r4f(), cases[i].name);
        if (event == NULL || event->first != cases[i].number)
            fail_msg("%s: not 0x%02x", cases[i].name, cases[i].number);
    }
}

/* Registers c9 of the manual's chapter 6, c15 of its chapter 4. */
TEST(registers_are_those_of_the_manual)
{
    static const struct {
        const char *name, *arch_name;
        unsigned crn, crm, opc2;
        uint32_t reset, stored, reserved; /* bits of rule RW; bits that read as zero */
        unsigned elements;
        enum armpmu_slot slot;
        enum armpmu_permission permission;
    } cases[] = {
    /* clang-format off */
#define USEREN ARMPMU_PERMIT_USEREN
#define PRIVILEGED ARMPMU_PERMIT_PRIVILEGED
        {"PMNC",    "PMCR",       9, 12, 0, 0x41141800, 0x39,       0x7c0,      1, ARMPMU_SLOT_CONTROL,   USEREN},
        {"CNTENS",  "PMCNTENSET", 9, 12, 1, 0,          0,          0x7ffffff8, 1, ARMPMU_SLOT_ENABLE,    USEREN},
        {"CNTENC",  "PMCNTENCLR", 9, 12, 2, 0,          0,          0x7ffffff8, 1, ARMPMU_SLOT_ENABLE,    USEREN},
        {"FLAG",    "PMOVSR",     9, 12, 3, 0,          0,          0x7ffffff8, 1, ARMPMU_SLOT_FLAG,      USEREN},
        {"SWINCR",  "PMSWINC",    9, 12, 4, 0,          0,          0xfffffff8, 1, ARMPMU_SLOT_NONE,      USEREN},
        {"PMNXSEL", "PMSELR",     9, 12, 5, 0,          0x1f,       0xffffffe0, 1, ARMPMU_SLOT_SELECT,    USEREN},
        {"CCNT",    "PMCCNTR",    9, 13, 0, 0,          0xffffffff, 0,          1, ARMPMU_SLOT_CYCLES,    USEREN},
        {"EVTSEL",  "PMXEVTYPER", 9, 13, 1, 0,          0xff,       0xffffff00, 3, ARMPMU_SLOT_EVENT,     USEREN},
        {"PMC",     "PMXEVCNTR",  9, 13, 2, 0,          0xffffffff, 0,          3, ARMPMU_SLOT_COUNT,     USEREN},
        {"USEREN",  "PMUSERENR",  9, 14, 0, 0,          0x1,        0xfffffffe, 1, ARMPMU_SLOT_USER,      ARMPMU_PERMIT_USER_READS},
        {"INTENS",  "PMINTENSET", 9, 14, 1, 0,          0,          0x7ffffff8, 1, ARMPMU_SLOT_INTERRUPT, PRIVILEGED},
        {"INTENC",  "PMINTENCLR", 9, 14, 2, 0,          0,          0x7ffffff8, 1, ARMPMU_SLOT_INTERRUPT, PRIVILEGED},
        {"nVALIRQENS",   "nVAL IRQ Enable Set",             15, 1, 0, 0, 0, 0x7ffffff8, 1, ARMPMU_SLOT_VAL_IRQ,   USEREN},
        {"nVALFIQENS",   "nVAL FIQ Enable Set",             15, 1, 1, 0, 0, 0x7ffffff8, 1, ARMPMU_SLOT_VAL_FIQ,   USEREN},
        {"nVALRESETENS", "nVAL Reset Enable Set",           15, 1, 2, 0, 0, 0x7ffffff8, 1, ARMPMU_SLOT_VAL_RESET, USEREN},
        {"VALEDBGRQENS", "nVAL Debug Request Enable Set",   15, 1, 3, 0, 0, 0x7ffffff8, 1, ARMPMU_SLOT_VAL_DEBUG, USEREN},
        {"nVALIRQENC",   "nVAL IRQ Enable Clear",           15, 1, 4, 0, 0, 0x7ffffff8, 1, ARMPMU_SLOT_VAL_IRQ,   USEREN},
        {"nVALFIQENC",   "nVAL FIQ Enable Clear",           15, 1, 5, 0, 0, 0x7ffffff8, 1, ARMPMU_SLOT_VAL_FIQ,   USEREN},
        {"nVALRESETENC", "nVAL Reset Enable Clear",         15, 1, 6, 0, 0, 0x7ffffff8, 1, ARMPMU_SLOT_VAL_RESET, USEREN},
        {"VALEDBGRQENC", "nVAL Debug Request Enable Clear", 15, 1, 7, 0, 0, 0x7ffffff8, 1, ARMPMU_SLOT_VAL_DEBUG, USEREN},
        {"CFLR", "CFLR",         15, 3, 0, 0, 0x3f7ffffb, 0xc0800004, 1, ARMPMU_SLOT_FAULT, PRIVILEGED},
#undef USEREN
#undef PRIVILEGED
        /* clang-format on */
    };

    assert_int_equal(r4f()->n_registers, sizeof cases / sizeof cases[0]);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct armpmu_register *const reg = armpmu_register_find(r4f(), cases[i].name, NULL);
        assert_non_null(reg);
        assert_ptr_equal(armpmu_register_find(r4f(), cases[i].arch_name, NULL), reg);
        assert_int_equal(reg->n_encodings, 1);
        const struct armpmu_encoding at = armpmu_encoding_of(&reg->encodings[0], 0);
        assert_int_equal(at.access, ARMPMU_ACCESS_MCR);
        assert_int_equal(at.coproc, 15);
        assert_int_equal(at.op1, 0);
        assert_int_equal(at.crn, cases[i].crn);
        assert_int_equal(at.crm, cases[i].crm);
        assert_int_equal(at.op2, cases[i].opc2);
        assert_int_equal(reg->bits, 32);
        assert_int_equal(reg->count, cases[i].elements);
        assert_int_equal(reg->slot, cases[i].slot);
        assert_int_equal(reg->permission, cases[i].permission);
        assert_int_equal(armpmu_register_reset(reg), cases[i].reset);
        assert_int_equal(armpmu_register_mask(reg, ARMPMU_FIELD_RW), cases[i].stored);
        assert_int_equal(armpmu_register_mask(reg, ARMPMU_FIELD_RAZ), cases[i].reserved);
        assert_true(reg->writable);
        assert_int_equal(reg->readable, strcmp(reg->name, "SWINCR") != 0);
        assert_non_null(strstr(reg->source, "ARM DDI 0363"));
    }
}

TEST(set_and_clear_do_what_their_names_say)
{
    static const char *const names[] = {"CNTEN",     "INTEN",       "nVALIRQEN",
                                        "nVALFIQEN", "nVALRESETEN", "VALEDBGRQEN"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[32];
        snprintf(name, sizeof name, "%sS", names[i]);
        const struct armpmu_register *const set = armpmu_register_find(r4f(), name, NULL);
        snprintf(name, sizeof name, "%sC", names[i]);
        const struct armpmu_register *const clear = armpmu_register_find(r4f(), name, NULL);
        assert_int_equal(armpmu_register_mask(set, ARMPMU_FIELD_W1S), 0x80000007);
        assert_int_equal(armpmu_register_mask(clear, ARMPMU_FIELD_W1C), 0x80000007);
    }
}

TEST(counters_are_wired_as_the_manual_says)
{
    static const struct {
        const char *name;
        unsigned count, bit, event;
    } cases[] = {
        {"CCNT", ARMPMU_SLOT_CYCLES, 31, ARMPMU_SLOT_NONE},
        {"PMC0", ARMPMU_SLOT_COUNT, 0, ARMPMU_SLOT_EVENT},
        {"PMC1", ARMPMU_SLOT_COUNT + 1, 1, ARMPMU_SLOT_EVENT + 1},
        {"PMC2", ARMPMU_SLOT_COUNT + 2, 2, ARMPMU_SLOT_EVENT + 2},
    };

    assert_int_equal(r4f()->n_counters, 4);
    assert_int_equal(r4f()->n_event_counters, 3);
    assert_int_equal(r4f()->cycles_event, 0x11);
    for (size_t i = 0; i < 4; i++) {
        const struct armpmu_counter *const counter = &r4f()->counters[i];
        assert_string_equal(counter->name, cases[i].name);
        assert_int_equal(counter->bits, 32);
        assert_int_equal(counter->count.slot, cases[i].count);
        assert_int_equal(counter->enable.slot, ARMPMU_SLOT_ENABLE);
        assert_int_equal(counter->enable.lsb, cases[i].bit);
        assert_int_equal(counter->flag.slot, ARMPMU_SLOT_FLAG);
        assert_int_equal(counter->flag.lsb, cases[i].bit);
        assert_int_equal(counter->interrupt.slot, ARMPMU_SLOT_INTERRUPT);
        assert_int_equal(counter->interrupt.lsb, cases[i].bit);
        assert_int_equal(counter->event.slot, cases[i].event);
        assert_int_equal(counter->event_bits, i == 0 ? 0 : 8);
    }
}

TEST(the_core_is_found_by_its_pmu_names)
{
    static const char *const names[] = {"cortex-r4f", "Cortex-R4F", "armv7_cortex_r4",
                                        "r4f",        "r4",         "ARMv7R_Cortex_R4"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_ptr_equal(armpmu_core_find(names[i]), r4f());
    assert_null(armpmu_core_find("cortex-r5"));
}
