/* Writes executed code as records for the core model, and posts their counts to the device. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/maintenance_insn.h"
#include "cosim/maintenance_insn64.h"
#include "unicorn/aarch64.h"
#include "unicorn/board.h"
#include "unicorn/code_block.h"
#include "unicorn/page_records.h"
#include "unicorn/stimulus.h"
#include "unicorn/trace_writer.h"

#define EXCEPTIONS_MAX 16u /* with nothing executed between them */

/* Source: Arm DDI 0406C, SDER. */
#define SDER_SUIDEN  1u
#define SDER_SUNIDEN 2u

static const uint8_t units[] = {
#define SIGNAL(id, unit, meaning) ARMPMU_UNIT_##unit,
#include "armpmu/signal.def"
#undef SIGNAL
};

/* An overflow can be felt: a counter's interrupt is enabled. */
static bool may_interrupt(const struct firmware *fw)
{
    const struct armpmu_core *const core = armpmu_machine_core(fw->run->machine);
    const size_t n = sizeof fw->core->firmware.interrupts / sizeof fw->core->firmware.interrupts[0];

    for (size_t i = 0; i < n && fw->core->firmware.interrupts[i].name != NULL; i++) {
        const struct armpmu_register *const reg =
            armpmu_register_find(core, fw->core->firmware.interrupts[i].name, NULL);
        if (reg != NULL && (armpmu_peek(monitors_own(&fw->monitors), reg, 0) &
                            fw->core->firmware.interrupts[i].mask) != 0)
            return true;
    }
    return false;
}

static void set_limit(struct firmware *fw)
{
    const size_t most = FIRMWARE_RECORDS - FIRMWARE_SLACK;
    const uint64_t records = monitors_headroom(&fw->monitors) / EVENTS_PER_RECORD;

    fw->limit = fw->watching && records < most ? (size_t)records : most;
    if (fw->vcd != NULL)
        fw->limit = 1;
}

bool trace_writer_may_wrap(const struct firmware *fw, unsigned n, unsigned n_records)
{
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++) {
        const bool each_once = units[signal] == ARMPMU_UNIT_INSTRUCTIONS;
        if (monitors_headroom_of(&fw->monitors, (enum armpmu_signal)signal) <
            (each_once ? n : (uint64_t)n_records * EVENTS_PER_RECORD))
            return true;
    }
    return false;
}

void trace_writer_adjust(struct firmware *fw)
{
    const bool watch = may_interrupt(fw) || (board_irqs(fw->board) | board_fiqs(fw->board)) != 0;

    set_limit(fw);
    fw->watch = watch;
    if (watch != fw->watching)
        firmware_request(fw, REQUEST_WATCH);
}

/* The code block executed to its end, whatever accesses it left out. */
static void finish(struct firmware *fw)
{
    if (fw->code_block != NULL && fw->unfinished)
        fw->records[fw->n++] = armpmu_record(ARMPMU_RECORD_PROGRESS, fw->code_block->n_insns - 1u);
    fw->unfinished = false;
}

void trace_writer_finish(struct firmware *fw)
{
    page_records_write(fw);
    finish(fw);
}

/* The deltas of signals go to the tallies, the device and its pins. Cycles come last: the clock
 * shows on the event bus what happened before it. */
static void account(struct firmware *fw, uint64_t *rose)
{
    uint64_t before[ARMPMU_SIGNAL_COUNT];

    memcpy(before, fw->signals, sizeof before);
    stimulus_faults(fw, rose);
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++) {
        fw->signals[signal] += rose[signal];
        if (rose[signal] > 0 && signal != ARMPMU_SIGNAL_CPU_CYCLES)
            monitors_post(&fw->monitors, (enum armpmu_signal)signal, rose[signal]);
    }
    if (rose[ARMPMU_SIGNAL_CPU_CYCLES] > 0)
        monitors_post(&fw->monitors, ARMPMU_SIGNAL_CPU_CYCLES, rose[ARMPMU_SIGNAL_CPU_CYCLES]);
    if (fw->stimulus->n_pulses > 0)
        stimulus_pulses(fw, before, fw->signals);
}

static void judge(struct firmware *fw)
{
    const char *message;
    const enum armpmu_status status = model_queue_status(fw->queue, &message);

    if (status != ARMPMU_OK)
        firmware_stop(fw,
                      status == ARMPMU_NO_MEMORY ? ENGINE_FIRMWARE_FAILED : ENGINE_FIRMWARE_FAULT,
                      "the core model cannot continue: %s", message);
}

