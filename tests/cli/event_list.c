/* The -e grammar: what each list means, and what is wrong with the wrong ones. */
#include "cli/event_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../test.h"

static const struct armpmu_core *core;

/* "11 08{03 44}PMN1=10": numbers in order, groups in braces, counters and labels where given. */
static void spell(const struct event_list *list, char *text, size_t size)
{
    unsigned group = 0;
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < list->count && used < size; i++) {
        const struct event_item *item = &list->items[i];
        const char *gap = group != 0 && item->group != group ? "}" : used > 0 ? " " : "";
        used += (size_t)snprintf(text + used, size - used, "%s%s%02x", gap,
                                 item->group != 0 && item->group != group ? "{" : "",
                                 item->event->first);
        if (strcmp(item->label, item->event->name) != 0 && used < size)
            used += (size_t)snprintf(text + used, size - used, "=%s", item->label);
        if (item->counter != COUNTER_ANY && used < size)
            used += (size_t)snprintf(text + used, size - used, "@%d", item->counter);
        group = item->group;
    }
    if (group != 0 && used < size)
        snprintf(text + used, size - used, "}");
}

TEST(lists_mean_what_the_grammar_says)
{
    static const struct {
        int line;
        const char *text, *numbers;
    } cases[] = {
        {__LINE__, "INST_RETIRED", "08"},
        {__LINE__, "inst_retired", "08"},
        {__LINE__, "cycles", "11"},
        {__LINE__, "cpu-cycles", "11"},
        {__LINE__, "instructions", "08"},
        {__LINE__, "cache-misses", "03"},
        {__LINE__, "cache-references", "04"},
        {__LINE__, "branches", "0c"},
        {__LINE__, "branch-misses", "10"},
        {__LINE__, "cycles,instructions", "11 08"},
        {__LINE__, " cycles , instructions ", "11 08"},
        {__LINE__, "cycles,cycles", "11 11"}, /* perf prints both, too */
        {__LINE__, "r08", "08"},
        {__LINE__, "r8", "08"},
        {__LINE__, "R44", "44"},
        {__LINE__, "0x08", "08"},
        {__LINE__, "0X5a", "5a"},
        {__LINE__, "armv7_cortex_a8/event=0x08/", "08"},
        {__LINE__, "armv7_cortex_a8/config=0x44/", "44"},
        {__LINE__, "armv7_cortex_a8/event=8/", "08"}, /* perf reads plain digits as decimal */
        {__LINE__, "armv7_cortex_a8/event=17/", "11"},
        {__LINE__, "a8/0x08/", "08"},
        {__LINE__, "a8/r08/", "08"},
        {__LINE__, "A8/EVENT=0x08/", "08"},
        {__LINE__, "cortex-a8/L1D_CACHE_REFILL/", "03"},
        {__LINE__, "cpu/L1D_CACHE_REFILL/", "03"},
        {__LINE__, "cpu/L1D_CACHE_REFILL/u", "03"},
        {__LINE__, "cpu/L1D_CACHE_REFILL/:u", "03"},
        {__LINE__, "cpu/instructions,name=work done/", "08=work done"},
        {__LINE__, "a8/event=0x57,counter=PMN1/", "57@1"},
        {__LINE__, "a8/cycles,counter=ccnt/", "11@4"},
        {__LINE__, "arm_ac8::DCACHE_REFILL", "03"},
        {__LINE__, "DCACHE_REFILL", "03"},
        {__LINE__, "PAPI_TOT_INS", "08"},
        {__LINE__, "preset:PAPI_TOT_INS", "08"},
        {__LINE__, "Cache: L2 miss", "44"},
        {__LINE__, "Instructions (Executed): Unaligned Load/Store,cycles", "0f 11"},
        {__LINE__, "cycles:u", "11"},
        {__LINE__, "r08:u,0x10:u", "08 10"},
        {__LINE__, "cycles:pp", "11"}, /* no count loses its place or its counter */
        {__LINE__, "cycles:uppp,r08:D", "11 08"},
        {__LINE__, "cycles/name=x/", "11=x"},
        {__LINE__, "r08/name=x/u", "08=x"},
        {__LINE__, "cycles//", "11"},
        {__LINE__, "instructions/counter=PMN1/", "08@1"},
        {__LINE__, "{cycles,instructions}", "{11 08}"},
        {__LINE__, "{cycles,instructions}:u", "{11 08}"},
        {__LINE__, "{ r03 , r44 }, cycles", "{03 44}11"},
        {__LINE__, "{r03},{r44,a8/0x10/}", "{03}{44 10}"},
        {__LINE__, "L1D_CACHE*", "03 04"},
        {__LINE__, "l1d_cache*", "03 04"},
        {__LINE__, "L1D_CACHE,L1D_CACHE*", "04 03"}, /* once each */
        {__LINE__, "L?_ACCESS", "43"},
        {__LINE__, "dTLB-*", "05"}, /* no canonical name: aliases */
        {__LINE__, "0x4[ef]", "4e 4f"},
        {__LINE__, "PMUEXTIN?", "70 71"},
    };
    char numbers[512];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct event_list list = {0};
        struct armpmu_error err = {""};
        enum armpmu_status status = event_list_parse(&list, core, MODE_ALL, cases[i].text, &err);
        spell(&list, numbers, sizeof numbers);
        if (status != ARMPMU_OK || strcmp(numbers, cases[i].numbers) != 0)
            fail_msg("line %d: '%s': got '%s' (%s), want '%s'", cases[i].line, cases[i].text,
                     numbers, err.message, cases[i].numbers);
        event_list_free(&list);
    }
}

