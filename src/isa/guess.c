/* A32 or T32: engines that hand out bytes and text but not the instruction set.
 *
 * Their text comes from capstone, as the one it is compared with does. */
#include "isa/insn.h"

#include <string.h>

#include "base/arm.h"
#include "isa/decoder.h"

/* Whether all instructions can be 32-bit T32 instructions. Of the last one that is not certain when
 * its four bytes end with a page: an engine may have looked at the halfword after a short one to
 * see what crosses into the next page. */
static bool all_long(const struct armpmu_block_source *source)
{
    const bool doubt = (source->address + source->n_bytes) % 0x1000 == 0;

    for (uint32_t i = 0; i + doubt < source->n_insns; i++) {
        const uint8_t *bytes = source->bytes + 4 * (size_t)i;
        if (!t32_is_long(bytes[0] | (uint32_t)bytes[1] << 8))
            return false;
    }
    return true;
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* Whether two texts are the same when runs of blanks count as one and those at the ends as none. */
static bool same_text(const char *left, const char *right)
{
    left = skip_blanks(left);
    right = skip_blanks(right);
    while (*left != '\0' && *right != '\0') {
        const bool left_blank = *left == ' ' || *left == '\t';
        const bool right_blank = *right == ' ' || *right == '\t';
        if (left_blank && right_blank) {
            left = skip_blanks(left);
            right = skip_blanks(right);
        } else if (*left++ != *right++) {
            return false;
        }
    }
    return *skip_blanks(left) == '\0' && *skip_blanks(right) == '\0';
}

/* 2: the text is this instruction set's, 1: its mnemonic is, 0: neither. */
static unsigned likeness(struct decoder *decoder, enum armpmu_isa isa,
                         const struct armpmu_block_source *source, const char *disassembly)
{
    const char *theirs = skip_blanks(disassembly), *mnemonic, *operands;

    if (!capstone_text(decoder->capstone, isa, source->bytes, source->address, &mnemonic,
                       &operands))
        return 0;
    const size_t length = strlen(mnemonic);
    if (length == 0 || length != strcspn(theirs, " \t") || memcmp(theirs, mnemonic, length) != 0)
        return 0;
    return same_text(operands, theirs + length) ? 2 : 1;
}

enum armpmu_isa decode_guess_isa(struct decoder *decoder, const struct armpmu_block_source *source,
                                 const char *disassembly)
{
    if (source->n_bytes != 4 * (uint64_t)source->n_insns || (source->address & 2) != 0)
        return ARMPMU_T32;
    if (source->bytes == NULL || source->n_insns == 0 || !all_long(source))
        return ARMPMU_A32;
    if (disassembly != NULL) {
        const unsigned a32 = likeness(decoder, ARMPMU_A32, source, disassembly);
        const unsigned t32 = likeness(decoder, ARMPMU_T32, source, disassembly);
        if (a32 != t32)
            return a32 > t32 ? ARMPMU_A32 : ARMPMU_T32;
    }

    const unsigned a32 = decode_count_undefined(decoder, source, ARMPMU_A32);
    const unsigned t32 = decode_count_undefined(decoder, source, ARMPMU_T32);
    return t32 < a32 ? ARMPMU_T32 : ARMPMU_A32;
}
