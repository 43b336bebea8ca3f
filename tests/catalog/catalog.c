/* The tables of every core are complete, consistent, and equal to the manual. */
#include "../test.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "armpmu/catalog.h"

static const enum armpmu_unit signal_units[] = {
#define SIGNAL(id, unit, meaning) ARMPMU_UNIT_##unit,
#include "armpmu/signal.def"
#undef SIGNAL
};

static const struct armpmu_core *a8(void)
{
    const struct armpmu_core *const core = armpmu_core_find("cortex-a8");
    assert_non_null(core);
    return core;
}

/* The index-th core, NULL behind the last: what holds for all cores is tested on each. */
static const struct armpmu_core *core_at(size_t index)
{
    size_t n = 0;
    const struct armpmu_core *const *const cores = armpmu_cores(&n);

    assert_true(n >= 1);
    return index < n ? cores[index] : NULL;
}

/* How many event numbers there are: the activity monitors and PMUv3 have 16 bits for them. An
 * XScale's cycle counter counts what no number of an event counter selects. */
static unsigned numbers_of(const struct armpmu_core *core)
{
    const bool has_16_bits = strcmp(core->name, "amuv1") == 0 || core->pmu_version != 0;

    return has_16_bits ? 0x10000 : 0x100 + (strncmp(core->name, "xscale", 6) == 0);
}

TEST(numbers_rise_without_gap_from_0_to_the_highest)
{
    size_t n = 0;
    const struct armpmu_core *const *const cores = armpmu_cores(&n);

    assert_true(n >= 1);
    for (size_t i = 0; i < n; i++) {
        unsigned next = 0;
        for (size_t j = 0; j < cores[i]->n_events; j++) {
            const struct armpmu_event *const event = &cores[i]->events[j];
            assert_int_equal(event->first, next);
            assert_true(event->last >= event->first);
            if (event->fidelity != ARMPMU_RESERVED)
                assert_int_equal(event->last, event->first);
            next = event->last + 1u;
        }
        assert_int_equal(next, numbers_of(cores[i]));
    }
}

/* Table 3.97, written down apart from the catalogue: a number, the one or two wires that it counts.
 */
