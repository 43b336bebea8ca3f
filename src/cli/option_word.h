/* Words of the command line: options that are unknown, and values that are one of three words. */
#ifndef CLI_OPTION_WORD_H
#define CLI_OPTION_WORD_H

#include <stdbool.h>

enum option_color { OPTION_COLOR_AUTO, OPTION_COLOR_ALWAYS, OPTION_COLOR_NEVER };

/* The option that getopt_long has just refused: "--bogus", or "-q" in the text. */
const char *option_refused(char *const *argv, char text[3]);

/* Finds the index of a word in a NULL-terminated list of three; complains if it is none of them. */
bool option_word(const char *option, const char *word, const char *const *words, int *index);

/* The value of --color; complains as option_word does. */
bool option_color(const char *word, enum option_color *color);

/* Whether standard output is to be coloured: with AUTO if it is a terminal and NO_COLOR is not set.
 */
bool option_wants_color(enum option_color color);

#endif