TEST(linux_s_number_of_the_cycle_counter_is_known)
{
    static const char *const texts[] = {"armv5_xscale2/event=0xfe/", "rfe", "0x100", "cycles"};
    const struct armpmu_core *xscale = armpmu_core_find("xscale2");
    struct armpmu_error err = {""};
    char numbers[32];

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct event_list list = {0};
        assert_int_equal(event_list_parse(&list, xscale, MODE_HW, texts[i], &err), ARMPMU_OK);
        spell(&list, numbers, sizeof numbers);
        assert_string_equal(numbers, "100");
        event_list_free(&list);
    }
    struct event_list list = {0};
    assert_int_equal(event_list_parse(&list, xscale, MODE_HW, "rfd", &err), ARMPMU_NOT_FOUND);
    assert_int_equal(event_list_parse(&list, core, MODE_HW, "a8/event=0/", &err), ARMPMU_OK);
    spell(&list, numbers, sizeof numbers);
    assert_string_equal(numbers, "00");
    event_list_free(&list);
}

/* The names of Linux for a PMU that it does not know by its core. */
TEST(the_processor_s_pmu_has_general_names)
{
    static const char *const texts[] = {"cpu/inst_retired/", "armv8_pmuv3/event=8/",
                                        "armv8_pmuv3_0/r8/u", "armv8_pmuv3_12/instructions/"};
    static const char *const wrong[] = {"armv8_pmuv3_/r8/", "armv8_pmuv3_x/r8/", "armv8_pmuv30/r8/",
                                        "armv7_cortex_a8/r8/"};
    const struct armpmu_core *n1 = armpmu_core_find("neoverse-n1");
    char numbers[32];

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct event_list list = {0};
        assert_int_equal(event_list_parse(&list, n1, MODE_ALL, texts[i], NULL), ARMPMU_OK);
        spell(&list, numbers, sizeof numbers);
        assert_string_equal(numbers, "08");
        event_list_free(&list);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct event_list list = {0};
        assert_int_equal(event_list_parse(&list, n1, MODE_ALL, wrong[i], NULL), ARMPMU_NOT_FOUND);
        event_list_free(&list);
    }
}

TEST(software_events_are_listed_where_they_may_be)
{
    struct event_list list = {.takes_software = true};

    assert_int_equal(event_list_parse(&list, core, MODE_HW, "{task-clock,r01,r02,r03,r04}:u", NULL),
                     ARMPMU_BAD_CONFIG); /* 'u', with this mode */
    assert_int_equal(event_list_parse(&list, core, MODE_HW, "{page-faults,r01,r02,r03,r04}", NULL),
                     ARMPMU_OK);
    assert_int_equal(event_list_assign(&list, core, NULL), ARMPMU_OK);
    assert_true(event_is_software(list.items[0].event));
    assert_false(event_is_software(list.items[1].event));
    assert_int_equal(list.items[0].counter, COUNTER_ANY);
    assert_int_equal(list.items[4].counter, 3);
    event_list_free(&list);
}

TEST(an_event_is_echoed_as_it_was_asked_for)
{
    static const struct {
        const char *text, *echo;
    } cases[] = {{"instructions", "instructions"},
                 {"r08:u", "r08:u"},
                 {"cpu/instructions/u", "cpu/instructions/u"},
                 {"cpu/r08,name=work/", "work"},
                 {"INST_RETIR*", "INST_RETIRED"}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct event_list list = {0};
        assert_int_equal(event_list_parse(&list, core, MODE_ALL, cases[i].text, NULL), ARMPMU_OK);
        assert_string_equal(list.items[0].echo, cases[i].echo);
        event_list_free(&list);
    }
}

