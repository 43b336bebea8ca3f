/* Intercepted instructions: accesses to the monitor, which the device answers (pmu_access.c);
 * operations of the system, which become records; waiting for an interrupt. */
#include "cosim/maintenance_insn.h"
#include "cosim/pmu_insn.h"
#include "cosim/preload_insn.h"
#include "isa/system_insn.h"
#include "unicorn/board.h"
#include "unicorn/code_block.h"
#include "unicorn/firmware.h"
#include "unicorn/page_records.h"
#include "unicorn/trace_writer.h"
#include "unicorn/virtual_address.h"

/* SDIV and UDIV of A32, which a Cortex-R4F does not have. */
static bool is_divide(uint32_t word)
{
    return (word & 0x0fd0f0f0) == 0x0710f010;
}

/* An instruction of coprocessors 0 and 1 that is none of the XScale's accumulator: MAR, MRA, MIA,
 * MIAPH, MIAxy. Source: Intel 273473-002, New Instructions. */
static bool is_iwmmxt(uint32_t word)
{
    const bool coprocessor = (word >> 25 & 7) == 6 || (word >> 24 & 15) == 14;

    return coprocessor && (word >> 8 & 15) < 2 && (word & 0x0fe00ff8) != 0x0c400000 &&
           (word & 0x0ff00f10) != 0x0e200010;
}

static bool is_foreign(const struct firmware *fw, enum armpmu_isa isa, uint32_t word)
{
    if (isa != ARMPMU_A32 || word >> 28 > CONDITION_ALWAYS)
        return false;
    return (fw->core->firmware.mpu && is_divide(word)) ||
           (fw->run->machine->product_iwmmxt == YESNO_NO && !fw->core->firmware.thumb2 &&
            is_iwmmxt(word));
}

enum intercept_kind intercept_kind(const struct firmware *fw, enum armpmu_isa isa, uint32_t word,
                                   const struct insn *insn)
{
    if (is_foreign(fw, isa, word))
        return INTERCEPT_UNDEFINED;
    if (pmu_insn_is_of(&fw->cores, isa, word))
        return INTERCEPT_TRANSFER;
    if (insn->waits_for_interrupt)
        return INTERCEPT_SLEEP;
    if (insn->klass == CLASS_PRELOAD && insn->sum.known)
        return INTERCEPT_PRELOAD;
    return maintenance_insn_is(isa, word) ||
                   (fw->pages != NULL && page_records_depend_on(isa, word))
               ? INTERCEPT_SYSTEM
               : INTERCEPT_NONE;
}

/* The library continues after the instruction. */
void intercept_skip(struct firmware *fw, const struct hook *hook)
{
    processor_set_pc(fw, hook->address + hook->size, hook->isa);
}

void intercept_enter(struct firmware *fw, const struct hook *hook, uint32_t cpsr)
{
    const struct code_block *const own = code_blocks_one(fw, hook->address, cpsr);

    if (own != NULL)
        trace_writer_enter(fw, own);
}

/* CHOICE(firmware-sleep): nothing but a line that is asserted already ends it. */
void intercept_sleep(struct firmware *fw, const struct hook *hook, uint32_t cpsr)
{
    intercept_enter(fw, hook, cpsr);
    if ((board_irqs(fw->board) | board_fiqs(fw->board)) != 0)
        intercept_skip(fw, hook);
    else
        firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                      "it waits for an interrupt, and nothing that runs while the core sleeps "
                      "can raise one: let a counter's overflow or a --pin assert its line before "
                      "WFI, or remove WFI");
}

void intercept_preload(struct firmware *fw, const struct hook *hook, uint32_t cpsr, uint64_t record)
{
    intercept_enter(fw, hook, cpsr);
    fw->announced[0] = record;
    intercept_skip(fw, hook);
}

void intercept_act(struct firmware *fw, const struct hook *hook, uint32_t cpsr)
{
    switch (hook->kind) {
    case INTERCEPT_NONE:
    case INTERCEPT_REACHED:
    case INTERCEPT_IT_BLOCK:
    case INTERCEPT_LEVEL:
        break;
    case INTERCEPT_UNDEFINED:
        intercept_enter(fw, hook, cpsr);
        firmware_raise(fw, EXCEPTION_UNDEFINED, hook->address, 0);
        break;
    case INTERCEPT_TRANSFER:
        intercept_access(fw, hook, cpsr);
        break;
    case INTERCEPT_SYSTEM: /* the library executes it */
        intercept_enter(fw, hook, cpsr);
        if (!cpsr_is_user(cpsr)) /* to whom the library refuses it */
            maintenance_insn_records(hook->isa, hook->word,
                                     (uint32_t)processor_read(fw, hook->word >> 12 & 15),
                                     fw->announced);
        fw->after = hook->address + hook->size;
        page_records_invalidate(fw);
        break;
    case INTERCEPT_PRELOAD:
        intercept_preload(fw, hook, cpsr,
                          preload_insn_record(virtual_address_of_sum(fw, hook, cpsr)));
        break;
    case INTERCEPT_SLEEP:
        intercept_sleep(fw, hook, cpsr);
        break;
    }
}

/* Code may have been written over. */
static bool is_there(const struct firmware *fw, const struct hook *hook)
{
    uint16_t halves[2] = {0, 0};
    uint32_t word;

    if (fw->lib->mem_read(fw->uc, hook->address, halves, hook->size) != UC_ERR_OK)
        return false;
    if (hook->isa != ARMPMU_T32)
        word = (uint32_t)halves[1] << 16 | halves[0];
    else
        word = hook->size == 4 ? (uint32_t)halves[0] << 16 | halves[1] : halves[0];
    return word == hook->word;
}

void intercept_reach(struct firmware *fw, const struct hook *hook, uint32_t cpsr)
{
    const bool is_looked_at = hook->kind != INTERCEPT_PRELOAD || fw->watching;
    enum exception exception;

    if (is_looked_at)
        trace_writer_arrive(fw, hook->address, cpsr);
    if (is_looked_at && fw->processor->pending(fw, cpsr, &exception)) {
        firmware_raise(fw, exception, hook->address, ARMPMU_RECORD_ALL);
        return;
    }
    trace_writer_mask(fw, cpsr);
    if (!condition_passes(hook->condition, cpsr)) {
        const struct code_block *const nop = code_blocks_nop(fw, hook->address, cpsr);
        if (nop != NULL)
            trace_writer_enter(fw, nop);
        intercept_skip(fw, hook);
    } else {
        fw->processor->act(fw, hook, cpsr);
    }
}

void intercept_hook(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
    const struct hook *const hook = user;
    struct firmware *const fw = hook->fw;

    (void)uc, (void)address, (void)size;
    if (fw->stepping != STEPPING_NONE || firmware_is_stopping(fw))
        return;
    firmware_disturb(fw);
    const uint32_t cpsr = processor_status(fw);
    if (cpsr_isa(cpsr) != hook->isa)
        return;
    if (hook->after && fw->after == hook->address && !fw->watching)
        firmware_go_on(fw, hook->address, cpsr);
    if (hook->kind == INTERCEPT_REACHED)
        access_reach(fw, hook->address);
    else if (hook->kind == INTERCEPT_NONE || !is_there(fw, hook))
        return;
    else if (hook->kind == INTERCEPT_IT_BLOCK)
        firmware_request(fw, REQUEST_IT_BLOCK);
    else
        intercept_reach(fw, hook, cpsr);
}
