/* The tables of both Intel XScale generations against the manual, written down a second time. */
#include "../test.h"

#include <string.h>

#include "armpmu/catalog.h"

static const char *const core_names[] = {"xscale1", "xscale2"};

static const struct armpmu_core *core_of(unsigned generation)
{
    const struct armpmu_core *const core = armpmu_core_find(core_names[generation - 1]);
    assert_non_null(core);
    return core;
}

/* Table 8-12 and, behind it, the names that Linux and OProfile have for its rows. */
static const struct {
    unsigned number;
    const char *name, *linux_name, *oprofile;
    enum armpmu_fidelity fidelity;
    enum armpmu_signal signal;
} rows[] = {
    {0x00, "L1I_CACHE_MISS", "ICACHE_MISS", "IFU_IFETCH_MISS", ARMPMU_MODELLED,
     ARMPMU_SIGNAL_L1I_REFILL},
    {0x01, "ICACHE_NO_DELIVER_CYCLES", "ICACHE_NO_DELIVER", "CYCLES_IFU_MEM_STALL", ARMPMU_MODELLED,
     ARMPMU_SIGNAL_FETCH_STALL},
    {0x02, "DATA_STALL_CYCLES", "DATA_STALL", "CYCLES_DATA_STALL", ARMPMU_MODELLED,
     ARMPMU_SIGNAL_DATA_DEPENDENCY_STALL},
    {0x03, "ITLB_MISS", "ITLB_MISS", "ITLB_MISS", ARMPMU_MODELLED, ARMPMU_SIGNAL_ITLB_WALK},
    {0x04, "DTLB_MISS", "DTLB_MISS", "DTLB_MISS", ARMPMU_MODELLED, ARMPMU_SIGNAL_DTLB_WALK},
    {0x05, "BRANCH", "BRANCH", "BR_INST_EXECUTED", ARMPMU_EXACT, ARMPMU_SIGNAL_DIRECT_BRANCH},
    {0x06, "BRANCH_MISS", "BRANCH_MISS", "BR_INST_MISS_PRED", ARMPMU_MODELLED,
     ARMPMU_SIGNAL_DIRECT_BRANCH_MISPREDICT},
    {0x07, "INSTRUCTION", "INSTRUCTION", "INSN_EXECUTED", ARMPMU_EXACT, ARMPMU_SIGNAL_INST_RETIRED},
    {0x08, "DCACHE_BUFFER_STALL_CYCLES", "DCACHE_FULL_STALL", "CYCLES_DCACHE_FULL_STALL",
     ARMPMU_MODELLED, ARMPMU_SIGNAL_DATA_BUFFER_STALL},
    {0x09, "DCACHE_BUFFER_STALL", "DCACHE_FULL_STALL_CONTIG", "DCACHE_FULL_STALL_CNT",
     ARMPMU_MODELLED, ARMPMU_SIGNAL_DATA_BUFFER_STALL_RUN},
    {0x0a, "DCACHE_ACCESS", "DCACHE_ACCESS", "DCACHE_ACCESS", ARMPMU_EXACT,
     ARMPMU_SIGNAL_L1D_WORD_ACCESS},
    {0x0b, "DCACHE_MISS", "DCACHE_MISS", "DCACHE_MISS", ARMPMU_MODELLED,
     ARMPMU_SIGNAL_L1D_WORD_MISS},
    {0x0c, "DCACHE_HALF_LINE_WRITE_BACK", "DCACHE_WRITE_BACK", "DCACHE_WB", ARMPMU_MODELLED,
     ARMPMU_SIGNAL_L1D_HALF_LINE_WRITE_BACK},
    {0x0d, "PC_CHANGED", "PC_CHANGED", "PC_CHANGE", ARMPMU_EXACT, ARMPMU_SIGNAL_PC_WRITE},
    {0x10, "PRODUCT0", "BCU_REQUEST", "BCU_REQUEST", ARMPMU_INPUT, ARMPMU_SIGNAL_PRODUCT_INPUT0},
    {0x11, "PRODUCT1", "BCU_FULL", "BCU_FULL", ARMPMU_INPUT, ARMPMU_SIGNAL_PRODUCT_INPUT1},
    {0x12, "PRODUCT2", "BCU_DRAIN", "BCU_DRAIN", ARMPMU_INPUT, ARMPMU_SIGNAL_PRODUCT_INPUT2},
    {0x13, "PRODUCT3", "PRODUCT3", "PRODUCT3", ARMPMU_INPUT, ARMPMU_SIGNAL_PRODUCT_INPUT3},
    {0x14, "PRODUCT4", "BCU_ECC_NO_ELOG", "BCU_ECC_NO_ELOG", ARMPMU_INPUT,
     ARMPMU_SIGNAL_PRODUCT_INPUT4},
    {0x15, "PRODUCT5", "BCU_1_BIT_ERR", "BCU_1_BIT_ERR", ARMPMU_INPUT,
     ARMPMU_SIGNAL_PRODUCT_INPUT5},
    {0x16, "PRODUCT6", "RMW", "RMW", ARMPMU_INPUT, ARMPMU_SIGNAL_PRODUCT_INPUT6},
    {0x17, "PRODUCT7", "PRODUCT7", "PRODUCT7", ARMPMU_INPUT, ARMPMU_SIGNAL_PRODUCT_INPUT7},
};

