/* engine_firmware_run: from the file to how it ended. */
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory_limits.h"
#include "base/termination.h"
#include "machine/later_core.h"
#include "unicorn/aarch64.h"
#include "unicorn/board.h"
#include "unicorn/code_block.h"
#include "unicorn/early_accesses.h"
#include "unicorn/firmware.h"
#include "unicorn/gdb/gdb.h"
#include "unicorn/limits.h"
#include "unicorn/overwritten.h"
#include "unicorn/page_records.h"
#include "unicorn/raw_image.h"
#include "unicorn/semihosting.h"
#include "unicorn/stimulus.h"
#include "unicorn/trace_writer.h"
#include "unicorn/vcd.h"
#include "unicorn/workarounds.h"

#define HOOKED_END (FIRMWARE_TRAMPOLINE - 1)

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

static void on_exception(uc_engine *uc, uint32_t number, void *user)
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
                                (void *)(uintptr_t)on_instruction, fw, (uint64_t)0, HOOKED_END);
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

/* ---- setting up -------------------------------------------------------------------------------
 */

static bool executes(const struct core_descriptor *core, const void *image)
{
    const bool is_64 = core->emulator.elf_class == ELFCLASS64;

    return core->firmware.cpu != NULL && is_64 == ((const struct image *)image)->is_64 &&
           (core->firmware.be8 || !((const struct image *)image)->big_endian);
}

/* Another core's program. */
static enum armpmu_status refuse_core(const struct firmware *fw, const char *kind,
                                      struct armpmu_error *err)
{
    char machines[256];

    core_descriptor_machines(executes, &fw->image, machines, sizeof machines);
    return fail(err, ARMPMU_BAD_CONFIG,
                "'%s' is a program for %s, which the %s of machine %s does not execute: choose "
                "--machine %s",
                fw->run->argv[0], kind, fw->core->name, armpmu_machine_name(fw->run->machine),
                machines);
}

static enum armpmu_status check_attributes(const struct firmware *fw, struct armpmu_error *err)
{
    struct arm_attributes attributes;
    char sentence[1024];

    if (fw->image.is_raw || !elf_file_attributes(&fw->image.file, &attributes))
        return ARMPMU_OK;
    if (attributes.profile == ARM_PROFILE_M)
        return fail(
            err, ARMPMU_BAD_INPUT,
            "'%s' is built for a microcontroller (Tag_CPU_arch_profile says M), whose "
            "exceptions and registers no core here has: build it with -march=armv7-a, armv7-r "
            "or armv5te",
            fw->run->argv[0]);
    if (fw->run->warn != NULL && later_core_sentence(fw->run->argv[0], &attributes,
                                                     fw->run->machine, sentence, sizeof sentence))
        fw->run->warn(sentence);
    return ARMPMU_OK;
}

static enum armpmu_status find_core(struct firmware *fw, struct armpmu_error *err)
{
    fw->core = core_descriptor_of(armpmu_machine_core(fw->run->machine));
    fw->cores = monitor_cores_of(armpmu_machine_core(fw->run->machine), fw->core->beside);
    if (fw->core->firmware.cpu == NULL)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "machine %s: firmware for a %s cannot be run; choose another with --machine",
                    armpmu_machine_name(fw->run->machine), fw->core->name);
    fw->processor =
        fw->core->emulator.elf_class == ELFCLASS64 ? &processor_aarch64 : &processor_aarch32;
    if (fw->image.is_raw)
        fw->image.is_64 = fw->processor->word_bytes == 8;
    if (fw->image.is_64 != (fw->processor->word_bytes == 8))
        return refuse_core(fw, fw->image.is_64 ? processor_aarch64.code : processor_aarch32.code,
                           err);
    if (fw->image.big_endian && !fw->core->firmware.be8)
        return refuse_core(fw, "big-endian data (BE-8)", err);
    return check_attributes(fw, err);
}

static void on_output(void *user, enum armpmu_output output, bool asserted)
{
    struct firmware *const fw = user;

    board_line(fw->board, output, asserted);
}

static void on_bus(void *user, uint64_t bits)
{
    struct firmware *const fw = user;

    if (fw->vcd != NULL)
        vcd_bus(fw, bits);
}

static void on_interval(void *user, uint64_t count)
{
    struct firmware *const fw = user;
    uint64_t signals[ARMPMU_SIGNAL_COUNT];

    armpmu_sim_signals(fw->sim, signals);
    fw->run->on_interval(fw->run->user, count, signals);
}

#define HIGHEST_LEVEL 3u

static enum armpmu_status make_aarch64(struct firmware *fw, struct armpmu_error *err)
{
    const struct amu_config usual = AMU_DEFAULT;
    struct aarch64 *const a64 = calloc(1, sizeof *a64);

    if (a64 == NULL)
        return fail_no_memory(err, "the processor");
    fw->a64 = a64;
    a64->highest = fw->setup->highest_level > 0 ? fw->setup->highest_level : HIGHEST_LEVEL;
    a64->unit = usual;
    const char *const problem =
        fw->setup->amu != NULL ? amu_config_parse(fw->setup->amu, &fw->cores, &a64->unit) : NULL;
    return problem != NULL ? fail(err, ARMPMU_BAD_CONFIG, "%s", problem) : ARMPMU_OK;
}