static void begin_chunk(struct firmware *fw)
{
    judge(fw);
    fw->records = model_queue_records(fw->queue);
    fw->n = fw->first_access = fw->block_at = 0;
}

void trace_writer_run(struct firmware *fw)
{
    uint64_t rose[2][ARMPMU_SIGNAL_COUNT] = {{0}};

    if (fw->n == 0 && !fw->passed)
        return;
    if (fw->n > 0)
        trace_writer_finish(fw);
    model_queue_sync(fw->queue, fw->n, rose);
    fw->passed = false;
    begin_chunk(fw);
    account(fw, rose[0]);
    set_limit(fw);
    if (fw->vcd != NULL)
        vcd_follow(fw);
}

void trace_writer_end(struct firmware *fw)
{
    uint64_t before[ARMPMU_SIGNAL_COUNT], rose[ARMPMU_SIGNAL_COUNT];

    trace_writer_run(fw);
    armpmu_sim_signals(fw->sim, before);
    armpmu_sim_finish(fw->sim, ARMPMU_END_EXIT);
    armpmu_sim_signals(fw->sim, rose);
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        rose[signal] -= before[signal];
    account(fw, rose);
}

/* Nobody looks at a counter now, and no pin depends on one: the model runs the records while others
 * gather. */
static void pass_on(struct firmware *fw)
{
    trace_writer_finish(fw);
    model_queue_pass(fw->queue, fw->n);
    fw->passed = true;
    begin_chunk(fw);
}

/* The model may lag: nothing outside depends on when it counts. The callback for intervals is
 * called from this thread. */
static bool may_lag(const struct firmware *fw)
{
    return !fw->watching && fw->vcd == NULL && fw->run->period == 0 &&
           fw->stimulus->n_pulses == 0 && fw->stimulus->n_errors == 0;
}

static uint64_t stack_pointer(const struct firmware *fw)
{
    uint64_t sp = 0;

    if (fw->a64 == NULL)
        return processor_read(fw, 13);
    (void)fw->lib->reg_read(fw->uc, UC_ARM64_REG_SP, &sp);
    return sp;
}

#define FIRMWARE_NAME_BYTES 64u

static bool is_printable(const char *name)
{
    while (isprint((unsigned char)*name))
        name++;
    return *name == '\0';
}

/* Another task runs, which the operating system has noted before it resumes it. */
static void name_task(const struct firmware *fw)
{
    const struct run_task_names *const names = &fw->run->task_names;
    const size_t n =
        names->n_bytes < FIRMWARE_NAME_BYTES ? names->n_bytes : FIRMWARE_NAME_BYTES - 1;
    char name[FIRMWARE_NAME_BYTES] = "";
    uint64_t task = 0;

    if (names->current == 0 ||
        fw->lib->mem_read(fw->uc, names->current, &task, fw->a64 != NULL ? 8 : 4) != UC_ERR_OK)
        return;
    if (fw->a64 == NULL)
        task = image_word(&fw->image, (uint32_t)task);
    if (fw->lib->mem_read(fw->uc, task + names->offset, name, n) == UC_ERR_OK && name[0] != '\0' &&
        is_printable(name))
        names->call(names->user, fw->tasks.current, name);
}

void trace_writer_leave_task(struct firmware *fw, uint64_t address)
{
    const uint32_t before = fw->tasks.current;
    const bool has_left = address != fw->stack_end;

    if (has_left && task_stacks_asks(&fw->tasks, fw->stack_effect) &&
        task_stacks_follow(&fw->tasks, fw->stack_effect, address, stack_pointer(fw)) != before) {
        fw->records[fw->n++] = armpmu_system_record(ARMPMU_SYSTEM_CONTEXT, 0) | fw->tasks.current;
        name_task(fw);
    }
    fw->stack_effect = 0;
}

void trace_writer_note_stack(struct firmware *fw, const struct code_block *code_block)
{
    fw->stack_effect = firmware_block(code_block)->stack_effect;
    fw->stack_end = code_block->address + code_block->n_bytes;
    if (fw->stack_effect & STACK_LOADED)
        task_stacks_load(&fw->tasks, processor_read(fw, fw->a64 != NULL ? 30 : 14),
                         stack_pointer(fw));
}

/* Notes that an exception is taken. If it comes right after the return from another one, the return
 * is noted first. */
static void interrupt_task(struct firmware *fw)
{
    if (fw->at != fw->stack_end && task_stacks_asks(&fw->tasks, fw->stack_effect) &&
        fw->executed >= fw->code_block->n_insns)
        trace_writer_arrive(fw, fw->at, processor_status(fw));
    fw->stack_effect = 0;
    task_stacks_interrupt(&fw->tasks, fw->at, stack_pointer(fw));
}

