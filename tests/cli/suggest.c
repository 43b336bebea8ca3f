/* Suggestions: near, nearest first, each thing once. */
#include "cli/suggest.h"

#include <string.h>

#include "../test.h"

static const char *suggestion(const char *wanted, const char *const *names)
{
    static char text[256];
    struct suggest s;

    suggest_begin(&s, wanted);
    for (; *names != NULL; names++)
        suggest_offer(&s, *names, NULL);
    suggest_sentence(&s, text, sizeof text);
    return text;
}

TEST(nearest_come_first_and_strangers_not_at_all)
{
    static const char *const names[] = {"list",  "stat",  "help", "start",
                                        "state", "stats", "regs", NULL};

    assert_string_equal(suggestion("lst", names), "; did you mean list?");
    assert_string_equal(suggestion("stat", names), "; did you mean stat, start or state?");
    assert_string_equal(suggestion("statx", names), "; did you mean stat, state or stats?");
    assert_string_equal(suggestion("hepl", names), "; did you mean help?");
    assert_string_equal(suggestion("HELPP", names), "; did you mean help?");
    assert_string_equal(suggestion("annotate", names), "");
    assert_string_equal(suggestion("", names), "");
}

TEST(a_thing_is_suggested_once_by_its_nearest_name)
{
    struct suggest s;
    char text[256];
    int refill, access;

    suggest_begin(&s, "DCACHE_REFIL");
    suggest_offer(&s, "L1D_CACHE_REFILL", &refill);
    suggest_offer(&s, "DCACHE_REFILL", &refill);
    suggest_offer(&s, "L1_DCACHE_REFILL", &refill);
    suggest_offer(&s, "ICACHE_REFILL", &access);
    suggest_offer(&s, NULL, &access);
    suggest_sentence(&s, text, sizeof text);
    assert_string_equal(text, "; did you mean DCACHE_REFILL or ICACHE_REFILL?");
}

TEST(a_sentence_that_does_not_fit_is_cut)
{
    struct suggest s;
    char text[20];

    suggest_begin(&s, "stat");
    suggest_offer(&s, "state", NULL);
    suggest_offer(&s, "stats", NULL);
    suggest_sentence(&s, text, sizeof text);
    assert_string_equal(text, "; did you mean stat");
}
