#include "cli/run/firmware_options.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/file_uses.h"
#include "cli/machine_choice.h"

static enum armpmu_status set_trace(void *member, const char *option, const char *file,
                                    struct armpmu_error *err)
{
    struct firmware_options *const o = member;

    (void)option, (void)err;
    o->trace = true;
    o->trace_file = file;
    return ARMPMU_OK;
}

enum armpmu_status timeout_set(void *seconds, const char *option, const char *value,
                               struct armpmu_error *err)
{
    char *end;
    double given = strtod(value, &end);
    const bool in_ms = strcmp(end, "ms") == 0;

    if (in_ms)
        given /= 1000;
    if (end == value || (*end != '\0' && !in_ms && strcmp(end, "s") != 0) || !isfinite(given) ||
        given <= 0 || given > 1e9)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "%s '%.40s': seconds above zero, like 10 or 0.5, or 500ms", option, value);
    *(double *)seconds = given;
    return ARMPMU_OK;
}

static enum armpmu_status add_ram(void *member, const char *option, const char *value,
                                  struct armpmu_error *err)
{
    struct firmware_setup *const setup = member;
    const char *const colon = strchr(value, ':');
    char first[32] = "";
    uint64_t address = 0, n_bytes = 0;

    if (colon != NULL && (size_t)(colon - value) < sizeof first)
        memcpy(first, value, (size_t)(colon - value));
    if (colon == NULL || !options_number(first, &address) || address > UINT64_MAX >> 16 ||
        !options_number(colon + 1, &n_bytes))
        return fail(err, ARMPMU_BAD_CONFIG, "%s '%.60s': write ADDRESS:SIZE, like 0x20000000:256K",
                    option, value);
    if (setup->n_ram == ENGINE_RAM_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "%s: more than %u of them", option, ENGINE_RAM_MAX);
    setup->ram[setup->n_ram++] = (struct engine_firmware_ram){address, n_bytes};
    return ARMPMU_OK;
}

static enum armpmu_status set_load(void *member, const char *option, const char *value,
                                   struct armpmu_error *err)
{
    struct firmware_setup *const setup = member;

    setup->has_load = true;
    if (options_number(value, &setup->load) && setup->load < UINT64_C(1) << 32)
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG, "%s '%.40s': an address below 0x100000000, like 0x8000",
                option, value);
}

static const char *const semihosting_words[] = {[ENGINE_SEMIHOSTING_CONSOLE] = "console",
                                                [ENGINE_SEMIHOSTING_FILES] = "files",
                                                [ENGINE_SEMIHOSTING_OFF] = "off",
                                                [SEMIHOSTING_NOT_SAID] = NULL};