static void begin(struct firmware *fw, const struct code_block *code_block)
{
    trace_writer_finish(fw);
    if (fw->has_tasks) {
        trace_writer_leave_task(fw, code_block->address);
        trace_writer_note_stack(fw, code_block);
    }
    for (unsigned i = 0; i < 2 && fw->announced[i] != 0; i++) {
        fw->records[fw->n++] = fw->announced[i];
        fw->announced[i] = 0;
    }
    trace_writer_begin(fw, code_block);
    fw->unfinished = firmware_block(code_block)->leaves_out;
    fw->state_known = fw->state_known && firmware_block(code_block)->keeps_state;
}

void trace_writer_start(struct firmware *fw)
{
    fw->records[fw->n++] = armpmu_record(ARMPMU_RECORD_MMU, 0); /* off, after reset */
    fw->records[fw->n++] = fw->a64 != NULL
                               ? maintenance_insn64_control(el_switch_sctlr(fw, el_switch_now(fw)))
                               : maintenance_insn_control(processor_cp15(fw, 1, 0, 0));
    /* From here on pages lie where the program has them, not where the machine file says. */
    fw->records[fw->n++] = armpmu_record(ARMPMU_RECORD_MAP, 0);
    page_records_invalidate(fw);
    fw->follows_world = fw->core->security &&
                        !armpmu_pin(monitors_own(&fw->monitors), ARMPMU_PIN_SPIDEN) &&
                        !armpmu_pin(monitors_own(&fw->monitors), ARMPMU_PIN_SPNIDEN);
    if (fw->core->security) /* SDER is what the pins of its bits say, until it is written */
        processor_set_secure_cp15(
            fw, 1, 1, 1,
            (armpmu_pin(monitors_own(&fw->monitors), ARMPMU_PIN_SUIDEN) ? SDER_SUIDEN : 0) |
                (armpmu_pin(monitors_own(&fw->monitors), ARMPMU_PIN_SUNIDEN) ? SDER_SUNIDEN : 0));
    fw->has_masks = maintenance_insn_has_masks(armpmu_machine_core(fw->run->machine));
    set_limit(fw);
}

void trace_writer_enter(struct firmware *fw, const struct code_block *code_block)
{
    if (fw->n >= fw->limit) {
        if (may_lag(fw))
            pass_on(fw);
        else
            trace_writer_run(fw);
    }
    begin(fw, code_block);
}

void trace_writer_arrive(struct firmware *fw, uint64_t address, uint32_t cpsr)
{
    const struct code_block *const arrival = code_blocks_arrival(fw, address, cpsr);

    if (arrival == NULL)
        return;
    begin(fw, arrival);
    trace_writer_run(fw);
}

/* ---- a debugger ---- */

/* Everything before the executing code block is counted: an empty block shows the model how what
 * came before it ended. Its own records, of which there are n, wait for its end. */
static void count_before(struct firmware *fw, const uint64_t *own, size_t n)
{
    const struct code_block *const code_block = fw->code_block;
    const uint32_t cpsr = (processor_status(fw) & ~CPSR_IT) | it_in_cpsr(code_block->it_state);
    const struct code_block *const here = code_blocks_arrival(fw, code_block->address, cpsr);
    const size_t first = fw->first_access - fw->block_at;
    const bool unfinished = fw->unfinished, pages_known = fw->pages_known;

    fw->n = fw->block_at;
    if (here != NULL)
        fw->records[fw->n++] = here->record;
    fw->unfinished = false;
    fw->pages_known = true;
    trace_writer_run(fw);
    memcpy(fw->records, own, n * sizeof *own);
    fw->n = n;
    fw->first_access = first;
    fw->unfinished = unfinished;
    fw->pages_known = pages_known;
}

bool trace_writer_look(struct firmware *fw, uint64_t address, uint64_t *from, unsigned *after)
{
    const struct code_block *const code_block = fw->code_block;
    const size_t n = fw->n - fw->block_at;
    uint64_t *const own = malloc((n + 1) * sizeof *own);

    *from = address;
    *after = 0;
    if (own == NULL)
        return false;
    if (code_block != NULL && code_block->n_insns > 0) {
        const unsigned before = block_store_insns_before(code_block, address);
        *from = code_block->address;
        *after = before < code_block->n_insns ? before : code_block->n_insns;
        memcpy(own, &fw->records[fw->block_at], n * sizeof *own);
        if (n > 0) /* else the model has its record already */
            count_before(fw, own, n);
    }
    free(own);
    return true;
}

