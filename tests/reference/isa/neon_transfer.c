/* NEON element and structure loads and stores (VLD1 to VLD4, VST1 to VST4), in the A32 layout. */
#include "facts.h"

/* What one of them moves: `count` registers, `step` apart. */
struct structure {
    unsigned count, step;
    unsigned bytes; /* in memory, all together */
    unsigned align;
    bool several; /* more than one element or register */
};

/* The types of the multiple-structure forms: registers and the distance between them. */
static bool multiple_structures(uint32_t word, struct structure *out)
{
    static const struct {
        uint8_t count, elements; /* elements: n of VLDn, 0 for no instruction */
    } types[16] = {
        [0] = {4, 4}, [1] = {4, 4}, [2] = {4, 1}, [3] = {4, 2}, [4] = {3, 3}, [5] = {3, 3},
        [6] = {3, 1}, [7] = {1, 1}, [8] = {2, 2}, [9] = {2, 2}, [10] = {2, 1}};
    const unsigned type = field(word, 11, 8), align = field(word, 5, 4), size = field(word, 7, 6);
    const unsigned count = types[type].count, elements = types[type].elements;
    const bool spaced = type == 1 || type == 5 || type == 9;

    if (count == 0 || (elements != 1 && size == 3))
        return false;
    if ((count == 1 || count == 3) && align > 1)
        return false;
    if (count == 2 && align == 3)
        return false;
    *out = (struct structure){.count = count,
                              .step = spaced ? 2 : 1,
                              .bytes = 8 * count,
                              .align = align == 0 ? 1u << size : 4u << align,
                              .several = count > 1 || size < 3};
    return true;
}

/* One element of each register. */
static bool one_lane(uint32_t word, struct structure *out)
{
    const unsigned size = field(word, 11, 10), n = field(word, 9, 8) + 1;
    const unsigned index = field(word, 7, 4), bytes = 1u << size;
    const unsigned spacing = size == 0 ? 0 : size == 1 ? index >> 1 & 1 : index >> 2 & 1;
    unsigned align = bytes;

    if (n == 1 && (size == 2 ? ((index & 3) == 1 || (index & 3) == 2) : false))
        return false;
    if (n == 1 && (index & (size == 0 ? 1 : size == 1 ? 2 : 4)) != 0)
        return false;
    if (n == 2 && size == 2 && (index & 2) != 0)
        return false;
    if (n == 3 && (index & (size == 2 ? 3 : 1)) != 0)
        return false;
    if (n == 4 && size == 2 && (index & 3) == 3)
        return false;
    if ((n == 2 || n == 4) && (index & 1) != 0 && !(n == 4 && size == 2))
        align = n * bytes;
    if (n == 4 && size == 2 && (index & 3) != 0)
        align = 4u << (index & 3);
    *out = (struct structure){
        .count = n, .step = spacing + 1, .bytes = n * bytes, .align = align, .several = n > 1};
    return true;
}

/* One structure to all lanes; loads only. */
static bool all_lanes(uint32_t word, struct structure *out)
{
    const unsigned n = field(word, 9, 8) + 1, size = field(word, 7, 6);
    const bool wide = bit(word, 5), aligned = bit(word, 4);
    unsigned bytes = 1u << size, align;

    if (!bit(word, 21))
        return false;
    if (size == 3 && !(n == 4 && aligned))
        return false;
    if ((n == 3 || (n == 1 && size == 0)) && aligned)
        return false;
    if (size == 3)
        bytes = 4;
    align = !aligned    ? bytes
            : n == 1    ? bytes
            : n == 2    ? 2 * bytes
            : size == 3 ? 16
            : size == 2 ? 8
                        : 4 * bytes;
    *out = (struct structure){.count = n == 1 && wide ? 2 : n,
                              .step = n > 1 && wide ? 2 : 1,
                              .bytes = n * bytes,
                              .align = align,
                              .several = n > 1};
    return true;
}

static uint64_t registers(uint32_t word, const struct structure *structure)
{
    const unsigned first = bit(word, 22) * 16u + field(word, 15, 12);
    uint64_t set = 0;

    for (unsigned i = 0; i < structure->count; i++) {
        const unsigned n = first + i * structure->step;
        set |= REG_D(n);
    }
    return set;
}

bool neon_transfer(uint32_t word, struct insn *insn)
{
    const bool lanes = bit(word, 23), replicates = lanes && field(word, 11, 10) == 3;
    const unsigned rm = field(word, 3, 0), first = bit(word, 22) * 16u + field(word, 15, 12);
    struct structure structure;

    if (!(replicates ? all_lanes(word, &structure)
          : lanes    ? one_lane(word, &structure)
                     : multiple_structures(word, &structure)))
        return false;
    if (first + (structure.count - 1) * structure.step > 31)
        return false;
    const struct transfer facts = {.load = bit(word, 21),
                                   .post = rm != 15,
                                   .writes_back = rm != 15,
                                   .bytes = (uint8_t)structure.bytes,
                                   .align = (uint8_t)structure.align,
                                   .base = field(word, 19, 16),
                                   .index = rm < 13 || rm == 14 ? REG_R(rm) : 0,
                                   .data = registers(word, &structure)};
    fact_transfer(insn, &facts);
    insn->klass = facts.load ? CLASS_NEON_LOAD : CLASS_NEON_STORE;
    insn->memory.neon = true;
    insn->memory.multiple = structure.several;
    if (facts.load && lanes && !replicates)
        fact_reads_late(insn, facts.data); /* the other lanes stay */
    return true;
}