TEST(each_number_has_its_names_and_its_signal)
{
    for (unsigned generation = 1; generation <= 2; generation++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const struct armpmu_core *const core = core_of(generation);
            const struct armpmu_event *const event = armpmu_event_by_number(core, rows[i].number);
            assert_string_equal(event->name, rows[i].name);
            assert_ptr_equal(armpmu_event_by_name(core, rows[i].name), event);
            assert_ptr_equal(armpmu_event_by_name(core, rows[i].linux_name), event);
            assert_ptr_equal(armpmu_event_by_name(core, rows[i].oprofile), event);
            assert_int_equal(event->fidelity, rows[i].fidelity);
            assert_int_equal(event->n_signals, 1);
            assert_int_equal(event->signals[0], rows[i].signal);
        }
}

TEST(all_other_numbers_count_nothing)
{
    for (unsigned generation = 1; generation <= 2; generation++)
        for (unsigned number = 0; number <= 0xff; number++) {
            const struct armpmu_event *const event =
                armpmu_event_by_number(core_of(generation), number);
            const bool listed = number <= 0x0d || (number >= 0x10 && number <= 0x17);
            assert_int_equal(event->n_signals != 0, listed);
            if (!listed)
                assert_int_equal(event->fidelity, number == 0xff ? ARMPMU_EXACT : ARMPMU_RESERVED);
        }
}

TEST(off_is_a_choice_of_the_counter_and_not_reserved)
{
    for (unsigned generation = 1; generation <= 2; generation++) {
        const struct armpmu_event *const off = armpmu_event_by_number(core_of(generation), 0xff);
        assert_int_equal(off->first, 0xff);
        assert_string_equal(off->name, "COUNTER_OFF");
        assert_ptr_equal(armpmu_event_by_name(core_of(generation), "UNUSED"), off);
        assert_int_equal(armpmu_event_by_number(core_of(generation), 0xfe)->fidelity,
                         ARMPMU_RESERVED);
    }
}

/* drivers/perf/arm_xscale_pmu.c: the two maps of generic events. */
TEST(generic_events_of_perf_are_those_of_the_kernel)
{
    static const struct {
        const char *name;
        unsigned number;
    } cases[] = {
        {"cycles", 0x100},
        {"cpu-cycles", 0x100},
        {"instructions", 0x07},
        {"branch-instructions", 0x05},
        {"branches", 0x05},
        {"branch-misses", 0x06},
        {"stalled-cycles-frontend", 0x01},
        {"L1-dcache-loads", 0x0a},
        {"L1-dcache-stores", 0x0a},
        {"L1-dcache-load-misses", 0x0b},
        {"L1-dcache-store-misses", 0x0b},
        {"L1-icache-load-misses", 0x00},
        {"dTLB-load-misses", 0x04},
        {"dTLB-store-misses", 0x04},
        {"iTLB-load-misses", 0x03},
    };
    static const char *const unsupported[] = {"cache-misses", "cache-references", "LLC-loads"};

    for (unsigned generation = 1; generation <= 2; generation++) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            assert_ptr_equal(armpmu_event_by_name(core_of(generation), cases[i].name),
                             armpmu_event_by_number(core_of(generation), cases[i].number));
        for (size_t i = 0; i < sizeof unsupported / sizeof unsupported[0]; i++)
            assert_null(armpmu_event_by_name(core_of(generation), unsupported[i]));
    }
}

