#include "unicorn/address_summary.h"

#include <stdlib.h>

#include "isa/insn.h"

#define PC   15u
#define NONE 16u /* no register: counts as 0 */
#define ZERO 15u /* its place among values */

/* The value of a register: base + (index << shift) + number, in registers of the code block's
 * start.
 */
struct held {
    bool known;
    uint8_t base, index, shift;
    uint32_t number;
};

static struct held number_held(uint32_t number)
{
    return (struct held){true, NONE, NONE, 0, number};
}

/* left + right, where one has no plain register and the other none that is shifted. */
static struct held add_unlike(struct held left, struct held right)
{
    return (struct held){
        .known = left.known && right.known && (left.base == NONE || right.base == NONE) &&
                 (left.index == NONE || right.index == NONE),
        .base = left.base != NONE ? left.base : right.base,
        .index = left.index != NONE ? left.index : right.index,
        .shift = left.index != NONE ? left.shift : right.shift,
        .number = left.number + right.number,
    };
}

/* left + (right << shift). */
static struct held add(struct held left, struct held right, unsigned shift)
{
    const struct held shifted = {.known = right.known && (right.index == NONE || shift == 0),
                                 .base = NONE,
                                 .index = right.base,
                                 .shift = (uint8_t)shift,
                                 .number = right.number << shift};
    const struct held sum = shift == 0 ? add_unlike(left, right) : (struct held){0};

    return sum.known || right.index != NONE ? sum : add_unlike(left, shifted);
}

/* ---- a block ----------------------------------------------------------------------------------
 */

struct reader {
    const struct block *block;
    struct held registers[NONE + 1]; /* that of the PC is what the instruction reads */
    struct address_summary *out;
};

static const struct held *held_by(const struct reader *reader, uint64_t reg)
{
    return &reader->registers[reg != 0 ? (unsigned)__builtin_ctzll(reg) : NONE];
}

static struct held evaluate(const struct reader *reader, const struct insn_sum *sum, bool indexed,
                            int32_t number)
{
    const struct held unknown = {0};
    const bool has_index = indexed && sum->index != 0;
    struct held out = *held_by(reader, sum->base);

    if (!sum->known || (has_index && (sum->subtracts || sum->shift_by != SHIFT_LSL)))
        return unknown;
    if (sum->keeps_low_half) {
        out.known = out.known && out.base == NONE && out.index == NONE;
        out.number &= 0xffff;
    }
    out = add(out, number_held((uint32_t)number), 0);
    return has_index ? add(out, *held_by(reader, sum->index), sum->shift) : out;
}

static struct address_summary_sum sum_of(const struct held *held)
{
    return (struct address_summary_sum){
        .number = held->number,
        .base = held->base == NONE ? ZERO : held->base,
        .index = held->index == NONE ? ZERO : held->index,
        .shift = held->shift,
    };
}

/* The registers of the block's start in it, as bits. */
static uint16_t registers_in(const struct held *held)
{
    return (uint16_t)((1u << held->base | 1u << held->index) & ((1u << PC) - 1));
}

/* Finds what an instruction of the block accesses. False where it is not known: of LDC and STC, how
 * much they transfer is their coprocessor's affair. */
static bool tell_early(struct reader *reader, const struct insn *insn, uint16_t index)
{
    const struct insn_memory *const memory = &insn->memory;
    const struct insn_sum *const sum = &insn->sum;
    const struct held at = evaluate(reader, sum, !sum->indexed_after, sum->number);

    const bool by_coprocessor = insn->effect == EFFECT_SYSTEM && !memory->multiple;

    if (!at.known || insn->condition != 14 || memory->exclusive || by_coprocessor ||
        (memory->load && memory->store))
        return false;
    reader->out->writes = reader->out->writes || memory->store;
    reader->out->reads |= registers_in(&at);
    reader->out->accesses[reader->out->n++] = (struct address_summary_access){
        .word = armpmu_record(memory->multiple ? ARMPMU_RECORD_BURST : ARMPMU_RECORD_ACCESS, index),
        .address = sum_of(&at),
        .insn = index,
        .bytes = memory->bytes,
        .span = memory->multiple ? memory->bytes : ADDRESS_SUMMARY_WORD,
        .write = memory->store,
        .multiple = memory->multiple,
        .align = memory->align,
        .faults = insn_access_faults_unaligned(insn),
    };
    return true;
}

