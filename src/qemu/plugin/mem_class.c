#include "qemu/plugin/mem_class.h"

static uint32_t bits(uint32_t word, unsigned msb, unsigned lsb)
{
    return word >> lsb & ((UINT32_C(2) << (msb - lsb)) - 1);
}

static bool bit(uint32_t word, unsigned n)
{
    return word >> n & 1;
}

static enum memory_shape shape_of_count(unsigned n_accesses)
{
    return n_accesses == 1 ? SHAPE_SINGLE : SHAPE_MULTIPLE;
}

/* LDM, STM, PUSH, POP by their register list. */
static enum memory_shape shape_of_list(uint32_t list)
{
    return shape_of_count((unsigned)__builtin_popcount(list));
}

/* Coprocessor loads and stores; the encoding is the same in A32 and T32. LDC and STC of others than
 * VFP are undefined on these cores. */
static enum memory_shape shape_coprocessor(uint32_t word)
{
    if (bits(word, 27, 21) == 0x62) /* MCRR, MRRC, VMOV of two core registers */
        return SHAPE_NONE;
    bool vfp = bits(word, 11, 9) == 5, vldr = bit(word, 24) && !bit(word, 21);
    bool is_double = bit(word, 8);
    return !vfp || vldr ? SHAPE_SINGLE : shape_of_count(bits(word, 7, 0) >> is_double);
}

/* VLDn and VSTn, in the A32 layout; bits 27 to 20 differ in T32 but are not looked at. */
static enum memory_shape shape_structure(uint32_t word)
{
    bool one_element = bit(word, 23) ? bits(word, 9, 8) == 0      /* VLD1 to one lane or all */
                                     : bits(word, 11, 6) == 0x1f; /* VLD1.64 of one register */
    return one_element ? SHAPE_SINGLE : SHAPE_MULTIPLE;
}

static enum memory_shape shape_a32_unconditional(uint32_t word)
{
    switch (bits(word, 27, 25)) {
    case 2:
        return !bit(word, 24) && !bit(word, 20) ? shape_structure(word) : SHAPE_NONE;
    case 4: /* RFE, SRS */
        return SHAPE_MULTIPLE;
    case 6: /* LDC2, STC2 */
        return shape_coprocessor(word);
    }
    return SHAPE_NONE;
}

/* SWP, LDREX, STREX and their sizes. */
static enum memory_shape shape_synchronisation(uint32_t word)
{
    bool doubleword = bits(word, 23, 21) == 5;
    return doubleword ? SHAPE_MULTIPLE : SHAPE_SINGLE;
}

/* The A32 space shared by register data processing, multiplies and the halfword transfers. */
static enum memory_shape shape_a32_register(uint32_t word)
{
    if (!bit(word, 7) || !bit(word, 4))
        return SHAPE_NONE;
    uint32_t op2 = bits(word, 6, 5);
    if (op2 == 0)
        return bit(word, 24) ? shape_synchronisation(word) : SHAPE_NONE;
    return op2 >= 2 && !bit(word, 20) ? SHAPE_MULTIPLE : SHAPE_SINGLE; /* LDRD, STRD */
}

enum memory_shape shape_a32(uint32_t word)
{
    if (word >> 28 == 15)
        return shape_a32_unconditional(word);
    switch (bits(word, 27, 25)) {
    case 0:
        return shape_a32_register(word);
    case 2:
        return SHAPE_SINGLE;
    case 3:
        return bit(word, 4) ? SHAPE_NONE : SHAPE_SINGLE; /* media, or LDR and STR by register */
    case 4:
        return shape_of_list(bits(word, 15, 0));
    case 6:
        return shape_coprocessor(word);
    }
    return SHAPE_NONE;
}

static enum memory_shape shape_t16(uint16_t half)
{
    switch (half >> 12) {
    case 4:
        return bit(half, 11) ? SHAPE_SINGLE : SHAPE_NONE; /* LDR literal */
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
        return SHAPE_SINGLE;
    case 11:
        return bits(half, 10, 9) == 2 ? shape_of_list(bits(half, 8, 0))
                                      : SHAPE_NONE; /* PUSH, POP */
    case 12:
        return shape_of_list(bits(half, 7, 0));
    }
    return SHAPE_NONE;
}

/* LDM, LDRD, the exclusives and the table branches. */
static enum memory_shape shape_t32_multiple_or_dual(uint16_t first, uint16_t second)
{
    bool list = !bit(first, 6), store_or_load_state = bit(first, 8) == bit(first, 7);
    if (list)
        return store_or_load_state ? SHAPE_MULTIPLE : shape_of_list(second);
    if (bit(first, 5) || bit(first, 8))
        return SHAPE_MULTIPLE;
    if (!bit(first, 7))
        return SHAPE_SINGLE; /* LDREX, STREX */
    switch (bits(second, 7, 4)) {
    case 0: /* TBB */
    case 1: /* TBH */
    case 4: /* byte */
    case 5: /* halfword */
        return SHAPE_SINGLE;
    }
    return SHAPE_MULTIPLE;
}