/* The library's processor has neither fine-grained traps nor a Secure EL2. */
static void configure_aarch64(const struct firmware *fw, struct armpmu_config *config)
{
    const unsigned highest = fw->a64->highest;

    amu_config_configure(&fw->a64->unit, highest, highest > 1, false, &config->amu);
    config->pmuv3 = (struct armpmu_pmuv3_config){.highest_el = (uint8_t)highest,
                                                 .without_el2 = highest < 2,
                                                 .without_secure_el2 = true,
                                                 .without_fine_traps = true};
}

static enum armpmu_status make_models(struct firmware *fw, struct armpmu_error *err)
{
    struct armpmu_config config = {.output = on_output, .event_bus = on_bus, .user = fw};
    if (fw->a64 != NULL)
        configure_aarch64(fw, &config);
    size_t for_code = 0;
    enum armpmu_status status = memory_for_code(&for_code, err);

    if (status == ARMPMU_OK)
        status = code_blocks_new(fw->code_blocks, err);
    if (status == ARMPMU_OK)
        status = armpmu_code_new(block_store_lookup, &fw->code_blocks->store, &fw->decoded, err);
    if (status == ARMPMU_OK)
        armpmu_code_limit(fw->decoded, for_code);
    if (status == ARMPMU_OK)
        status = armpmu_sim_new(fw->run->machine, fw->decoded, &fw->sim, err);
    if (status == ARMPMU_OK)
        status = monitors_create(&fw->monitors, &fw->cores, &config, err);
    if (status != ARMPMU_OK)
        return status;
    core_registers_reset(&fw->monitors.registers, fw->run->machine);
    if (fw->a64 != NULL)
        amu_config_begin(&fw->a64->unit, &fw->monitors);
    status = armpmu_sim_set_profile(fw->sim, fw->run->profile, err);
    if (status == ARMPMU_OK && fw->run->maps_misses)
        status = armpmu_sim_map_misses(fw->sim, err);
    if (status != ARMPMU_OK)
        return status;
    if (fw->run->region != NULL)
        armpmu_sim_set_region(fw->sim, fw->run->region);
    /* A region that begins and ends at marks, or with a delay, is that of all tasks together. */
    fw->has_tasks = fw->run->profile != ARMPMU_PROFILE_OFF &&
                    (fw->run->region == NULL || fw->run->region->has_functions);
    if (fw->has_tasks && !task_stacks_init(&fw->tasks))
        return fail_no_memory(err, "the firmware's tasks");
    if (fw->run->period > 0)
        armpmu_sim_set_interval(fw->sim, fw->run->every, fw->run->period, on_interval, fw);
    fw->queue = model_queue_new(fw->sim, 2, FIRMWARE_RECORDS, fw->run->period == 0);
    fw->pages = fw->core->firmware.frames ? calloc(1, sizeof *fw->pages) : NULL;
    if (fw->queue == NULL || (fw->core->firmware.frames && fw->pages == NULL))
        return fail_no_memory(err, "the firmware's stream");
    fw->records = model_queue_records(fw->queue);
    status = stimulus_set_up(fw, err);
    if (status == ARMPMU_OK && fw->setup->vcd != NULL)
        status = vcd_open(fw, err);
    return status;
}

static bool add_callbacks(struct firmware *fw)
{
    const struct {
        int type;
        void *call;
    } hooks[] = {
        {UC_HOOK_BLOCK, (void *)(uintptr_t)early_accesses_on_block},
        {UC_HOOK_INTR, (void *)(uintptr_t)on_exception},
        {UC_HOOK_MEM_UNMAPPED, (void *)(uintptr_t)access_bad},
        {UC_HOOK_EDGE_GENERATED, (void *)(uintptr_t)workarounds_translated},
    };
    uc_hook hook;

    for (size_t i = 0; i < sizeof hooks / sizeof hooks[0]; i++)
        if (fw->lib->hook_add(fw->uc, &hook, hooks[i].type, hooks[i].call, fw, (uint64_t)0,
                              HOOKED_END) != UC_ERR_OK)
            return false;
    return access_add_hook(fw);
}

/* Once the library is there. */
static void warn_of_version(const struct firmware *fw)
{
    char version[LIBRARY_VERSION_TEXT], sentence[256];

    if (fw->run->warn == NULL || library_version_standing(fw->lib->number) == LIBRARY_TESTED)
        return;
    library_version_text(fw->lib->number, version);
    snprintf(sentence, sizeof sentence,
             "the Unicorn library is version %s, and armpmu is tested with " LIBRARY_VERSIONS_TESTED
             ": counts may be wrong",
             version);
    fw->run->warn(sentence);
}

static enum armpmu_status make_processor(struct firmware *fw, struct armpmu_error *err)
{
    if (library_reserve(LIBRARY_BYTES, "the Unicorn library", err) != ARMPMU_OK)
        return ARMPMU_NO_MEMORY;
    warn_of_version(fw);
    fw->shows_physical = library_version_shows_physical(fw->lib->number);
    uc_err error = fw->lib->open(fw->processor->library, UC_MODE_ARM, &fw->uc);

