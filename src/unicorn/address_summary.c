#include "unicorn/address_summary.h"

#include <stdlib.h>
#include <string.h>

#include "isa/insn.h"

#define NONE 16u /* no register: counts as 0 */

/* What a register holds: base + (index << shift) + number, in registers of the code block's start.
 */
struct held {
    bool known;
    uint8_t base, index, shift;
    uint32_t number;
};

/* What an instruction does to core registers by adding. */
struct sum {
    bool known;
    uint8_t to, from;    /* from NONE: a number */
    uint8_t plus, shift; /* a register that is added, or NONE */
    bool top;            /* the number takes the place of the upper half */
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

/* ---- what instructions add --------------------------------------------------------------------
 */

static uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((2u << (high - low)) - 1);
}

static uint32_t signed_by(uint32_t amount, bool up)
{
    return up ? amount : -amount;
}

static uint32_t rotated(uint32_t value, unsigned by)
{
    return by == 0 ? value : value >> by | value << (32 - by);
}

/* Source: Arm DDI 0406C, ThumbExpandImm(). */
static uint32_t thumb_number(uint32_t word)
{
    const uint32_t code = bits(word, 26, 26) << 11 | bits(word, 14, 12) << 8 | bits(word, 7, 0);
    const uint32_t byte = code & 0xff;

    switch (code >> 8) {
    case 0:
        return byte;
    case 1:
        return byte << 16 | byte;
    case 2:
        return byte << 24 | byte << 8;
    case 3:
        return byte * 0x01010101u;
    }
    return rotated(0x80 | (code & 0x7f), code >> 7);
}

static struct sum set(uint32_t to, uint32_t number)
{
    return (struct sum){true, (uint8_t)to, NONE, NONE, 0, false, number};
}

static struct sum set_top(uint32_t to, uint32_t half)
{
    return (struct sum){true, (uint8_t)to, (uint8_t)to, NONE, 0, true, half << 16};
}

static struct sum plus_number(uint32_t to, uint32_t from, uint32_t number)
{
    return (struct sum){true, (uint8_t)to, (uint8_t)from, NONE, 0, false, number};
}

static struct sum plus_register(uint32_t to, uint32_t from, uint32_t plus, uint32_t shift)
{
    return (struct sum){true, (uint8_t)to, (uint8_t)from, (uint8_t)plus, (uint8_t)shift, false, 0};
}

/* Source: Arm DDI 0406C, ARM data-processing instructions. */
static struct sum sum_a32(uint32_t word)
{
    const uint32_t rd = bits(word, 15, 12), rn = bits(word, 19, 16), rm = bits(word, 3, 0);
    const uint32_t number = rotated(word & 0xff, 2 * bits(word, 11, 8));
    const uint32_t half = rn << 12 | bits(word, 11, 0);

    switch (bits(word, 27, 20) & 0xfe) {
    case 0x28:
        return plus_number(rd, rn, number);
    case 0x24:
        return plus_number(rd, rn, -number);
    case 0x3a:
        return set(rd, number);
    case 0x1a:
        if ((word & 0x70) == 0)
            return plus_register(rd, NONE, rm, bits(word, 11, 7));
        break;
    case 0x08:
        if ((word & 0x70) == 0)
            return plus_register(rd, rn, rm, bits(word, 11, 7));
        break;
    case 0x30:
        return bits(word, 20, 20) == 0 ? set(rd, half) : (struct sum){0};
    case 0x34:
        return bits(word, 20, 20) == 0 ? set_top(rd, half) : (struct sum){0};
    }
    return (struct sum){0};
}

/* Source: Arm DDI 0406C, 16-bit Thumb instruction encoding. */
static struct sum sum_t16(uint32_t half)
{
    const uint32_t rd = bits(half, 2, 0), rn = bits(half, 5, 3), third = bits(half, 8, 6);
    const uint32_t rd8 = bits(half, 10, 8), byte = bits(half, 7, 0);
    const uint32_t high = bits(half, 7, 7) << 3 | rd, rm = bits(half, 6, 3);

    if (half >> 11 == 0)
        return plus_register(rd, NONE, rn, bits(half, 10, 6));
    switch (half >> 9) {
    case 0x0c:
        return plus_register(rd, rn, third, 0);
    case 0x0e:
        return plus_number(rd, rn, third);
    case 0x0f:
        return plus_number(rd, rn, -third);
    }
    switch (half >> 11) {
    case 0x04:
        return set(rd8, byte);
    case 0x06:
        return plus_number(rd8, rd8, byte);
    case 0x07:
        return plus_number(rd8, rd8, -byte);
    case 0x14:
        return plus_number(rd8, 15, byte << 2);
    case 0x15:
        return plus_number(rd8, 13, byte << 2);
    }
    switch (half >> 8) {
    case 0x44: /* the PC they read is not aligned */
        return rm != 15 ? plus_register(high, high, rm, 0) : (struct sum){0};
    case 0x46:
        return rm != 15 ? plus_register(high, NONE, rm, 0) : (struct sum){0};
    case 0xb0:
        return plus_number(13, 13, signed_by((half & 0x7f) << 2, bits(half, 7, 7) == 0));
    }
    return (struct sum){0};
}