const struct option_row firmware_rows[] = {
    {.help = "Firmware", .kind = OPTION_HEADING},
    {0, "max-insns", "N", "end after the block in which N instructions have executed",
     OPTION_NUMBER_TO(struct firmware_options, setup.max_insns), .least = 1, .most = UINT64_MAX,
     .expects = "a number of instructions from 1 on, like 1000000, or 1M for 1048576"},
    {0, "trace-regs", "FILE", "a line for every access to the performance monitor",
     .kind = OPTION_CALL, .set = set_trace, .optional = true, .completes = COMPLETE_FILE},
    {0, "vcd", "FILE", "write counters, flags and lines as waveforms, for a waveform viewer",
     OPTION_TEXT_TO(struct firmware_options, vcd_file), .completes = COMPLETE_FILE},
    {0, "gdb", "[HOST]:PORT",
     "wait for gdb ('target remote HOST:PORT') before the first instruction; without HOST on this "
     "computer only; port 0 is any free port",
     OPTION_TEXT_TO(struct firmware_options, setup.gdb)},
    {0, "pin", "NAME=VALUE",
     "set a pin of the core; NAME=every:1000c or :1000i pulses it every 1000 cycles or "
     "instructions",
     OPTION_LIST_TO(struct firmware_options, pins)},
    {0, "inject", "KIND@ADDRESS",
     "put an error into a memory of the core, for the next access there; the kinds are below",
     OPTION_LIST_TO(struct firmware_options, faults)},
    {0, "load", "ADDRESS",
     "load address of binary (.bin) and position-independent ELF files; Intel hex and S-records "
     "are loaded at their own addresses plus ADDRESS, so usually 0",
     OPTION_CALL_TO(struct firmware_options, setup, set_load)},
    {0, "ram", "ADDRESS:SIZE", "memory besides the program (default: 64M around it)",
     OPTION_CALL_TO(struct firmware_options, setup, add_ram)},
    {0, "devices", "ADDRESS", "console and interrupt controller (default: 0xff000000)",
     OPTION_NUMBER_TO(struct firmware_options, setup.devices), .least = 0x1000,
     .most = UINT64_MAX >> 16, .multiple = 0x1000,
     .expects = "the address of a page, a multiple of 0x1000 of at most 48 bits"},
    {0, "caches-on", NULL,
     "start with caches and branch prediction on, as after boot code; by default they are off, as "
     "after a reset, until the program sets SCTLR.C, I and Z",
     OPTION_FLAG_TO(struct firmware_options, setup.caches_on)},
    {0, "amu", "LIST",
     "activity monitors: enabled, their counters run from the start; v1p1; group1:N, auxiliary "
     "counters (default: 3); separated by ','",
     OPTION_CALL_TO(struct firmware_options, amu, guest_amu_parse)},
    {0, "frame", "ADDRESS", "address of their memory-mapped view",
     OPTION_NUMBER_TO(struct firmware_options, setup.frame), .least = 4096, .most = UINT64_MAX,
     .multiple = 4096, .expects = "the address of a page, a multiple of 4096"},
    {0, "el", "N", "highest Exception level of the core (default: 3)",
     OPTION_NUMBER_TO(struct firmware_options, setup.highest_level), .least = 1, .most = 3,
     .expects = "the highest Exception level of the core, from 1 to 3"},
    {0, "semihosting", "WHAT",
     "console: console, clock, command line and exit (default); files: also files under "
     "--semihosting-root or the current folder; off: calls are exceptions, as on the bare core",
     OPTION_CHOICE_TO(struct firmware_options, semihosting, semihosting_words)},
    {0, "semihosting-root", "DIR", "files under DIR only",
     OPTION_TEXT_TO(struct firmware_options, setup.semihosting_root), .completes = COMPLETE_FOLDER},
    {.kind = OPTION_END},
};

/* As under QEMU, names are relative to the current folder where nothing else is said. */
static enum armpmu_status resolve_semihosting(struct firmware_options *o, struct armpmu_error *err)
{
    struct firmware_setup *const setup = &o->setup;

    if (o->semihosting != SEMIHOSTING_NOT_SAID)
        setup->semihosting = (enum engine_semihosting)o->semihosting;
    else if (setup->semihosting_root != NULL)
        setup->semihosting = ENGINE_SEMIHOSTING_FILES;
    if (setup->semihosting_root != NULL && setup->semihosting != ENGINE_SEMIHOSTING_FILES)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--semihosting-root '%.200s' goes with --semihosting=files, not with %s",
                    setup->semihosting_root, semihosting_words[setup->semihosting]);
    if (setup->semihosting == ENGINE_SEMIHOSTING_FILES && setup->semihosting_root == NULL)
        setup->semihosting_root = ".";
    return ARMPMU_OK;
}

/* ---- running ---- */

const char *firmware_options_file(const char *program, bool is_firmware)
{
    return is_firmware || strchr(program, '/') != NULL ? program : NULL;
}

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
    o->trace_log.tells_error = o->vcd_log.tells_error = true;
    o->setup.trace = o->trace_log.stream;
    o->setup.vcd = o->vcd_log.stream;
    return status;
}

/* The files of a program that did not run stay as they were. */
static void close_log(struct firmware_options *o, struct output *log, bool ran)
{
    if (log->stream == NULL)
        return;
    if (!ran && !log->begun)
        output_discard(log);
    else if (output_close(log, o->lost ? NULL : &o->cause) != ARMPMU_OK)
        o->lost = true;
}

static void tell(const char *sentence)
{
    print_error("%s", sentence);
}