TEST(cores_are_found_by_name_and_by_pmu)
{
    assert_ptr_equal(armpmu_core_find("armv5_xscale1"), core_of(1));
    assert_ptr_equal(armpmu_core_find("ARMv5_XScale2"), core_of(2));
    assert_null(armpmu_core_find("xscale"));
    assert_int_equal(core_of(1)->n_event_counters, 2);
    assert_int_equal(core_of(2)->n_event_counters, 4);
    for (unsigned generation = 1; generation <= 2; generation++) {
        assert_int_equal(core_of(generation)->counter_bits, 32);
        assert_int_equal(core_of(generation)->n_counters,
                         core_of(generation)->n_event_counters + 1);
        const struct armpmu_event *cycles =
            armpmu_event_by_number(core_of(generation), core_of(generation)->cycles_event);
        assert_int_equal(cycles->first, 0x100); /* none that eight bits select */
        assert_int_equal(cycles->signals[0], ARMPMU_SIGNAL_CPU_CYCLES);
        assert_int_equal(core_of(generation)->cycles_config, 0xfe); /* Linux selects CCNT by it */
    }
}

/* Sections 8.2 and 8.3: where each register is and what its bits are. */
TEST(registers_are_those_of_the_manual)
{
    static const struct {
        unsigned generation;
        const char *name;
        unsigned element, crn, crm;
        uint32_t reset, stored, write_to_clear, act, constant, reserved;
    } cases[] = {
        {1, "PMNC", 0, 0, 0, 0, 0x0ffff079, 0x700, 0x6, 0, 0xf0000880},
        {1, "CCNT", 0, 1, 0, 0, 0xffffffff, 0, 0, 0, 0},
        {1, "PMN0", 0, 2, 0, 0, 0xffffffff, 0, 0, 0, 0},
        {1, "PMN1", 1, 3, 0, 0, 0xffffffff, 0, 0, 0, 0},
        {2, "PMNC", 0, 0, 1, 0x14000000, 0x9, 0, 0x6, 0xff000000, 0x00fffff0},
        {2, "CCNT", 0, 1, 1, 0, 0xffffffff, 0, 0, 0, 0},
        {2, "INTEN", 0, 4, 1, 0, 0x1f, 0, 0, 0, 0xffffffe0},
        {2, "FLAG", 0, 5, 1, 0, 0, 0x1f, 0, 0, 0xffffffe0},
        {2, "EVTSEL", 0, 8, 1, 0, 0xffffffff, 0, 0, 0, 0},
        {2, "PMN0", 0, 0, 2, 0, 0xffffffff, 0, 0, 0, 0},
        {2, "PMN1", 1, 1, 2, 0, 0xffffffff, 0, 0, 0, 0},
        {2, "PMN2", 2, 2, 2, 0, 0xffffffff, 0, 0, 0, 0},
        {2, "PMN3", 3, 3, 2, 0, 0xffffffff, 0, 0, 0, 0},
    };

    assert_int_equal(core_of(1)->n_registers, 3);
    assert_int_equal(core_of(2)->n_registers, 6);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned element = 0;
        const struct armpmu_register *const reg =
            armpmu_register_find(core_of(cases[i].generation), cases[i].name, &element);
        assert_non_null(reg);
        assert_int_equal(element, cases[i].element);
        const struct armpmu_encoding at = armpmu_encoding_of(&reg->encodings[0], element);
        assert_int_equal(at.access, ARMPMU_ACCESS_MCR);
        assert_int_equal(at.coproc, 14);
        assert_int_equal(at.op1, 0);
        assert_int_equal(at.crn, cases[i].crn);
        assert_int_equal(at.crm, cases[i].crm);
        assert_int_equal(at.op2, 0);
        assert_int_equal(reg->bits, 32);
        assert_int_equal(reg->slot_lsb, 0);
        assert_int_equal(reg->count, strcmp(reg->name, "PMN<n>") != 0 ? 1
                                     : cases[i].generation == 1       ? 2
                                                                      : 4);
        assert_true(reg->readable && reg->writable);
        assert_int_equal(reg->permission, ARMPMU_PERMIT_PRIVILEGED);
        assert_int_equal(armpmu_register_reset(reg), cases[i].reset);
        assert_int_equal(armpmu_register_mask(reg, ARMPMU_FIELD_RW), cases[i].stored);
        assert_int_equal(armpmu_register_mask(reg, ARMPMU_FIELD_W1C), cases[i].write_to_clear);
        assert_int_equal(armpmu_register_mask(reg, ARMPMU_FIELD_W1A), cases[i].act);
        assert_int_equal(armpmu_register_mask(reg, ARMPMU_FIELD_RO), cases[i].constant);
        assert_int_equal(armpmu_register_mask(reg, ARMPMU_FIELD_RAZ), cases[i].reserved);
    }
}

