/* The manual pages. */
#ifndef CLI_REPORT_MANUAL_H
#define CLI_REPORT_MANUAL_H

#include <stdbool.h>
#include <stdio.h>

struct command;

/* armpmu(1): what all commands have in common. */
void manual_print(FILE *out);

/* armpmu-NAME(1). Returns false when there is no memory for a part of it. */
bool manual_print_command(const struct command *command, FILE *out);

#endif