enum armpmu_status firmware_options_run(struct firmware_options *o, struct run *run,
                                        struct run_result *out, struct armpmu_error *err)
{
    *out = (struct run_result){0};
    if (resolve_semihosting(o, err) != ARMPMU_OK)
        return ARMPMU_BAD_CONFIG;
    o->setup.amu = o->amu[0] != '\0' ? o->amu : NULL;
    o->setup.watch_accesses = o->setup.watch_accesses || o->setup.gdb != NULL;
    o->setup.tell = tell;
    o->setup.pins = o->pins.values;
    o->setup.faults = o->faults.values;
    run->firmware = &o->setup;
    enum armpmu_status status = open_logs(o, err);
    const bool opened = status == ARMPMU_OK;
    if (opened)
        status = engine_firmware_run(run, out, err);
    close_log(o, &o->trace_log, status == ARMPMU_OK);
    close_log(o, &o->vcd_log, status == ARMPMU_OK);
    return status;
}

/* ---- which engine ---- */

const char *const engine_choices[] = {
    [ENGINE_AUTO] = "auto", [ENGINE_QEMU] = "qemu", [ENGINE_UNICORN] = "unicorn", NULL};

enum engine_choice firmware_options_engine(const struct firmware_options *options,
                                           enum engine_choice engine)
{
    return options->setup.has_load && engine == ENGINE_AUTO ? ENGINE_UNICORN : engine;
}

enum armpmu_status firmware_options_choose(const struct firmware_question *asked, bool *is_firmware,
                                           struct armpmu_error *err)
{
    const char *const program = asked->program;

    errno = 0;
    *is_firmware = asked->choice == ENGINE_UNICORN ||
                   (asked->choice == ENGINE_AUTO && engine_firmware_is(program));
    if (!*is_firmware && errno == ENOMEM)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for '%s'", program);
    if (!*is_firmware && asked->has_firmware && access(program, F_OK) == 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "%s: options of firmware do not apply to '%s', a program for Linux; --engine "
                    "unicorn runs it as firmware",
                    asked->command, program);
    if (*is_firmware && asked->keep_running)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "%s: --keep-running does not apply to '%s': firmware ends with armpmu",
                    asked->command, program);
    return ARMPMU_OK;
}

/* ---- the end ---- */

/* All, the PC of AArch64 aside. */
static void print_registers(const struct firmware_end *result, FILE *stream)
{
    const bool wide = result->register_bytes == 8;
    const unsigned n = wide ? result->n_registers - 1 : result->n_registers;
    const char letter = wide ? 'x' : 'r';

    for (unsigned i = 0; i < n; i++)
        fprintf(stream, "%s    %s%c%u %0*" PRIx64 "%s", i % 4 == 0 ? " " : "", i < 10 ? " " : "",
                letter, i, 2 * (int)result->register_bytes, result->r[i],
                i % 4 == 3 || i + 1 == n ? "\n" : "");
}

static void print_refusals(const struct firmware_end *result, const char *program)
{
    for (unsigned i = 0; i < result->n_refused; i++)
        print_error("%s: semihosting: %s", program, result->refused[i]);
    if (result->n_refused_more > 0)
        print_error("%s: semihosting: and %" PRIu64 " calls more", program, result->n_refused_more);
}

static enum armpmu_status print_state(const struct firmware_end *result, struct armpmu_error *err)
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

int firmware_status(const struct run_result *result)
{
    switch (result->firmware.end) {
    case ENGINE_FIRMWARE_EXIT:
        return result->firmware.status;
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

bool firmware_explain(const struct firmware_options *o, const struct firmware_end *result,
                      const char *program)
{
    bool is_whole = result->console_cause == 0 && !o->lost;

    print_refusals(result, program);
    if (result->end == ENGINE_FIRMWARE_EXIT && result->returned)
        print_error(
            "%s: returned from its entry function: status %d, the low byte of %c0 0x%" PRIx64,
            program, result->status, result->register_bytes == 8 ? 'x' : 'r', result->r[0]);
    if (result->end != ENGINE_FIRMWARE_EXIT && result->reason[0] != '\0') {
        print_error("%s: %s", program, result->reason);
        is_whole = print_state(result, NULL) == ARMPMU_OK && is_whole;
        if (result->advice[0] != '\0')
            print_error("%s: %s", program, result->advice);
    }
    if (result->console_cause != 0 && result->console_cause != EPIPE)
        print_error("%s: its console: %s; the text is not complete", program,
                    strerror(result->console_cause));
    if (o->lost && o->cause.message[0] != '\0')
        print_error("%s", o->cause.message);
    return is_whole;
}
