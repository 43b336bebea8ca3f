#include "qemu/plugin/mem_class.h"

#include "base/arm.h"

static uint32_t bits(uint32_t word, unsigned msb, unsigned lsb)
{
    return word >> lsb & ((UINT32_C(2) << (msb - lsb)) - 1);
}

static bool bit(uint32_t word, unsigned n)
{
    return word >> n & 1;
}

static enum memory_shape mem_class_of_count(unsigned n_accesses)
{
    return n_accesses == 1 ? MEM_CLASS_SINGLE : MEM_CLASS_MULTIPLE;
}

/* LDM, STM, PUSH, POP by their register list. */
static enum memory_shape mem_class_of_list(uint32_t list)
{
    return mem_class_of_count((unsigned)__builtin_popcount(list));
}

/* Coprocessor loads and stores; the encoding is the same in A32 and T32. LDC and STC of others than
 * VFP are undefined on these cores. */
static enum memory_shape mem_class_coprocessor(uint32_t word)
{
    if (bits(word, 27, 21) == 0x62) /* MCRR, MRRC, VMOV of two core registers */
        return MEM_CLASS_NONE;
    bool vfp = bits(word, 11, 9) == 5, vldr = bit(word, 24) && !bit(word, 21);
    bool is_double = bit(word, 8);
    return !vfp || vldr ? MEM_CLASS_SINGLE : mem_class_of_count(bits(word, 7, 0) >> is_double);
}

/* VLDn and VSTn, in the A32 layout; bits 27 to 20 differ in T32 but are not looked at. */
static enum memory_shape mem_class_structure(uint32_t word)
{
    bool one_element = bit(word, 23) ? bits(word, 9, 8) == 0      /* VLD1 to one lane or all */
                                     : bits(word, 11, 6) == 0x1f; /* VLD1.64 of one register */
    return one_element ? MEM_CLASS_SINGLE : MEM_CLASS_MULTIPLE;
}

static enum memory_shape mem_class_a32_unconditional(uint32_t word)
{
    switch (bits(word, 27, 25)) {
    case 2:
        return !bit(word, 24) && !bit(word, 20) ? mem_class_structure(word) : MEM_CLASS_NONE;
    case 4: /* RFE, SRS */
        return MEM_CLASS_MULTIPLE;
    case 6: /* LDC2, STC2 */
        return mem_class_coprocessor(word);
    }
    return MEM_CLASS_NONE;
}

/* SWP, LDREX, STREX and their sizes. */
static enum memory_shape mem_class_synchronisation(uint32_t word)
{
    bool doubleword = bits(word, 23, 21) == 5;
    return doubleword ? MEM_CLASS_MULTIPLE : MEM_CLASS_SINGLE;
}

/* The A32 space shared by register data processing, multiplies and the halfword transfers. */
static enum memory_shape mem_class_a32_register(uint32_t word)
{
    if (!bit(word, 7) || !bit(word, 4))
        return MEM_CLASS_NONE;
    uint32_t op2 = bits(word, 6, 5);
    if (op2 == 0)
        return bit(word, 24) ? mem_class_synchronisation(word) : MEM_CLASS_NONE;
    return op2 >= 2 && !bit(word, 20) ? MEM_CLASS_MULTIPLE : MEM_CLASS_SINGLE; /* LDRD, STRD */
}

enum memory_shape mem_class_a32(uint32_t word)
{
    if (word >> 28 == 15)
        return mem_class_a32_unconditional(word);
    switch (bits(word, 27, 25)) {
    case 0:
        return mem_class_a32_register(word);
    case 2:
        return MEM_CLASS_SINGLE;
    case 3:
        return bit(word, 4) ? MEM_CLASS_NONE
                            : MEM_CLASS_SINGLE; /* media, or LDR and STR by register */
    case 4:
        return mem_class_of_list(bits(word, 15, 0));
    case 6:
        return mem_class_coprocessor(word);
    }
    return MEM_CLASS_NONE;
}

static enum memory_shape mem_class_t16(uint16_t half)
{
    switch (half >> 12) {
    case 4:
        return bit(half, 11) ? MEM_CLASS_SINGLE : MEM_CLASS_NONE; /* LDR literal */
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
        return MEM_CLASS_SINGLE;
    case 11:
        return bits(half, 10, 9) == 2 ? mem_class_of_list(bits(half, 8, 0))
                                      : MEM_CLASS_NONE; /* PUSH, POP */
    case 12:
        return mem_class_of_list(bits(half, 7, 0));
    }
    return MEM_CLASS_NONE;
}

