/* Finds the instruction of an access.
 *
 * The library reports what was accessed, not by which instruction. Accesses come in the order of
 * the instructions; the decoder knows which of them make one, and of how many bytes. A conditional
 * one made its access if the current flags pass its condition. Where the flags may have changed
 * since, and after a store that may not happen, a hook decides.
 *
 * A code block that is known_early (early_accesses.c) needs none of this.
 *
 * Assumes: a read that crosses a page of the library, and one of devices that is not aligned, comes
 * as a whole and then again as two aligned parts. */
#include <inttypes.h>
#include <string.h>

#include "isa/system_insn.h"
#include "unicorn/board.h"
#include "unicorn/code_block.h"
#include "unicorn/firmware.h"
#include "unicorn/overwritten.h"
#include "unicorn/virtual_address.h"

static void advance(struct firmware *fw)
{
    fw->slot++;
    fw->slot_bytes = 0;
}

/* After its last address a 32-bit processor has its first. */
static uint64_t come_round(const struct firmware *fw, uint64_t address)
{
    return fw->a64 != NULL ? address : (uint32_t)address;
}

static bool is_in_line(struct firmware *fw, const struct slot *slot, uint64_t *address)
{
    const uint64_t line = ~(uint64_t)(slot->span - 1);
    const uint64_t due = (fw->slot_address & line) | (*address & ~line);

    if (!virtual_address_is(fw, *address, due))
        return false;
    *address = due;
    return true;
}

/* Returns whether the open slot takes another access. *address: as the library has it, then the
 * program's.
 */
static bool goes_on(struct firmware *fw, const struct slot *slot, uint64_t *address, bool write)
{
    if (slot->line)
        return write && is_in_line(fw, slot, address);
    if (fw->slot_bytes >= slot->bytes)
        return false;
    if (slot->exclusive && write != (fw->slot_bytes >= slot->span))
        return false;
    const uint32_t done = fw->slot_bytes - (fw->slot_bytes >= slot->span ? slot->span : 0);
    const uint64_t due = come_round(fw, fw->slot_address + (slot->multiple ? done : 0));
    if (!virtual_address_is(fw, *address, due))
        return false;
    *address = due;
    return true;
}

/* *address: as the library has it, then the program's. */
static const struct slot *find_slot(struct firmware *fw, uint64_t *address, bool write)
{
    const struct firmware_block *const block = firmware_block(fw->code_block);
    uint32_t cpsr = 0;
    bool cpsr_known = false;

    for (; block != NULL && fw->slot < block->n_slots; advance(fw)) {
        const struct slot *const slot = &block->slots[fw->slot];
        if (fw->slot_bytes > 0) {
            if (goes_on(fw, slot, address, write))
                return slot;
            continue;
        }
        if (slot->condition != CONDITION_ALWAYS && !cpsr_known) {
            cpsr = processor_status(fw);
            cpsr_known = true;
        }
        if (slot->condition != CONDITION_ALWAYS && !condition_passes(slot->condition, cpsr))
            continue;
        fw->slot_address = *address = virtual_address(fw, slot->index, *address);
        return slot;
    }
    return NULL;
}

/* Returns whether an access continues the run whose two records are the last. */
static bool continues(const struct firmware *fw, const uint64_t *end, uint64_t run)
{
    const uint64_t after = (end[-2] & ARMPMU_RECORD_ADDRESS) + end[-1];

    return ((end[-2] ^ run) & ~ARMPMU_RECORD_ADDRESS) == 0 &&
           come_round(fw, after) == (run & ARMPMU_RECORD_ADDRESS);
}

static void emit(struct firmware *fw, const struct slot *slot, uint64_t address, unsigned size)
{
    uint64_t *const end = &fw->records[fw->n];
    const uint64_t run =
        armpmu_record(ARMPMU_RECORD_BURST, slot->index) | (address & ARMPMU_RECORD_ADDRESS);

    if (board_is_device(fw->board, address)) {
        if (armpmu_record_kind(end[-1]) != ARMPMU_RECORD_DEVICE ||
            armpmu_record_index(end[-1]) != slot->index) /* one says it */
            fw->records[fw->n++] = armpmu_record(ARMPMU_RECORD_DEVICE, slot->index) |
                                   (address & ARMPMU_RECORD_ADDRESS);
    } else if (!slot->multiple) {
        fw->records[fw->n++] =
            armpmu_record(ARMPMU_RECORD_ACCESS, slot->index) | (address & ARMPMU_RECORD_ADDRESS);
    } else if (armpmu_record_kind(end[-1]) == ARMPMU_RECORD_BYTES && continues(fw, end, run)) {
        end[-1] += size;
    } else {
        end[0] = run;
        end[1] = size;
        fw->n += 2;
    }
}

