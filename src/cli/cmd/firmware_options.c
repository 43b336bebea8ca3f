#include "cli/cmd/firmware_options.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/file_uses.h"
#include "cli/machine_choice.h"

const char firmware_usage[] =
    "Firmware\n"
    "      --max-insns N     end behind the block in which N instructions have executed\n"
    "      --timeout SECONDS end after this time\n"
    "      --trace-regs[=FILE]  a line for every access to the performance monitor\n"
    "      --vcd FILE        waves of counters, flags and lines, for a wave viewer\n"
    "      --pin NAME=VALUE  a pin of the core; NAME=every:1000c or :1000i for a pulse each 1000\n"
    "                        cycles or instructions\n"
    "      --inject KIND@ADDRESS  an error in one of the core's memories, for the next access "
    "that\n"
    "                        meets it; the kinds are below\n"
    "      --ram ADDRESS:SIZE  memory beside the program (default: 64M around it)\n"
    "      --devices ADDRESS console and interrupt controller (default: 0xff000000)\n"
    "      --amu LIST        activity monitors: enabled, their counters run from the start; v1p1;\n"
    "                        group1:N, auxiliary counters (default: 3); several parted by ','\n"
    "      --frame ADDRESS   their memory-mapped view\n"
    "      --el N            highest Exception level of the core (default: 3)\n"
    "      --semihosting WHAT  console: console, clock, command line and exit (default); files: "
    "the\n"
    "                        files below --semihosting-root as well, without one those below the\n"
    "                        current folder; off: its calls are exceptions, as on the bare core\n"
    "      --semihosting-root DIR  files, and below DIR only\n";

/* A number with K, M or G behind it. */
static bool read_size(const char *text, uint64_t *value)
{
    static const char letters[] = "KMG";
    char *end;

    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *value = strtoull(text, &end, 0);
    const char *const letter = *end != '\0' ? strchr(letters, *end & ~0x20) : NULL;
    const unsigned shift = letter != NULL ? 10 * (unsigned)(letter - letters + 1) : 0;
    if (errno != 0 || (letter == NULL && *end != '\0') || (letter != NULL && end[1] != '\0') ||
        *value << shift >> shift != *value)
        return false;
    *value <<= shift;
    return true;
}

static enum armpmu_status set_insns(struct firmware_options *o, const char *value,
                                    struct armpmu_error *err)
{
    if (!read_size(value, &o->job.max_insns) || o->job.max_insns == 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--max-insns '%.40s': a number of instructions from 1 on, like 1000000 or 1M",
                    value);
    return ARMPMU_OK;
}

static enum armpmu_status set_timeout(struct firmware_options *o, const char *value,
                                      struct armpmu_error *err)
{
    char *end;

    o->job.timeout_seconds = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(o->job.timeout_seconds) ||
        o->job.timeout_seconds <= 0 || o->job.timeout_seconds > 1e9)
        return fail(err, ARMPMU_BAD_CONFIG, "--timeout '%.40s': seconds above zero, like 10 or 0.5",
                    value);
    return ARMPMU_OK;
}

static enum armpmu_status add(const char *option, const char *value, const char **list, unsigned *n,
                              struct armpmu_error *err)
{
    if (*n == FIRMWARE_LIST_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "%s: more than %u of them", option, FIRMWARE_LIST_MAX);
    list[(*n)++] = value;
    return ARMPMU_OK;
}

static enum armpmu_status add_ram(struct firmware_options *o, const char *value,
                                  struct armpmu_error *err)
{
    const char *const colon = strchr(value, ':');
    char first[32] = "";
    uint64_t address = 0, n_bytes = 0;

    if (colon != NULL && (size_t)(colon - value) < sizeof first)
        memcpy(first, value, (size_t)(colon - value));
    if (colon == NULL || !read_size(first, &address) || address > UINT64_MAX >> 16 ||
        !read_size(colon + 1, &n_bytes))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--ram '%.60s': write ADDRESS:SIZE, like 0x20000000:256K", value);
    if (o->job.n_ram == ENGINE_RAM_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "--ram: more than %u of them", ENGINE_RAM_MAX);
    o->job.ram[o->job.n_ram++] = (struct engine_firmware_ram){address, n_bytes};
    return ARMPMU_OK;
}

static enum armpmu_status set_devices(struct firmware_options *o, const char *value,
                                      struct armpmu_error *err)
{
    uint64_t address;

    if (!read_size(value, &address) || address == 0 || address > UINT64_MAX >> 16 ||
        address % 4096 != 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--devices '%.40s': the address of a page, a multiple of 0x1000 of at most "
                    "48 bits",
                    value);
    o->job.devices = address;
    return ARMPMU_OK;
}