/* Source: Arm DDI 0406C, 32-bit Thumb instruction encoding. */
static struct sum sum_t32(uint32_t word)
{
    const uint32_t rd = bits(word, 11, 8), rn = bits(word, 19, 16), rm = bits(word, 3, 0);
    const uint32_t shift = bits(word, 14, 12) << 2 | bits(word, 7, 6);
    const uint32_t plain = bits(word, 26, 26) << 11 | bits(word, 14, 12) << 8 | (word & 0xff);

    if ((word & 0xffef8030) == 0xea4f0000)
        return plus_register(rd, NONE, rm, shift);
    if ((word & 0xffe08030) == 0xeb000000)
        return plus_register(rd, rn, rm, shift);
    if ((word & 0xfbef8000) == 0xf04f0000)
        return set(rd, thumb_number(word));
    switch (word & 0xfbe08000) {
    case 0xf1000000:
        return plus_number(rd, rn, thumb_number(word));
    case 0xf1a00000:
        return plus_number(rd, rn, -thumb_number(word));
    }
    switch (word & 0xfbf08000) {
    case 0xf2000000:
        return plus_number(rd, rn, plain);
    case 0xf2a00000:
        return plus_number(rd, rn, -plain);
    case 0xf2400000:
        return set(rd, rn << 12 | plain);
    case 0xf2c00000:
        return set_top(rd, rn << 12 | plain);
    }
    return (struct sum){0};
}

/* ---- what loads and stores add to their base --------------------------------------------------
 */

struct address_mode {
    struct sum address, behind; /* where, and what the base is then */
};

/* One register at the base and a number or another register. */
static struct address_mode mode_single(uint32_t word, bool by_register, uint32_t number,
                                       uint32_t shift)
{
    const uint32_t rn = bits(word, 19, 16), rm = bits(word, 3, 0);
    const bool before = bits(word, 24, 24), up = bits(word, 23, 23), back = bits(word, 21, 21);
    const struct sum none = {0};
    const struct sum sum = !by_register ? plus_number(rn, rn, signed_by(number, up))
                           : up         ? plus_register(rn, rn, rm, shift)
                                        : none;

    return (struct address_mode){.address = before ? sum : plus_number(rn, rn, 0),
                                 .behind = back || !before ? sum : none};
}

/* LDM and STM, alike in both instruction sets. */
static struct address_mode mode_multiple(uint32_t word)
{
    const uint32_t rn = bits(word, 19, 16),
                   bytes = 4u * (uint32_t)__builtin_popcount(word & 0xffff);
    const bool before = bits(word, 24, 24), up = bits(word, 23, 23);
    const uint32_t lowest = up ? 4u * before : 4u * !before - bytes;

    return (struct address_mode){.address = plus_number(rn, rn, lowest),
                                 .behind = plus_number(rn, rn, signed_by(bytes, up))};
}

/* VLDR, VSTR; VLDM and VSTM. */
static struct address_mode mode_vector(uint32_t word)
{
    const uint32_t rn = bits(word, 19, 16), bytes = bits(word, 7, 0) << 2;
    const bool before = bits(word, 24, 24), up = bits(word, 23, 23), back = bits(word, 21, 21);

    if (before && !back)
        return (struct address_mode){.address = plus_number(rn, rn, signed_by(bytes, up))};
    return (struct address_mode){.address = plus_number(rn, rn, up ? 0 : -bytes),
                                 .behind = plus_number(rn, rn, signed_by(bytes, up))};
}

/* VLDn, VSTn. */
static struct address_mode mode_structure(uint32_t word, uint32_t bytes)
{
    const uint32_t rn = bits(word, 19, 16), rm = bits(word, 3, 0);

    return (struct address_mode){.address = plus_number(rn, rn, 0),
                                 .behind = rm == 13 ? plus_number(rn, rn, bytes)
                                                    : plus_register(rn, rn, rm, 0)};
}

static bool is_vector(uint32_t word)
{
    return (word & 0x0e000e00) == 0x0c000a00;
}

/* Source: Arm DDI 0406C, ARM instruction set encoding. */
static struct address_mode mode_a32(uint32_t word, uint32_t bytes)
{
    const bool is_shifted = bits(word, 6, 5) != 0;

