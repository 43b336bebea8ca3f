/* armpmu-qemu.so in system emulation: each processor of the machine has a core model that is fed
 * with what the processor executes, and a performance monitor that the guest's own instructions
 * reach.
 *
 * A processor's records are written in QEMU's thread that runs it, and run through the model by
 * another (model_queue.h). Before the guest looks at a counter, and early enough that no counter
 * overflows unseen, QEMU's thread waits until all of them are counted. */
#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/memory_limits.h"
#include "base/paths.h"
#include "cosim/maintenance_insn.h"
#include "machine/core_descriptor.h"
#include "qemu/plugin/guest_irq.h"
#include "qemu/plugin/guest_memory.h"
#include "qemu/plugin/guest_report.h"
#include "qemu/plugin/guest_translation.h"
#include "qemu/plugin/plugin_mode.h"

#define SETTINGS_MAX 64

/* The most records between two looks whether a report is due. */
#define RECORDS_PER_REPORT 65536u

static struct guest_irq irq;
struct guest guest = {.epoch = GUEST_EPOCH, .irq = &irq};

/* Arguments, as texts until the guest is known. */
static struct {
    const char *machine, *settings, *irq, *report, *every, *marks, *amu, *accesses, *frame,
        *keep_running, *profile, *edges, *mem;
} arguments;

/* QEMU's console turns these flags off before it loads the plugin. How they were set before is not
 * known, so they are set as a shell expects them. */
static void give_terminal_back(void)
{
    struct termios terminal;

    if (tcgetattr(STDIN_FILENO, &terminal) != 0 || terminal.c_lflag & ICANON)
        return;
    terminal.c_iflag |= ICRNL | IXON;
    terminal.c_lflag |= ICANON | ECHO | IEXTEN | ISIG;
    signal(SIGTTOU, SIG_IGN); /* which a process in the background gets here */
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal);
}

/* A processor's thread cannot end QEMU by exit(): that takes the libraries down while QEMU's main
 * thread still uses them, to draw for example, and the main thread then crashes. */
void guest_die(const char *reason)
{
    fprintf(stderr, "armpmu-qemu.so: %s\n", reason);
    fflush(NULL);
    give_terminal_back();
    _exit(125);
}

/* ---- processors ---- */

static size_t written(const struct guest_cpu *cpu)
{
    return (size_t)(cpu->cursor - cpu->records);
}

static void update_limit(struct guest_cpu *cpu)
{
    const uint64_t left = cpu->due > cpu->passed ? cpu->due - cpu->passed : 0;

    cpu->limit = cpu->records;
    if (!cpu->moving)
        cpu->limit += left < GUEST_RECORDS ? left : GUEST_RECORDS;
}

void guest_set_limit(struct guest_cpu *cpu)
{
    cpu->due = monitors_headroom(&cpu->monitors) / EVENTS_PER_RECORD;
    if (guest_report_runs() && cpu->due > RECORDS_PER_REPORT)
        cpu->due = RECORDS_PER_REPORT;
    update_limit(cpu);
}

static void begin_chunk(struct guest_cpu *cpu)
{
    const char *message;

    if (model_queue_status(cpu->queue, &message) != ARMPMU_OK)
        guest_die(message);
    cpu->records = cpu->cursor = cpu->block = model_queue_records(cpu->queue);
    update_limit(cpu);
}

static void pass_on(struct guest_cpu *cpu)
{
    model_queue_pass(cpu->queue, written(cpu));
    cpu->passed += written(cpu);
    begin_chunk(cpu);
}

void guest_run(struct guest_cpu *cpu)
{
    uint64_t rose[2][ARMPMU_SIGNAL_COUNT] = {{0}};

    model_queue_sync(cpu->queue, written(cpu), rose);
    cpu->passed = 0;
    begin_chunk(cpu);
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++) {
        for (unsigned user = 0; user < 2; user++)
            cpu->totals[user][signal] += rose[user][signal];
        if (rose[0][signal] + rose[1][signal] > 0)
            monitors_post(&cpu->monitors, (enum armpmu_signal)signal,
                          rose[0][signal] + rose[1][signal]);
    }
    guest_set_limit(cpu);
    guest_irq_follow(cpu);
    guest_report_follow(cpu);
}

