/* The options of bare-metal programs, which `armpmu run` and `armpmu stat` have. */
#ifndef CLI_CMD_FIRMWARE_OPTIONS_H
#define CLI_CMD_FIRMWARE_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>

#include "armpmu/status.h"
#include "cli/cmd/guest_amu.h"
#include "cli/output.h"
#include "unicorn/firmware_run.h"

#define FIRMWARE_LIST_MAX 32u /* pins, or faults */

enum firmware_option {
    OPTION_MAX_INSNS = 512, /* behind those of the commands */
    OPTIONS_OF_FIRMWARE = OPTION_MAX_INSNS,
    OPTION_TIMEOUT,
    OPTION_TRACE_REGS,
    OPTION_VCD,
    OPTION_PIN,
    OPTION_INJECT,
    OPTION_RAM,
    OPTION_DEVICES,
    OPTION_UNIT,
    OPTION_VIEW,
    OPTION_LEVEL,
    OPTION_SEMIHOSTING,
    OPTION_SEMIHOSTING_ROOT,
};

/* Rows for a table of long options. */
#define FIRMWARE_LONG_OPTIONS                                                                      \
    {"max-insns", required_argument, NULL, OPTION_MAX_INSNS},                                      \
        {"timeout", required_argument, NULL, OPTION_TIMEOUT},                                      \
        {"trace-regs", optional_argument, NULL, OPTION_TRACE_REGS},                                \
        {"vcd", required_argument, NULL, OPTION_VCD},                                              \
        {"pin", required_argument, NULL, OPTION_PIN},                                              \
        {"inject", required_argument, NULL, OPTION_INJECT},                                        \
        {"ram", required_argument, NULL, OPTION_RAM},                                              \
        {"amu", required_argument, NULL, OPTION_UNIT},                                             \
        {"frame", required_argument, NULL, OPTION_VIEW},                                           \
        {"el", required_argument, NULL, OPTION_LEVEL},                                             \
        {"semihosting", required_argument, NULL, OPTION_SEMIHOSTING},                              \
        {"semihosting-root", required_argument, NULL, OPTION_SEMIHOSTING_ROOT},                    \
    {                                                                                              \
        "devices", required_argument, NULL, OPTION_DEVICES                                         \
    }

/* Strings are borrowed from argv. */
struct firmware_options {
    bool given; /* one of them was */
    bool trace;
    const char *trace_file; /* NULL: standard error */
    const char *vcd_file;   /* NULL: no waves */
    struct output trace_log, vcd_log;
    bool lost;                 /* one of these two could not be written; */
    struct armpmu_error cause; /* why */
    const char *pins[FIRMWARE_LIST_MAX + 1], *faults[FIRMWARE_LIST_MAX + 1];
    unsigned n_pins, n_faults;
    const char *semihosting; /* as given, NULL: not */
    char amu[GUEST_AMU_BYTES];
    struct engine_firmware_job job; /* limits and memory */
};

/* Takes one option. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status firmware_options_set(struct firmware_options *options,
                                                        int option, const char *value,
                                                        struct armpmu_error *err);

/* Whether each file that is written has that one use: those of these options and output, which with
 * program and machine may be NULL. Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status
firmware_options_check_files(const struct firmware_options *options, const char *program,
                             const char *machine, const char *output, struct armpmu_error *err);

/* Runs the program of argv on a machine as the options say; a job's interval may be set before.
 * Returns as engine_firmware_run, or ARMPMU_IO for a log that cannot be opened. Logs that could not
 * be written to their end do not spoil the result: firmware_end() says so. */
ARMPMU_MUST_USE enum armpmu_status firmware_options_run(struct firmware_options *options,
                                                        const struct armpmu_machine *machine,
                                                        char *const *argv,
                                                        struct engine_firmware_result *out,
                                                        struct armpmu_error *err);

/* Says on standard error what semihosting refused, where a program ended that did not end by
 * itself, and what could not be written of its logs. Returns the exit status of the command. */
int firmware_end(const struct firmware_options *options,
                 const struct engine_firmware_result *result, const char *program);

/* What --help prints of these options. */
extern const char firmware_usage[];

#endif
