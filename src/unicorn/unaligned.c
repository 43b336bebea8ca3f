/* Source: Arm DDI 0406C, A3.2.1, Unaligned data access; Intel 273473-002, Control Register: A.
 *
 * Assumes: the library's processor has its registers in place when it calls for the first access of
 * an instruction, and nothing of them has changed yet. Leaves out: AArch64; what ARMv5 without
 * SCTLR.A makes of accesses that are no words, which is what ARMv7 does here. */
#include <stdlib.h>

#include "unicorn/board.h"
#include "unicorn/code_block.h"
#include "unicorn/firmware.h"
#include "unicorn/virtual_address.h"

#define WORD   4u
#define WRITES 1024u /* of the rest of a block of the library's */

/* An access from an unaligned address that faults. The library makes it all the same, and has no
 * way to stop before it: so what it does from there on is undone. */
struct unaligned {
    uint64_t at;         /* of the instruction, */
    uint16_t index;      /* and which it is of its code block */
    uc_context *context; /* the processor before it */
    unsigned n;
    struct written {
        uint64_t address;
        uint8_t size, bytes[16]; /* as they were */
    } writes[WRITES];
};

static bool is_strict(const struct firmware *fw)
{
    return (processor_cp15(fw, 1, 0, 0) & SCTLR_A) != 0;
}

/* ARMv5 accesses the word that the address lies in, and rotates what it loads. */
static bool is_of_armv5(const struct firmware *fw, unsigned align, bool faults)
{
    return !fw->core->firmware.thumb2 && align == WORD && !faults;
}

bool unaligned_matters(const struct firmware *fw, uint64_t address, unsigned align, bool faults)
{
    if (fw->a64 != NULL || align == 0 || (address & (align - 1)) == 0)
        return false;
    return (faults && fw->core->firmware.thumb2) || is_of_armv5(fw, align, faults) || is_strict(fw);
}

static bool save(struct firmware *fw)
{
    if (fw->unaligned == NULL)
        fw->unaligned = calloc(1, sizeof *fw->unaligned);
    struct unaligned *const unaligned = fw->unaligned;
    return unaligned != NULL &&
           (unaligned->context != NULL ||
            fw->lib->context_alloc(fw->uc, &unaligned->context) == UC_ERR_OK) &&
           fw->lib->context_save(fw->uc, unaligned->context) == UC_ERR_OK;
}

void unaligned_begin(struct firmware *fw, const struct slot *slot, uint64_t address, bool write)
{
    uint64_t at = fw->code_block->address;

    for (unsigned i = 0; i < slot->index; i++)
        at += fw->code_block->sizes[i];
    if (!save(fw)) {
        firmware_stop(fw, ENGINE_FIRMWARE_FAILED,
                      "armpmu has no memory left for an access that is not aligned");
        return;
    }
    fw->undoes = true;
    fw->unaligned->at = at;
    fw->unaligned->index = slot->index;
    fw->unaligned->n = 0;
    if (is_of_armv5(fw, slot->align, slot->faults) && !is_strict(fw)) {
        firmware_request(fw, REQUEST_UNALIGNED);
        return;
    }
    fw->bad = (struct bad_access){.present = true,
                                  .write = write,
                                  .unaligned = true,
                                  .address = address,
                                  .index = slot->index};
    firmware_raise(fw, EXCEPTION_DATA_ABORT, at, slot->index);
}

void unaligned_note_write(struct firmware *fw, uint64_t address, unsigned size)
{
    struct unaligned *const unaligned = fw->unaligned;
    struct written *const write = &unaligned->writes[unaligned->n];

    if (unaligned->n == WRITES || board_is_device(fw->board, address) ||
        size > sizeof write->bytes ||
        fw->lib->mem_read(fw->uc, address, write->bytes, size) != UC_ERR_OK)
        return;
    write->address = address;
    write->size = (uint8_t)size;
    unaligned->n++;
}

void unaligned_end(struct firmware *fw)
{
    struct unaligned *const unaligned = fw->unaligned;

    while (unaligned->n > 0) {
        const struct written *const write = &unaligned->writes[--unaligned->n];
        (void)fw->lib->mem_write(fw->uc, write->address, write->bytes, write->size);
    }
    (void)fw->lib->context_restore(fw->uc, unaligned->context);
    processor_set_pc(fw, unaligned->at, cpsr_isa(processor_status(fw)));
    fw->undoes = false;
}