static const struct {
    unsigned number;
    enum armpmu_fidelity fidelity;
    const char *name, *libpfm4;
    unsigned n_signals;
    enum armpmu_signal signals[2];
} a8_events[] = {
#define EVENT(number, fidelity, name, libpfm4, signal)                                             \
    {number, ARMPMU_##fidelity, #name, #libpfm4, 1, {ARMPMU_SIGNAL_##signal}},
#define EVENT2(number, fidelity, name, libpfm4, one, two)                                          \
    {number, ARMPMU_##fidelity, #name, #libpfm4, 2, {ARMPMU_SIGNAL_##one, ARMPMU_SIGNAL_##two}},
#include "../manual/cortex_a8_events.def"
#undef EVENT
#undef EVENT2
};

#define N_A8_EVENTS (sizeof a8_events / sizeof a8_events[0])

TEST(events_are_those_of_the_manual)
{
    size_t next = 0;

    for (unsigned number = 0; number <= 0xff; number++) {
        const bool listed = next < N_A8_EVENTS && a8_events[next].number == number;
        const struct armpmu_event *const event = armpmu_event_by_number(a8(), number);
        assert_non_null(event);
        assert_true(event->first <= number && number <= event->last);
        assert_int_equal(event->fidelity, listed ? a8_events[next].fidelity : ARMPMU_RESERVED);
        assert_int_equal(event->name[0] != '\0', listed);
        assert_int_equal(event->n_signals, listed ? a8_events[next].n_signals : 0);
        next += listed;
    }
    assert_int_equal(next, N_A8_EVENTS);
    assert_null(armpmu_event_by_number(a8(), 0x100));
    assert_null(armpmu_event_by_number(a8(), 0xffffffffu));
}

static void check_sentence(const char *text)
{
    assert_true(strlen(text) > 10);
    assert_int_not_equal(text[strlen(text) - 1], '.');
    assert_null(strchr(text, '\n'));
}

static void check_texts(const struct armpmu_core *core)
{
    for (size_t i = 0; i < core->n_events; i++)
        check_sentence(core->events[i].meaning);
    for (size_t i = 0; i < core->n_registers; i++) {
        const struct armpmu_register *const reg = &core->registers[i];
        check_sentence(reg->purpose);
        assert_non_null(strstr(reg->source, ", "));
        for (size_t j = 0; j < reg->n_fields; j++)
            assert_true(strlen(reg->fields[j].meaning) > 3);
    }
}

TEST(texts_are_sentences_without_full_stop)
{
    for (size_t i = 0; core_at(i) != NULL; i++)
        check_texts(core_at(i));
}

struct owner {
    char name[80];
    const struct armpmu_event *event;
};

static size_t collect_names(const struct armpmu_core *core, struct owner *owners, size_t max)
{
    size_t n = 0;

    for (size_t i = 0; i < core->n_events; i++) {
        const struct armpmu_event *const event = &core->events[i];
        if (event->name[0] == '\0')
            continue;
        assert_true(n < max);
        snprintf(owners[n].name, sizeof owners[n].name, "%s", event->name);
        owners[n++].event = event;
        for (unsigned naming = 0; naming < ARMPMU_NAMING_COUNT; naming++)
            for (size_t j = 0;; j++) {
                assert_true(n < max);
                const size_t length =
                    armpmu_event_alias(event, naming, j, owners[n].name, sizeof owners[n].name);
                if (length == 0)
                    break;
                assert_true(length < sizeof owners[n].name);
                owners[n++].event = event;
            }
    }
    return n;
}

static struct owner owners[512];

static void check_names(const struct armpmu_core *core)
{
    const size_t n = collect_names(core, owners, sizeof owners / sizeof owners[0]);

    assert_true(n > 10);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (strcasecmp(owners[i].name, owners[j].name) == 0 &&
                owners[i].event != owners[j].event)
                fail_msg("%s: %s is both 0x%02x and 0x%02x", core->name, owners[i].name,
                         owners[i].event->first, owners[j].event->first);
}

TEST(a_name_or_alias_means_one_event)
{
    for (size_t i = 0; core_at(i) != NULL; i++)
        check_names(core_at(i));
    assert_true(collect_names(a8(), owners, sizeof owners / sizeof owners[0]) > 200);
}

static void check_finding(const struct armpmu_core *core)
{
    const size_t n = collect_names(core, owners, sizeof owners / sizeof owners[0]);

    for (size_t i = 0; i < n; i++) {
        char name[sizeof owners[0].name];
        for (size_t j = 0; j == 0 || owners[i].name[j - 1] != '\0'; j++)
            name[j] = (char)(j % 2 ? toupper((unsigned char)owners[i].name[j])
                                   : tolower((unsigned char)owners[i].name[j]));
        const bool counts = owners[i].event->fidelity != ARMPMU_RESERVED;
        assert_ptr_equal(armpmu_event_by_name(core, name), counts ? owners[i].event : NULL);
        assert_true(armpmu_event_matches(owners[i].event, name));
    }
    assert_null(armpmu_event_by_name(core, ""));
    assert_null(armpmu_event_by_name(core, "INST_RETIRE"));
    assert_null(armpmu_event_by_name(core, "INST_RETIRED "));
    assert_null(armpmu_event_by_name(core, "cycles|cpu-cycles"));
}

TEST(every_name_is_found_in_any_case)
{
    for (size_t i = 0; core_at(i) != NULL; i++)
        check_finding(core_at(i));
}

/* Other tools' words for the same number, from their own tables. */
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
        {"stalled-cycles-frontend", 0x56},
        {"L1-icache-loads", 0x50},
        {"LLC-load-misses", 0x44},
        {"STALL_ISIDE", 0x56},
        {"INSTR_EXECUTED", 0x08},
        {"DCACHE_REFILL", 0x03},
        {"L1_NEON_DATA", 0x4c},
        {"PC_BRANCH_TAKEN", 0x53},
        {"CYCLES_INST", 0x57},
        {"PMU_EVENTS", 0x72},
        {"AXI_READ_CYCLES", 0x45},
        {"PAPI_TOT_INS", 0x08},
        {"PAPI_STL_ICY", 0x56},
        {"PAPI_L2_TCM", 0x44},
        {"Cache: L2 miss", 0x44},
        {"External: PMUEXTIN[0,1]", 0x72},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct armpmu_event *const event = armpmu_event_by_name(a8(), cases[i].name);
        if (event == NULL || event->first != cases[i].number)
            fail_msg("%s: not 0x%02x", cases[i].name, cases[i].number);
    }
}