TEST(wrong_lists_are_told_what_is_wrong)
{
    static const struct {
        int line;
        enum count_mode mode;
        const char *text, *message;
    } cases[] = {
        {__LINE__, MODE_ALL, "",
         "the event list has an empty place before its end; put one ',' between two events"},
        {__LINE__, MODE_ALL, "cycles,",
         "the event list has an empty place before its end; put one ',' between two events"},
        {__LINE__, MODE_ALL, "cycles,,instructions",
         "the event list has an empty place before ',instructions'"},
        {__LINE__, MODE_ALL, "L1D_CACHE_REFIL",
         "'L1D_CACHE_REFIL' is not an event of cortex-a8; did you mean L1D_CACHE_REFILL"},
        {__LINE__, MODE_ALL, "cache-mises",
         "is not an event of cortex-a8; did you mean cache-misses"},
        {__LINE__, MODE_ALL, "xyzzy", "numbers are 0x00-0x12, 0x40-"},
        {__LINE__, MODE_ALL, "r13",
         "'r13': event number 0x13 is reserved and never counts; cortex-a8 counts 0x00-0x12, "
         "0x40-"},
        {__LINE__, MODE_ALL, "0x6f", "'0x6f': event number 0x6f is reserved"},
        {__LINE__, MODE_ALL, "0xff", "'0xff': event number 0xff is reserved"},
        {__LINE__, MODE_ALL, "r100", "'r100': event number 0x100 is out of range"},
        {__LINE__, MODE_ALL, "0xfffffffffffffffffffff",
         "'0xfffffffffffffffffffff': the event number is out of range; cortex-a8 counts 0x00"},
        {__LINE__, MODE_ALL, "a8/event=256/", "event number 0x100 is out of range"},
        {__LINE__, MODE_ALL, "a8/event=x/", "'x' is not a number like 0x08"},
        {__LINE__, MODE_ALL, "a8/event=/", "'' is not a number like 0x08"},
        {__LINE__, MODE_ALL, "a8/period=100/", "term 'period=100' is unknown"},
        {__LINE__, MODE_ALL, "a8//", "one event between the slashes, not an empty term"},
        {__LINE__, MODE_ALL, "a8/name=x/", "no event between the slashes"},
        {__LINE__, MODE_ALL, "a8/cycles,instructions/", "one event between the slashes, not two"},
        {__LINE__, MODE_ALL, "a8/cycles,name=/", "'name=' needs a name"},
        {__LINE__, MODE_ALL, "a8/cycles", "the closing '/' is missing"},
        {__LINE__, MODE_ALL, "a8/cycles,counter=PMN4/",
         "no counter 'PMN4'; there are PMN0 to PMN3 and CCNT"},
        {__LINE__, MODE_ALL, "a8/r08,counter=CCNT/", "the cycle counter counts cycles only"},
        {__LINE__, MODE_ALL, "a8/L1D*,name=x/", "'name=' and 'counter=' are for a single event"},
        {__LINE__, MODE_ALL, "armv7_cortex_a9/cycles/",
         "'armv7_cortex_a9' is not a PMU; did you mean armv7_cortex_a8? the PMU of this machine is "
         "armv7_cortex_a8"},
        {__LINE__, MODE_ALL, "arm_ac7::CYCLES", "'arm_ac7' is not a PMU"},
        {__LINE__, MODE_ALL, "NOSUCH*", "'NOSUCH*' matches no event of cortex-a8"},
        {__LINE__, MODE_ALL, "{cycles", "the closing '}' is missing"},
        {__LINE__, MODE_ALL, "{}", "the event list has an empty place before '}'"},
        {__LINE__, MODE_ALL, "{cycles,{r08}}", "a group inside a group"},
        {__LINE__, MODE_ALL, "cycles}", "',' expected before '}'"},
        {__LINE__, MODE_ALL, "{cycles}r08", "',' expected before 'r08'"},
        {__LINE__, MODE_ALL, "cycles:", "nothing follows the ':'"},
        {__LINE__, MODE_ALL, "cycles:k",
         "'cycles:k': modifier 'k' (kernel mode only) is not available"},
        {__LINE__, MODE_ALL, "cycles:uk", "modifier 'k' (kernel mode only)"},
        {__LINE__, MODE_ALL, "cycles:S", "modifier 'S' (samples read the group) is not available"},
        {__LINE__, MODE_ALL, "cycles/instructions/", "one event between the slashes, not two"},
        {__LINE__, MODE_ALL, "cycles/period=9/", "'period=9' is not allowed after an event"},
        {__LINE__, MODE_ALL, "armv8_pmuv3_0/cycles/", "'armv8_pmuv3_0' is not a PMU"},
        {__LINE__, MODE_ALL, "task-clock",
         "'task-clock': the Linux kernel counts this event, no core does; leave it out"},
        {__LINE__, MODE_ALL, "cycles:z", "'z' is not a modifier"},
        {__LINE__, MODE_ALL, "{cycles}:k", "modifier 'k'"},
        {__LINE__, MODE_ALL, "a8/r08/k", "modifier 'k'"},
        {__LINE__, MODE_MACHINE, "cycles:u",
         "modifier 'u' (user mode only) is not available: the report has each event in every mode; "
         "remove it"},
        {__LINE__, MODE_MACHINE, "{cycles}:k", "the report has each event in every mode"},
        {__LINE__, MODE_MACHINE, "a8/r08/I", "an idle processor counts nothing"},
        {__LINE__, MODE_MACHINE, "cycles:z", "'z' is not a modifier; none is needed here"},
        {__LINE__, MODE_HW, "cycles:u",
         "modifier 'u' (user mode only) is not available: the PMU of this core has no privilege "
         "filter; "
         "remove it or use --mode all"},
        {__LINE__, MODE_HW, "r08:k", "the PMU of this core has no privilege filter"},
        {__LINE__, MODE_HW, "{r01,r02,r03,r04,r05}",
         "group 1 has 5 events, the Arm Cortex-A8 has 4 counters and the cycle counter"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct event_list list = {0};
        struct armpmu_error err = {""};
        enum armpmu_status status =
            event_list_parse(&list, core, cases[i].mode, cases[i].text, &err);
        if (status == ARMPMU_OK || strstr(err.message, cases[i].message) == NULL)
            fail_msg("line %d: '%s': got '%s', want '%s'", cases[i].line, cases[i].text,
                     err.message, cases[i].message);
        assert_int_equal(list.count, 0);
        assert_int_equal(list.groups, 0);
        event_list_free(&list);
    }
}

enum {
    EVENTS_OF_THE_MANUAL = 0
#define EVENT(...)  +1
#define EVENT2(...) +1
#include "../manual/cortex_a8_events.def"
#undef EVENT
#undef EVENT2
};

TEST(all_is_every_event_once)
{
    struct event_list list = {0};
    size_t n = 0;

    assert_int_equal(event_list_parse(&list, core, MODE_ALL, "cycles,ALL", NULL), ARMPMU_OK);
    for (size_t i = 0; i < core->n_events; i++) {
        if (core->events[i].fidelity == ARMPMU_RESERVED)
            continue;
        n++;
        assert_true(event_list_has(&list, &core->events[i]));
    }
    assert_int_equal(list.count, n);
    assert_int_equal(n, EVENTS_OF_THE_MANUAL);
    event_list_free(&list);
}

TEST(a_failing_list_leaves_the_events_before_it)
{
    struct event_list list = {0};

    assert_int_equal(event_list_parse(&list, core, MODE_ALL, "{cycles}", NULL), ARMPMU_OK);
    assert_int_not_equal(event_list_parse(&list, core, MODE_ALL, "{r08},xyzzy", NULL), ARMPMU_OK);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.groups, 1);
    assert_string_equal(list.items[0].label, "CPU_CYCLES");
    event_list_free(&list);
}

