/* Words of a command line, for a shell to read. */
#ifndef CLI_SHELL_WORDS_H
#define CLI_SHELL_WORDS_H

#include <stdio.h>

/* Prints a word, in single quotes where the shell would change it. */
void shell_word(const char *word, FILE *out);

/* The same of several, NULL after them, separated by blanks. */
void shell_words(const char *const *words, FILE *out);

#endif
