/* Blocks: lengths, the IT state that runs through them, and what all instructions have in common.
 */
#include "isa/insn.h"

#include <stdlib.h>

#include "base/arm.h"
#include "base/error.h"
#include "isa/a32.h"
#include "isa/a64.h"

enum armpmu_status decoder_new_blank(struct decoder **out, struct armpmu_error *err)
{
    struct decoder *const decoder = calloc(1, sizeof *decoder);

    *out = NULL;
    if (decoder != NULL)
        decoder->capstone = capstone_new();
    if (decoder == NULL || decoder->capstone == NULL) {
        decoder_free(decoder);
        return fail_no_memory(err, "the instruction decoder");
    }
    *out = decoder;
    return ARMPMU_OK;
}

bool decoder_learn(struct decoder *decoder, enum armpmu_isa isa)
{
    if (isa != ARMPMU_A64) {
        if (decoder->a32 == NULL)
            decoder->a32 = a32_new();
        return decoder->a32 != NULL;
    }
    if (decoder->a64 == NULL && (decoder->a64 = a64_new()) != NULL && decoder->vector_bytes != 0)
        a64_set_vector(decoder->a64, decoder->vector_bytes);
    return decoder->a64 != NULL;
}

enum armpmu_status decoder_new(struct decoder **out, struct armpmu_error *err)
{
    const enum armpmu_status status = decoder_new_blank(out, err);

    if (status != ARMPMU_OK || (decoder_learn(*out, ARMPMU_A32) && decoder_learn(*out, ARMPMU_A64)))
        return status;
    decoder_free(*out);
    *out = NULL;
    return fail_no_memory(err, "the instruction decoder");
}

void decoder_set_vector(struct decoder *decoder, unsigned bytes)
{
    decoder->vector_bytes = bytes;
    if (decoder->a64 != NULL)
        a64_set_vector(decoder->a64, bytes);
}

void decoder_free(struct decoder *decoder)
{
    if (decoder == NULL)
        return;
    a32_free(decoder->a32);
    a64_free(decoder->a64);
    capstone_free(decoder->capstone);
    free(decoder);
}

/* The condition an instruction takes from the IT block it is in; 15 is as good as always. */
static uint8_t it_condition(uint8_t it)
{
    const uint8_t condition = it >> 4;

    return !it_is_inside(it) || condition == 15 ? 14 : condition;
}

static void make_blank(struct insn *insn, uint32_t offset, uint8_t size, uint8_t condition)
{
    *insn = (struct insn){
        .offset = (uint16_t)offset, .size = size, .condition = condition, .operations = 1};
}

static void complete(struct insn *insn)
{
    if (insn->condition == 15)
        insn->condition = 14;
    if (insn->effect == EFFECT_BREAKPOINT)
        insn->condition = 14; /* whatever block it is in */
    if (insn->condition != 14)
        insn->reads |= REG_FLAGS;
    if ((insn->writes & REG_PC) != 0 && insn->branch == BRANCH_NONE)
        insn->branch = BRANCH_INDIRECT;
    insn->reads_late &= ~insn->reads_early;
    if (insn->operations == 0)
        insn->operations = 1;
}

static void make_undefined(struct insn *insn)
{
    const struct insn known = *insn;

    make_blank(insn, known.offset, known.size, 14);
    insn->klass = CLASS_SYSTEM;
    insn->effect = EFFECT_UNDEFINED;
}

static uint32_t word_at(const uint8_t *bytes, enum armpmu_isa isa, uint8_t size)
{
    const uint32_t first = half_at(bytes);

    if (size == 2)
        return first;
    return isa == ARMPMU_T32 ? first << 16 | half_at(bytes + 2) : half_at(bytes + 2) << 16 | first;
}

/* IT changes what follows and nothing else. Returns the IT state after it. */
static uint8_t begin_it(uint32_t half, struct insn *insn)
{
    insn->klass = CLASS_ALU;
    insn->condition = 14; /* whatever block it is in */
    return (uint8_t)(half & 0xff);
}