/* The layouts of sections 8.2 and 8.3, field by field. */
TEST(fields_are_those_of_the_layouts)
{
    static const struct {
        unsigned generation;
        const char *reg, *name;
        unsigned msb, lsb;
        enum armpmu_field_rule rule;
    } cases[] = {
        {1, "PMNC", "-", 31, 28, ARMPMU_FIELD_RAZ},
        {1, "PMNC", "evtCount1", 27, 20, ARMPMU_FIELD_RW},
        {1, "PMNC", "evtCount0", 19, 12, ARMPMU_FIELD_RW},
        {1, "PMNC", "-", 11, 11, ARMPMU_FIELD_RAZ},
        {1, "PMNC", "FLAG_C", 10, 10, ARMPMU_FIELD_W1C},
        {1, "PMNC", "FLAG_P1", 9, 9, ARMPMU_FIELD_W1C},
        {1, "PMNC", "FLAG_P0", 8, 8, ARMPMU_FIELD_W1C},
        {1, "PMNC", "-", 7, 7, ARMPMU_FIELD_RAZ},
        {1, "PMNC", "INTEN_C", 6, 6, ARMPMU_FIELD_RW},
        {1, "PMNC", "INTEN_P1", 5, 5, ARMPMU_FIELD_RW},
        {1, "PMNC", "INTEN_P0", 4, 4, ARMPMU_FIELD_RW},
        {1, "PMNC", "D", 3, 3, ARMPMU_FIELD_RW},
        {1, "PMNC", "C", 2, 2, ARMPMU_FIELD_W1A},
        {1, "PMNC", "P", 1, 1, ARMPMU_FIELD_W1A},
        {1, "PMNC", "E", 0, 0, ARMPMU_FIELD_RW},
        {1, "CCNT", "CCNT", 31, 0, ARMPMU_FIELD_RW},
        {1, "PMN<n>", "PMN", 31, 0, ARMPMU_FIELD_RW},
        {2, "PMNC", "ID", 31, 24, ARMPMU_FIELD_RO},
        {2, "PMNC", "-", 23, 4, ARMPMU_FIELD_RAZ},
        {2, "PMNC", "D", 3, 3, ARMPMU_FIELD_RW},
        {2, "PMNC", "C", 2, 2, ARMPMU_FIELD_W1A},
        {2, "PMNC", "P", 1, 1, ARMPMU_FIELD_W1A},
        {2, "PMNC", "E", 0, 0, ARMPMU_FIELD_RW},
        {2, "CCNT", "CCNT", 31, 0, ARMPMU_FIELD_RW},
        {2, "INTEN", "-", 31, 5, ARMPMU_FIELD_RAZ},
        {2, "INTEN", "P3", 4, 4, ARMPMU_FIELD_RW},
        {2, "INTEN", "P2", 3, 3, ARMPMU_FIELD_RW},
        {2, "INTEN", "P1", 2, 2, ARMPMU_FIELD_RW},
        {2, "INTEN", "P0", 1, 1, ARMPMU_FIELD_RW},
        {2, "INTEN", "C", 0, 0, ARMPMU_FIELD_RW},
        {2, "FLAG", "-", 31, 5, ARMPMU_FIELD_RAZ},
        {2, "FLAG", "P3", 4, 4, ARMPMU_FIELD_W1C},
        {2, "FLAG", "P2", 3, 3, ARMPMU_FIELD_W1C},
        {2, "FLAG", "P1", 2, 2, ARMPMU_FIELD_W1C},
        {2, "FLAG", "P0", 1, 1, ARMPMU_FIELD_W1C},
        {2, "FLAG", "C", 0, 0, ARMPMU_FIELD_W1C},
        {2, "EVTSEL", "evtCount3", 31, 24, ARMPMU_FIELD_RW},
        {2, "EVTSEL", "evtCount2", 23, 16, ARMPMU_FIELD_RW},
        {2, "EVTSEL", "evtCount1", 15, 8, ARMPMU_FIELD_RW},
        {2, "EVTSEL", "evtCount0", 7, 0, ARMPMU_FIELD_RW},
        {2, "PMN<n>", "PMN", 31, 0, ARMPMU_FIELD_RW},
    };
    size_t i = 0;

    for (unsigned generation = 1; generation <= 2; generation++)
        for (size_t j = 0; j < core_of(generation)->n_registers; j++) {
            const struct armpmu_register *const reg = &core_of(generation)->registers[j];
            for (size_t k = 0; k < reg->n_fields; k++, i++) {
                const struct armpmu_field *const field = &reg->fields[k];
                assert_true(i < sizeof cases / sizeof cases[0]);
                assert_int_equal(generation, cases[i].generation);
                assert_string_equal(reg->name, cases[i].reg);
                assert_string_equal(field->name, cases[i].name);
                assert_int_equal(field->msb, cases[i].msb);
                assert_int_equal(field->lsb, cases[i].lsb);
                assert_int_equal(field->rule, cases[i].rule);
            }
        }
    assert_int_equal(i, sizeof cases / sizeof cases[0]);
}

