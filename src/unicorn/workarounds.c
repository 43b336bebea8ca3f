#include "unicorn/workarounds.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "isa/system_insn.h"
#include "unicorn/code_block.h"
#include "unicorn/firmware.h"
#include "unicorn/trace_writer.h"

/* ---- an instruction of an IT block at a time ---- */

static uint32_t cpsr_with(uint32_t cpsr, uint8_t it)
{
    return (cpsr & ~CPSR_IT) | it_in_cpsr(it);
}

uint32_t workarounds_it_bytes(const struct firmware *fw, uint64_t address, uint8_t it)
{
    uint64_t at = address;
    uint16_t half = 0;

    for (; it_is_inside(it); it = it_advance(it)) {
        (void)fw->lib->mem_read(fw->uc, at, &half, sizeof half);
        at += t32_bytes(half);
    }
    return (uint32_t)(at - address);
}

/* One instruction and nothing after it: a translation of more is not used. */
static void let_library(struct firmware *fw, const struct hook *hook)
{
    workarounds_make_room(fw);
    (void)fw->lib->ctl(fw->uc, LIBRARY_SET(UC_CTL_TB_REMOVE_CACHE, 2), hook->address,
                       hook->address + hook->size);
    fw->stepping = STEPPING_BEGINS;
    const uc_err error =
        library_run_to(fw->lib, fw->uc, hook->address | 1, hook->address + hook->size);
    fw->stepping = STEPPING_NONE;
    if (fw->undoes)
        unaligned_end(fw);
    if (error != UC_ERR_OK && fw->request == REQUEST_NONE)
        firmware_error(fw, error);
}

static void enter(struct firmware *fw, const struct hook *hook, uint32_t cpsr)
{
    const struct code_block *const own = code_blocks_one(fw, hook->address, cpsr);
    enum exception exception;

    if (fw->watching && fw->n >= fw->limit)
        trace_writer_arrive(fw, hook->address, cpsr);
    if (fw->watching && exception_pending(fw, cpsr, &exception)) {
        firmware_raise(fw, exception, hook->address, ARMPMU_RECORD_ALL);
        return;
    }
    trace_writer_mask(fw, cpsr);
    if (own != NULL)
        trace_writer_enter(fw, own);
}

static void begin_block(struct firmware *fw, const struct hook *hook, uint32_t cpsr)
{
    enter(fw, hook, cpsr);
    if (fw->request != REQUEST_NONE)
        return;
    processor_set_cpsr(fw, cpsr_with(cpsr, (uint8_t)hook->word));
    processor_write(fw, 15, (uint32_t)(hook->address + hook->size) | 1);
}

/* Its own condition passes or not; ITSTATE moves on after it unless it raises an exception. */
static void act_alone(struct firmware *fw, const struct hook *hook, uint32_t cpsr)
{
    intercept_reach(fw, hook, cpsr);
    if (fw->request == REQUEST_EXCEPTION || fw->request == REQUEST_END)
        return;
    if (hook->kind == INTERCEPT_SYSTEM && condition_passes(hook->condition, cpsr)) {
        let_library(fw, hook);
        return;
    }
    const uint32_t now = processor_cpsr(fw);
    processor_set_cpsr(fw, cpsr_with(now, it_advance(it_of(now))));
}

static void step(struct firmware *fw)
{
    struct hook hook;

    if (fw->gdb != NULL)
        gdb_look(fw, processor_read(fw, 15));
    if (fw->request != REQUEST_NONE)
        return;
    const uint32_t cpsr = processor_cpsr(fw);
    if (!code_blocks_fetch(fw, processor_read(fw, 15), ARMPMU_T32, &hook)) {
        let_library(fw, &hook);
        return;
    }
    if (it_of(cpsr) != 0)
        hook.condition = it_of(cpsr) >> 4;
    if (it_of(cpsr) == 0 && it_begins(hook.word)) {
        begin_block(fw, &hook, cpsr);
    } else if (hook.kind != INTERCEPT_NONE) {
        act_alone(fw, &hook, cpsr);
    } else {
        enter(fw, &hook, cpsr);
        if (fw->request == REQUEST_NONE)
            let_library(fw, &hook);
    }
}

void workarounds_it_run(struct firmware *fw)
{
    firmware_disturb(fw);
    fw->starts++; /* the hooks of its first instruction were called */
    do
        step(fw);
    while (fw->request == REQUEST_NONE && it_of(processor_cpsr(fw)) != 0);
}

/* ---- memory for translations ---- */

/* In instructions. The library has memory for the translations of some ten million instructions of
 * A64, and crashes beyond it. It does not tell of the first block of a run. */
#define TRANSLATED_MOST 1000000u
#define FIRST_BLOCK     8u /* assumed: a usual length */

static bool is_full(const struct firmware *fw)
{
    return fw->translated >= TRANSLATED_MOST;
}

