#include "catalog/names.h"

#include "armpmu/catalog.h"

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool catalog_names_equal(const char *left, const char *right)
{
    while (*left != '\0' && lower(*left) == lower(*right)) {
        left++;
        right++;
    }
    return *left == '\0' && *right == '\0';
}

bool catalog_name_begins(const char *text, const char *name, size_t length)
{
    size_t i = 0;
    while (i < length && text[i] != '\0' && lower(text[i]) == lower(name[i]))
        i++;
    return i == length;
}

bool catalog_name_equals(const char *text, const char *name, size_t length)
{
    return catalog_name_begins(text, name, length) && text[length] == '\0';
}

/* Steps over the set that begins after '['. Returns the character after its ']', NULL when there
 * is none: then the '[' means itself. *in tells whether c is in the set. */
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
