/* Options in front of a program and its arguments, as getopt_long reads them, with our own words
 * for what is wrong. */
#ifndef CLI_OPTION_GRAMMAR_H
#define CLI_OPTION_GRAMMAR_H

#include <getopt.h>

#include "armpmu/status.h"

struct option_grammar {
    const char *command;
    /* As getopt's. They begin with '+', so that what follows the program's name is the program's,
     * and ':', so that we say ourselves what is missing. */
    const char *short_options;
    const struct option *long_options;
    /* Takes one option; value is NULL where there is none. */
    enum armpmu_status (*set)(void *options, int option, const char *value,
                              struct armpmu_error *err);
};

/* Gives every option to set; *operands is what follows them, NULL-terminated. Returns ARMPMU_OK,
 * ARMPMU_BAD_CONFIG (an unknown option; the nearest is in the message) or what set returned. */
ARMPMU_MUST_USE enum armpmu_status option_grammar_parse(const struct option_grammar *grammar,
                                                        int argc, char **argv, void *options,
                                                        char *const **operands,
                                                        struct armpmu_error *err);

#endif
