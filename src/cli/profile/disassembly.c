#include "cli/profile/disassembly.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/order.h"
#include "isa/decoder.h"

#define IT_BLOCK_MOST 4 /* instructions */

struct disassembly {
    const struct profile *profile;
    struct capstone *capstone;
    struct decoder *decoder; /* NULL: not needed yet */
    uint32_t *insns;         /* by object and address */
    uint32_t *positions;     /* of each instruction in insns */
};

/* ---- order ---- */

static int by_address(const void *left, const void *right, void *of)
{
    const struct profile *const p = of;
    const uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
    const struct profile_insn *const a = &p->insns[x], *const b = &p->insns[y];

    return ORDER(a->object, b->object, a->address, b->address, x, y);
}

static bool sort(struct disassembly *d)
{
    const size_t n = d->profile->n_insns;

    d->insns = malloc((n + 1) * sizeof *d->insns);
    d->positions = malloc((n + 1) * sizeof *d->positions);
    if (d->insns == NULL || d->positions == NULL)
        return false;
    for (uint32_t i = 0; i < n; i++)
        d->insns[i] = i;
    qsort_r(d->insns, n, sizeof *d->insns, by_address, (void *)d->profile);
    for (uint32_t i = 0; i < n; i++)
        d->positions[d->insns[i]] = i;
    return true;
}

struct disassembly *disassembly_new(const struct profile *profile)
{
    struct disassembly *const d = calloc(1, sizeof *d);

    if (d == NULL)
        return NULL;
    d->profile = profile;
    d->capstone = capstone_new();
    if (d->capstone != NULL && sort(d))
        return d;
    disassembly_free(d);
    return NULL;
}

void disassembly_free(struct disassembly *d)
{
    if (d == NULL)
        return;
    capstone_free(d->capstone);
    decoder_free(d->decoder);
    free(d->insns);
    free(d->positions);
    free(d);
}

/* ---- text ---- */

static const struct profile_insn *at(const struct disassembly *d, uint32_t position)
{
    return &d->profile->insns[d->insns[position]];
}

static bool is_next(const struct profile_insn *before, const struct profile_insn *after)
{
    return before->object == after->object && before->isa == ARMPMU_T32 && before->n_bytes > 0 &&
           before->address + before->n_bytes == after->address;
}

/* Where the IT instruction of an instruction may be. */
static uint32_t block_begins(const struct disassembly *d, uint32_t position)
{
    for (unsigned i = 0; i < IT_BLOCK_MOST && position > 0; i++, position--)
        if (!is_next(at(d, position - 1), at(d, position)))
            break;
    return position;
}

static bool disassemble(struct disassembly *d, uint32_t position, struct insn_text *text)
{
    const struct profile_insn *const last = at(d, position);
    bool is_known = false;

    if (last->isa != ARMPMU_T32)
        return capstone_text(d->capstone, last->isa, last->bytes, last->address, text);
    for (uint32_t i = block_begins(d, position); i <= position; i++)
        is_known = capstone_text_in_order(d->capstone, ARMPMU_T32, at(d, i)->bytes,
                                          at(d, i)->address, text);
    return is_known;
}

static void hexadecimal_text(const struct profile_insn *insn, int width, char *text)
{
    int n = snprintf(text, DISASSEMBLY_TEXT, "%-*s 0x", width, ".inst");

    for (int i = insn->n_bytes; i > 0; i--)
        n += snprintf(text + n, (size_t)(DISASSEMBLY_TEXT - n), "%02x", insn->bytes[i - 1]);
}

void disassembly_text(struct disassembly *d, uint32_t number, int width,
                      char text[DISASSEMBLY_TEXT])
{
    const struct profile_insn *const insn = &d->profile->insns[number];
    struct insn_text known;

    text[0] = '\0';
    if (insn->n_bytes == 0)
        return;
    if (!disassemble(d, d->positions[number], &known))
        hexadecimal_text(insn, width, text);
    else if (known.operands[0] == '\0')
        snprintf(text, DISASSEMBLY_TEXT, "%s", known.mnemonic);
    else
        snprintf(text, DISASSEMBLY_TEXT, "%-*s %s", width, known.mnemonic, known.operands);
}

/* ---- meaning ---- */

bool disassembly_decode(struct disassembly *d, uint32_t number, struct insn *out)
{
    const struct profile_insn *const insn = &d->profile->insns[number];
    struct armpmu_error err;

    if (insn->n_bytes == 0 ||
        (d->decoder == NULL && decoder_new_blank(&d->decoder, &err) != ARMPMU_OK) ||
        !decoder_learn(d->decoder, insn->isa))
        return false;
    decode_single(d->decoder, insn->isa, insn->bytes, insn->n_bytes, 0, out);
    return true;
}

uint32_t disassembly_before(const struct disassembly *d, uint32_t number)
{
    const uint32_t position = d->positions[number];
    const struct profile_insn *const insn = &d->profile->insns[number];

    if (position == 0)
        return PROFILE_NONE;
    const struct profile_insn *const before = at(d, position - 1);
    return before->object == insn->object && before->n_bytes > 0 &&
                   before->address + before->n_bytes == insn->address
               ? d->insns[position - 1]
               : PROFILE_NONE;
}
