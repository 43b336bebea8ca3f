/* Tells A32 from T32 for engines that provide bytes and text but neither the instruction set nor
 * registers.
 *
 * Their text comes from capstone, as the one it is compared with does. */
#include "isa/insn.h"

#include <string.h>

#include "isa/decoder.h"

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* Returns whether two texts are the same when runs of blanks count as one and those at the ends as
 * none. */
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
static unsigned likeness(struct decoder *decoder, enum armpmu_isa isa, uint64_t address,
                         const uint8_t *bytes, const char *text)
{
    const char *theirs = skip_blanks(text);
    struct insn_text ours;

    if (!capstone_text(decoder->capstone, isa, bytes, address, &ours))
        return 0;
    const size_t length = strlen(ours.mnemonic);
    if (length == 0 || length != strcspn(theirs, " \t") ||
        memcmp(theirs, ours.mnemonic, length) != 0)
        return 0;
    return same_text(ours.operands, theirs + length) ? 2 : 1;
}

bool decode_isa_of_text(struct decoder *decoder, uint64_t address, const uint8_t *bytes,
                        const char *text, enum armpmu_isa *isa)
{
    const unsigned a32 = likeness(decoder, ARMPMU_A32, address, bytes, text);
    const unsigned t32 = likeness(decoder, ARMPMU_T32, address, bytes, text);

    *isa = a32 > t32 ? ARMPMU_A32 : ARMPMU_T32;
    return a32 != t32;
}
