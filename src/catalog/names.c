#include "catalog/names.h"

#include <string.h>

#include "armpmu/catalog.h"

/* Longest name that edit distance looks at, and how much of a prefix counts as alike. */
#define LONGEST 63

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool name_equals(const char *text, const char *name, size_t length)
{
    size_t i = 0;
    while (i < length && text[i] != '\0' && lower(text[i]) == lower(name[i]))
        i++;
    return i == length && text[i] == '\0';
}

/* Steps over the set that begins behind '['. Returns the character behind its ']', NULL when there
 * is none: then the '[' stands for itself. *in tells whether c is in the set. */
static const char *match_set(const char *glob, char c, bool *in)
{
    const bool negated = *glob == '!' || *glob == '^';
    bool found = false;

    if (negated)
        glob++;
    const char *const first = glob;
    while (*glob != '\0' && (*glob != ']' || glob == first)) {
        const char low = *glob++;
        char high = low;
        if (glob[0] == '-' && glob[1] != ']' && glob[1] != '\0') {
            high = glob[1];
            glob += 2;
        }
        found |= lower(c) >= lower(low) && lower(c) <= lower(high);
    }
    *in = found != negated;
    return *glob == ']' ? glob + 1 : NULL;
}

/* Steps over one item of the glob that is not '*' if it matches c, else returns NULL. */
static const char *match_one(const char *glob, char c)
{
    if (*glob == '?')
        return glob + 1;
    if (*glob == '[') {
        bool in = false;
        const char *const end = match_set(glob + 1, c, &in);
        if (end != NULL)
            return in ? end : NULL;
    }
    if (*glob == '\\' && glob[1] != '\0')
        glob++;
    return *glob != '\0' && lower(*glob) == lower(c) ? glob + 1 : NULL;
}

/* On a mismatch only the latest '*' can help, by taking one character more. */
bool armpmu_glob_matches(const char *glob, const char *name)
{
    const char *star = NULL, *star_name = NULL;

    while (*name != '\0') {
        if (*glob == '*') {
            star = ++glob;
            star_name = name;
            continue;
        }
        const char *const next = match_one(glob, *name);
        if (next != NULL) {
            glob = next;
            name++;
        } else if (star != NULL) {
            glob = star;
            name = ++star_name;
        } else {
            return false;
        }
    }
    while (*glob == '*')
        glob++;
    return *glob == '\0';
}

static unsigned smallest(unsigned a, unsigned b, unsigned c)
{
    const unsigned ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Levenshtein's distance, one row of the table at a time. */
static unsigned edits(const char *left, size_t left_length, const char *right, size_t right_length)
{
    unsigned row[LONGEST + 1];

    for (size_t j = 0; j <= right_length; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= left_length; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= right_length; j++) {
            const unsigned above = row[j];
            const unsigned changed = lower(left[i - 1]) != lower(right[j - 1]);
            row[j] = smallest(above + 1, row[j - 1] + 1, diagonal + changed);
            diagonal = above;
        }
    }
    return row[right_length];
}

/* Where the first length characters of part begin in the whole, (size_t)-1 when nowhere. */
static size_t position(const char *part, size_t length, const char *whole, size_t whole_length)
{
    for (size_t at = 0; at + length <= whole_length; at++)
        if (edits(part, length, whole + at, length) == 0)
            return at;
    return (size_t)-1;
}

/* Shortest part of a name that counts as pointing to it. */
#define TELLING 3

unsigned armpmu_name_distance(const char *typed, const char *known)
{
    size_t typed_length = strlen(typed), known_length = strlen(known);

    typed_length = typed_length < LONGEST ? typed_length : LONGEST;
    known_length = known_length < LONGEST ? known_length : LONGEST;
    if (typed_length >= TELLING && typed_length < known_length) {
        const size_t at = position(typed, typed_length, known, known_length);
        if (at != (size_t)-1)
            return at == 0 ? 1 : 2; /* as near as one slip, or two */
    }
    return edits(typed, typed_length, known, known_length);
}