static void map_code(struct guest_cpu *cpu, const struct code_block *code_block)
{
    for (unsigned i = 0; i < 2; i++)
        if (!guest_is_placed(cpu, code_block->page[i], code_block->frame[i]))
            cpu->cursor += guest_place(cpu, code_block->page[i], code_block->frame[i], cpu->cursor);
}

static void announce(struct guest_cpu *cpu)
{
    for (unsigned i = 0; i < GUEST_ANNOUNCED && cpu->announced[i] != 0; i++) {
        *cpu->cursor++ = cpu->announced[i];
        cpu->announced[i] = 0;
    }
}

static inline bool is_mapped(const struct guest_cpu *cpu, const struct code_block *code_block)
{
    return guest_is_placed(cpu, code_block->page[0], code_block->frame[0]) &&
           (code_block->page[1] == code_block->page[0] ||
            guest_is_placed(cpu, code_block->page[1], code_block->frame[1]));
}

static inline void put_block(struct guest_cpu *cpu, const struct code_block *code_block)
{
    uint64_t *const cursor = cpu->cursor;

    cpu->code_block = code_block;
    cpu->block = cursor;
    cpu->cursor = cursor + 1;
    *cursor = code_block->record;
}

static void begin(struct guest_cpu *cpu, const struct code_block *code_block)
{
    if (!is_mapped(cpu, code_block))
        map_code(cpu, code_block);
    if (cpu->announced[0] != 0)
        announce(cpu);
    put_block(cpu, code_block);
}

/* Everything before is counted as it was to be counted there. */
static void change_counting(struct guest_cpu *cpu, enum guest_mode mode)
{
    guest_run(cpu);
    guest.state->change_counting(cpu, mode);
    guest_set_limit(cpu);
    guest_irq_follow(cpu);
}

/* The last branch of a mode is resolved when execution arrives in the next. */
static void change_mode(struct guest_cpu *cpu, const struct code_block *code_block)
{
    const bool crosses = (code_block->mode == GUEST_USER) != (cpu->mode == GUEST_USER);
    const bool counts = guest.state->counting_changes != NULL &&
                        guest.state->counting_changes(cpu, code_block->mode);

    if (crosses || counts)
        begin(cpu, guest_arrival(code_block));
    if (crosses) {
        if (guest.profile == ARMPMU_PROFILE_OFF &&
            !model_queue_mode_switch(cpu->queue, written(cpu)))
            pass_on(cpu);
        if (guest.profile != ARMPMU_PROFILE_OFF && code_block->mode == GUEST_USER)
            guest_task_enters_user(cpu);
    }
    if (counts)
        change_counting(cpu, code_block->mode);
    if (code_block->mode > GUEST_USER || cpu->mode > GUEST_USER)
        guest_pages_move();
    if (guest.state->change_regime != NULL)
        guest.state->change_regime(cpu, cpu->mode, code_block->mode);
    cpu->mode = code_block->mode;
}

/* Before a code_block: what does not happen before every one. */
static void stop_and_look(struct guest_cpu *cpu, const struct code_block *code_block)
{
    if (cpu->moving) { /* other processors know of it, too, before this one continues */
        cpu->moving = false;
        guest_pages_move();
        update_limit(cpu);
    }
    if (cpu->passed + written(cpu) >= cpu->due)
        guest_run(cpu);
    else if (cpu->cursor >= cpu->limit)
        pass_on(cpu);
    if (code_block->mode != cpu->mode || cpu->controls_changed)
        change_mode(cpu, code_block);
}

static inline bool must_stop(const struct guest_cpu *cpu, const struct code_block *code_block)
{
    return cpu->cursor >= cpu->limit || code_block->mode != cpu->mode;
}

void guest_enter(struct guest_cpu *cpu, const struct code_block *code_block)
{
    if (must_stop(cpu, code_block))
        stop_and_look(cpu, code_block);
    begin(cpu, code_block);
}

void guest_on_code_block(unsigned vcpu, void *code_block)
{
    struct guest_cpu *const cpu = guest.cpus[vcpu];

    if (unlikely(must_stop(cpu, code_block) || !is_mapped(cpu, code_block) ||
                 cpu->announced[0] != 0))
        guest_enter(cpu, code_block);
    else
        put_block(cpu, code_block);
}