    if (error == UC_ERR_OK)
        error = fw->lib->ctl(fw->uc, LIBRARY_SET(UC_CTL_CPU_MODEL, 1),
                             library_cpu(fw->core->firmware.cpu));
    if (error == UC_ERR_OK)
        error = fw->lib->ctl(fw->uc, LIBRARY_GET(UC_CTL_UC_PAGE_SIZE, 1), &fw->page_bytes);
    if (error == UC_ERR_OK)
        error = library_end_nowhere(fw->lib, fw->uc);
    if (error != UC_ERR_OK || !add_callbacks(fw))
        return fail(err, ARMPMU_BAD_CONFIG, "the Unicorn library cannot make a %s: %s",
                    fw->core->name, fw->lib->strerror(error));
    return ARMPMU_OK;
}

#define RETURN_PAGE 0xffffe000u /* the last one below those of high vectors */

/* The last page up to there that holds nothing. */
static uint64_t empty_page(const struct firmware *fw)
{
    uint64_t page = RETURN_PAGE;

    while (board_has(fw->board, page, 1) || board_is_device(fw->board, page) ||
           page == fw->setup->frame)
        page -= BOARD_PAGE_BYTES;
    return page;
}

static enum armpmu_status start(struct firmware *fw, struct armpmu_error *err)
{
    if (!fw->processor->start(fw))
        return fail(err, ARMPMU_BAD_CONFIG, "the Unicorn library cannot start a %s",
                    fw->core->name);
    fw->return_at = empty_page(fw);
    processor_write(fw, fw->processor->n_registers - 2, fw->return_at);
    trace_writer_start(fw);
    return ARMPMU_OK;
}

static enum armpmu_status set_up(struct firmware *fw, struct armpmu_error *err)
{
    const struct firmware_setup *const setup = fw->setup;
    const char *const program = fw->run->argv[0];
    enum armpmu_status status = setup->has_load
                                    ? raw_image_load(program, setup->load, &fw->image, err)
                                    : image_load(program, NULL, &fw->image, err);

    if (status == ARMPMU_OK)
        status = find_core(fw, err);
    if (status == ARMPMU_OK)
        status = library_load(&fw->lib, err);
    if (status == ARMPMU_OK)
        workarounds_take_locks(fw->lib);
    if (status == ARMPMU_OK && fw->processor == &processor_aarch64)
        status = make_aarch64(fw, err);
    if (status == ARMPMU_OK)
        status = make_models(fw, err);
    if (status == ARMPMU_OK)
        status = make_processor(fw, err);
    if (status == ARMPMU_OK)
        status = board_set_up(fw, err);
    if (status == ARMPMU_OK && fw->a64 == NULL &&
        (fw->setup->amu != NULL || fw->setup->frame != 0 || fw->setup->highest_level != 0))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--amu, --frame and --el are of AArch64 machines; a %s is none",
                    fw->core->name);
    if (status == ARMPMU_OK && fw->setup->frame != 0 && !frame64_map(fw))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--frame 0x%" PRIx64 ": the devices are there already; choose another page",
                    fw->setup->frame);
    if (status == ARMPMU_OK)
        status = semihosting_begin(fw, err);
    return status == ARMPMU_OK ? start(fw, err) : status;
}

/* A run and its modules' states, in one piece. */
struct states {
    struct firmware fw;
    struct board board;
    struct code_blocks code_blocks;
    struct limits limits;
    struct overwritten overwritten;
    struct semihosting semihosting;
    struct stimulus stimulus;
    struct it_translation translation;
};

/* NULL without memory. */
static struct firmware *new_firmware(void)
{
    struct states *const all = calloc(1, sizeof *all);

    if (all == NULL)
        return NULL;
    all->fw.board = &all->board;
    all->fw.code_blocks = &all->code_blocks;
    all->fw.limits = &all->limits;
    all->fw.overwritten = &all->overwritten;
    all->fw.semihosting = &all->semihosting;
    all->fw.stimulus = &all->stimulus;
    all->fw.translation = &all->translation;
    return &all->fw;
}

static void tear_down(struct firmware *fw)
{
    model_queue_free(fw->queue);
    vcd_close(fw);
    semihosting_free(fw->semihosting);
    if (fw->uc != NULL) {
        fw->processor->end(fw);
        unaligned_free(fw);
        fw->lib->close(fw->uc);
    }
    armpmu_sim_free(fw->sim);
    armpmu_code_free(fw->decoded);
    code_blocks_free(fw->code_blocks);
    image_free(&fw->image);
    free(fw->a64);
    free(fw->pages);
    task_stacks_free(&fw->tasks);
    free((struct states *)fw);
}

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
    struct firmware *const fw = new_firmware();

    *out = (struct run_result){0};
    termination_catch();
    out->threads = calloc(1, sizeof *out->threads);
    if (fw == NULL || out->threads == NULL) {
        free((struct states *)fw);
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
    enum armpmu_status status = set_up(fw, err);
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
    tear_down(fw);
    library_enter(false);
    return status;
}
