/* The subcommands of armpmu, one file each. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include <stdbool.h>
#include <stdio.h>

#include "armpmu/status.h"

/* Exit statuses of armpmu's own, as env(1) uses them. Everything else is the program's status. */
enum {
    EXIT_FIRMWARE = 123,       /* firmware that cannot go on                                    */
    EXIT_LIMIT = 124,          /* firmware that a limit ended, as timeout(1)                    */
    EXIT_ARMPMU = 125,         /* armpmu itself failed: bad option, bad machine file, full disk */
    EXIT_NOT_EXECUTABLE = 126, /* the program is there but cannot be run                        */
    EXIT_NOT_FOUND = 127,      /* the program is not there                                      */
    EXIT_SIGNAL = 128,         /* and the number of the signal that ended the program           */
};

/* A subcommand. argv[0] is the command's name, argv[argc] is NULL; out is standard output, and main
 * says when it cannot be written. "--help" prints the usage there and returns 0. Returns the exit
 * status of the process. */
typedef int (*command_fn)(int argc, char **argv, FILE *out);

int command_check(int argc, char **argv, FILE *out);
int command_dtb(int argc, char **argv, FILE *out);
int command_guest(int argc, char **argv, FILE *out);
int command_list(int argc, char **argv, FILE *out);
int command_regs(int argc, char **argv, FILE *out);
int command_run(int argc, char **argv, FILE *out);
int command_stat(int argc, char **argv, FILE *out);

/* The exit status for what an engine could not do, as env(1) tells it. */
int engine_failure(enum armpmu_status status);

/* Prints "armpmu: " and the formatted sentence on standard error, with a newline. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void complain(const char *format, ...);

/* Whether a sentence could not be written: the exit status alone can say so. */
bool complain_lost(void);

#endif