TEST(counters_are_given_as_a_driver_would)
{
    static const struct {
        int line;
        const char *text, *numbers; /* NULL: too many */
    } cases[] = {
        {__LINE__, "r08,cycles,r03", "08@0 11@4 03@1"},
        {__LINE__, "cycles,cycles", "11@4 11@0"},
        {__LINE__, "a8/r08,counter=PMN0/,r03,r04", "08@0 03@1 04@2"},
        {__LINE__, "r03,a8/r08,counter=PMN0/", "03@1 08@0"},
        {__LINE__, "r01,r02,r03,r04,cycles", "01@0 02@1 03@2 04@3 11@4"},
        {__LINE__, "{r01,r02,r03,r04,cycles}", "{01@0 02@1 03@2 04@3 11@4}"},
        {__LINE__, "r01,r02,r03,r04,r05", NULL},
        {__LINE__, "cycles,cycles,r01,r02,r03,r04", NULL},
        {__LINE__, "a8/r08,counter=PMN1/,a8/r03,counter=PMN1/", NULL},
    };
    char numbers[512];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct event_list list = {0};
        struct armpmu_error err = {""};
        assert_int_equal(event_list_parse(&list, core, MODE_HW, cases[i].text, &err), ARMPMU_OK);
        enum armpmu_status status = event_list_assign(&list, core, &err);
        spell(&list, numbers, sizeof numbers);
        if ((status == ARMPMU_OK) != (cases[i].numbers != NULL) ||
            (status == ARMPMU_OK && strcmp(numbers, cases[i].numbers) != 0))
            fail_msg("line %d: '%s': got '%s' (%s)", cases[i].line, cases[i].text, numbers,
                     err.message);
        event_list_free(&list);
    }
}

