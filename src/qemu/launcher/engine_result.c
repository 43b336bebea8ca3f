/* The result of a run: its counts, and the reasons for missing ones. */
#include "qemu/launcher/engine_internal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/arm.h"
#include "base/error.h"
#include "base/order.h"
#include "base/termination.h"
#include "isa/insn.h"
#include "isa/system_insn.h"
#include "qemu/launcher/trace_replay.h"
#include "trace/trace_file.h"

/* The message when QEMU ended without a guest: its own message has gone to standard error. */
static enum armpmu_status check_started(const struct user_run *run, int wait_status,
                                        struct armpmu_error *err)
{
    const bool failed = run->recorded->failure[0] != '\0';
    bool ended_badly = WIFEXITED(wait_status) && WEXITSTATUS(wait_status) != 0;
    if (!run->recorded->has_started && !WIFSIGNALED(wait_status))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "QEMU '%s' did not load the plugin '%s' and ended with status %d; see its "
                    "message above",
                    run->qemu.path, run->plugin, WEXITSTATUS(wait_status));
    if (!failed && run->recorded->n_traces == 0 && ended_badly)
        return fail(err, ARMPMU_BAD_INPUT,
                    "QEMU could not start '%s' and ended with status %d; see its message above",
                    run->program.path, WEXITSTATUS(wait_status));
    return ARMPMU_OK;
}

enum armpmu_status engine_check_recorded(const struct user_run *run, int wait_status,
                                         struct armpmu_error *err)
{
    enum armpmu_status status = check_started(run, wait_status, err);
    if (status != ARMPMU_OK || run->n_threads > 0)
        return status;
    if (run->status != ARMPMU_OK)
        return fail(err, run->status == ARMPMU_NO_MEMORY ? ARMPMU_NO_MEMORY : ARMPMU_IO,
                    "the program ran, but was not counted: %s", run->error.message);
    if (run->recorded->failure[0] != '\0')
        return fail(err, ARMPMU_IO, "the program %s: %s",
                    run->recorded->is_damaged      ? "ran, but was not counted"
                    : run->recorded->n_traces == 0 ? "was not started"
                                                   : "was not counted",
                    run->recorded->failure);
    return ARMPMU_OK;
}

/* Why not all was counted; no message if it was. */
static void find_problem(const struct user_run *run, struct armpmu_error *problem)
{
    static const char early[] = "the program was not counted to its end";

    problem->message[0] = '\0';
    if (run->status != ARMPMU_OK && run->job->trace_from != NULL)
        fail(problem, run->status, "the trace was not counted to its end: %s", run->error.message);
    else if (run->status == ARMPMU_BAD_INPUT)
        fail(problem, run->status,
             "%s: armpmu's recording is invalid, perhaps the program wrote to it: %s", early,
             run->error.message);
    else if (run->status != ARMPMU_OK)
        fail(problem, run->status, "%s: %s", early, run->error.message);
    else if (run->job->trace_from != NULL)
        fail(problem, ARMPMU_IO, "%s", trace_file_outcome(run->job->trace_from)->problem);
    else if (run->recorded->failure[0] != '\0')
        fail(problem, ARMPMU_IO, "%s: %s", early, run->recorded->failure);
}

static int by_identity(const void *a, const void *b)
{
    const struct engine_thread *x = a, *y = b;
    return ORDER(x->process, y->process, x->thread, y->thread);
}

/* Copies the files that code is from. */
static void take_files(struct user_run *run, struct run_result *out)
{
    struct armpmu_error error;
    enum armpmu_status status = ARMPMU_OK;

    if (!engine_names_files(run->job) || run->job->trace_from != NULL)
        return;
    status = recorded_files(run->blocks.ring, &out->files, &out->n_files, &error);
    for (size_t i = 0; status == ARMPMU_OK && i < out->n_files; i++)
        if (!stable_name_file(&run->stable, &out->files[i].path))
            status = fail_no_memory(&error, "the name of the program");
    if (status != ARMPMU_OK)
        engine_keep_failure(run, ARMPMU_NO_MEMORY, &error);
}

static bool is_first_of_process(const struct user_run *run, const struct engine_thread *thread)
{
    char name[ENGINE_PROGRAM_NAME];

    return !engine_find_program_of(run, thread->process, name);
}

static bool find_faulted_block(struct user_run *run, struct armpmu_block_source *out)
{
    if (run->job->trace_from != NULL)
        return trace_replay_faulted_block(run->job->trace_from, out);
    const uint32_t id = run->recorded->faulted_block;
    return id != UINT32_MAX && recorded_blocks_look_up(&run->blocks, id, out);
}

/* Returns whether it accesses a register that Linux keeps from programs. */
static bool is_refused(const struct engine_undefined *undefined)
{
    struct sysreg_insn sysreg;
    uint32_t word = 0;

    memcpy(&word, undefined->bytes, undefined->n_bytes);
    if (undefined->isa == ARMPMU_T32)
        word = word << 16 | word >> 16;
    return undefined->n_bytes == 4 && sysreg_insn_decode(undefined->isa, word, &sysreg) &&
           sysreg_insn_may_be_refused(&sysreg.at);
}

/* The size of the instruction at a byte of a block, which has at least its first halfword. */
static uint8_t size_at(const struct armpmu_block_source *block, unsigned at)
{
    return block->isa == ARMPMU_T32
               ? (uint8_t)t32_bytes(block->bytes[at] | block->bytes[at + 1] << 8)
               : 4;
}

