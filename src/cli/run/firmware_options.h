/* The options for bare-metal programs, of `armpmu run`, `armpmu stat` and `armpmu record`. */
#ifndef CLI_RUN_FIRMWARE_OPTIONS_H
#define CLI_RUN_FIRMWARE_OPTIONS_H

#include <stdbool.h>

#include "armpmu/status.h"
#include "cli/run/guest_devices.h"
#include "cli/options.h"
#include "cli/output.h"
#include "unicorn/firmware_run.h"

/* After the words of --semihosting: it was not given. */
#define SEMIHOSTING_NOT_SAID (ENGINE_SEMIHOSTING_OFF + 1)

/* Strings are borrowed from argv. */
struct firmware_options {
    bool trace;
    const char *trace_file; /* NULL: standard error */
    const char *vcd_file;   /* NULL: no waves */
    struct output trace_log, vcd_log;
    bool lost;                 /* one of these two could not be written; */
    struct armpmu_error cause; /* why */
    struct option_list pins, faults;
    unsigned semihosting; /* enum engine_semihosting, or SEMIHOSTING_NOT_SAID */
    char amu[GUEST_AMU_BYTES];
    struct firmware_setup setup; /* limits and memory */
};

#define FIRMWARE_DEFAULTS                                                                          \
    {                                                                                              \
        .semihosting = SEMIHOSTING_NOT_SAID                                                        \
    }
extern const struct option_row firmware_rows[];

/* Takes seconds, or milliseconds as "500ms", for a double, as an option_set_fn. */
enum armpmu_status timeout_set(void *seconds, const char *option, const char *value,
                               struct armpmu_error *err);

#define TIMEOUT_ROW(type, member)                                                                  \
    {                                                                                              \
        0, "timeout", "SECONDS",                                                                   \
            "end the program after this time on the host (status 124): 10, 0.5 or 500ms",          \
            OPTION_CALL_TO(type, member, timeout_set)                                              \
    }

/* The engine of a program; AUTO: the file says. */
enum engine_choice { ENGINE_AUTO, ENGINE_QEMU, ENGINE_UNICORN };
extern const char *const engine_choices[];

#define ENGINE_CHOICE_ROW(type, member)                                                            \
    {                                                                                              \
        0, "engine", "NAME",                                                                       \
            "qemu for Linux programs, unicorn for firmware; auto (default) decides by the file; "  \
            "the options for firmware in 'armpmu help run' are also accepted",                     \
            OPTION_CHOICE_TO(type, member, engine_choices)                                         \
    }

/* The engine of --engine, or the one that a program with --load needs. */
enum engine_choice firmware_options_engine(const struct firmware_options *options,
                                           enum engine_choice engine);

struct firmware_question {
    const char *command;
    enum engine_choice choice;
    const char *program;
    bool has_firmware; /* options of firmware were given */
    bool keep_running; /* --keep-running was */
};

/* Finds out if a program is firmware, by the choice or by its file. Returns ARMPMU_OK,
 * ARMPMU_BAD_CONFIG (options that do not go with it) or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status firmware_options_choose(const struct firmware_question *asked,
                                                           bool *is_firmware,
                                                           struct armpmu_error *err);

/* The program's file; NULL where PATH is searched for it: it is no firmware and has no '/'. */
const char *firmware_options_file(const char *program, bool is_firmware);

/* Checks that each file that is written has that one use: those of these options, and program,
 * machine and output, which may be NULL. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status
firmware_options_check_files(const struct firmware_options *options, const char *program,
                             const char *machine, const char *output, struct armpmu_error *err);

/* Makes the run as the options say, whose firmware member is set.
 * Returns as engine_firmware_run, or ARMPMU_IO for a log that cannot be opened. Logs that could not
 * be written to their end do not spoil the result: firmware_explain() says so. */
ARMPMU_MUST_USE enum armpmu_status firmware_options_run(struct firmware_options *options,
                                                        struct run *run, struct run_result *out,
                                                        struct armpmu_error *err);

/* The exit status of a program that ended so. */
int firmware_status(const struct run_result *result);

/* Says on standard error what semihosting refused, where a program ended that did not end by
 * itself, and what could not be written of its logs and console. Returns whether all was. */
bool firmware_explain(const struct firmware_options *options, const struct firmware_end *result,
                      const char *program);

#endif
