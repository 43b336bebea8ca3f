/* Suggestions for a mistyped word: the nearest names. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

#define SUGGEST_MAX      3
#define SUGGEST_WORD_MAX 64

/* The best candidates so far, nearest first. */
struct suggest {
    const char *wanted; /* borrowed */
    struct suggestion {
        char name[SUGGEST_WORD_MAX];
        const void *thing;
        unsigned distance;
    } best[SUGGEST_MAX];
    unsigned count;
};

void suggest_begin(struct suggest *s, const char *wanted);

/* Offers a candidate: kept if it is one of the nearest and near at all. Of two equally near ones
 * the first offered stays first. NULL is ignored, names that do not fit are truncated. thing:
 * what the name means. A thing with several names is suggested once, by its nearest; NULL means
 * the name itself. */
void suggest_offer(struct suggest *s, const char *name, const void *thing);

/* Writes "; did you mean A, B or C?" to text, or "" when nothing is near. Always terminated. */
void suggest_sentence(const struct suggest *s, char *text, size_t size);

#endif