    if (word >> 24 == 0xf4 && bits(word, 20, 20) == 0)
        return mode_structure(word, bytes);
    if (word >> 28 == 15)
        return (struct address_mode){0};
    if (is_vector(word))
        return mode_vector(word);
    switch (bits(word, 27, 25)) {
    case 0:
        return mode_single(word, bits(word, 22, 22) == 0, bits(word, 11, 8) << 4 | (word & 15), 0);
    case 2:
        return mode_single(word, false, bits(word, 11, 0), 0);
    case 3:
        if (!is_shifted)
            return mode_single(word, true, 0, bits(word, 11, 7));
        break;
    case 4:
        return mode_multiple(word);
    }
    return (struct address_mode){0};
}

static struct address_mode at_number(uint32_t rn, uint32_t number)
{
    return (struct address_mode){.address = plus_number(rn, rn, number)};
}

/* Source: Arm DDI 0406C, 16-bit Thumb instruction encoding. */
static struct address_mode mode_t16(uint32_t half, uint32_t bytes)
{
    const uint32_t rn = bits(half, 5, 3), rn8 = bits(half, 10, 8), five = bits(half, 10, 6);

    switch (half >> 12) {
    case 4:
        return at_number(15, (half & 0xff) << 2);
    case 5:
        return (struct address_mode){.address = plus_register(rn, rn, bits(half, 8, 6), 0)};
    case 6: /* words */
    case 7: /* bytes */
    case 8: /* half words */
        return at_number(rn, five * bytes);
    case 9:
        return at_number(13, (half & 0xff) << 2);
    case 11:
        if (bits(half, 11, 11) != 0)
            return (struct address_mode){plus_number(13, 13, 0), plus_number(13, 13, bytes)};
        return (struct address_mode){plus_number(13, 13, -bytes), plus_number(13, 13, -bytes)};
    case 12:
        return (struct address_mode){plus_number(rn8, rn8, 0), plus_number(rn8, rn8, bytes)};
    }
    return (struct address_mode){0};
}

/* One register, 32 bits of T32. */
static struct address_mode mode_t32_single(uint32_t word)
{
    const uint32_t rn = bits(word, 19, 16), twelve = bits(word, 11, 0);
    const uint32_t byte = signed_by(word & 0xff, bits(word, 9, 9));
    const bool before = bits(word, 10, 10), back = bits(word, 8, 8);

    if (rn == 15)
        return at_number(15, signed_by(twelve, bits(word, 23, 23)));
    if (bits(word, 23, 23) != 0)
        return at_number(rn, twelve);
    if (bits(word, 11, 11) == 0)
        return (struct address_mode){.address =
                                         plus_register(rn, rn, bits(word, 3, 0), bits(word, 5, 4))};
    return (struct address_mode){.address = plus_number(rn, rn, before ? byte : 0),
                                 .behind = back ? plus_number(rn, rn, byte) : (struct sum){0}};
}

/* Source: Arm DDI 0406C, 32-bit Thumb instruction encoding. */
static struct address_mode mode_t32(uint32_t word, uint32_t bytes)
{
    if (word >> 24 == 0xf9 && bits(word, 20, 20) == 0)
        return mode_structure(word, bytes);
    if (word >> 25 == 0x7c)
        return mode_t32_single(word);
    if (is_vector(word))
        return mode_vector(word);
    if ((word & 0xfe400000) == 0xe8000000)
        return mode_multiple(word);
    if ((word & 0xfe400000) == 0xe8400000 && (word & 0x01200000) != 0) /* LDRD, STRD */
        return mode_single(word, false, bits(word, 7, 0) << 2, 0);
    return (struct address_mode){0};
}

/* ---- a block ----------------------------------------------------------------------------------
 */

struct reader {
    const struct block *block;
    const uint8_t *bytes;
    struct held registers[NONE + 1]; /* that of the PC is what the instruction reads */
    struct address_summary *out;
};

static uint32_t word_of(const struct reader *reader, const struct insn *insn)
{
    const uint8_t *const at = reader->bytes + insn->offset;
    uint16_t first, second = 0;

    memcpy(&first, at, sizeof first);
    if (insn->size == 4)
        memcpy(&second, at + 2, sizeof second);
    if (reader->block->isa == ARMPMU_A32)
        return (uint32_t)second << 16 | first;
    return insn->size == 4 ? (uint32_t)first << 16 | second : first;
}

static struct held evaluate(const struct reader *reader, struct sum sum)
{
    const struct held unknown = {0};
    struct held out;

    if (!sum.known)
        return unknown;
    out = reader->registers[sum.from];
    if (sum.top) {
        out.known = out.known && out.base == NONE && out.index == NONE;
        out.number &= 0xffff;
    }
    out = add(out, number_held(sum.number), 0);
    return sum.plus == NONE ? out : add(out, reader->registers[sum.plus], sum.shift);
}

