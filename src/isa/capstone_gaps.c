/* What capstone 4.0.2 gets wrong about whole instructions; docs/decode.md has the list with
 * examples.
 *
 *  - It takes some words for instructions that ARMv7-A, or QEMU where the manual leaves the choice,
 *    has undefined.
 *  - It refuses words whose should-be bits (those the manual prints in parentheses) are not as they
 *    should be. Cores and QEMU run them as what they look like, so capstone is asked again for the
 *    word as it should be.
 *
 * What it gets wrong about operands and flags is put right where those are read. */
#include "isa/decoder.h"

#include <stddef.h>

/* VLDM and VSTM, VFP's in both instruction sets but for the condition: no register, more than there
 * are, or more than 16 doublewords. Capstone shortens the list. */
static bool list_is_wrong(uint32_t word)
{
    const bool doubles = bit(word, 8);
    const unsigned first = doubles ? bit(word, 22) * 16u + field(word, 15, 12)
                                   : field(word, 15, 12) * 2u + bit(word, 22);
    const unsigned count = field(word, 7, 0) >> (doubles ? 1 : 0);

    return count == 0 || first + count > 32 || (doubles && count > 16);
}

static bool is_vfp_multiple(uint32_t word)
{
    const bool before = bit(word, 24), up = bit(word, 23), writes_back = bit(word, 21);

    return (word & 0x0e000e00) == 0x0c000a00 && (before != up || writes_back) &&
           !(before && !writes_back) && (up || writes_back);
}

/* MSR of no field; MRS and MSR of banked registers are of a later extension. */
static bool status_is_wrong(const struct encoding *code)
{
    const uint32_t word = code->word;

    if (code->isa == ARMPMU_T32) {
        const bool writes = (word & 0xffe0d000) == 0xf3808000;
        const bool reads = (word & 0xffe0d000) == 0xf3e08000;
        return ((writes || reads) && bit(word, 5)) || (writes && field(word, 11, 8) == 0);
    }
    if ((word & 0x0fff0000) == 0x03600000)
        return true;
    if ((word & 0x0f9000f0) != 0x01000000)
        return false;
    return bit(word, 9) || (bit(word, 21) && field(word, 19, 16) == 0);
}

/* A32's LDRD, STRD, LDREXD, STREXD of an odd register and the next one, the last two of LR and PC;
 * LDRD and STRD have no unprivileged form. */
static bool pair_is_wrong(uint32_t word)
{
    if ((word & 0x0e1000d0) == 0x000000d0)
        return bit(word, 12) || (!bit(word, 24) && bit(word, 21));
    const unsigned first = bit(word, 20) ? field(word, 15, 12) : field(word, 3, 0);
    return (word & 0x0fe000f0) == 0x01a00090 && ((first & 1) != 0 || first == 14);
}

/* T32's LDM and STM of SP; STM of PC, LDM of both LR and PC. */
static bool core_list_is_wrong(uint32_t word)
{
    enum { SP = 13, LR = 14, PC = 15 };
    const bool load = bit(word, 20);

    if ((word & 0xfe400000) != 0xe8000000 || bit(word, 24) == bit(word, 23))
        return false;
    return bit(word, SP) || (bit(word, PC) && (!load || bit(word, LR)));
}

/* A32's CPS that changes nothing. */
static bool change_is_wrong(uint32_t word)
{
    return (word & 0xfff10000) == 0xf1000000 && !bit(word, 19) && (bit(word, 18) || !bit(word, 17));
}

/* T32's REV and its like, RBIT and CLZ have their source twice. */
static bool source_is_wrong(uint32_t word)
{
    const bool reverses = (word & 0xfff0f0c0) == 0xfa90f080;
    const bool counts = (word & 0xfff0f0f0) == 0xfab0f080;

    return (reverses || counts) && field(word, 19, 16) != field(word, 3, 0);
}

/* VMRS and VMSR of MVFR2, which came with Armv8; VMRS to the flags of anything but FPSCR. */
static bool vfp_system_is_wrong(uint32_t word)
{
    const unsigned number = field(word, 19, 16);

    if ((word & 0x0fe00f10) != 0x0ee00a10)
        return false;
    return number == 5 || (bit(word, 20) && number != 1 && field(word, 15, 12) == 15);
}

/* LDC2 and STC2 of VFP's coprocessors; VLDM, VSTM of a wrong list. */
static bool coprocessor_is_wrong(uint32_t word)
{
    if (word >> 28 == 15)
        return (word & 0x0e000e00) == 0x0c000a00;
    if (vfp_system_is_wrong(word))
        return true;
    return is_vfp_multiple(word) && list_is_wrong(word);
}

bool encoding_is_undefined(const struct encoding *code)
{
    if (code->size == 2)
        return false;
    if (code->isa == ARMPMU_T32)
        return (code->word >> 29 == 7 && coprocessor_is_wrong(code->word)) ||
               status_is_wrong(code) || source_is_wrong(code->word) ||
               core_list_is_wrong(code->word);
    return coprocessor_is_wrong(code->word) || change_is_wrong(code->word) ||
           (code->word >> 28 != 15 && (pair_is_wrong(code->word) || status_is_wrong(code)));
}

/* A word of the instruction set matches when word & mask == value. */
struct should_be {
    bool a32, t32;
    uint32_t mask, value, zero, one;
};

static const struct should_be rows[] = {
#define A32(mask, value, zero, one) {true, false, mask, value, zero, one},
#define T32(mask, value, zero, one) {false, true, mask, value, zero, one},
#define VFP(mask, value, zero, one) {true, true, mask, value, zero, one},
#include "isa/should_be.def"
#undef A32
#undef T32
#undef VFP
};

static bool row_applies(const struct should_be *row, const struct encoding *code, uint32_t word)
{
    const bool conditional = row->mask >> 28 == 0;

    if (code->isa == ARMPMU_A32 ? !row->a32 : !row->t32)
        return false;
    return (word & row->mask) == row->value && !(conditional && word >> 28 == 15);
}

uint32_t encoding_as_it_should_be(const struct encoding *code)
{
    uint32_t word = code->word;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (row_applies(&rows[i], code, word))
            word = (word & ~rows[i].zero) | rows[i].one;
    }
    return word;
}
