/* engine_firmware_run: hooks, the main loop and its end. engine_setup.c creates the parts. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/termination.h"
#include "unicorn/board.h"
#include "unicorn/code_block.h"
#include "unicorn/early_accesses.h"
#include "unicorn/firmware.h"
#include "unicorn/gdb/gdb.h"
#include "unicorn/limits.h"
#include "unicorn/overwritten.h"
#include "unicorn/page_records.h"
#include "unicorn/trace_writer.h"
#include "unicorn/workarounds.h"

/* ---- ends -------------------------------------------------------------------------------------
 */

void firmware_request(struct firmware *fw, enum request request)
{
    if (fw->request == REQUEST_NONE || request == REQUEST_END)
        fw->request = request;
    fw->undisturbed = false;
    fw->lib->emu_stop(fw->uc);
}

bool firmware_is_stopping(struct firmware *fw)
{
    const bool stops = fw->request != REQUEST_NONE || fw->bad.present;

    if (stops)
        fw->lib->emu_stop(fw->uc);
    return stops;
}

void firmware_raise(struct firmware *fw, enum exception exception, uint64_t at, unsigned n)
{
    fw->exception = exception;
    fw->at = at;
    fw->executed = n;
    firmware_request(fw, REQUEST_EXCEPTION);
}

void firmware_exit(struct firmware *fw, int status)
{
    fw->result->end = ENGINE_FIRMWARE_EXIT;
    fw->result->status = status;
    firmware_request(fw, REQUEST_END);
}

void firmware_stop(struct firmware *fw, enum engine_firmware_end how, const char *format, ...)
{
    va_list arguments;

    /* Counts that are not whole are said also after the program's end. */
    const bool fails = how == ENGINE_FIRMWARE_FAILED && fw->result->end != how;
    if (fw->request == REQUEST_END && !fails)
        return;
    fw->result->end = how;
    va_start(arguments, format);
    vsnprintf(fw->result->reason, sizeof fw->result->reason, format, arguments);
    va_end(arguments);
    firmware_request(fw, REQUEST_END);
}

void firmware_abandon(struct firmware *fw)
{
    firmware_stop(fw, ENGINE_FIRMWARE_FAILED, "%s", "");
}

/* CHOICE(firmware-return): what R0 holds is the status, as of a C program's main. */
static bool has_returned(struct firmware *fw)
{
    if (processor_pc(fw) != fw->return_at)
        return false;
    trace_writer_arrive(fw, fw->return_at, processor_status(fw));
    fw->result->returned = true;
    firmware_exit(fw, (int)(processor_read(fw, 0) & 0xff));
    return true;
}

/* ---- hooks ------------------------------------------------------------------------------------
 */

/* Checks what may end the program at a block, or needs something done first. False then. */
static bool look_around(struct firmware *fw)
{
    if (fw->board->changed) {
        fw->board->changed = false;
        if (fw->board->ended)
            firmware_exit(fw, fw->board->status);
        else
            trace_writer_adjust(fw);
        if (fw->request != REQUEST_NONE)
            return false;
    }
    if (fw->insns >= fw->max_insns) {
        firmware_stop(fw, ENGINE_FIRMWARE_LIMIT, "the limit of %llu instructions is reached",
                      (unsigned long long)fw->max_insns);
        return false;
    }
    limits_look(fw);
    return fw->request == REQUEST_NONE;
}

/* The tb at an address. NULL when something must be done first. */
static struct tb *tb_at(struct firmware *fw, uint64_t address, uint32_t n_bytes, uint32_t cpsr)
{
    struct tb *tb = firmware_cached_tb(fw, address, n_bytes, cpsr);

    if (tb != NULL)
        return tb;
    tb = code_blocks_tb(fw, address, n_bytes, cpsr);
    if (tb == NULL)
        firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                      "the %u bytes of code at 0x%08" PRIx64
                      " cannot be read: with address translation "
                      "on, pages must lie at their own addresses",
                      n_bytes, address);
    else if (fw->code_blocks->unhooked)
        firmware_request(fw, REQUEST_HOOKS);
    else
        fw->cache[(address >> 1) % TB_CACHE] = tb;
    return fw->request == REQUEST_NONE ? tb : NULL;
}

/* The block of the instruction that the library is to execute, or where it has gone from there. */
static void step_block(struct firmware *fw)
{
    if (fw->stepping == STEPPING_ENDS)
        fw->lib->emu_stop(fw->uc);
    fw->stepping = STEPPING_ENDS;
}

