/* Reports of the plugin: every record arrives once and complete, however the bytes are divided;
 * violations of the protocol are named. */
#include "qemu/launcher/system_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../test.h"

#define BEGIN "armpmu-guest 1 cortex-a8\n"

static const char two_records[] = BEGIN "at 1000\n"
                                        "0 user INST_RETIRED 7\n"
                                        "0 privileged INST_RETIRED 12\n"
                                        "0 privileged CPU_CYCLES 1000\n"
                                        "end\n"
                                        "at 2500\n"
                                        "0 privileged CPU_CYCLES 2500\n"
                                        "3 user CPU_CYCLES 18446744073709551\n"
                                        "exit\n";

/* What the callback saw. */
struct seen {
    unsigned n;
    struct {
        uint64_t cycles, user_insns, insns, cpu_cycles, cycles_of_3;
        unsigned n_cpus;
    } record[4];
};

static bool see(void *user, const struct engine_guest_record *record)
{
    struct seen *const seen = user;

    assert_true(seen->n < 4);
    seen->record[seen->n].cycles = record->cycles;
    seen->record[seen->n].n_cpus = record->n_cpus;
    seen->record[seen->n].user_insns = record->signals[0][ENGINE_USER][ARMPMU_SIGNAL_INST_RETIRED];
    seen->record[seen->n].insns = record->signals[0][ENGINE_PRIVILEGED][ARMPMU_SIGNAL_INST_RETIRED];
    seen->record[seen->n].cpu_cycles =
        record->signals[0][ENGINE_PRIVILEGED][ARMPMU_SIGNAL_CPU_CYCLES];
    seen->record[seen->n].cycles_of_3 = record->signals[3][ENGINE_USER][ARMPMU_SIGNAL_CPU_CYCLES];
    seen->n++;
    return seen->n < 2;
}

static void start(struct system_report *report, struct seen *seen)
{
    *seen = (struct seen){0};
    assert_int_equal(system_report_init(report, "cortex-a8", NULL), ARMPMU_OK);
    report->on_record = see;
    report->user = seen;
}

/* In code_blocks of any size. */
TEST(records_come_whole)
{
    const size_t size = sizeof two_records - 1;

    for (size_t code_block = 1; code_block <= size; code_block++) {
        struct system_report report;
        struct seen seen;
        start(&report, &seen);
        for (size_t at = 0; at < size; at += code_block)
            system_report_feed(&report, two_records + at,
                               code_block < size - at ? code_block : size - at);
        assert_int_equal(report.status, ARMPMU_OK);
        assert_true(report.begun && report.complete && report.stopped);
        assert_int_equal(seen.n, 2);
        assert_int_equal(report.n_records, 2);
        assert_int_equal(seen.record[0].cycles, 1000);
        assert_int_equal(seen.record[0].n_cpus, 1);
        assert_int_equal(seen.record[0].user_insns, 7);
        assert_int_equal(seen.record[0].insns, 12);
        assert_int_equal(seen.record[0].cpu_cycles, 1000);
        assert_int_equal(seen.record[1].cycles, 2500);
        assert_int_equal(seen.record[1].n_cpus, 4);
        assert_int_equal(seen.record[1].user_insns, 0); /* records are of all since the start */
        assert_int_equal(seen.record[1].cpu_cycles, 2500);
        assert_int_equal(seen.record[1].cycles_of_3, UINT64_C(18446744073709551));
        system_report_free(&report);
    }
}

TEST(a_record_without_its_end_is_none)
{
    const char *const last = strstr(two_records, "exit");
    struct system_report report;
    struct seen seen;

    start(&report, &seen);
    system_report_feed(&report, two_records, (size_t)(last - two_records));
    assert_int_equal(report.status, ARMPMU_OK);
    assert_int_equal(seen.n, 1);
    assert_false(report.complete || report.stopped);
    system_report_free(&report);
}

TEST(what_follows_the_exit_is_ignored)
{
    struct system_report report;
    struct seen seen;

    start(&report, &seen);
    system_report_feed(&report, two_records, sizeof two_records - 1);
    system_report_feed(&report, "nonsense\n", 9);
    assert_int_equal(report.status, ARMPMU_OK);
    assert_int_equal(seen.n, 2);
    system_report_free(&report);
}