void workarounds_make_room(struct firmware *fw)
{
    if (is_full(fw)) {
        (void)fw->lib->ctl(fw->uc, LIBRARY_SET(UC_CTL_TB_FLUSH, 0));
        fw->translated = 0;
    }
    fw->translated += FIRST_BLOCK;
}

/* ---- translations that cannot be stopped ---- */

static bool ends_inside_it(const struct firmware *fw, const uc_tb *made, uint8_t it)
{
    uint16_t half = 0;
    bool inside = false;

    for (uint32_t at = 0; at < made->size; at += t32_bytes(half)) {
        if (fw->lib->mem_read(fw->uc, made->pc + at, &half, sizeof half) != UC_ERR_OK)
            break;
        inside = it_is_inside(it);
        it = !inside && it_begins(half) ? (uint8_t)half : it_advance(it);
    }
    return inside;
}

void workarounds_translated(uc_engine *uc, uc_tb *made, uc_tb *before, void *user)
{
    struct firmware *const fw = user;
    struct it_translation *const translation = fw->translation;
    const uint32_t cpsr = processor_status(fw);

    (void)before;
    fw->translated += made->icount;
    if (is_full(fw))
        fw->lib->emu_stop(uc);
    if (cpsr & CPSR_T) {
        translation->inside_it = ends_inside_it(fw, made, it_of(cpsr));
        translation->t32 = (uint32_t)made->pc;
    } else if (translation->inside_it) {
        translation->stuck = true;
        translation->first = made->pc;
        translation->end = made->pc + made->size;
        fw->lib->emu_stop(uc);
    }
}

/* The last code of the page, so that the block ends there: an instruction that is outside of any IT
 * block, as long as it is not the one that an IT instruction in front makes conditional. */
static uint64_t last_of_page(const struct firmware *fw, uint32_t address)
{
    const uint64_t end = (uint64_t)(address | (fw->page_bytes - 1)) + 1;
    uint16_t halves[2] = {0, 0};

    (void)fw->lib->mem_read(fw->uc, end - sizeof halves, halves, sizeof halves);
    return it_begins(halves[0]) && !t32_is_long(halves[1]) ? end - 2 : end - 4;
}

void workarounds_mend(struct firmware *fw)
{
    struct it_translation *const translation = fw->translation;
    uc_tb made;

    if (!translation->stuck)
        return;
    const uint32_t cpsr = processor_cpsr(fw);
    const uint64_t at = last_of_page(fw, translation->t32);
    processor_set_cpsr(fw, (cpsr & ~CPSR_IT) | CPSR_T);
    (void)fw->lib->ctl(fw->uc, LIBRARY_SET(UC_CTL_TB_REMOVE_CACHE, 2), at, at + 4);
    (void)fw->lib->ctl(fw->uc, LIBRARY_BOTH(UC_CTL_TB_REQUEST_CACHE, 2), at, &made);
    processor_set_cpsr(fw, cpsr);
    (void)fw->lib->ctl(fw->uc, LIBRARY_SET(UC_CTL_TB_REMOVE_CACHE, 2), translation->first,
                       translation->end);
    translation->stuck = translation->inside_it = false;
}

/* ---- locks of pages ---- */

#define EXPORTED __attribute__((visibility("default")))

/* The library's own, NULL where none are needed. */
struct locks {
    void *(*lock)(void *uc, uint64_t first, uint64_t end);
    void (*unlock)(void *pages);
};

/* The locks of one processor of the library. first, end: of the pages. */
#define DEFINE_LOCKS(processor)                                                                    \
    EXPORTED void *page_collection_lock_##processor(void *uc, uint64_t first, uint64_t end);       \
    EXPORTED void page_collection_unlock_##processor(void *pages);                                 \
    static struct locks locks_##processor;                                                         \
                                                                                                   \
    void *page_collection_lock_##processor(void *uc, uint64_t first, uint64_t end)                 \
    {                                                                                              \
        return locks_##processor.lock != NULL ? locks_##processor.lock(uc, first, end) : NULL;     \
    }                                                                                              \
    void page_collection_unlock_##processor(void *pages)                                           \
    {                                                                                              \
        if (locks_##processor.unlock != NULL)                                                      \
            locks_##processor.unlock(pages);                                                       \
    }

DEFINE_LOCKS(arm)
DEFINE_LOCKS(aarch64)

static void find_lock(void *handle, const char *name, void *function, size_t bytes)
{
    void *const found = dlsym(handle, name);

    memcpy(function, &found, bytes);
}

#define FIND_LOCKS(processor)                                                                      \
    find_lock(lib->handle, "page_collection_lock_" #processor, &locks_##processor.lock,            \
              sizeof locks_##processor.lock);                                                      \
    find_lock(lib->handle, "page_collection_unlock_" #processor, &locks_##processor.unlock,        \
              sizeof locks_##processor.unlock);

void workarounds_take_locks(const struct library *lib)
{
    if (lib->number < LIBRARY_VERSION(2, 1, 0))
        return;
    FIND_LOCKS(arm)
    FIND_LOCKS(aarch64)
}