static void mark_signals(const struct armpmu_core *core, bool *named)
{
    for (size_t i = 0; i < core->n_events; i++) {
        const struct armpmu_event *const event = &core->events[i];
        assert_true(event->n_signals <= ARMPMU_EVENT_SIGNALS_MAX);
        for (unsigned j = 0; j < event->n_signals; j++) {
            assert_true(event->signals[j] < ARMPMU_SIGNAL_COUNT);
            assert_int_equal(event->unit, signal_units[event->signals[j]]);
            named[event->signals[j]] = true;
        }
    }
}

/* An auxiliary counter's own input belongs to the counter: which event it is, its product knows. */
static bool belongs_to_a_counter(unsigned signal)
{
    return signal >= ARMPMU_SIGNAL_AUXILIARY0 && signal <= ARMPMU_SIGNAL_AUXILIARY15;
}

/* No PMU counts where cycles go, nor what follows INTERLOCK_OTHER by itself. */
static bool belongs_to_no_event(unsigned signal)
{
    return (signal >= ARMPMU_SIGNAL_ISSUE_PAIR && signal <= ARMPMU_SIGNAL_STALL_EXCEPTION) ||
           signal >= ARMPMU_SIGNAL_INTERLOCK_OTHER;
}

TEST(every_signal_is_named_by_an_event_of_its_unit)
{
    bool named[ARMPMU_SIGNAL_COUNT] = {false};

    for (size_t i = 0; core_at(i) != NULL; i++)
        mark_signals(core_at(i), named);
    for (unsigned i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        if (!named[i] && !belongs_to_a_counter(i) && !belongs_to_no_event(i))
            fail_msg("no event names the signal %s", armpmu_signal_name(i));
}

static void check_cycles(const struct armpmu_core *core)
{
    for (size_t i = 0; i < core->n_events; i++) {
        const struct armpmu_event *const event = &core->events[i];
        const size_t length = strlen(event->name);
        if (length == 0 || event->fidelity == ARMPMU_RESERVED)
            continue;
        const bool stalls = strncmp(event->name, "STALL", 5) == 0 &&
                            strncmp(event->name, "STALL_SLOT", 10) != 0 &&
                            strcmp(event->name, "STALL_SB_FULL") != 0; /* as Arm names them */
        const bool says = stalls ||
                          (length > 7 && strcmp(event->name + length - 7, "_CYCLES") == 0) ||
                          strstr(event->name, "_DEP_STALL") != NULL || /* of the Cortex-A53 */
                          strstr(event->name, "_INTERLOCK_STALL") != NULL;
        assert_int_equal(says, event->unit == ARMPMU_UNIT_CYCLES);
    }
}

TEST(a_name_in_cycles_counts_cycles)
{
    for (size_t i = 0; core_at(i) != NULL; i++)
        check_cycles(core_at(i));
}

TEST(a_bit_of_the_event_bus_is_one_event)
{
    for (size_t i = 0; core_at(i) != NULL; i++) {
        const struct armpmu_core *const core = core_at(i);
        uint64_t taken = 0;
        for (size_t j = 0; j < core->n_events; j++) {
            const struct armpmu_event *const event = &core->events[j];
            if (event->bus_bit == ARMPMU_NOT_ON_BUS) {
                assert_false(event->locates_a_fault);
                continue;
            }
            assert_true(event->bus_bit < 64);
            assert_false(taken >> event->bus_bit & 1);
            taken |= UINT64_C(1) << event->bus_bit;
        }
    }
}

TEST(each_number_has_its_name_and_signal)
{
    for (size_t i = 0; i < N_A8_EVENTS; i++) {
        const struct armpmu_event *const event = armpmu_event_by_number(a8(), a8_events[i].number);
        assert_string_equal(event->name, a8_events[i].name);
        assert_ptr_equal(armpmu_event_by_name(a8(), a8_events[i].name), event);
        assert_ptr_equal(armpmu_event_by_name(a8(), a8_events[i].libpfm4), event);
        for (unsigned n = 0; n < a8_events[i].n_signals; n++)
            assert_int_equal(event->signals[n], a8_events[i].signals[n]);
    }
}

TEST(counts_are_sums_of_signals)
{
    uint64_t signals[ARMPMU_SIGNAL_COUNT];

    for (unsigned i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        signals[i] = UINT64_C(1) << 40 | i;
    const struct armpmu_event *const insns = armpmu_event_by_name(a8(), "INST_RETIRED");
    const struct armpmu_event *const both = armpmu_event_by_number(a8(), 0x72);
    const struct armpmu_event *const reserved = armpmu_event_by_number(a8(), 0x13);
    assert_int_equal(armpmu_event_count(insns, signals), signals[ARMPMU_SIGNAL_INST_RETIRED]);
    assert_int_equal(armpmu_event_count(both, signals), signals[ARMPMU_SIGNAL_EXTERNAL_INPUT0] +
                                                            signals[ARMPMU_SIGNAL_EXTERNAL_INPUT1]);
    assert_int_equal(armpmu_event_count(reserved, signals), 0);
}

static void check_metric(const struct armpmu_core *core, const struct armpmu_metric *metric)
{
    const unsigned numbers[] = {metric->beside, metric->numerator, metric->denominator};

    for (size_t i = 0; i < 3; i++) {
        const struct armpmu_event *const event = armpmu_event_by_number(core, numbers[i]);
        assert_non_null(event);
        assert_int_not_equal(event->fidelity, ARMPMU_RESERVED);
        assert_int_not_equal(event->fidelity, ARMPMU_INPUT);
    }
    if (metric->formula != NULL) { /* tests/profile/metric.c works it out */
        assert_int_equal(metric->factor, 0);
        assert_int_equal(metric->numerator, metric->beside);
        assert_int_equal(metric->denominator, metric->beside);
    } else {
        const bool is_percent = metric->unit[0] == '%' || strncmp(metric->unit, "percent", 7) == 0;
        assert_int_not_equal(metric->numerator, metric->denominator);
        assert_true(metric->factor == 1 || metric->factor == 100 || metric->factor == 1000);
        assert_int_equal(metric->factor == 100, is_percent);
    }
    assert_true(strlen(metric->meaning) > 10);
    assert_true(strlen(metric->group) > 2);
    assert_string_not_equal(metric->group, metric->name);
}

TEST(metrics_stand_on_events_that_are_counted)
{
    for (size_t c = 0; core_at(c) != NULL; c++) {
        const struct armpmu_core *const core = core_at(c);
        for (size_t i = 0; i < core->n_metrics; i++) {
            check_metric(core, &core->metrics[i]);
            for (size_t j = 0; j < i; j++)
                assert_string_not_equal(core->metrics[i].name, core->metrics[j].name);
        }
    }
}

static void check_fields(const struct armpmu_register *reg)
{
    int next = reg->bits - 1;

    for (size_t i = 0; i < reg->n_fields; i++) {
        const struct armpmu_field *const field = &reg->fields[i];
        assert_int_equal(field->msb, next);
        assert_true(field->lsb <= field->msb);
        const unsigned width = field->msb - field->lsb + 1u;
        assert_true(width == 64 || field->reset >> width == 0);
        if (field->rule == ARMPMU_FIELD_RAZ || field->rule == ARMPMU_FIELD_W1A)
            assert_int_equal(field->reset, 0);
        assert_int_equal(strcmp(field->name, "-") == 0, field->rule == ARMPMU_FIELD_RAZ);
        next = field->lsb - 1;
    }
    assert_int_equal(next, -1);
}

TEST(fields_cover_a_register_once)
{
    for (size_t c = 0; core_at(c) != NULL; c++)
        for (size_t i = 0; i < core_at(c)->n_registers; i++)
            check_fields(&core_at(c)->registers[i]);
}

/* The register map and access table of the reference sheet, section 1, written down by hand. */
TEST(registers_are_those_of_the_manual)
{
    static const struct {
        const char *name, *arch_name;
        unsigned crm, opc2;
        uint32_t reset;
        uint32_t stored, reserved; /* bits of rule RW; bits that read as zero */
        unsigned bank;
        bool user_enabled, user_reads; /* without and with the permission to write */
    } cases[] = {
        {"PMNC", "PMCR", 12, 0, 0x41002000, 0x39, 0x7c0, 1, true, false},
        {"CNTENS", "PMCNTENSET", 12, 1, 0, 0, 0x7ffffff0, 1, true, false},
        {"CNTENC", "PMCNTENCLR", 12, 2, 0, 0, 0x7ffffff0, 1, true, false},
        {"FLAG", "PMOVSR", 12, 3, 0, 0, 0x7ffffff0, 1, true, false},
        {"SWINCR", "PMSWINC", 12, 4, 0, 0, 0xfffffff0, 1, true, false},
        {"PMNXSEL", "PMSELR", 12, 5, 0, 0x1f, 0xffffffe0, 1, true, false},
        {"CCNT", "PMCCNTR", 13, 0, 0, 0xffffffff, 0, 1, true, false},
        {"EVTSEL", "PMXEVTYPER", 13, 1, 0, 0xff, 0xffffff00, 4, true, false},
        {"PMCNT", "PMXEVCNTR", 13, 2, 0, 0xffffffff, 0, 4, true, false},
        {"USEREN", "PMUSERENR", 14, 0, 0, 0x1, 0xfffffffe, 1, true, true},
        {"INTENS", "PMINTENSET", 14, 1, 0, 0, 0x7ffffff0, 1, false, false},
        {"INTENC", "PMINTENCLR", 14, 2, 0, 0, 0x7ffffff0, 1, false, false},
    };

    assert_int_equal(a8()->n_registers, sizeof cases / sizeof cases[0]);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct armpmu_register *const reg = armpmu_register_find(a8(), cases[i].name, NULL);
        assert_non_null(reg);
        assert_ptr_equal(armpmu_register_find(a8(), cases[i].arch_name, NULL), reg);
        assert_int_equal(reg->n_encodings, 1);
        const struct armpmu_encoding at = armpmu_encoding_of(&reg->encodings[0], 0);
        assert_int_equal(at.access, ARMPMU_ACCESS_MCR);
        assert_int_equal(at.coproc, 15);
        assert_int_equal(at.op1, 0);
        assert_int_equal(at.crn, 9);
        assert_int_equal(at.crm, cases[i].crm);
        assert_int_equal(at.op2, cases[i].opc2);
        assert_int_equal(reg->count, cases[i].bank);
        assert_int_equal(armpmu_register_reset(reg), cases[i].reset);
        assert_true(reg->writable);
        assert_int_equal(reg->readable, strcmp(reg->name, "SWINCR") != 0);
        assert_non_null(strstr(reg->source, "ARM DDI 0344"));

        assert_int_equal(armpmu_register_mask(reg, ARMPMU_FIELD_RW), cases[i].stored);
        assert_int_equal(armpmu_register_mask(reg, ARMPMU_FIELD_RAZ), cases[i].reserved);

        const enum armpmu_permission permission =
            cases[i].user_reads
                ? ARMPMU_PERMIT_USER_READS
                : (cases[i].user_enabled ? ARMPMU_PERMIT_USEREN : ARMPMU_PERMIT_PRIVILEGED);
        assert_int_equal(reg->permission, permission);
    }
}

TEST(cores_are_found_by_their_pmu_names)
{
    static const char *const names[] = {"cortex-a8", "Cortex-A8", "armv7_cortex_a8", "a8",
                                        "cpu",       "arm_ac8",   "ARMv7_Cortex_A8"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_ptr_equal(armpmu_core_find(names[i]), a8());
    assert_null(armpmu_core_find("cortex-a9"));
    assert_null(armpmu_core_find(""));
    assert_int_equal(a8()->n_event_counters, 4);
    assert_string_equal(armpmu_event_by_number(a8(), a8()->cycles_event)->name, "CPU_CYCLES");
}