/* xorshift64*, so that a failure can be run again. */
static uint64_t next_random(uint64_t *random)
{
    *random ^= *random >> 12;
    *random ^= *random << 25;
    *random ^= *random >> 27;
    return *random * UINT64_C(0x2545f4914f6cdd1d);
}

/* Pieces of the grammar in any order: they reach deeper than random letters. */
static void random_list(uint64_t *random, char *text, size_t size)
{
    static const char *const pieces[] = {
        ",",       "{",        "}",       "/",
        ":",       "::",       "u",       "k",
        " ",       "cycles",   "r08",     "0x44",
        "a8",      "a8/",      "all",     "*",
        "?",       "[",        "[a-",     "event=",
        "name=",   "=",        "r",       "0x",
        "PMN",     "CCNT",     "counter", "L1D_*",
        "preset:", "\x80\xff", "%s%n",    "0xffffffffffffffffffff",
    };
    size_t used = 0;
    unsigned n = next_random(random) % 8;

    text[0] = '\0';
    while (n-- > 0 && used < size - 1) {
        uint64_t pick = next_random(random);
        if (pick % 8 == 0) {
            text[used++] = (char)(1 + (pick >> 8) % 255);
            text[used] = '\0';
        } else {
            int length = snprintf(text + used, size - used, "%s",
                                  pieces[(pick >> 8) % (sizeof pieces / sizeof pieces[0])]);
            used += (size_t)length;
        }
    }
}

/* Good events, now and then with a letter changed: a slip in what is nearly right. */
static void nearly_right_list(uint64_t *random, char *text, size_t size)
{
    static const char *const events[] = {
        "cycles",         "r08",   "0x44:u",       "a8/event=0x03/", "{r03,r04}", "cpu/cycles/u",
        "arm_ac8::DREAD", "L1D_*", "PAPI_TOT_INS", "{cycles}:u",     "all",       "a8/r57,name=x/",
    };
    size_t used = 0, n = 1 + next_random(random) % 4;

    text[0] = '\0';
    for (size_t i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? "," : "",
                                 events[next_random(random) % (sizeof events / sizeof events[0])]);
    if (next_random(random) % 2)
        text[next_random(random) % used] = (char)(1 + next_random(random) % 255);
}

TEST(random_lists_are_parsed_or_refused_in_a_sentence)
{
    uint64_t seed = 20261121, random = seed;
    char text[256];
    unsigned parsed = 0, refused = 0;

    for (unsigned i = 0; i < 20000; i++) {
        struct event_list list = {0};
        struct armpmu_error err = {""};
        enum count_mode mode = next_random(&random) % 2 ? MODE_HW : MODE_ALL;
        if (i % 2)
            nearly_right_list(&random, text, sizeof text);
        else
            random_list(&random, text, sizeof text);
        enum armpmu_status status = event_list_parse(&list, core, mode, text, &err);
        bool sane = status == ARMPMU_OK ? list.count > 0 && err.message[0] == '\0'
                                        : list.count == 0 && strlen(err.message) > 10;
        if (!sane)
            fail_msg("seed %llu, list %u: '%s'", (unsigned long long)seed, i, text);
        for (size_t j = 0; j < list.count; j++)
            assert_true(list.items[j].event->fidelity != ARMPMU_RESERVED);
        if (status == ARMPMU_OK)
            (void)!event_list_assign(&list, core, NULL);
        parsed += status == ARMPMU_OK;
        refused += status != ARMPMU_OK;
        event_list_free(&list);
    }
    if (parsed < 1000 || refused < 1000) /* both ways shall be exercised */
        fail_msg("%u parsed, %u refused", parsed, refused);
}

static int find_core(void **state)
{
    (void)state;
    core = armpmu_core_find("cortex-a8");
    return core == NULL ? -1 : 0;
}

TESTS_WITH(find_core, NULL)