/* The length of the instruction at offset, and whether all its bytes are there. */
static uint8_t length_at(const struct armpmu_block_source *source, enum armpmu_isa isa,
                         uint32_t offset, bool *present)
{
    const uint32_t n_bytes = source->bytes == NULL ? 0 : source->n_bytes;
    const uint32_t left = offset < n_bytes ? n_bytes - offset : 0;
    uint8_t length = isa == ARMPMU_T32 ? 2 : 4;

    if (isa == ARMPMU_T32 && left >= 2 && t32_is_long(half_at(source->bytes + offset)))
        length = left >= 4 ? 4 : 2;
    *present = left >= length && (length == 4 || !t32_is_long(half_at(source->bytes + offset)));
    return length;
}

/* Decodes the instruction at insn->offset; returns the IT state after it. */
static uint8_t decode_insn(struct decoder *decoder, const struct armpmu_block_source *source,
                           enum armpmu_isa isa, uint32_t offset, uint8_t it, struct insn *insn)
{
    bool present;
    const uint8_t size = length_at(source, isa, offset, &present);

    make_blank(insn, offset, size, it_condition(it));
    if (!present) {
        make_undefined(insn);
        return it_advance(it);
    }
    const uint8_t *bytes = source->bytes + offset;
    if (isa == ARMPMU_A64) {
        if (!a64_decode(decoder->a64, word_at(bytes, isa, size), source->address + offset, insn))
            make_undefined(insn);
        return 0;
    }
    if (size == 2 && it_begins(half_at(bytes)))
        return begin_it(half_at(bytes), insn);

    const struct encoding code = {isa, size, it_is_inside(it), word_at(bytes, isa, size),
                                  source->address + offset};
    if (!a32_decode(decoder->a32, &code, insn))
        make_undefined(insn);
    complete(insn);
    return it_advance(it);
}

void decode_single(struct decoder *decoder, enum armpmu_isa isa, const uint8_t *bytes, uint8_t size,
                   uint8_t it_before, struct insn *out)
{
    const struct armpmu_block_source source = {.bytes = bytes, .n_bytes = size, .n_insns = 1};

    (void)decode_insn(decoder, &source, isa, 0, it_before, out);
}

/* Returns whether n bytes from an address on lie within the address space of the instruction set.
 */
static bool fits(const struct armpmu_block_source *source, uint32_t n_bytes)
{
    const uint64_t top = source->isa == ARMPMU_A64 ? UINT64_MAX : UINT32_MAX;

    return source->address <= top && (n_bytes == 0 || n_bytes - 1 <= top - source->address);
}

enum armpmu_status decode_block(struct decoder *decoder, const struct armpmu_block_source *source,
                                uint8_t it_before, struct block **out)
{
    uint8_t it = source->isa == ARMPMU_T32 ? it_before : 0;
    uint32_t offset = 0;
    struct block *block;

    *out = NULL;
    if (source->n_insns > BLOCK_INSNS_MAX)
        return ARMPMU_BAD_INPUT;
    if (!decoder_learn(decoder, source->isa))
        return ARMPMU_NO_MEMORY;
    block = malloc(sizeof *block + source->n_insns * sizeof block->insns[0]);
    if (block == NULL)
        return ARMPMU_NO_MEMORY;
    for (uint32_t i = 0; i < source->n_insns; i++) {
        it = decode_insn(decoder, source, source->isa, offset, it, &block->insns[i]);
        offset += block->insns[i].size;
    }
    if (!fits(source, offset)) {
        free(block);
        return ARMPMU_BAD_INPUT;
    }
    block->address = source->address;
    block->n_bytes = offset;
    block->n_insns = (uint16_t)source->n_insns;
    block->isa = source->isa;
    block->it_after = it;
    block->index = 0;
    *out = block;
    return ARMPMU_OK;
}