static struct address_mode mode_of(const struct reader *reader, const struct insn *insn,
                                   uint32_t word)
{
    if (reader->block->isa == ARMPMU_A32)
        return mode_a32(word, insn->memory.bytes);
    return insn->size == 4 ? mode_t32(word, insn->memory.bytes)
                           : mode_t16(word, insn->memory.bytes);
}

static struct sum sum_of(const struct reader *reader, const struct insn *insn, uint32_t word)
{
    if (reader->block->isa == ARMPMU_A32)
        return word >> 28 == 15 ? (struct sum){0} : sum_a32(word);
    return insn->size == 4 ? sum_t32(word) : sum_t16(word);
}

/* The number of an entry register among those that are read. */
static uint8_t place_of(struct address_summary *out, uint8_t reg)
{
    uint8_t i = 0;

    if (reg == NONE)
        return 0;
    while (i < out->n_registers && out->registers[i] != reg)
        i++;
    if (i == out->n_registers)
        out->registers[out->n_registers++] = reg;
    return i + 1;
}

/* What an instruction of the block accesses. False where it is not known. */
static bool tell_early(struct reader *reader, const struct insn *insn, uint16_t index,
                       uint32_t word)
{
    const struct insn_memory *const memory = &insn->memory;
    const struct held at = evaluate(reader, mode_of(reader, insn, word).address);

    if (!at.known || insn->condition != 14 || memory->exclusive || (memory->load && memory->store))
        return false;
    reader->out->writes = reader->out->writes || memory->store;
    reader->out->accesses[reader->out->n++] = (struct address_summary_access){
        .word = armpmu_record(memory->multiple ? ARMPMU_RECORD_BURST : ARMPMU_RECORD_ACCESS, index),
        .number = at.number,
        .insn = index,
        .bytes = memory->bytes,
        .base = place_of(reader->out, at.base),
        .index = place_of(reader->out, at.index),
        .shift = at.shift,
        .write = memory->store,
        .multiple = memory->multiple,
    };
    return true;
}

/* What registers hold after an instruction. */
static void follow(struct reader *reader, const struct insn *insn, uint32_t word)
{
    const struct sum sum =
        insn->memory.bytes > 0 ? mode_of(reader, insn, word).behind : sum_of(reader, insn, word);
    const uint64_t written = insn->memory.bytes > 0 ? insn->writes_back : insn->writes;
    const struct held result = evaluate(reader, sum);

    for (unsigned reg = 0; reg < 15; reg++)
        if ((insn->writes & REG_R(reg)) != 0)
            reader->registers[reg].known = false;
    if (insn->condition == 14 && result.known && sum.to < 15 && (written & REG_R(sum.to)) != 0)
        reader->registers[sum.to] = result;
}

static bool read_block(struct reader *reader)
{
    const struct block *const block = reader->block;

    for (uint16_t i = 0; i < block->n_insns; i++) {
        const struct insn *const insn = &block->insns[i];
        const uint32_t word = word_of(reader, insn);
        const uint32_t at = (uint32_t)block->address + insn->offset;
        reader->registers[15] =
            number_held(block->isa == ARMPMU_A32 ? at + 8 : (at + 4) & ~UINT32_C(3));
        if (insn->effect == EFFECT_UNDEFINED)
            return false; /* the library may execute what the decoder does not know */
        if (insn->memory.bytes > 0 && !tell_early(reader, insn, i, word))
            return false;
        follow(reader, insn, word);
    }
    return reader->out->n > 0;
}

struct address_summary *address_summary_new(const struct block *block, const uint8_t *bytes)
{
    struct reader reader = {.block = block, .bytes = bytes};

    reader.out = calloc(1, sizeof *reader.out + block->n_insns * sizeof *reader.out->accesses);
    if (reader.out == NULL || block->isa == ARMPMU_A64) {
        free(reader.out);
        return NULL;
    }
    for (uint8_t reg = 0; reg < 15; reg++)
        reader.registers[reg] = (struct held){true, reg, NONE, 0, 0};
    reader.registers[NONE] = number_held(0);
    if (!read_block(&reader)) {
        free(reader.out);
        return NULL;
    }
    return reader.out;
}

unsigned address_summary_insn(const struct address_summary *summary, const uint32_t *values,
                              uint32_t address, bool write)
{
    unsigned i = 0;

    while (i + 1u < summary->n &&
           (summary->accesses[i].write != write ||
            address - address_summary_address(&summary->accesses[i], values) >=
                summary->accesses[i].bytes))
        i++;
    return summary->accesses[i].insn;
}