/* No instruction that is left of the code block makes such an access, as far as the decoder knows:
 * it would be missing from the counts. first: the slot that was open or came next. */
static void refuse(struct firmware *fw, unsigned first, uint64_t address, int size, bool write)
{
    const struct code_block *const code_block = fw->code_block;
    const struct slot *const slots = code_block != NULL ? firmware_block(code_block)->slots : NULL;
    unsigned index = 0;
    uint64_t at = code_block != NULL ? code_block->address : 0;
    uint32_t offset = 0, word = 0;

    if (fw->request != REQUEST_NONE || code_block == NULL || code_block->n_insns == 0)
        return; /* it executes once more, or has ended */
    if (first > 0 && slots[first - 1].index + 1u < code_block->n_insns)
        index = slots[first - 1].index + 1u;
    for (unsigned i = 0; i < index; i++)
        offset += code_block->sizes[i];
    if (overwritten_has(fw, code_block->address, code_block->n_bytes)) {
        firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                      "the code from PC 0x%08" PRIx64 " to 0x%08" PRIx64
                      " was written over while it executed, and what it %s at 0x%08" PRIx64
                      " cannot be counted",
                      code_block->address, code_block->address + code_block->n_bytes,
                      write ? "writes" : "reads", address);
        return;
    }
    memcpy(&word, code_block->bytes + offset, code_block->sizes[index]);
    firmware_stop(
        fw, ENGINE_FIRMWARE_FAULT,
        "PC 0x%08" PRIx64 ", instruction 0x%08x in memory, or one after it in its block, %s %d "
        "bytes at 0x%08" PRIx64 ", and armpmu's decoder knows of no such access: it cannot be "
        "counted. Leave that instruction out, and report it",
        at + offset, word, write ? "writes" : "reads", size, address);
}

static bool is_code_of_file(const struct firmware *fw, uint64_t address)
{
    return address - fw->image.code_first < fw->image.code_end - fw->image.code_first;
}

static void note_write(struct firmware *fw, unsigned index, uint64_t address, unsigned size)
{
    const bool known = code_blocks_hold(fw->code_blocks, address) ||
                       code_blocks_hold(fw->code_blocks, address + size - 1);

    fw->code_blocks->generation += known;
    if (known || is_code_of_file(fw, address))
        overwritten_note(fw, index, address, size);
}

static bool comes_in_parts(const struct firmware *fw, uint64_t address, unsigned size)
{
    return (address & (fw->page_bytes - 1)) + size > fw->page_bytes ||
           (board_is_device(fw->board, address) && address % size != 0);
}

static void expect_parts(struct firmware *fw, uint64_t address, unsigned size)
{
    fw->parts = 2;
    fw->part_address = address - address % size;
}

static bool is_part(struct firmware *fw, uint64_t address, unsigned size)
{
    if (fw->parts > 0 && !virtual_address_is(fw, address, fw->part_address))
        fw->parts = 0;
    if (fw->parts == 0)
        return false;
    fw->parts--;
    fw->part_address = come_round(fw, fw->part_address + size);
    return true;
}

/* Notes an access to memory that is undone, or whose address is known before it. Returns whether it
 * is one. */
static bool note_known(struct firmware *fw, uint64_t address, unsigned size, bool write)
{
    if (fw->undoes) {
        if (write)
            unaligned_note_write(fw, address, size);
        return true;
    }
    if (!fw->known_early)
        return false;
    fw->tb->calls += !write;
    if (write && is_code_of_file(fw, address))
        overwritten_note(fw,
                         address_summary_insn(firmware_block(fw->code_block)->summary, fw->values,
                                              (uint32_t)address, true),
                         address, size);
    return true;
}