/* LDC and STC have no CRm: they reach what has CRm 0, by its CRn. */
TEST(only_the_first_generation_is_reached_by_ldc)
{
    static const struct {
        const char *name;
        unsigned crd;
    } cases[] = {{"PMNC", 0}, {"CCNT", 1}, {"PMN0", 2}, {"PMN1", 3}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned element = 0;
        const struct armpmu_register *const reg =
            armpmu_register_find(core_of(1), cases[i].name, &element);
        assert_int_equal(reg->n_encodings, 2);
        const struct armpmu_encoding at = armpmu_encoding_of(&reg->encodings[1], element);
        assert_int_equal(at.access, ARMPMU_ACCESS_LDC);
        assert_int_equal(at.coproc, 14);
        assert_int_equal(at.crn, cases[i].crd);
    }
    for (size_t i = 0; i < core_of(2)->n_registers; i++)
        assert_int_equal(core_of(2)->registers[i].n_encodings, 1);
}

/* The layouts of PMNC (XSC1) and of FLAG, INTEN and EVTSEL (XSC2). */
TEST(counters_are_wired_as_the_layouts_say)
{
    static const struct {
        unsigned generation, index;
        const char *name;
        unsigned flag_cell, flag_lsb, interrupt_cell, interrupt_lsb, event_cell, event_lsb;
    } cases[] = {
        {1, 0, "CCNT", ARMPMU_SLOT_CONTROL, 10, ARMPMU_SLOT_CONTROL, 6, ARMPMU_SLOT_NONE, 0},
        {1, 1, "PMN0", ARMPMU_SLOT_CONTROL, 8, ARMPMU_SLOT_CONTROL, 4, ARMPMU_SLOT_CONTROL, 12},
        {1, 2, "PMN1", ARMPMU_SLOT_CONTROL, 9, ARMPMU_SLOT_CONTROL, 5, ARMPMU_SLOT_CONTROL, 20},
        {2, 0, "CCNT", ARMPMU_SLOT_FLAG, 0, ARMPMU_SLOT_INTERRUPT, 0, ARMPMU_SLOT_NONE, 0},
        {2, 1, "PMN0", ARMPMU_SLOT_FLAG, 1, ARMPMU_SLOT_INTERRUPT, 1, ARMPMU_SLOT_EVENTS, 0},
        {2, 2, "PMN1", ARMPMU_SLOT_FLAG, 2, ARMPMU_SLOT_INTERRUPT, 2, ARMPMU_SLOT_EVENTS, 8},
        {2, 3, "PMN2", ARMPMU_SLOT_FLAG, 3, ARMPMU_SLOT_INTERRUPT, 3, ARMPMU_SLOT_EVENTS, 16},
        {2, 4, "PMN3", ARMPMU_SLOT_FLAG, 4, ARMPMU_SLOT_INTERRUPT, 4, ARMPMU_SLOT_EVENTS, 24},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct armpmu_counter *const counter =
            &core_of(cases[i].generation)->counters[cases[i].index];
        assert_string_equal(counter->name, cases[i].name);
        assert_int_equal(counter->bits, 32);
        assert_int_equal(counter->enable.slot, ARMPMU_SLOT_NONE);
        assert_int_equal(counter->flag.slot, cases[i].flag_cell);
        assert_int_equal(counter->flag.lsb, cases[i].flag_lsb);
        assert_int_equal(counter->interrupt.slot, cases[i].interrupt_cell);
        assert_int_equal(counter->interrupt.lsb, cases[i].interrupt_lsb);
        assert_int_equal(counter->event.slot, cases[i].event_cell);
        assert_int_equal(counter->event.lsb, cases[i].event_lsb);
        assert_int_equal(counter->event_bits, cases[i].index == 0 ? 0 : 8);
    }
}

static bool is_counted(unsigned number)
{
    return number <= 0x0d || number == 0x100;
}

TEST(metrics_divide_events_of_the_table)
{
    for (unsigned generation = 1; generation <= 2; generation++)
        for (size_t i = 0; i < core_of(generation)->n_metrics; i++) {
            const struct armpmu_metric *const metric = &core_of(generation)->metrics[i];
            assert_true(is_counted(metric->beside) && is_counted(metric->numerator));
            assert_true(is_counted(metric->denominator));
            assert_int_not_equal(metric->numerator, metric->denominator);
            assert_int_equal(metric->factor == 100, metric->unit[0] == '%');
        }
}