static bool goes_on_in_it(const struct firmware *fw, uint64_t address)
{
    const struct code_block *const code_block = fw->code_block;

    return code_block != NULL && code_block->n_insns > 1 && code_block->isa == ARMPMU_T32 &&
           address - code_block->address - 1 < code_block->n_bytes - 1;
}

/* Its accesses are looked at when they happen, and nothing is known of registers after it. */
static void enter_watched(struct firmware *fw, const struct code_block *code_block)
{
    fw->known = 0;
    fw->ran = NULL;
    trace_writer_enter(fw, code_block);
}

static void enter_tb(struct firmware *fw, struct tb *tb, bool predicts)
{
    if (tb->steps)
        firmware_request(fw, REQUEST_IT_BLOCK);
    else if (tb->first != NULL && predicts && early_accesses_can(fw, tb))
        early_accesses_enter(fw, tb);
    else if (tb->first != NULL)
        enter_watched(fw, tb->first);
}

/* The library's translation of the rest is not one of its own, that could be made plain. */
void firmware_go_on(struct firmware *fw, uint64_t address, uint32_t cpsr)
{
    struct tb *tb = NULL;

    trace_writer_mask(fw, cpsr);
    if (fw->block_end > address)
        tb = tb_at(fw, address, (uint32_t)(fw->block_end - address), cpsr);
    if (tb != NULL)
        enter_tb(fw, tb, false);
}

void firmware_read_state(struct firmware *fw)
{
    fw->state = processor_status(fw);
    trace_writer_mask(fw, fw->state);
    fw->state_known = true;
}

static void enter_block(struct firmware *fw, uint64_t address, uint32_t size)
{
    if (firmware_is_stopping(fw) || !look_around(fw))
        return;
    if (fw->watching) {
        if (it_of(processor_status(fw)) != 0 && !goes_on_in_it(fw, address))
            firmware_request(fw, REQUEST_IT_BLOCK);
        return;
    }
    if (!fw->state_known)
        firmware_read_state(fw);
    fw->undisturbed = true;
    struct tb *const tb = tb_at(fw, address, size, fw->state);
    if (tb != NULL)
        enter_tb(fw, tb, true);
}

void firmware_enter_block(struct firmware *fw, uint64_t address, uint32_t size)
{
    if (fw->stepping != STEPPING_NONE) {
        step_block(fw);
        return;
    }
    enter_block(fw, address, size);
    if (fw->request != REQUEST_NONE) {
        fw->stopped = true;
        fw->stopped_at = address;
    }
}

/* Bytes of an IT instruction with those that it makes conditional, which go together; 0 for any
 * other. */
static uint32_t bytes_of_it(const struct firmware *fw, uint64_t address)
{
    uint16_t half = 0;

    (void)fw->lib->mem_read(fw->uc, address, &half, sizeof half);
    return it_begins(half) ? 2 + workarounds_it_bytes(fw, address + 2, (uint8_t)half) : 0;
}

/* Every instruction, while the monitor could interrupt: CHOICE(firmware-interrupt). */
static void on_instruction(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
    struct firmware *const fw = user;
    enum exception exception;

    (void)uc;
    if (fw->stepping != STEPPING_NONE || firmware_is_stopping(fw))
        return;
    const uint32_t cpsr = processor_status(fw);
    if (goes_on_in_it(fw, address)) {
        access_reach(fw, address);
        return;
    }
    const uint32_t it_bytes = cpsr & CPSR_T && size == 2 ? bytes_of_it(fw, address) : 0;
    const struct tb *const tb = tb_at(fw, address, it_bytes > 0 ? it_bytes : size, cpsr & ~CPSR_IT);
    if (tb == NULL || tb->first == NULL)
        return; /* the hook of the intercepted instruction does it */
    const bool near = it_bytes > 0 && fw->n + IT_BLOCK_RECORDS >= fw->limit;
    if (near || fw->n >= fw->limit)
        trace_writer_arrive(fw, address, cpsr & ~CPSR_IT);
    if (near && trace_writer_may_wrap(fw, IT_BLOCK_INSNS, IT_BLOCK_RECORDS)) {
        firmware_request(fw, REQUEST_IT_BLOCK);
        return;
    }
    if (fw->processor->pending(fw, cpsr, &exception)) {
        firmware_raise(fw, exception, address, ARMPMU_RECORD_ALL);
        return;
    }
    trace_writer_mask(fw, cpsr);
    trace_writer_enter(fw, tb->first);
}