/* An exception is taken after the first n instructions of the current code block, or
 * ARMPMU_RECORD_ALL; then next is where execution would have continued. */
static void except(struct guest_cpu *cpu, unsigned n, uint64_t next)
{
    if (cpu->code_block == NULL)
        return;
    *cpu->cursor++ = armpmu_record(ARMPMU_RECORD_EXCEPTION, n) | (next & ARMPMU_RECORD_ADDRESS);
    if (unlikely(written(cpu) >= GUEST_RECORDS + GUEST_SLACK)) /* no vector can be fetched */
        pass_on(cpu);
}

/* After reset SCTLR has translation, caches and branch prediction off. */
static void begin_off(struct guest_cpu *cpu)
{
    *cpu->cursor++ = armpmu_record(ARMPMU_RECORD_MMU, 0);
    *cpu->cursor++ = maintenance_insn_control(0);
}

void guest_lose(struct guest_cpu *cpu)
{
    *cpu->cursor++ = armpmu_record(ARMPMU_RECORD_GAP, 0);
    begin_off(cpu);
    *cpu->cursor++ = armpmu_record(ARMPMU_RECORD_TLB_FLUSH, 0);
    cpu->block = cpu->cursor;
    cpu->code_block = NULL;
    guest_forget_refusal(cpu);
    guest_tables_reset(cpu);
    guest_pages_move();
}

static void line_changes(void *user, enum armpmu_output output, bool asserted)
{
    (void)output, (void)asserted;
    guest_irq_line_changes(user);
}

static void make_models(struct guest_cpu *cpu)
{
    struct armpmu_config config = {.output = line_changes, .user = cpu};
    struct armpmu_error error;

    if (guest.state->configure != NULL)
        guest.state->configure(cpu, &config);
    if (armpmu_sim_new(guest.machine, guest.code, &cpu->sim, &error) != ARMPMU_OK ||
        armpmu_sim_set_profile(cpu->sim, guest.profile, &error) != ARMPMU_OK ||
        (guest.keeps_accesses && armpmu_sim_keep_accesses(cpu->sim, &error) != ARMPMU_OK) ||
        monitors_create(&cpu->monitors, &guest.cores, &config, &error) != ARMPMU_OK)
        guest_die(error.message);
    core_registers_reset(&cpu->monitors.registers, guest.machine);
    guest_pmu_connect(cpu);
    cpu->queue = model_queue_new(cpu->sim, 16, GUEST_RECORDS + GUEST_SLACK, true);
    cpu->placed = malloc(GUEST_PAGES * sizeof *cpu->placed);
    if (cpu->queue == NULL || cpu->placed == NULL)
        guest_die("out of memory for a processor");
    for (uint32_t page = 0; page < GUEST_PAGES; page++)
        cpu->placed[page] = page;
    begin_chunk(cpu);
    begin_off(cpu);
    /* From here on pages lie where the guest has them, not where the machine file says. */
    cpu->cursor += guest_place(cpu, 0, 0, cpu->cursor);
    if (guest.state->begin != NULL)
        guest.state->begin(cpu);
    guest_set_limit(cpu);
}

static void find_registers(struct guest_cpu *cpu)
{
    struct qemu_api_array *const registers = qemu_api_qemu_plugin_get_registers();

    guest.state->find(cpu, registers);
    qemu_api_g_array_free(registers, 1);
}

static void vcpu_starts(unsigned vcpu)
{
    if (vcpu >= GUEST_CPUS_MAX)
        guest_die("the machine has more than 64 processors");
    struct guest_cpu *const cpu = calloc(1, sizeof *cpu);
    if (cpu == NULL)
        guest_die("out of memory for a processor");
    cpu->number = vcpu;
    const char *const problem = guest_irq_check(&irq, vcpu);
    if (problem != NULL)
        guest_die(problem);
    find_registers(cpu);
    make_models(cpu);
    guest.cpsr = cpu->cpsr; /* the same for all */
    guest.cpus[vcpu] = cpu;
}

static void vcpu_ends(unsigned vcpu)
{
    if (guest.cpus[vcpu] != NULL)
        guest_run(guest.cpus[vcpu]);
}