void trace_writer_jump(struct firmware *fw, uint64_t address)
{
    const struct code_block *const code_block = fw->code_block;
    const unsigned n = exception_insns_before(fw, address);

    if (code_block != NULL && n < code_block->n_insns) {
        fw->insns -= code_block->n_insns - n;
        access_cut(fw, n, false, 0);
        fw->n = n == 0 ? fw->block_at : fw->n;
        fw->unfinished = false;
    }
    trace_writer_arrive(fw, address, processor_status(fw));
}

/* The address at which execution would have continued. 0 in the record means that it is not
 * known, so for address 0 an empty block says it. */
static uint64_t interrupted_at(struct firmware *fw)
{
    const bool interrupt = fw->exception == EXCEPTION_IRQ || fw->exception == EXCEPTION_FIQ;

    if (interrupt && fw->at == 0)
        trace_writer_arrive(fw, 0, processor_status(fw));
    return interrupt ? fw->at : 0;
}

/* A vector whose instruction raises an exception is entered again and again, and no limit of
 * instructions would end that. Masks and modes come round in fewer. */
static void look_for_storm(struct firmware *fw)
{
    fw->exceptions = fw->insns == fw->insns_of_exception ? fw->exceptions + 1 : 1;
    fw->insns_of_exception = fw->insns;
    if (fw->exceptions == EXCEPTIONS_MAX)
        firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                      "exceptions repeat forever, the last at 0x%08" PRIx64
                      ", and no instruction executes between them: a vector's own instruction "
                      "raises one",
                      fw->at);
}

void trace_writer_except(struct firmware *fw, unsigned n)
{
    if (fw->code_block == NULL) {
        look_for_storm(fw);
        return;
    }
    if (fw->has_tasks)
        interrupt_task(fw);
    const uint64_t next = interrupted_at(fw);
    if (n >= fw->code_block->n_insns)
        finish(fw);
    fw->unfinished = false;
    if (n < fw->code_block->n_insns) {
        fw->insns -= fw->code_block->n_insns - n;
        access_cut(fw, n, fw->bad.present, fw->bad.address);
    }
    if (fw->exception_kind != 0)
        fw->records[fw->n++] = armpmu_system_record(ARMPMU_SYSTEM_EXCEPTION, fw->exception_kind);
    fw->records[fw->n++] =
        armpmu_record(ARMPMU_RECORD_EXCEPTION, n) | (next & ARMPMU_RECORD_ADDRESS);
    look_for_storm(fw);
}

void trace_writer_show_world(struct firmware *fw, uint32_t cpsr)
{
    monitors_set_pin(&fw->monitors, ARMPMU_PIN_USER_MODE, cpsr_is_user(cpsr));
    if (!fw->core->security)
        return;
    const uint32_t sder = processor_secure_cp15(fw, 1, 1, 1);
    monitors_set_pin(&fw->monitors, ARMPMU_PIN_NONSECURE, !processor_is_secure(fw, cpsr));
    monitors_set_pin(&fw->monitors, ARMPMU_PIN_SUIDEN, (sder & SDER_SUIDEN) != 0);
    monitors_set_pin(&fw->monitors, ARMPMU_PIN_SUNIDEN, (sder & SDER_SUNIDEN) != 0);
}

/* Events of what has executed count, or do not, by the state that it was executed in. */
static void follow_world(struct firmware *fw, uint32_t cpsr)
{
    if (armpmu_pin(monitors_own(&fw->monitors), ARMPMU_PIN_USER_MODE) != cpsr_is_user(cpsr) ||
        armpmu_pin(monitors_own(&fw->monitors), ARMPMU_PIN_NONSECURE) ==
            processor_is_secure(fw, cpsr))
        trace_writer_arrive(fw, processor_pc(fw), cpsr);
    trace_writer_show_world(fw, cpsr);
}

void trace_writer_mask(struct firmware *fw, uint32_t cpsr)
{
    const unsigned masks = maintenance_insn_masks(cpsr);

    if (fw->follows_world)
        follow_world(fw, cpsr);
    if (fw->a64 != NULL)
        el_switch_follow(fw, cpsr);
    if (!fw->has_masks || masks == fw->masks)
        return;
    finish(fw);
    fw->masks = masks;
    fw->records[fw->n++] = armpmu_system_record(ARMPMU_SYSTEM_MASKS, masks);
}
