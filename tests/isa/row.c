#include "row.h"

#include <stdio.h>
#include <stdlib.h>

#define A32 ARMPMU_A32
#define T32 ARMPMU_T32

/* The encoding as text tells its length. */
#define FORM(isa, word, text, facts) {__LINE__, isa, word, (sizeof #word - 3) / 2, text, facts},
const struct form forms[] = {
#include "forms.def"
};
#undef FORM

const size_t n_forms = sizeof forms / sizeof forms[0];

void store_insn(enum armpmu_isa isa, uint32_t word, unsigned size, uint8_t *bytes)
{
    if (isa == ARMPMU_T32 && size == 4)
        word = word << 16 | word >> 16;
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
}

struct block *decode_bytes(enum armpmu_isa isa, uint64_t address, const uint8_t *bytes,
                           uint32_t n_bytes, uint32_t n_insns, uint8_t it_before)
{
    const struct armpmu_block_source source = {
        .address = address, .bytes = bytes, .n_bytes = n_bytes, .n_insns = n_insns, .isa = isa};
    static struct decoder *decoder; /* one for all: making it takes longer than most blocks */
    struct block *block;

    if ((decoder == NULL && decoder_new(&decoder, NULL) != ARMPMU_OK) ||
        decode_block(decoder, &source, it_before, &block) != ARMPMU_OK) {
        fprintf(stderr, "decoding failed\n");
        exit(1);
    }
    return block;
}

bool insn_is_same(const struct insn *a, const struct insn *b)
{
    const struct insn_memory *m = &a->memory, *n = &b->memory;

    return a->size == b->size && a->condition == b->condition && a->klass == b->klass &&
           a->branch == b->branch && a->effect == b->effect && a->links == b->links &&
           a->compares_zero == b->compares_zero && a->exchanges == b->exchanges &&
           a->orders_stores == b->orders_stores && a->converts == b->converts &&
           a->divides_signed == b->divides_signed && a->doubles == b->doubles &&
           a->adds == b->adds && a->multiplies == b->multiplies && a->target == b->target &&
           a->reads == b->reads && a->reads_early == b->reads_early &&
           a->reads_late == b->reads_late && a->reads_twice == b->reads_twice &&
           a->writes == b->writes && a->writes_back == b->writes_back &&
           a->operations == b->operations && a->accumulates == b->accumulates &&
           a->reads_first == b->reads_first && a->vector.operands == b->vector.operands &&
           m->load == n->load && m->store == n->store && m->neon == n->neon &&
           m->exclusive == n->exclusive && m->multiple == n->multiple && m->bytes == n->bytes &&
           m->align == n->align;
}