static void vcpu_stops(unsigned vcpu)
{
    if (guest.cpus[vcpu] != NULL)
        guest_stops(guest.cpus[vcpu]);
}

static void vcpu_goes_on(unsigned vcpu)
{
    if (guest.cpus[vcpu] == NULL)
        return;
    guest_pages_move(); /* a reset stops processors, too */
    guest_goes_on(guest.cpus[vcpu]);
}

/* ---- exceptions ---- */

static void on_exception(unsigned vcpu, int type, uint64_t from, uint64_t to)
{
    struct guest_cpu *const cpu = guest.cpus[vcpu];

    if (cpu == NULL || cpu->code_block == NULL)
        return;
    if (guest.state->except != NULL)
        guest.state->except(cpu, from, to);
    guest_undo_refusal(cpu);
    if (type == QEMU_DISCON_INTERRUPT) /* between two blocks */
        except(cpu, ARMPMU_RECORD_ALL, from);
    else
        except(cpu, block_store_insns_before(cpu->code_block, from), 0);
}

static void at_exit(void)
{
    for (unsigned i = 0; i < GUEST_CPUS_MAX; i++)
        if (guest.cpus[i] != NULL)
            guest_run(guest.cpus[i]);
    guest_profile_finish();
    guest_report_end(guest.state->end == NULL || guest.state->end());
}

/* ---- start ---- */

static const char *value_of(const char *argument, const char *key)
{
    const size_t length = strlen(key);
    return strncmp(argument, key, length) == 0 && argument[length] == '=' ? argument + length + 1
                                                                          : NULL;
}

static const struct {
    const char *key, **value;
} known_arguments[] = {
    {"machine", &arguments.machine}, {"set", &arguments.settings},
    {"irq", &arguments.irq},         {"report", &arguments.report},
    {"every", &arguments.every},     {"marks", &arguments.marks},
    {"amu", &arguments.amu},         {"accesses", &arguments.accesses},
    {"frame", &arguments.frame},     {"keep-running", &arguments.keep_running},
    {"profile", &arguments.profile}, {"edges", &arguments.edges},
    {"mem", &arguments.mem},
};

static bool take_argument(const char *argument)
{
    for (size_t i = 0; i < sizeof known_arguments / sizeof known_arguments[0]; i++) {
        const char *const value = value_of(argument, known_arguments[i].key);
        if (value != NULL)
            *known_arguments[i].value = value;
        if (value != NULL)
            return true;
    }
    return false;
}

static const char *read_arguments(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (!take_argument(argv[i]))
            return "unknown argument; there are machine=NAME or FILE, set=SETTINGS, irq=SPEC, "
                   "amu=WORDS, "
                   "frame=ADDRESS, report=FILE, every=CYCLES and accesses=FILE";
    return NULL;
}

/* The interrupt of the machine that is loaded. */
static const char *choose_irq(void)
{
    const struct armpmu_core *const core = armpmu_machine_core(guest.machine);
    char board[64] = "", icount[8];

    (void)(qemu_api_argument("-M", board, sizeof board) ||
           qemu_api_argument("-machine", board, sizeof board));
    const char *const problem = guest_irq_parse(
        arguments.irq != NULL ? arguments.irq : guest_irq_usual(core, board), board, &irq);
    guest.has_icount = qemu_api_argument("-icount", icount, sizeof icount);
    return problem;
}

/* Machine files are where the command finds them: beside an installed plugin, or in the sources
 * of one that lies in its build folder. */
static const char *load_machine(void)
{
    static struct armpmu_error error;
    char search[2 * PATH_MAX];
    const char *const first = getenv("ARMPMU_MACHINE_PATH");
    Dl_info self;
    char own[PATH_MAX] = "", build[PATH_MAX] = "";

    if (dladdr((void *)&guest, &self) != 0 && realpath(self.dli_fname, own) != NULL &&
        realpath(BUILD_FOLDER, build) != NULL)
        own[strlen(build) < sizeof own ? strlen(build) : 0] = '\0';
    const bool built = build[0] != '\0' && strcmp(own, build) == 0;
    snprintf(search, sizeof search, "%s%s%s" INSTALLED_MACHINES, first != NULL ? first : "",
             first != NULL ? ":" : "", built ? SOURCE_MACHINES ":" : "");
    const char *const name = arguments.machine != NULL ? arguments.machine : core_default_machine();
    const char *settings[SETTINGS_MAX];
    char *const text = strdup(arguments.settings != NULL ? arguments.settings : "");
    size_t n = 0;

    if (text == NULL)
        return "out of memory";
    for (char *rest = text, *setting; (setting = strsep(&rest, " ")) != NULL;) {
        if (*setting == '\0')
            continue;
        if (n == SETTINGS_MAX)
            return "set: more than 64 settings of the machine";
        settings[n++] = setting;
    }
    const enum armpmu_status status =
        armpmu_machine_load_changed(name, search, settings, n, &guest.machine, &error);
    free(text);
    return status == ARMPMU_OK ? NULL : error.message;
}

