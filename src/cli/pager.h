/* The pager for a text that is longer than the terminal. */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include <stddef.h>
#include <stdio.h>

/* Shows the text in $ARMPMU_PAGER, else $PAGER, else less, where standard output is a terminal, as
 * git(1) does; else prints it to out. An empty name of a pager, or cat, is none. */
void pager_deliver(const char *text, size_t size, FILE *out);

/* Lines of the terminal; 0: it is none, or does not tell. */
unsigned pager_columns(int fd);

#endif
