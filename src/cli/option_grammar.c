#include "cli/option_grammar.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/suggest.h"

static enum armpmu_status unknown_option(const struct option_grammar *grammar, const char *word,
                                         struct armpmu_error *err)
{
    struct suggest s;
    char hint[256], bare[SUGGEST_WORD_MAX], offered[SUGGEST_WORD_MAX];

    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word, "="), word);
    suggest_begin(&s, bare);
    for (const struct option *o = grammar->long_options; o->name != NULL && word[1] == '-'; o++) {
        snprintf(offered, sizeof offered, "--%s", o->name);
        suggest_offer(&s, offered, NULL);
    }
    suggest_sentence(&s, hint, sizeof hint);
    return fail(err, ARMPMU_BAD_CONFIG, "%s: unknown option %.60s%s%s 'armpmu help %s' lists them",
                grammar->command, word, hint, s.count > 0 ? "" : ";", grammar->command);
}

/* Signs stand between the letters. */
static bool is_letter_of(const struct option_grammar *grammar, int letter)
{
    return isalnum(letter) && strchr(grammar->short_options, letter) != NULL;
}

enum armpmu_status option_grammar_parse(const struct option_grammar *grammar, int argc, char **argv,
                                        void *options, char *const **operands,
                                        struct armpmu_error *err)
{
    int option;

    optind = 0; /* glibc: start afresh, main.c may have moved words */
    opterr = 0;
    while ((option = getopt_long(argc, argv, grammar->short_options, grammar->long_options,
                                 NULL)) != -1) {
        const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";
        char letter[3] = {'-', (char)optopt, '\0'};
        if (option == ':')
            return fail(err, ARMPMU_BAD_CONFIG, "%s: %.60s needs a value; see 'armpmu help %s'",
                        grammar->command, word, grammar->command);
        if (option == '?')
            /* A letter in the middle of a cluster: getopt has not moved on to the next word yet. */
            return unknown_option(
                grammar,
                optopt > 0 && optopt < 256 && !is_letter_of(grammar, optopt) ? letter : word, err);
        const enum armpmu_status status = grammar->set(options, option, optarg, err);
        if (status != ARMPMU_OK)
            return status;
    }
    *operands = &argv[optind];
    return ARMPMU_OK;
}