/* Instructions of AArch64 reach the registers of some cores, and nothing else reaches those. */
static const char *choose_state(bool aarch64)
{
    const struct armpmu_core *const core = armpmu_machine_core(guest.machine);

    guest.cores = monitor_cores_of(core, core_descriptor_of(core)->beside);
    guest.state = &guest_aarch32;
    for (size_t i = 0; i < core->n_ranges; i++)
        if (core->ranges[i].access == ARMPMU_ACCESS_MSR)
            guest.state = &guest_aarch64;
    guest.frames = guest.state->frames;
    guest.follows_masks = maintenance_insn_has_masks(core);
    if (guest.state == &guest_aarch64 && !aarch64)
        return "the machine's core is one of AArch64: take qemu-system-aarch64, or name another "
               "machine, machine=NAME";
    return guest.state->parse(arguments.amu, arguments.frame, arguments.accesses);
}

/* Applies the arguments about the report. */
static const char *start_report(void)
{
    char *end = NULL;
    const uint64_t every = arguments.every != NULL ? strtoull(arguments.every, &end, 10) : 0;

    if (arguments.every != NULL && (end == arguments.every || *end != '\0' || every == 0))
        return "every: not a number of cycles";
    if (arguments.marks != NULL && strcmp(arguments.marks, "on") != 0)
        return "marks: the only value is on";
    if (arguments.marks != NULL)
        guest_report_marks();
    if (arguments.keep_running != NULL && strcmp(arguments.keep_running, "on") != 0)
        return "keep-running: the only value is on";
    const char *const problem =
        guest_profile_parse(arguments.profile, arguments.edges, arguments.mem);
    return problem != NULL
               ? problem
               : guest_report_open(arguments.report, every, arguments.keep_running != NULL);
}

static const char *start(const struct qemu_info *info, int argc, char **argv)
{
    static char message[128];
    static struct armpmu_error error;

    const bool aarch64 = strcmp(info->target_name, "aarch64") == 0;

    if (strcmp(info->target_name, "arm") != 0 && !aarch64)
        return "only the machines of qemu-system-arm and qemu-system-aarch64 have a performance "
               "monitor of these cores";
    const char *const missing = qemu_api_find();
    if (missing != NULL) {
        snprintf(message, sizeof message, "this QEMU has no %s; version 11 is needed", missing);
        return message;
    }
    const char *problem = read_arguments(argc, argv);
    if (problem == NULL)
        problem = load_machine();
    if (problem == NULL)
        problem = choose_irq();
    if (problem == NULL)
        problem = choose_state(aarch64);
    if (problem == NULL)
        problem = start_report();
    if (problem != NULL)
        return problem;
    size_t for_code;
    if (memory_for_code(&for_code, &error) != ARMPMU_OK)
        return error.message;
    if (armpmu_code_new(guest_lookup, NULL, &guest.code, &error) != ARMPMU_OK)
        return "out of memory";
    armpmu_code_limit(guest.code, for_code);
    return NULL;
}

static void refuse(const char *problem)
{
    fprintf(stderr, "armpmu-qemu.so: %s\n", problem);
}

static void ready(void)
{
}

const struct plugin_mode mode_guest = {
    .start = start,
    .refuse = refuse,
    .ready = ready,
    .translate = guest_translate,
    .vcpu_starts = vcpu_starts,
    .vcpu_ends = vcpu_ends,
    .vcpu_stops = vcpu_stops,
    .vcpu_goes_on = vcpu_goes_on,
    .exception = on_exception,
    .at_exit = at_exit,
};