enum memory_shape shape_t32(uint16_t first, uint16_t second)
{
    if (!t32_is_long(first))
        return shape_t16(first);
    uint32_t word = (uint32_t)first << 16 | second;
    switch (first >> 8) {
    case 0xe8:
    case 0xe9:
        return shape_t32_multiple_or_dual(first, second);
    case 0xec:
    case 0xed:
        return shape_coprocessor(word);
    case 0xf8:
        return SHAPE_SINGLE;
    case 0xf9:
        return bit(first, 4) ? SHAPE_SINGLE : shape_structure(word); /* signed loads, or VLDn */
    case 0xfc:                                                       /* LDC2, STC2 */
    case 0xfd:
        return shape_coprocessor(word);
    }
    return SHAPE_NONE;
}

bool access_is_conditional_a32(uint32_t word)
{
    bool store_exclusive = (word & 0x0f9000f0) == 0x01800090;
    return word >> 28 < 14 || (word >> 28 == 14 && store_exclusive);
}

static bool t32_is_store_exclusive(uint16_t first, uint16_t second)
{
    bool word = (first & 0xfff0) == 0xe840;
    bool other = (first & 0xfff0) == 0xe8c0 && bits(second, 7, 6) == 1;
    return word || other;
}

bool access_is_conditional_t32(uint16_t first, uint16_t second, uint8_t it_state)
{
    bool in_it = (it_state & 0xf) != 0 && it_state >> 4 != 14;
    return in_it || t32_is_store_exclusive(first, second);
}

uint8_t it_advance(uint8_t it_state, uint16_t first)
{
    if ((first & 0xff00) == 0xbf00 && (first & 0x000f) != 0)
        return (uint8_t)first;
    if ((it_state & 7) == 0)
        return 0;
    return (uint8_t)((it_state & 0xe0) | (it_state << 1 & 0x1f));
}

/* ---- A64 ---------------------------------------------------------------------------------------
 */

static bool is_a64_scalable(uint32_t word)
{
    return (word & 0x9e000000) == 0x84000000;
}

/* LDn and STn of whole registers (one element is one access) and of one element each. */
static enum memory_shape shape_a64_structure(uint32_t word)
{
    const bool lane = bit(word, 24);
    const bool of_one_register = bits(word, 15, 12) == 7 && !bit(word, 30);

    if (lane)
        return bit(word, 13) || bit(word, 21) ? SHAPE_MULTIPLE : SHAPE_SINGLE;
    return of_one_register && bits(word, 11, 10) == 3 ? SHAPE_SINGLE : SHAPE_MULTIPLE;
}

/* Exclusive and ordered accesses, compare and swap: pairs have bit 21 without bit 23. */
static enum memory_shape shape_a64_ordered(uint32_t word)
{
    return bit(word, 21) && !bit(word, 23) ? SHAPE_MULTIPLE : SHAPE_SINGLE;
}

/* Single registers; the atomic operations, of which those of 64 bytes stand among the others. */
static enum memory_shape shape_a64_single(uint32_t word)
{
    const bool vector = bit(word, 26), quad = vector && bit(word, 23);
    const bool atomic = !vector && !bit(word, 24) && bit(word, 21) && bits(word, 11, 10) == 0;
    const bool block = atomic && bits(word, 31, 30) == 3 && !bit(word, 23) && bit(word, 15) &&
                       bits(word, 14, 12) != 0;

    return quad || block ? SHAPE_MULTIPLE : SHAPE_SINGLE;
}

/* DC ZVA, DC GZVA. */
static bool is_a64_zero_line(uint32_t word)
{
    return (word & 0xffffffe0) == 0xd50b7420 || (word & 0xffffffe0) == 0xd50b7480;
}

enum memory_shape shape_a64(uint32_t word)
{
    const bool vector = bit(word, 26);

    if (is_a64_scalable(word))
        return SHAPE_MULTIPLE;
    if (is_a64_zero_line(word))
        return SHAPE_SINGLE;
    if (!bit(word, 27) || bit(word, 25))
        return SHAPE_NONE;
    switch (bits(word, 29, 28)) {
    case 0:
        return vector ? shape_a64_structure(word) : shape_a64_ordered(word);
    case 1: /* relative to the PC; what clears tags and memory */
        return (vector && bit(word, 31)) || (bits(word, 31, 24) == 0xd9 && bit(word, 21))
                   ? SHAPE_MULTIPLE
                   : SHAPE_SINGLE;
    case 2:
        return SHAPE_MULTIPLE; /* pairs */
    }
    return shape_a64_single(word);
}

/* What a DC ZVA clears is never shown by QEMU 7.2 to 11: its helper writes to the host's memory. */
bool access_is_conditional_a64(uint32_t word)
{
    const bool store_exclusive = (word & 0x3fe00000) == 0x08000000;
    const bool store_exclusive_pair = (word & 0xbfe00000) == 0x88200000;

    return is_a64_scalable(word) || is_a64_zero_line(word) || store_exclusive ||
           store_exclusive_pair;
}
