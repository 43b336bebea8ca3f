#include "unicorn/it_block.h"

#include "isa/system_insn.h"
#include "unicorn/code_block.h"
#include "unicorn/firmware.h"
#include "unicorn/trace_writer.h"

static uint32_t cpsr_with(uint32_t cpsr, uint8_t it)
{
    return (cpsr & ~CPSR_IT) | it_in_cpsr(it);
}

uint32_t it_block_bytes(const struct firmware *fw, uint64_t address, uint8_t it)
{
    uint64_t at = address;
    uint16_t half = 0;

    for (; it_is_inside(it); it = it_advance(it)) {
        (void)fw->lib->mem_read(fw->uc, at, &half, sizeof half);
        at += t32_bytes(half);
    }
    return (uint32_t)(at - address);
}

/* Each step leaves a translation behind, and the library does not survive that they fill its memory
 * of 1 GB: they are some hundred bytes each. */
#define STEPS_MAX 500000u

/* One instruction and nothing after it: a translation of more is not used. */
static void let_library(struct firmware *fw, const struct hook *hook)
{
    if (++fw->steps >= STEPS_MAX) {
        fw->steps = 0;
        (void)fw->lib->ctl(fw->uc, LIBRARY_SET(UC_CTL_TB_FLUSH, 0));
    }
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

void it_block_run(struct firmware *fw)
{
    firmware_disturb(fw);
    fw->starts++; /* the hooks of its first instruction were called */
    do
        step(fw);
    while (fw->request == REQUEST_NONE && it_of(processor_cpsr(fw)) != 0);
}
