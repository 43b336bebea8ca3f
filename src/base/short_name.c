#include "base/short_name.h"

#include <stdbool.h>
#include <string.h>

#define NAME_DOTS "..."

static const char operator_word[] = "operator";

/* Bytes of an operator's name whose brackets are none: "operator<<", "operator()"; 0 for others. */
static size_t operator_bytes(const char *at)
{
    const size_t word = strlen(operator_word);

    if (strncmp(at, operator_word, word) != 0)
        return 0;
    if (strncmp(at + word, "()", 2) == 0)
        return word + 2;
    return word + strspn(at + word, "<>=-*&");
}

static bool is_open(const char *name, const char *at)
{
    return *at == '<' || (*at == '(' && at > name && at[-1] != ' ' && at[-1] != ':');
}

static bool is_closed(const char *at)
{
    return *at == '>' || *at == ')';
}

/* How deep brackets with something in them are. shorter: NULL, or gets the name without what is in
 * those at this depth; keeps_first: but for the first of template arguments. */
static unsigned walk(const char *name, unsigned depth, bool keeps_first, char *shorter)
{
    unsigned deepest = 0, now = 0;
    bool drops = false;

    for (const char *at = name; *at != '\0';) {
        const size_t word = operator_bytes(at), n = word > 0 ? word : 1;
        const bool opens = word == 0 && is_open(name, at);
        now -= word == 0 && is_closed(at) && now > 0;
        drops |= now == depth && *at == ',';
        if (shorter != NULL && (now < depth || !drops)) {
            memmove(shorter, at, n);
            shorter += n;
        }
        now += opens;
        if (opens && now == depth)
            drops = !keeps_first || *at == '(';
        if (opens && at[1] != '\0' && !is_closed(at + 1) && now > deepest)
            deepest = now;
        at += n;
    }
    if (shorter != NULL)
        *shorter = '\0';
    return deepest;
}

/* Leaves out what is before the first "::" outside of brackets after which the rest fits. needs:
 * what the rest must have. Returns whether one does. */
static bool drop_front(char *name, size_t width, const char *needs)
{
    const size_t n = strlen(name);
    unsigned depth = 0;

    for (char *at = name; *at != '\0'; at++) {
        depth += is_open(name, at);
        depth -= is_closed(at) && depth > 0;
        if (depth > 0 || at[0] != ':' || at[1] != ':' || strstr(at, needs) == NULL ||
            n - (size_t)(at - name) + strlen(NAME_DOTS) > width ||
            (size_t)(at - name) < strlen(NAME_DOTS))
            continue;
        memmove(name + strlen(NAME_DOTS), at, strlen(at) + 1);
        memcpy(name, NAME_DOTS, strlen(NAME_DOTS));
        return true;
    }
    return false;
}

/* Empties the innermost brackets, if need be of their last argument, too. Returns whether the name
 * is shorter then. */
static bool empty_innermost(char *name, size_t width)
{
    const unsigned depth = walk(name, 0, false, NULL);
    const size_t n = strlen(name);

    if (depth == 0)
        return false;
    walk(name, depth, true, name);
    if (strlen(name) > width && depth == 1 && drop_front(name, width, "<"))
        return true;
    if (strlen(name) > width && strlen(name) == n)
        walk(name, depth, false, name);
    return strlen(name) < n;
}

static void replace_all(char *name, const char *from, const char *to)
{
    for (char *at; (at = strstr(name, from)) != NULL;) {
        memcpy(at, to, strlen(to));
        memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    }
}

void short_name(char *name, size_t width)
{
    const size_t blanks = strspn(name, " ");

    name += blanks;
    width = width > blanks + strlen(NAME_DOTS) ? width - blanks : strlen(NAME_DOTS);
    if (strlen(name) <= width)
        return;
    replace_all(name,
                "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
                "std::string");
    replace_all(name, "std::__cxx11::", "std::");
    while (strlen(name) > width && empty_innermost(name, width)) {
    }
    if (strlen(name) > width && !drop_front(name, width, ""))
        strcpy(name + width - strlen(NAME_DOTS), NAME_DOTS);
}
