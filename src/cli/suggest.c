#include "cli/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

static int fold(char c)
{
    return c == '-' ? '_' : tolower((unsigned char)c);
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The letters that must be inserted, removed, changed or swapped with a neighbour to make one word
 * of the other, ignoring case and taking '-' for '_'. Words count up to SUGGEST_WORD_MAX letters.
 */
static unsigned distance_of(const char *a, const char *b)
{
    size_t a_len = strnlen(a, SUGGEST_WORD_MAX), b_len = strnlen(b, SUGGEST_WORD_MAX);
    unsigned rows[3][SUGGEST_WORD_MAX + 1]; /* the row before last, the last, the current */
    unsigned *above2 = rows[0], *above = rows[1], *row = rows[2];

    for (size_t j = 0; j <= b_len; j++)
        above[j] = (unsigned)j;
    for (size_t i = 1; i <= a_len; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_len; j++) {
            int x = fold(a[i - 1]), y = fold(b[j - 1]);
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == fold(b[j - 2]) && y == fold(a[i - 2]))
                row[j] = least(row[j], above2[j - 2] + 1);
        }
        unsigned *oldest = above2;
        above2 = above, above = row, row = oldest;
    }
    return above[b_len];
}

/* Returns whether part occurs in whole, case and '-' folded. */
static bool contains(const char *whole, const char *part)
{
    for (; *whole != '\0'; whole++) {
        size_t i = 0;
        while (part[i] != '\0' && fold(whole[i]) == fold(part[i]))
            i++;
        if (part[i] == '\0')
            return true;
    }
    return false;
}

void suggest_begin(struct suggest *s, const char *wanted)
{
    *s = (struct suggest){.wanted = wanted};
}

static unsigned nearness(const char *wanted, const char *name)
{
    unsigned distance = distance_of(wanted, name);
    /* A piece of a long name is as good as two slips of the finger. */
    if (strlen(wanted) >= 4 && contains(name, wanted))
        distance = least(distance, 2);
    return distance;
}

/* How many slips of the finger a word of this length may hold. */
static unsigned near_enough(size_t length)
{
    if (length < 4)
        return 1;
    return length < 9 ? 2 : (unsigned)length / 3;
}

static bool same_thing(const struct suggestion *a, const char *name, const void *thing)
{
    return thing != NULL ? a->thing == thing : strcasecmp(a->name, name) == 0;
}

static void drop(struct suggest *s, unsigned at)
{
    s->count--;
    memmove(&s->best[at], &s->best[at + 1], (s->count - at) * sizeof s->best[0]);
}

void suggest_offer(struct suggest *s, const char *name, const void *thing)
{
    if (name == NULL || *name == '\0')
        return;
    size_t length = strnlen(s->wanted, SUGGEST_WORD_MAX);
    unsigned distance = nearness(s->wanted, name);
    if (distance > near_enough(length))
        return;

    for (unsigned i = 0; i < s->count; i++) {
        if (!same_thing(&s->best[i], name, thing))
            continue;
        if (s->best[i].distance <= distance)
            return;
        drop(s, i);
        break;
    }

    unsigned at = s->count;
    while (at > 0 && s->best[at - 1].distance > distance)
        at--;
    if (at >= SUGGEST_MAX)
        return;
    if (s->count == SUGGEST_MAX)
        s->count--;
    memmove(&s->best[at + 1], &s->best[at], (s->count - at) * sizeof s->best[0]);
    s->count++;
    s->best[at] = (struct suggestion){.thing = thing, .distance = distance};
    snprintf(s->best[at].name, sizeof s->best[at].name, "%s", name);
}

void suggest_sentence(const struct suggest *s, char *text, size_t size)
{
    text[0] = '\0';
    for (unsigned i = 0; i < s->count; i++)
        text_join(text, size, i + 1 == s->count ? " or " : ", ", "%s%s",
                  i == 0 ? "; did you mean " : "", s->best[i].name);
    if (s->count > 0)
        text_join(text, size, "?", "%s", "");
}