static enum armpmu_status set_frame(struct firmware_options *o, const char *value,
                                    struct armpmu_error *err)
{
    if (!read_size(value, &o->job.frame) || o->job.frame == 0 || o->job.frame % 4096 != 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--frame '%.40s': the address of a page, a multiple of 4096", value);
    return ARMPMU_OK;
}

static enum armpmu_status set_level(struct firmware_options *o, const char *value,
                                    struct armpmu_error *err)
{
    if (value[0] < '1' || value[0] > '3' || value[1] != '\0')
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--el '%.40s': the highest Exception level of the core, from 1 to 3", value);
    o->job.highest_level = (unsigned)(value[0] - '0');
    return ARMPMU_OK;
}

static enum armpmu_status set_semihosting(struct firmware_options *o, const char *value,
                                          struct armpmu_error *err)
{
    static const char *const words[] = {
        [ENGINE_SEMIHOSTING_CONSOLE] = "console",
        [ENGINE_SEMIHOSTING_FILES] = "files",
        [ENGINE_SEMIHOSTING_OFF] = "off",
    };

    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(value, words[i]) == 0) {
            o->semihosting = words[i];
            o->job.semihosting = (enum engine_semihosting)i;
            return ARMPMU_OK;
        }
    return fail(err, ARMPMU_BAD_CONFIG, "--semihosting '%.40s': there are off, console and files",
                value);
}

/* As under QEMU, names are relative to the current folder where nothing else is said. */
static enum armpmu_status settle_semihosting(struct firmware_options *o, struct armpmu_error *err)
{
    struct engine_firmware_job *const job = &o->job;

    if (job->semihosting_root != NULL && o->semihosting == NULL)
        job->semihosting = ENGINE_SEMIHOSTING_FILES;
    if (job->semihosting_root != NULL && job->semihosting != ENGINE_SEMIHOSTING_FILES)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--semihosting-root '%.200s' goes with --semihosting=files, not with %s",
                    job->semihosting_root, o->semihosting);
    if (job->semihosting == ENGINE_SEMIHOSTING_FILES && job->semihosting_root == NULL)
        job->semihosting_root = ".";
    return ARMPMU_OK;
}

enum armpmu_status firmware_options_set(struct firmware_options *o, int option, const char *value,
                                        struct armpmu_error *err)
{
    o->given = true;
    switch ((enum firmware_option)option) {
    case OPTION_MAX_INSNS:
        return set_insns(o, value, err);
    case OPTION_TIMEOUT:
        return set_timeout(o, value, err);
    case OPTION_TRACE_REGS:
        o->trace = true;
        o->trace_file = value;
        break;
    case OPTION_VCD:
        o->vcd_file = value;
        break;
    case OPTION_PIN:
        return add("--pin", value, o->pins, &o->n_pins, err);
    case OPTION_INJECT:
        return add("--inject", value, o->faults, &o->n_faults, err);
    case OPTION_RAM:
        return add_ram(o, value, err);
    case OPTION_DEVICES:
        return set_devices(o, value, err);
    case OPTION_UNIT:
        o->job.amu = o->amu;
        return guest_amu_parse(value, o->amu, err);
    case OPTION_VIEW:
        return set_frame(o, value, err);
    case OPTION_LEVEL:
        return set_level(o, value, err);
    case OPTION_SEMIHOSTING:
        return set_semihosting(o, value, err);
    case OPTION_SEMIHOSTING_ROOT:
        o->job.semihosting_root = value;
        break;
    }
    return ARMPMU_OK;
}

/* ---- running ---- */

enum armpmu_status firmware_options_check_files(const struct firmware_options *o,
                                                const char *program, const char *machine,
                                                const char *output, struct armpmu_error *err)
{
    char *const machine_file = machine_choice_file(machine);
    const struct file_use uses[] = {
        {"the program", program, false},
        {"the machine", machine_file, false},
        {"-o", output, true},
        {"--trace-regs", o->trace_file, true},
        {"--vcd", o->vcd_file, true},
    };
    const enum armpmu_status status = file_uses_check(uses, sizeof uses / sizeof uses[0], err);

    free(machine_file);
    return status;
}

static enum armpmu_status open_logs(struct firmware_options *o, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    o->trace_log = o->vcd_log = (struct output){.fd = -1};
    if (o->trace)
        status = output_open_log(&o->trace_log, "--trace-regs", o->trace_file, err);
    if (status == ARMPMU_OK && o->vcd_file != NULL)
        status = output_open_log(&o->vcd_log, "--vcd", o->vcd_file, err);
    o->job.trace = o->trace_log.stream;
    o->job.vcd = o->vcd_log.stream;
    return status;
}