static const struct slot *slot_of(const struct code_block *code_block, unsigned index)
{
    const struct firmware_block *const block = firmware_block(code_block);

    for (unsigned i = 0; code_block != NULL && i < block->n_slots; i++)
        if (block->slots[i].index == index)
            return &block->slots[i];
    return NULL;
}

void unaligned_by_library(struct firmware *fw, uint64_t at)
{
    const uint32_t cpsr = processor_status(fw);
    const unsigned index = exception_insns_before(fw, at);
    const struct slot *const slot = slot_of(fw->code_block, index);
    struct hook insn;

    if (slot == NULL || !code_blocks_fetch(fw, at, cpsr_isa(cpsr), &insn) || !insn.sum.known)
        return;
    const uint32_t address = virtual_address_of_sum(fw, &insn, cpsr);
    if (unaligned_matters(fw, address, slot->align, slot->faults))
        fw->bad = (struct bad_access){.present = true,
                                      .write = slot->exclusive,
                                      .unaligned = true,
                                      .address = address,
                                      .index = (uint16_t)index};
}

/* ---- ARMv5 ------------------------------------------------------------------------------------
 */

/* The register of an LDR or STR: of T16 those by SP and PC have it higher up. */
static unsigned register_of(const struct hook *insn)
{
    const uint32_t word = insn->word;

    if (insn->isa == ARMPMU_A32)
        return word >> 12 & 15;
    return word >> 12 == 9 || word >> 11 == 9 ? word >> 8 & 7 : word & 7;
}

static bool is_load(const struct hook *insn)
{
    const uint32_t word = insn->word;

    if (insn->isa == ARMPMU_A32)
        return word >> 20 & 1;
    return word >> 12 == 5 || (word >> 11 & 1); /* LDR of two registers is 0101100 */
}

static void write_back(struct firmware *fw, const struct hook *insn, uint32_t cpsr)
{
    struct hook next = *insn;

    if (insn->isa != ARMPMU_A32 || ((insn->word >> 24 & 1) && !(insn->word >> 21 & 1)))
        return;
    next.sum.indexed_after = false;
    next.sum.number = next.sum.step;
    processor_write(fw, insn->word >> 16 & 15, virtual_address_of_sum(fw, &next, cpsr));
}

/* The block went up to the instruction, which is one of its own now. */
static void enter(struct firmware *fw, const struct hook *insn, uint32_t cpsr)
{
    const unsigned n = fw->unaligned->index;

    access_cut(fw, n, false, 0);
    fw->insns -= fw->code_block->n_insns - n;
    fw->unfinished = false;
    if (n == 0) {
        fw->n = fw->block_at;
        fw->code_block = NULL;
    }
    intercept_enter(fw, insn, cpsr);
}

/* Source: Arm DDI 0100I, A2.8, Unaligned access support: LDR, STR. */
void unaligned_transfer(struct firmware *fw)
{
    const uint32_t cpsr = processor_status(fw);
    struct hook insn;

    if (!code_blocks_fetch(fw, fw->unaligned->at, cpsr_isa(cpsr), &insn) || !insn.sum.known)
        return;
    const uint32_t address = virtual_address_of_sum(fw, &insn, cpsr), aligned = address & ~3u;
    const unsigned reg = register_of(&insn), shift = 8 * (address & 3);
    uint32_t word = (uint32_t)processor_read(fw, reg);

    enter(fw, &insn, cpsr);
    access_memory(fw->uc, is_load(&insn) ? UC_MEM_READ : UC_MEM_WRITE, aligned, WORD, 0, fw);
    if (!is_load(&insn))
        (void)fw->lib->mem_write(fw->uc, aligned, &word, sizeof word);
    write_back(fw, &insn, cpsr);
    if (is_load(&insn)) {
        (void)fw->lib->mem_read(fw->uc, aligned, &word, sizeof word);
        processor_write(fw, reg, word >> shift | word << (32 - shift));
    }
    intercept_skip(fw, &insn);
}

void unaligned_free(struct firmware *fw)
{
    if (fw->unaligned != NULL && fw->unaligned->context != NULL)
        fw->lib->context_free(fw->unaligned->context);
    free(fw->unaligned);
}