/* An undefined instruction ends its block. */
static void find_undefined(struct user_run *run, struct engine_undefined *out)
{
    struct armpmu_block_source block;

    if (!find_faulted_block(run, &block) || block.bytes == NULL)
        return;
    unsigned at = 0, size = 0;
    for (unsigned i = 0; i < block.n_insns && at + size + 2 <= block.n_bytes; i++) {
        at += size;
        size = size_at(&block, at);
    }
    if (size == 0 || at + size > block.n_bytes)
        return;
    *out = (struct engine_undefined){block.address + at, block.isa, size, {0}, false};
    memcpy(out->bytes, block.bytes + at, size);
    out->is_refused = is_refused(out);
}

/* The first instruction of the block that the last record says nothing of, and that accesses
 * memory; a conditional one that was left out has a record after it. A block without such an
 * instruction executed to its end, and branched to where no code is. */
static bool find_access(const struct armpmu_block_source *block, unsigned next,
                        struct engine_fault *out)
{
    struct armpmu_error error;
    struct decoder *decoder;
    uint32_t at = 0;
    bool accesses = false;

    if (decoder_new(&decoder, &error) != ARMPMU_OK)
        return false;
    for (unsigned i = 0; i < block->n_insns && at + 2 <= block->n_bytes && !accesses; i++) {
        struct insn insn;
        const uint8_t size = size_at(block, at);
        if (at + size > block->n_bytes)
            break;
        decode_single(decoder, block->isa, block->bytes + at, size, 0, &insn);
        accesses = i >= next && insn.memory.bytes > 0;
        out->address = block->address + at;
        out->size = size;
        out->accesses = accesses;
        memcpy(out->bytes, block->bytes + at, size);
        at += size;
    }
    decoder_free(decoder);
    return out->size > 0;
}

static void find_fault(struct user_run *run, struct engine_fault *out)
{
    struct armpmu_block_source block;

    if (run->job->trace_from != NULL || !find_faulted_block(run, &block) || block.bytes == NULL)
        return;
    const uint64_t last = run->recorded->fault_record;
    const enum armpmu_record_kind kind = armpmu_record_kind(last);
    const bool is_access = kind == ARMPMU_RECORD_ACCESS;
    out->isa = block.isa;
    out->file = block.file;
    if (kind == ARMPMU_RECORD_BLOCK || kind == ARMPMU_RECORD_PROGRESS || is_access)
        out->known = find_access(
            &block, kind == ARMPMU_RECORD_BLOCK ? 0 : armpmu_record_index(last) + is_access, out);
}

static unsigned count_programs(const struct user_run *run)
{
    return run->job->trace_from != NULL ? trace_file_outcome(run->job->trace_from)->n_programs
                                        : recorded_programs(run->blocks.ring);
}

/* A recorded trace does not say. */
static bool lacks_registers(const struct user_run *run)
{
    return run->job->trace_from == NULL &&
           ((const struct ring_header *)run->blocks.ring)->lacks_registers != 0;
}

/* The signal that somebody else sent to the program, or 0. */
static int killing_signal(const struct user_run *run, const struct launched *launched)
{
    const bool is_killed = run->job->trace_from != NULL
                               ? trace_file_outcome(run->job->trace_from)->is_killed
                               : run->watch.asked_at == 0 && !run->recorded->ended_itself;

    return is_killed && launched->interrupted == 0 && WIFSIGNALED(launched->wait_status)
               ? WTERMSIG(launched->wait_status)
               : 0;
}

void engine_fill_in(struct user_run *run, const struct launched *launched, struct run_result *out)
{
    *out = (struct run_result){
        .wait_status = launched->wait_status,
        .interrupted = launched->interrupted,
        .cut_short = termination_cuts(),
        .timed_out = run->watch.is_over,
        .threads = run->threads,
        .n_threads = run->n_threads,
        .beside = run->beside,
        .n_helper_calls = run->n_helper_calls,
        .n_clock_calls = run->n_clock_calls,
        .n_perf_calls = run->n_perf_calls,
        .shares_cache = run->shared.happened,
        .lacks_registers = lacks_registers(run),
        .n_programs = count_programs(run),
        .others_start = run->intervals.n_live * run->job->period,
    };
    if (run->job->trace_from != NULL) {
        out->cut_short |= trace_file_outcome(run->job->trace_from)->cut_short;
        out->timed_out = trace_file_outcome(run->job->trace_from)->timed_out;
    }
    if (run->n_execs > out->n_programs)
        out->n_execs = run->n_execs - out->n_programs;
    run->threads = NULL;
    run->beside = NULL;
    take_files(run, out);
    if (WIFSIGNALED(launched->wait_status) && WTERMSIG(launched->wait_status) == SIGILL)
        find_undefined(run, &out->undefined);
    if (WIFSIGNALED(launched->wait_status) &&
        (WTERMSIG(launched->wait_status) == SIGSEGV || WTERMSIG(launched->wait_status) == SIGBUS))
        find_fault(run, &out->fault);
    find_problem(run, &out->problem);
    if (out->problem.message[0] == '\0') /* armpmu itself may have killed it for that */
        out->killed = killing_signal(run, launched);
    if (out->n_threads > 0)
        qsort(out->threads, out->n_threads, sizeof *out->threads, by_identity);
    for (size_t i = 0; i < out->n_threads; i++) {
        if (i == 0 || out->threads[i].process != out->threads[i - 1].process)
            out->n_processes += is_first_of_process(run, &out->threads[i]);
        for (unsigned s = 0; s < ARMPMU_SIGNAL_COUNT; s++)
            out->signals[s] += out->threads[i].signals[s];
    }
}