void firmware_on_exception(uc_engine *uc, uint32_t number, void *user)
{
    struct firmware *const fw = user;

    (void)uc;
    firmware_disturb(fw);
    if (fw->request == REQUEST_NONE && (number != LIBRARY_PREFETCH_ABORT || !has_returned(fw)))
        fw->processor->report(fw, number);
}

/* ---- the loop ---------------------------------------------------------------------------------
 */

/* Where code has hooks the library does not know the PC of a block before which it stops. */
uc_err firmware_execute(struct firmware *fw)
{
    const bool thumb = cpsr_isa(processor_status(fw)) == ARMPMU_T32;

    workarounds_mend(fw);
    workarounds_make_room(fw);
    firmware_disturb(fw);
    fw->stopped = fw->bad.present = false;
    fw->starts++;
    const uc_err error = fw->lib->emu_start(fw->uc, processor_pc(fw) | thumb, 0, 0, 0);
    if (fw->stopped)
        processor_set_pc(fw, fw->stopped_at, cpsr_isa(processor_status(fw)));
    if (fw->undoes)
        unaligned_end(fw);
    return error;
}

static void forget_translations(struct firmware *fw)
{
    for (unsigned i = 0; i < fw->board->n_ranges; i++)
        (void)fw->lib->ctl(fw->uc, LIBRARY_SET(UC_CTL_TB_REMOVE_CACHE, 2),
                           (uint64_t)fw->board->ranges[i].first,
                           (uint64_t)fw->board->ranges[i].end);
}

static void add_hooks(struct firmware *fw)
{
    for (struct hook *hook = fw->code_blocks->hooks; hook != NULL; hook = hook->next) {
        if (hook->hooked)
            continue;
        hook->hooked = true;
        (void)fw->lib->hook_add(fw->uc, &hook->hook, UC_HOOK_CODE,
                                (void *)(uintptr_t)intercept_hook, hook, hook->address,
                                hook->address);
        (void)fw->lib->ctl(fw->uc, LIBRARY_SET(UC_CTL_TB_REMOVE_CACHE, 2), (uint64_t)hook->address,
                           (uint64_t)hook->address + 4);
    }
    fw->code_blocks->unhooked = false;
}

static void change_watch(struct firmware *fw)
{
    if (fw->watch == fw->watching)
        return;
    if (fw->watch)
        (void)fw->lib->hook_add(fw->uc, &fw->step_hook, UC_HOOK_CODE,
                                (void *)(uintptr_t)on_instruction, fw, (uint64_t)0,
                                FIRMWARE_HOOKED_END);
    else
        (void)fw->lib->hook_del(fw->uc, fw->step_hook);
    forget_translations(fw);
    fw->watching = fw->watch;
    trace_writer_run(fw);
    trace_writer_adjust(fw);
}

static void serve(struct firmware *fw)
{
    const enum request request = fw->request;

    if (request == REQUEST_END)
        return;
    fw->request = REQUEST_NONE;
    if (request == REQUEST_HOOKS)
        add_hooks(fw);
    else if (request == REQUEST_WATCH)
        change_watch(fw);
    else if (request == REQUEST_TRANSLATE)
        early_accesses_translate(fw);
    else if (request == REQUEST_EXCEPTION)
        fw->processor->take(fw);
    else if (request == REQUEST_UNALIGNED)
        unaligned_transfer(fw);
    else if (request == REQUEST_IT_BLOCK)
        workarounds_it_run(fw);
}

void firmware_error(struct firmware *fw, uc_err error)
{
    const uint64_t pc = processor_pc(fw);

    switch (error) {
    case UC_ERR_INSN_INVALID:
        fw->processor->report(fw, LIBRARY_UNDEFINED);
        return;
    case UC_ERR_FETCH_UNMAPPED:
        if (has_returned(fw))
            return;
        fw->bad.address = pc;
        firmware_raise(fw, EXCEPTION_PREFETCH_ABORT, pc, ARMPMU_RECORD_ALL);
        return;
    case UC_ERR_READ_UNMAPPED:
    case UC_ERR_WRITE_UNMAPPED: {
        uint64_t at = fw->code_block != NULL ? fw->code_block->address : pc;
        for (unsigned i = 0; fw->code_block != NULL && i < fw->bad.index; i++)
            at += fw->code_block->sizes[i];
        firmware_raise(fw, EXCEPTION_DATA_ABORT, at, fw->bad.index);
        return;
    }
    default:
        firmware_stop(fw, ENGINE_FIRMWARE_FAULT, "the Unicorn library cannot continue: %s",
                      fw->lib->strerror(error));
    }
}