/* Finds what registers hold after an instruction. */
static void follow(struct reader *reader, const struct insn *insn)
{
    const bool accesses = insn->memory.bytes > 0;
    const uint64_t written = accesses ? insn->writes_back : insn->writes & (REG_PC - 1);
    const struct held result =
        evaluate(reader, &insn->sum, true, accesses ? insn->sum.step : insn->sum.number);

    for (unsigned reg = 0; reg < PC; reg++)
        if ((insn->writes & REG_R(reg)) != 0)
            reader->registers[reg].known = false;
    if (insn->condition == 14 && result.known && written != 0)
        reader->registers[__builtin_ctzll(written)] = result;
}

static bool read_block(struct reader *reader)
{
    const struct block *const block = reader->block;

    for (uint16_t i = 0; i < block->n_insns; i++) {
        const struct insn *const insn = &block->insns[i];
        const uint32_t at = (uint32_t)block->address + insn->offset;
        reader->registers[PC] =
            number_held(block->isa == ARMPMU_A32 ? at + 8 : (at + 4) & ~UINT32_C(3));
        if (insn->effect == EFFECT_UNDEFINED)
            return false; /* the library may execute what the decoder does not know */
        if (insn->memory.bytes > 0 && !tell_early(reader, insn, i))
            return false;
        follow(reader, insn);
    }
    return true;
}

/* Instructions of the system may change to another mode, which has registers of its own. */
static bool stays_in_mode(const struct block *block)
{
    bool stays = true;

    for (uint16_t i = 0; i < block->n_insns; i++)
        stays = stays && block->insns[i].effect == EFFECT_NONE &&
                block->insns[i].branch != BRANCH_EXCEPTION_RETURN;
    return stays;
}

/* Moves are made one after another, so none may depend on a register that one before it has
 * changed; adds come after them, and depend on their own alone. */
static void move_register(struct address_summary *out, const struct held *held, uint8_t reg)
{
    uint16_t usable = out->reads;

    for (unsigned i = 0; i < out->n_moves; i++)
        usable &= (uint16_t) ~(1u << out->moves[i].reg);
    if ((registers_in(held) & ~usable) != 0)
        return;
    if (held->base == reg && held->index == NONE)
        out->adds[out->n_adds++] = (struct address_summary_add){held->number, reg};
    else
        out->moves[out->n_moves++] = (struct address_summary_move){sum_of(held), reg};
    out->moved |= (uint16_t)(1u << reg);
}

/* Notes what is left in a register. The value is known only for registers that the block reads;
 * for others it would have to be computed each time, though few need it. */
static void leave_register(struct address_summary *out, const struct held *held, uint8_t reg,
                           bool stays)
{
    const bool same = held->known && held->base == reg && held->index == NONE && held->number == 0;
    const bool reads = (out->reads & 1u << reg) != 0;

    if (reads)
        out->registers[out->n_registers++] = reg;
    if (same && stays)
        return;
    out->changes |= (uint16_t)(1u << reg);
    if (stays && reads && held->known)
        move_register(out, held, reg);
}

static void leave(const struct reader *reader)
{
    struct address_summary *const out = reader->out;
    const bool stays = stays_in_mode(reader->block);

    for (uint8_t reg = 0; reg < PC; reg++)
        leave_register(out, &reader->registers[reg], reg, stays);
    out->repeats = (out->reads & out->changes & ~out->moved) == 0;
}

struct address_summary *address_summary_new(const struct block *block)
{
    struct reader reader = {.block = block};

    reader.out = calloc(1, sizeof *reader.out + block->n_insns * sizeof *reader.out->accesses);
    if (reader.out == NULL || block->isa == ARMPMU_A64) {
        free(reader.out);
        return NULL;
    }
    for (uint8_t reg = 0; reg < PC; reg++)
        reader.registers[reg] = (struct held){true, reg, NONE, 0, 0};
    reader.registers[NONE] = number_held(0);
    if (!read_block(&reader)) {
        free(reader.out);
        return NULL;
    }
    leave(&reader);
    return reader.out;
}

unsigned address_summary_insn(const struct address_summary *summary, const uint32_t *values,
                              uint32_t address, bool write)
{
    unsigned i = 0;

    while (i + 1u < summary->n &&
           (summary->accesses[i].write != write ||
            address - address_summary_value(&summary->accesses[i].address, values) >=
                summary->accesses[i].bytes))
        i++;
    return summary->accesses[i].insn;
}