void access_memory(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                   void *user)
{
    struct firmware *const fw = user;
    const bool write = type == UC_MEM_WRITE;

    (void)uc, (void)value;
    if (note_known(fw, address, (unsigned)size, write))
        return;
    if (!write && is_part(fw, address, (unsigned)size))
        return;
    if (!write && comes_in_parts(fw, address, (unsigned)size))
        expect_parts(fw, address, (unsigned)size);
    if (fw->gdb != NULL)
        gdb_watch(fw, address, (unsigned)size, write);
    const unsigned first = fw->slot;
    const uint64_t memory = address;
    const struct slot *const slot = find_slot(fw, &address, write);
    if (slot != NULL && fw->slot_bytes == 0 &&
        unaligned_matters(fw, address, slot->align, slot->faults)) {
        unaligned_begin(fw, slot, address, write);
        if (write)
            unaligned_note_write(fw, memory, (unsigned)size);
        return;
    }
    if (write)
        note_write(fw, slot != NULL ? slot->index : 0, memory, (unsigned)size);
    if (slot == NULL || fw->n + 2 > FIRMWARE_RECORDS) {
        refuse(fw, first, address, size, write);
        return;
    }
    fw->last.write = write;
    if (write)
        fw->last = (struct last_access){.write = true,
                                        .address = memory,
                                        .slot_bytes = fw->slot_bytes,
                                        .n = fw->n,
                                        .word = fw->records[fw->n - 1]};
    fw->slot_bytes += (unsigned)size;
    if (slot->line && fw->slot_bytes > (unsigned)size)
        return;                    /* one word says it */
    if (!slot->exclusive || write) /* the library looks first whether memory has changed */
        emit(fw, slot, slot->line ? address & ~(uint64_t)(slot->span - 1) : address,
             (unsigned)size);
}

/* A write is announced before the library looks whether memory is there. */
static void take_back(struct firmware *fw)
{
    fw->slot_bytes = fw->last.slot_bytes;
    fw->n = fw->last.n;
    fw->records[fw->n - 1] = fw->last.word;
    fw->last.write = false;
}

bool access_add_hook(struct firmware *fw)
{
    return fw->lib->hook_add(fw->uc, &fw->access_hook, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE,
                             (void *)(uintptr_t)access_memory, fw, (uint64_t)1,
                             (uint64_t)0) == UC_ERR_OK;
}

/* CHOICE(firmware-refused-page): where no more is known of the fault nothing of instruction n is
 * left. */
void access_cut(struct firmware *fw, unsigned n, bool has_fault, uint64_t fault)
{
    size_t i = fw->first_access;

    while (i < fw->n && armpmu_record_index(fw->records[i]) < n)
        i += armpmu_record_kind(fw->records[i]) == ARMPMU_RECORD_BURST ? 2 : 1;
    if (has_fault && i < fw->n && armpmu_record_kind(fw->records[i]) == ARMPMU_RECORD_BURST) {
        const uint64_t done = fault - (fw->records[i] & ARMPMU_RECORD_ADDRESS);
        if (done > 0 && done <= fw->records[i + 1]) {
            fw->records[i + 1] = done;
            i += 2;
        }
    }
    fw->n = i;
    fw->known_early = false;
}

bool access_bad(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value,
                void *user)
{
    struct firmware *const fw = user;
    const bool write = type == UC_MEM_WRITE_UNMAPPED;
    const struct slot *slot = NULL;

    (void)uc, (void)size, (void)value;
    if (fw->undoes)
        return false;
    firmware_disturb(fw);
    if (fw->known_early) {
        fw->bad = (struct bad_access){
            .present = true,
            .write = write,
            .address = address,
            .index = address_summary_insn(firmware_block(fw->code_block)->summary, fw->values,
                                          (uint32_t)address, write)};
        return false;
    }
    if (write && fw->last.write && fw->last.address == address)
        take_back(fw);
    if (type != UC_MEM_FETCH_UNMAPPED)
        slot = find_slot(fw, &address, write);
    fw->bad = (struct bad_access){.present = true,
                                  .write = write,
                                  .address = address,
                                  .index = slot != NULL ? slot->index : 0};
    fw->parts = 0;
    return false;
}

void access_reach(struct firmware *fw, uint64_t address)
{
    const struct code_block *const code_block = fw->code_block;
    const struct firmware_block *const block = firmware_block(code_block);
    uint64_t at = code_block != NULL ? code_block->address : 0;
    unsigned index = 0;

    if (code_block == NULL || address - at >= code_block->n_bytes)
        return;
    while (index < code_block->n_insns && at < address)
        at += code_block->sizes[index++];
    while (fw->slot < block->n_slots && block->slots[fw->slot].index < index)
        advance(fw);
    if (fw->slot == block->n_slots || block->slots[fw->slot].index != index)
        return;
    if (!condition_passes(block->slots[fw->slot].condition, processor_status(fw)))
        advance(fw);
}