/* LDM, LDRD, the exclusives and the table branches. */
static enum memory_shape mem_class_t32_multiple_or_dual(uint16_t first, uint16_t second)
{
    bool list = !bit(first, 6), store_or_load_state = bit(first, 8) == bit(first, 7);
    if (list)
        return store_or_load_state ? MEM_CLASS_MULTIPLE : mem_class_of_list(second);
    if (bit(first, 5) || bit(first, 8))
        return MEM_CLASS_MULTIPLE;
    if (!bit(first, 7))
        return MEM_CLASS_SINGLE; /* LDREX, STREX */
    switch (bits(second, 7, 4)) {
    case 0: /* TBB */
    case 1: /* TBH */
    case 4: /* byte */
    case 5: /* halfword */
        return MEM_CLASS_SINGLE;
    }
    return MEM_CLASS_MULTIPLE;
}

enum memory_shape mem_class_t32(uint16_t first, uint16_t second)
{
    if (!t32_is_long(first))
        return mem_class_t16(first);
    uint32_t word = (uint32_t)first << 16 | second;
    switch (first >> 8) {
    case 0xe8:
    case 0xe9:
        return mem_class_t32_multiple_or_dual(first, second);
    case 0xec:
    case 0xed:
        return mem_class_coprocessor(word);
    case 0xf8:
        return MEM_CLASS_SINGLE;
    case 0xf9:
        return bit(first, 4) ? MEM_CLASS_SINGLE
                             : mem_class_structure(word); /* signed loads, or VLDn */
    case 0xfc:                                            /* LDC2, STC2 */
    case 0xfd:
        return mem_class_coprocessor(word);
    }
    return MEM_CLASS_NONE;
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
    bool in_it = it_is_inside(it_state) && it_state >> 4 != 14;
    return in_it || t32_is_store_exclusive(first, second);
}

/* ---- A64 ---------------------------------------------------------------------------------------
 */

static bool is_a64_scalable(uint32_t word)
{
    return (word & 0x9e000000) == 0x84000000;
}

/* LDn and STn of whole registers (one element is one access) and of one element each. */
static enum memory_shape mem_class_a64_structure(uint32_t word)
{
    const bool lane = bit(word, 24);
    const bool of_one_register = bits(word, 15, 12) == 7 && !bit(word, 30);

    if (lane)
        return bit(word, 13) || bit(word, 21) ? MEM_CLASS_MULTIPLE : MEM_CLASS_SINGLE;
    return of_one_register && bits(word, 11, 10) == 3 ? MEM_CLASS_SINGLE : MEM_CLASS_MULTIPLE;
}

/* Exclusive and ordered accesses, compare and swap: pairs have bit 21 without bit 23. */
static enum memory_shape mem_class_a64_ordered(uint32_t word)
{
    return bit(word, 21) && !bit(word, 23) ? MEM_CLASS_MULTIPLE : MEM_CLASS_SINGLE;
}

/* Single registers; the atomic operations, of which those of 64 bytes stand among the others. */
static enum memory_shape mem_class_a64_single(uint32_t word)
{
    const bool vector = bit(word, 26), quad = vector && bit(word, 23);
    const bool atomic = !vector && !bit(word, 24) && bit(word, 21) && bits(word, 11, 10) == 0;
    const bool block = atomic && bits(word, 31, 30) == 3 && !bit(word, 23) && bit(word, 15) &&
                       bits(word, 14, 12) != 0;

    return quad || block ? MEM_CLASS_MULTIPLE : MEM_CLASS_SINGLE;
}

/* DC ZVA, DC GZVA. */
static bool is_a64_zero_line(uint32_t word)
{
    return (word & 0xffffffe0) == 0xd50b7420 || (word & 0xffffffe0) == 0xd50b7480;
}

enum memory_shape mem_class_a64(uint32_t word)
{
    const bool vector = bit(word, 26);

    if (is_a64_scalable(word))
        return MEM_CLASS_MULTIPLE;
    if (is_a64_zero_line(word))
        return MEM_CLASS_SINGLE;
    if (!bit(word, 27) || bit(word, 25))
        return MEM_CLASS_NONE;
    switch (bits(word, 29, 28)) {
    case 0:
        return vector ? mem_class_a64_structure(word) : mem_class_a64_ordered(word);
    case 1: /* relative to the PC; what clears tags and memory */
        return (vector && bit(word, 31)) || (bits(word, 31, 24) == 0xd9 && bit(word, 21))
                   ? MEM_CLASS_MULTIPLE
                   : MEM_CLASS_SINGLE;
    case 2:
        return MEM_CLASS_MULTIPLE; /* pairs */
    }
    return mem_class_a64_single(word);
}

/* What a DC ZVA clears is never shown by QEMU 7.2 to 11: its helper writes to the host's memory. */
bool access_is_conditional_a64(uint32_t word)
{
    const bool store_exclusive = (word & 0x3fe00000) == 0x08000000;
    const bool store_exclusive_pair = (word & 0xbfe00000) == 0x88200000;

    return is_a64_scalable(word) || is_a64_zero_line(word) || store_exclusive ||
           store_exclusive_pair;
}
