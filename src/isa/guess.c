/* A32 or T32: engines that hand out bytes and text but not the instruction set.
 *
 * Their text comes from capstone, as ours does here; that is what capstone is used for. */
#include "isa/insn.h"

#include <capstone/capstone.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "isa/decoder.h"

struct decoder {
    csh a32, t32;
    cs_insn *insn; /* written anew by each disassembly */
};

enum armpmu_status decoder_new(struct decoder **out, struct armpmu_error *err)
{
    struct decoder *decoder = calloc(1, sizeof *decoder);

    *out = NULL;
    if (decoder == NULL)
        goto no_memory;
    if (cs_open(CS_ARCH_ARM, CS_MODE_ARM, &decoder->a32) != CS_ERR_OK ||
        cs_open(CS_ARCH_ARM, CS_MODE_THUMB, &decoder->t32) != CS_ERR_OK)
        goto no_memory;
    decoder->insn = cs_malloc(decoder->a32);
    if (decoder->insn == NULL)
        goto no_memory;
    *out = decoder;
    return ARMPMU_OK;

no_memory:
    decoder_free(decoder);
    return fail(err, ARMPMU_NO_MEMORY, "no memory for the instruction decoder");
}

void decoder_free(struct decoder *decoder)
{
    if (decoder == NULL)
        return;
    if (decoder->insn != NULL)
        cs_free(decoder->insn, 1);
    if (decoder->a32 != 0)
        cs_close(&decoder->a32);
    if (decoder->t32 != 0)
        cs_close(&decoder->t32);
    free(decoder);
}

/* Whether all instructions can be 32-bit T32 instructions. Of the last one that is not certain when
 * its four bytes end with a page: an engine may have looked at the halfword behind a short one to
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

/* The length of what two texts have in common at their start, taking runs of blanks as one and
 * leaving trailing ones out. */
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
static unsigned likeness(struct decoder *decoder, csh handle,
                         const struct armpmu_block_source *source, const char *disassembly)
{
    char ours[sizeof decoder->insn->mnemonic + sizeof decoder->insn->op_str + 1];
    const char *theirs = skip_blanks(disassembly);
    const uint8_t *bytes = source->bytes;
    uint64_t address = source->address;
    size_t n_bytes = 4;

    if (!cs_disasm_iter(handle, &bytes, &n_bytes, &address, decoder->insn))
        return 0;
    const size_t mnemonic = strlen(decoder->insn->mnemonic);
    strcpy(ours, decoder->insn->mnemonic);
    strcat(ours, " ");
    strcat(ours, decoder->insn->op_str);
    if (same_text(ours, disassembly))
        return 2;
    return mnemonic > 0 && mnemonic == strcspn(theirs, " \t") &&
           memcmp(theirs, decoder->insn->mnemonic, mnemonic) == 0;
}

enum armpmu_isa decode_guess_isa(struct decoder *decoder, const struct armpmu_block_source *source,
                                 const char *disassembly)
{
    if (source->n_bytes != 4 * (uint64_t)source->n_insns || (source->address & 2) != 0)
        return ARMPMU_T32;
    if (source->bytes == NULL || source->n_insns == 0 || !all_long(source))
        return ARMPMU_A32;
    if (disassembly != NULL) {
        const unsigned a32 = likeness(decoder, decoder->a32, source, disassembly);
        const unsigned t32 = likeness(decoder, decoder->t32, source, disassembly);
        if (a32 != t32)
            return a32 > t32 ? ARMPMU_A32 : ARMPMU_T32;
    }
    return decode_count_undefined(source, ARMPMU_T32) < decode_count_undefined(source, ARMPMU_A32)
               ? ARMPMU_T32
               : ARMPMU_A32;
}