/* Of a program that did not run, the files stay as they were. */
static void close_log(struct firmware_options *o, struct output *log, bool ran)
{
    if (log->stream == NULL)
        return;
    if (!ran && !log->begun)
        output_discard(log);
    else if (output_close(log, o->lost ? NULL : &o->cause) != ARMPMU_OK)
        o->lost = true;
}

enum armpmu_status firmware_options_run(struct firmware_options *o,
                                        const struct armpmu_machine *machine, char *const *argv,
                                        struct engine_firmware_result *out,
                                        struct armpmu_error *err)
{
    *out = (struct engine_firmware_result){0};
    if (settle_semihosting(o, err) != ARMPMU_OK)
        return ARMPMU_BAD_CONFIG;
    o->job.machine = machine;
    o->job.argv = (const char *const *)argv;
    o->job.pins = o->pins;
    o->job.faults = o->faults;
    enum armpmu_status status = open_logs(o, err);
    const bool opened = status == ARMPMU_OK;
    if (opened)
        status = engine_firmware_run(&o->job, out, err);
    close_log(o, &o->trace_log, status == ARMPMU_OK);
    close_log(o, &o->vcd_log, status == ARMPMU_OK);
    return status;
}

/* ---- the end ---- */

/* All, the PC of AArch64 aside. */
static void print_registers(const struct engine_firmware_result *result, FILE *stream)
{
    const bool wide = result->register_bytes == 8;
    const unsigned n = wide ? result->n_registers - 1 : result->n_registers;
    const char letter = wide ? 'x' : 'r';

    for (unsigned i = 0; i < n; i++)
        fprintf(stream, "%s    %s%c%u %0*" PRIx64 "%s", i % 4 == 0 ? " " : "", i < 10 ? " " : "",
                letter, i, 2 * (int)result->register_bytes, result->r[i],
                i % 4 == 3 || i + 1 == n ? "\n" : "");
}

static void print_refusals(const struct engine_firmware_result *result, const char *program)
{
    for (unsigned i = 0; i < result->n_refused; i++)
        complain("%s: semihosting: %s", program, result->refused[i]);
    if (result->n_refused_more > 0)
        complain("%s: semihosting: and %" PRIu64 " calls more", program, result->n_refused_more);
}

static enum armpmu_status print_state(const struct engine_firmware_result *result,
                                      struct armpmu_error *err)
{
    struct output out;
    const enum armpmu_status status = output_open(&out, NULL, NULL, false, err);

    if (status != ARMPMU_OK)
        return status;
    fprintf(out.stream,
            "  after %" PRIu64 " instructions, PC 0x%08" PRIx64 "%s%s, LR 0x%08" PRIx64
            "%s%s, %s 0x%08x\n",
            result->insns, result->pc, result->symbol[0] != '\0' ? " " : "", result->symbol,
            result->lr, result->return_symbol[0] != '\0' ? " " : "", result->return_symbol,
            result->status_name, result->processor_status);
    print_registers(result, out.stream);
    return output_close(&out, err);
}

static int end_status(const struct engine_firmware_result *result)
{
    switch (result->end) {
    case ENGINE_FIRMWARE_EXIT:
        return result->status;
    case ENGINE_FIRMWARE_FAULT:
        break;
    case ENGINE_FIRMWARE_LIMIT:
    case ENGINE_FIRMWARE_TIMEOUT:
        return EXIT_LIMIT;
    case ENGINE_FIRMWARE_INTERRUPTED:
        return EXIT_SIGNAL + result->interrupted;
    case ENGINE_FIRMWARE_FAILED:
        return EXIT_ARMPMU;
    }
    return EXIT_FIRMWARE;
}

int firmware_end(const struct firmware_options *o, const struct engine_firmware_result *result,
                 const char *program)
{
    int status = end_status(result);

    print_refusals(result, program);
    if (result->end != ENGINE_FIRMWARE_EXIT) {
        complain("%s: %s", program, result->reason);
        if (print_state(result, NULL) != ARMPMU_OK)
            status = EXIT_ARMPMU;
    }
    if (result->console_cause != 0)
        status = EXIT_ARMPMU;
    if (result->console_cause != 0 && result->console_cause != EPIPE)
        complain("%s: its console: %s; the text is not complete", program,
                 strerror(result->console_cause));
    if (!o->lost)
        return status;
    if (o->cause.message[0] != '\0')
        complain("%s", o->cause.message);
    return EXIT_ARMPMU;
}