static void execute(struct firmware *fw)
{
    while (fw->request != REQUEST_END) {
        const uc_err error = firmware_execute(fw);
        if (error != UC_ERR_OK && fw->request == REQUEST_NONE)
            firmware_error(fw, error);
        while (fw->request != REQUEST_NONE && fw->request != REQUEST_END)
            serve(fw);
    }
    trace_writer_end(fw);
}

/* Firmware is one thread of one process. */
static void fill_result(const struct firmware *fw, struct run_result *out)
{
    out->threads[0] = (struct engine_thread){.process = 1, .thread = 1};
    memcpy(out->threads[0].signals, fw->signals, sizeof fw->signals);
    memcpy(out->signals, fw->signals, sizeof out->signals);
    out->n_threads = out->n_processes = 1;
    out->wait_status = fw->result->status << 8; /* as waitpid has it */
    out->interrupted = fw->interrupted;
    if (fw->result->end == ENGINE_FIRMWARE_INTERRUPTED && out->interrupted == 0)
        out->interrupted = termination_signal();
    out->cut_short = fw->result->end == ENGINE_FIRMWARE_FAILED;
}

static void fill_end(struct firmware *fw)
{
    struct firmware_end *const out = fw->result;

    out->insns = fw->insns;
    out->console_cause = fw->board->console_cause;
    out->status_name = fw->processor->status_name;
    out->register_bytes = fw->processor->word_bytes;
    out->n_registers = fw->processor->n_registers;
    for (unsigned i = 0; i < out->n_registers; i++)
        out->r[i] = processor_read(fw, i);
    out->pc = processor_pc(fw);
    out->lr = out->r[out->n_registers - 2];
    out->processor_status = processor_status(fw);
    if (out->end == ENGINE_FIRMWARE_FAULT)
        overwritten_explain(fw, out->pc);
    advice_give(fw);
    image_symbol_at(&fw->image, out->pc, out->symbol, sizeof out->symbol);
    image_symbol_at(&fw->image, out->lr & ~UINT64_C(1), out->return_symbol,
                    sizeof out->return_symbol);
}

/* ---- the run ---- */

/* All has been counted, and the queue's thread sleeps. */
static enum armpmu_status tell_profile(struct firmware *fw, const struct run_result *result,
                                       struct armpmu_error *err)
{
    if (fw->run->profile == ARMPMU_PROFILE_OFF)
        return ARMPMU_OK;
    return fw->run->on_profile(fw->run->user, &result->threads[0], fw->sim, err);
}

enum armpmu_status engine_firmware_run(const struct run *run, struct run_result *out,
                                       struct armpmu_error *err)
{
    *out = (struct run_result){0};
    termination_catch();
    out->threads = calloc(1, sizeof *out->threads);
    struct firmware *const fw = out->threads != NULL ? firmware_new() : NULL;
    if (fw == NULL) {
        run_result_free(out);
        return fail_no_memory(err, "the firmware");
    }
    fw->run = run;
    fw->setup = run->firmware;
    fw->epoch = 2;
    fw->fpu_at = UINT64_MAX;
    fw->max_insns = fw->setup->max_insns > 0 ? fw->setup->max_insns : UINT64_MAX;
    fw->result = &out->firmware;
    library_enter(true);
    enum armpmu_status status = firmware_set_up(fw, err);
    if (status == ARMPMU_OK)
        status = limits_begin(fw, err);
    if (status == ARMPMU_OK) {
        if (fw->setup->gdb != NULL)
            status = gdb_begin(fw, err);
        if (status == ARMPMU_OK)
            execute(fw);
        gdb_end(fw);
        limits_end(fw);
    }
    if (status == ARMPMU_OK) {
        fill_end(fw);
        fill_result(fw, out);
        status = tell_profile(fw, out, err);
    }
    if (status != ARMPMU_OK)
        run_result_free(out);
    firmware_free(fw);
    library_enter(false);
    return status;
}