TEST(a_lost_list_is_told_from_an_exit)
{
    static const char *const records[] = {"exit", "lost"};

    for (unsigned lost = 0; lost < 2; lost++) {
        struct system_report report;
        struct seen seen;
        const char *const word = records[lost];
        start(&report, &seen);
        system_report_feed(&report, two_records, sizeof two_records - 1 - strlen("exit\n"));
        system_report_feed(&report, word, strlen(word));
        system_report_feed(&report, "\n", 1);
        assert_int_equal(report.status, ARMPMU_OK);
        assert_int_equal(seen.n, 2);
        assert_true(report.complete);
        assert_int_equal(report.lost, lost);
        system_report_free(&report);
    }
}

TEST(a_machine_that_ran_has_instructions)
{
    static const struct {
        int line;
        const char *text;
        bool counted;
    } cases[] = {
        {__LINE__, BEGIN, false},
        {__LINE__, BEGIN "at 0\nexit\n", false},
        {__LINE__, BEGIN "at 9\n0 user CPU_CYCLES 9\nexit\n", false},
        {__LINE__, BEGIN "at 9\n0 user INST_RETIRED 1\nexit\n", true},
        {__LINE__, BEGIN "at 0\n2 privileged INST_RETIRED 1\nexit\n", true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct system_report report;
        struct seen seen;
        start(&report, &seen);
        system_report_feed(&report, cases[i].text, strlen(cases[i].text));
        if (system_report_counted(&report) != cases[i].counted)
            fail_msg("line %d: want %d", cases[i].line, cases[i].counted);
        system_report_free(&report);
    }
}

/* ---- a profile ---- */

#define SIGNALS "profile " /* and their number */

/* What the functions of a profile saw, as text. */
static char told[1024];

static enum armpmu_status see_task(void *user, const struct engine_guest_task *task,
                                   struct armpmu_error *err)
{
    (void)user, (void)err;
    snprintf(told + strlen(told), sizeof told - strlen(told), "%u %d %u/%u '%s'; ", task->context,
             task->is_space, task->process, task->thread, task->name);
    return ARMPMU_OK;
}

static enum armpmu_status see_path(void *user, unsigned cpu, const struct armpmu_profile_path *path,
                                   struct armpmu_error *err)
{
    (void)user, (void)err;
    snprintf(told + strlen(told), sizeof told - strlen(told), "%u: %u of %u, %llx %llx %lld%s; ",
             cpu, path->parent, path->context, (unsigned long long)path->caller,
             (unsigned long long)path->function, (long long)path->n_calls,
             path->is_merged ? " merged" : "");
    return ARMPMU_OK;
}

static enum armpmu_status see_row(void *user, unsigned cpu, const struct armpmu_profile_row *row,
                                  struct armpmu_error *err)
{
    (void)user, (void)err;
    snprintf(told + strlen(told), sizeof told - strlen(told),
             "%u: %llx in %u, %u, %d, %u %02x%02x%02x%02x", cpu, (unsigned long long)row->address,
             row->path, row->file, row->isa, row->n_bytes, row->bytes[0], row->bytes[1],
             row->bytes[2], row->bytes[3]);
    for (unsigned i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        if (row->signals[i] != 0)
            snprintf(told + strlen(told), sizeof told - strlen(told), " %u:%llu", i,
                     (unsigned long long)row->signals[i]);
    return ARMPMU_OK;
}

static enum armpmu_status see_access(void *user, unsigned cpu, const struct armpmu_data_access *of,
                                     struct armpmu_error *err)
{
    (void)user, (void)err;
    snprintf(told + strlen(told), sizeof told - strlen(told),
             "; %u: %u %u%u%u %u %u r%u%+d, %llu %llu %llu %llu %llu, %llx %llx-%llx %llx+%llx",
             cpu, of->context, of->kind, of->source, of->tlb, of->latency, of->bytes, of->base,
             of->displacement, (unsigned long long)of->n, (unsigned long long)of->lookups,
             (unsigned long long)of->refills, (unsigned long long)of->tlb_refills,
             (unsigned long long)of->cycles, (unsigned long long)of->insn,
             (unsigned long long)of->low, (unsigned long long)of->high,
             (unsigned long long)of->sample, (unsigned long long)of->step);
    return ARMPMU_OK;
}

static const struct guest_setup setup = {
    .on_task = see_task, .on_path = see_path, .on_row = see_row, .on_access = see_access};
static const struct run job = {.guest = &setup};

static void feed_profile(struct system_report *report, const char *lines)
{
    struct seen seen;

    start(report, &seen);
    report->profile = &job;
    told[0] = '\0';
    system_report_feed(report, BEGIN, strlen(BEGIN));
    if (strncmp(lines, SIGNALS, strlen(SIGNALS)) == 0) {
        char first[32];
        lines += strlen(SIGNALS);
        snprintf(first, sizeof first, SIGNALS "%u\n", ARMPMU_SIGNAL_COUNT);
        system_report_feed(report, first, strlen(first));
    }
    system_report_feed(report, lines, strlen(lines));
}

TEST(a_profile_is_told_line_by_line)
{
    struct system_report report;

    feed_profile(&report, SIGNALS "task 1 task 74 75 a program\n"
                                  "task 2 space 0 0 0x4000\n"
                                  "path 1 0 0 0 0 0 18446744073709551615 0\n"
                                  "path 1 1 1 2 0 0 3 1\n"
                                  "path 1 2 1 2 c0100000 ffff800008010000 0 0\n"
                                  "row 1 2 2 0 10080 4 00f020e3 0:7 3:18446744073709551615\n"
                                  "access 1 2 5 8 2 7 4 13 -8 9 8 7 6 500 10080 f000 f040 f020 8\n"
                                  "at 9\nexit\n");
    assert_int_equal(report.status, ARMPMU_OK);
    assert_true(report.complete);
    assert_string_equal(told, "1 0 74/75 'a program'; 2 1 0/0 '0x4000'; 1: 0 of 0, 0 0 -1; "
                              "1: 1 of 2, 0 0 3 merged; 1: 1 of 2, c0100000 ffff800008010000 0; "
                              "1: 10080 in 2, 2, 0, 4 00f020e3 0:7 3:18446744073709551615; "
                              "1: 2 582 7 4 r13-8, 9 8 7 6 500, 10080 f000-f040 f020+8");
    system_report_free(&report);
}

/* The last line of each. */
TEST(what_is_wrong_in_a_profile_is_named)
{
    static const char *const cases[] = {
        "profile",
        "row 0 0 1 0 0 0 00000000 0:1",
        SIGNALS "profile 1",
        SIGNALS "task 2 task 1 1 x",
        SIGNALS "task 1 thread 1 1 x",
        SIGNALS "task 1 task 4294967296 1 x",
        SIGNALS "path 64 0 0 0 0 0 0 0",
        SIGNALS "path 0 1 0 0 0 0 0 0",
        SIGNALS "path 0 0 1 0 0 0 0 0",
        SIGNALS "path 0 0 0 1 0 0 0 0",
        SIGNALS "path 0 0 0 0 0",
        SIGNALS "path 0 0 0 0 0 x 0 0",
        SIGNALS "path 0 0 0 0 0 0 -1 0",
        SIGNALS "path 0 0 0 0 0 0 0 2",
        SIGNALS "path 0 0 0 0 0 0 0",
        SIGNALS "row 0 0 1 0 0 0 00000000 0:1",
        SIGNALS "path 0 0 0 0 0 0 0 0\nrow 0 1 1 0 0 0 00000000",
        SIGNALS "path 0 0 0 0 0 0 0 0\nrow 0 0 3 0 0 0 00000000",
        SIGNALS "path 0 0 0 0 0 0 0 0\nrow 0 0 1 3 0 0 00000000",
        SIGNALS "path 0 0 0 0 0 0 0 0\nrow 0 0 1 0 0 5 00000000",
        SIGNALS "path 0 0 0 0 0 0 0 0\nrow 0 0 1 0 0 4 100000000",
        SIGNALS "path 0 0 0 0 0 0 0 0\nrow 0 0 1 0 0 4 00000000 999:1",
        SIGNALS "path 0 0 0 0 0 0 0 0\nrow 0 0 1 0 0 4 00000000 1",
        SIGNALS "path 0 0 0 0 0 0 0 0\nrow 0 0 1 0 0 4 00000000 1:-1",
        SIGNALS "access 64 0 1 0 0 0 4 0 0 1 1 0 0 0 10 20 20 20 0",
        SIGNALS "access 0 1 1 0 0 0 4 0 0 1 1 0 0 0 10 20 20 20 0",
        SIGNALS "access 0 0 8 0 0 0 4 0 0 1 1 0 0 0 10 20 20 20 0",
        SIGNALS "access 0 0 1 99 0 0 4 0 0 1 1 0 0 0 10 20 20 20 0",
        SIGNALS "access 0 0 1 0 9 0 4 0 0 1 1 0 0 0 10 20 20 20 0",
        SIGNALS "access 0 0 1 0 0 65 4 0 0 1 1 0 0 0 10 20 20 20 0",
        SIGNALS "access 0 0 1 0 0 0 4 0 - 1 1 0 0 0 10 20 20 20 0",
        SIGNALS "access 0 0 1 0 0 0 4 0 0 0 1 0 0 0 10 20 20 20 0",
        SIGNALS "access 0 0 1 0 0 0 4 0 0 1 1 0 0 0 10 20 20 20",
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct system_report report;
        char wanted[128];
        const char *const last = strrchr(cases[i], '\n');
        const bool has_first = strncmp(cases[i], SIGNALS, strlen(SIGNALS)) == 0;
        snprintf(wanted, sizeof wanted, "the plugin reports '%.80s' in line",
                 last != NULL ? last + 1 : cases[i] + (has_first ? strlen(SIGNALS) : 0));
        feed_profile(&report, cases[i]);
        system_report_feed(&report, "\n", 1);
        assert_int_equal(report.status, ARMPMU_IO);
        if (strstr(report.error.message, wanted) == NULL)
            fail_msg("%s: %s", cases[i], report.error.message);
        system_report_free(&report);
    }
}

#define NOT_UNDERSTOOD(text, line)                                                                 \
    "the plugin reports '" text "' in line " line                                                  \
    ", which this armpmu does not understand: install both from one version"

TEST(what_is_wrong_is_named)
{
    static const struct {
        int line;
        const char *text, *message;
    } cases[] = {
        {__LINE__, "armpmu-guest 2 cortex-a8\n", NOT_UNDERSTOOD("armpmu-guest 2 cortex-a8", "1")},
        {__LINE__, "\n", NOT_UNDERSTOOD("", "1")},
        {__LINE__, "armpmu-guest 1 other\n",
         "the plugin counts on machine 'other', armpmu on 'cortex-a8': name the machine's file "
         "with --machine"},
        {__LINE__, BEGIN "end\n", NOT_UNDERSTOOD("end", "2")},
        {__LINE__, BEGIN "at \n", NOT_UNDERSTOOD("at ", "2")},
        {__LINE__, BEGIN "at -1\n", NOT_UNDERSTOOD("at -1", "2")},
        {__LINE__, BEGIN "at 99999999999999999999\n",
         NOT_UNDERSTOOD("at 99999999999999999999", "2")},
        {__LINE__, BEGIN "at 1\nat 2\n", NOT_UNDERSTOOD("at 2", "3")},
        {__LINE__, BEGIN "at 1\n0 user INST_RETIRED\n", NOT_UNDERSTOOD("0 user INST_RETIRED", "3")},
        {__LINE__, BEGIN "at 1\n0 user INST_RETIRED 1 2\n",
         NOT_UNDERSTOOD("0 user INST_RETIRED 1 2", "3")},
        {__LINE__, BEGIN "at 1\n64 user INST_RETIRED 1\n",
         NOT_UNDERSTOOD("64 user INST_RETIRED 1", "3")},
        {__LINE__, BEGIN "at 1\n0 hyp INST_RETIRED 1\n",
         NOT_UNDERSTOOD("0 hyp INST_RETIRED 1", "3")},
        {__LINE__, BEGIN "at 1\n0 user XYZZY 1\n", NOT_UNDERSTOOD("0 user XYZZY 1", "3")},
        {__LINE__, BEGIN "at 1\n0 user INST_RETIRED 1x\n",
         NOT_UNDERSTOOD("0 user INST_RETIRED 1x", "3")},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct system_report report;
        struct seen seen;
        start(&report, &seen);
        system_report_feed(&report, cases[i].text, strlen(cases[i].text));
        system_report_feed(&report, "end\n", 4);
        if (report.status != ARMPMU_IO || strcmp(report.error.message, cases[i].message) != 0)
            fail_msg("line %d: got %s", cases[i].line, report.error.message);
        assert_int_equal(seen.n, 0);
        system_report_free(&report);
    }
}

TEST(a_line_without_an_end_is_refused)
{
    struct system_report report;
    struct seen seen;

    start(&report, &seen);
    for (unsigned i = 0; i < 2 * SYSTEM_REPORT_LINE; i++)
        system_report_feed(&report, "x", 1);
    assert_int_equal(report.status, ARMPMU_IO);
    system_report_free(&report);
}
