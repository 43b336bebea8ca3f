/* VFP and NEON of A32 and T32: kinds of arithmetic, loads and stores of vectors. */
#include "isa/a32.h"

bool complete_vfp(const struct operands *operands, struct insn *insn)
{
    insn->doubles = bit(operands->word, 8);
    return true;
}

bool complete_vfp_add(const struct operands *operands, struct insn *insn)
{
    insn->adds = true;
    return complete_vfp(operands, insn);
}

bool complete_vfp_multiply(const struct operands *operands, struct insn *insn)
{
    insn->multiplies = true;
    return complete_vfp(operands, insn);
}

bool complete_vfp_convert(const struct operands *operands, struct insn *insn)
{
    insn->converts = true;
    return complete_vfp(operands, insn);
}

bool complete_vfp_convert_double(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    insn->converts = true;
    insn->doubles = true;
    return true;
}

static void access_vector(const struct operands *operands, unsigned bytes, unsigned align,
                          struct insn *insn)
{
    a32_access_memory(operands, bytes, align, insn);
    insn->memory.neon = insn->memory.faults = true;
    insn->operations = a32_count_registers(operands->data); /* two S registers are one D register */
    insn->vector.kind = insn->memory.load ? VECTOR_LOAD : VECTOR_STORE;
}

/* VLDR, VSTR */
bool complete_vector_transfer(const struct operands *operands, struct insn *insn)
{
    access_vector(operands, bit(operands->word, 8) ? 8 : 4, 4, insn);
    a32_locate(operands, 4, insn);
    return true;
}

/* Adds the registers loaded or stored. */
static void add_data(struct operands *operands, uint64_t set, unsigned n, struct insn *insn)
{
    operands->data |= set;
    operands->n_data += n;
    if (a32_loads(operands)) {
        insn->writes |= set;
    } else {
        insn->reads |= set;
        insn->reads_late |= set;
    }
}

/* VLDM, VSTM: registers that there are, at most 16 of two words. FLDMX has an odd word after. */
bool complete_vector_multiple(const struct operands *operands, struct insn *insn)
{
    struct operands list = *operands;
    const bool doubles = bit(operands->word, 8);
    const unsigned vector = a32_field(operands, 'd'), extra = a32_field(operands, 'D');
    const unsigned first = doubles ? extra << 4 | vector : vector << 1 | extra;
    const unsigned count = a32_field(operands, 'i') >> (doubles ? 1 : 0);

    if (count == 0 || first + count > 32 || (doubles && count > 16))
        return false;
    for (unsigned n = first; n < first + count; n++)
        add_data(&list, REG_D(doubles ? n : n / 2), 1, insn);
    access_vector(&list, (doubles ? 8 : 4) * count, 4, insn);
    const int32_t bytes = (int32_t)a32_field(operands, 'i') * 4;
    const bool down = !bit(operands->word, 23);
    insn->sum = (struct insn_sum){.known = true,
                                  .base = operands->base,
                                  .number = down ? -bytes : 0,
                                  .step = down ? -bytes : bytes};
    if (a32_field(operands, 'W') != 0)
        a32_write_back(&list, insn);
    return true;
}

static unsigned double_number(const struct operands *operands, char letter, char upper)
{
    return a32_field(operands, upper) << 4 | a32_field(operands, letter);
}

/* VTBL, VTBX: the table's registers have to exist. */
bool complete_table_lookup(const struct operands *operands, struct insn *insn)
{
    const unsigned first = double_number(operands, 'n', 'N');
    const unsigned count = a32_field(operands, 'l') + 1;

    if (first + count > 32)
        return false;
    for (unsigned n = first; n < first + count; n++) {
        insn->reads |= REG_D(n);
        insn->vector.n |= UINT32_C(1) << n;
    }
    if (count > 2)
        insn->vector.kind = VECTOR_TABLE_LARGE;
    return true;
}

/* Bits 21:20 have the size in all multiplications of integers. */
bool complete_vector_multiply(const struct operands *operands, struct insn *insn)
{
    insn->vector.element_bytes = (uint8_t)(1u << field(operands->word, 21, 20));
    return true;
}

bool complete_by_element(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    insn->vector.by_element = true;
    return true;
}

bool complete_multiply_by_element(const struct operands *operands, struct insn *insn)
{
    complete_by_element(operands, insn);
    return complete_vector_multiply(operands, insn);
}

/* VLDn, VSTn: `count` D registers, `step` apart. */
struct structure {
    unsigned count, step;
    unsigned bytes, align;
    bool multiple; /* several elements */
    bool aligned;  /* as insn_memory has it */
};

static bool transfer_structure(const struct operands *operands, const struct structure *structure,
                               struct insn *insn)
{
    struct operands list = *operands;
    const unsigned first = double_number(operands, 'd', 'D');
    const unsigned rm = a32_field(operands, 'm');

    if (first + (structure->count - 1) * structure->step > 31)
        return false;
    for (unsigned i = 0; i < structure->count; i++)
        add_data(&list, REG_D(first + i * structure->step), 1, insn);
    access_vector(&list, structure->bytes, structure->align, insn);
    insn->memory.multiple = structure->multiple;
    insn->memory.aligned = insn->memory.faults = structure->aligned;
    insn->sum = (struct insn_sum){.known = true, .indexed_after = true, .base = operands->base};
    if (rm != PC)
        a32_write_back(&list, insn);
    if (rm == SP)
        insn->sum.step = (int32_t)structure->bytes;
    if (rm != PC && rm != SP) {
        insn->sum.index = REG_R(rm);
        insn->reads |= REG_R(rm);
        insn->reads_early |= REG_R(rm);
    }
    return true;
}

/* Whole registers: of VLD4, VLD1 of four, VLD2 of four, ... in the order of their codes. */
bool complete_structures(const struct operands *operands, struct insn *insn)
{
    static const struct {
        uint8_t count, step, elements; /* elements: n of VLDn */
    } types[16] = {{4, 1, 4}, {4, 2, 4}, {4, 1, 1}, {4, 1, 2}, {3, 1, 3}, {3, 2, 3},
                   {3, 1, 1}, {1, 1, 1}, {2, 1, 2}, {2, 2, 2}, {2, 1, 1}};
    const unsigned type = a32_field(operands, 'k');
    const unsigned size = a32_field(operands, 'z'), align = a32_field(operands, 'a');
    const unsigned count = types[type].count;

    if (count == 0 || (types[type].elements != 1 && size == 3) || ((count & 1) != 0 && align > 1) ||
        (count == 2 && align == 3))
        return false;
    const struct structure structure = {.count = count,
                                        .step = types[type].step,
                                        .bytes = 8 * count,
                                        .align = align == 0 ? 1u << size : 4u << align,
                                        .multiple = count > 1 || size < 3,
                                        .aligned = align != 0};
    if (!transfer_structure(operands, &structure, insn))
        return false;
    const unsigned elements = types[type].elements;
    if (elements > 2)
        insn->vector.kind = insn->memory.load ? VECTOR_LOAD_FOUR : VECTOR_STORE_FOUR;
    else if (elements == 2 && insn->memory.load)
        insn->vector.kind = VECTOR_LOAD_TWO;
    else if (elements == 2 && count == 4)
        insn->vector.kind = VECTOR_STORE_FOUR;
    return true;
}

/* How the element's number and the alignment share the field x, by the element's size and by how
 * many elements there are. Returns the alignment, 0 for no instruction. */
static unsigned lane_align(unsigned size, unsigned elements, unsigned x)
{
    const unsigned bytes = 1u << size, all = elements * bytes;
    const unsigned low = x & (size == 2 ? 3 : 1);

    switch (elements) {
    case 1:
        if (size == 0)
            return low == 0 ? 1 : 0;
        if (size == 1)
            return (x & 2) == 0 ? bytes : 0;
        return (x & 4) == 0 && (low == 0 || low == 3) ? bytes : 0;
    case 2:
        return low > 1 ? 0 : low == 1 ? all : bytes;
    case 3:
        return low == 0 ? bytes : 0;
    }
    if (size == 2)
        return low == 0 ? bytes : low < 3 ? 4u << low : 0;
    return low == 0 ? bytes : all;
}

/* One element of each register; the others stay. */
bool complete_lane(const struct operands *operands, struct insn *insn)
{
    const unsigned size = a32_field(operands, 'z'), x = a32_field(operands, 'x');
    const unsigned elements = a32_field(operands, 'k') + 1;
    const unsigned align = lane_align(size, elements, x);
    const bool spaced = size != 0 && elements != 1 && (x >> size & 1) != 0;
    const struct structure structure = {.count = elements,
                                        .step = spaced ? 2 : 1,
                                        .bytes = elements << size,
                                        .align = align,
                                        .multiple = elements > 1,
                                        .aligned = (x & (size == 2 ? 3 : 1)) != 0};

    if (align == 0 || !transfer_structure(operands, &structure, insn))
        return false;
    if (insn->memory.load) {
        insn->reads |= insn->writes & REGS_NEON;
        insn->reads_late |= insn->writes & REGS_NEON;
        insn->vector.kind = elements > 2 ? VECTOR_LOAD_LANES : VECTOR_LOAD_LANE;
    } else if (elements > 2) {
        insn->vector.kind = VECTOR_STORE_LANES;
    }
    return true;
}

/* One structure to all elements. */
bool complete_all_lanes(const struct operands *operands, struct insn *insn)
{
    const unsigned size = a32_field(operands, 'z'), elements = a32_field(operands, 'k') + 1;
    const bool wide = a32_field(operands, 'Q') != 0, aligned = a32_field(operands, 'a') != 0;
    const unsigned bytes = size == 3 ? 4 : 1u << size;

    if (size == 3 && !(elements == 4 && aligned))
        return false;
    if (aligned && (elements == 3 || (elements == 1 && size == 0)))
        return false;
    const unsigned together = size == 3 ? 16 : elements == 4 && size == 2 ? 8 : elements * bytes;
    const struct structure structure = {.count = elements == 1 && wide ? 2 : elements,
                                        .step = elements > 1 && wide ? 2 : 1,
                                        .bytes = elements * bytes,
                                        .align = aligned ? together : bytes,
                                        .multiple = elements > 1,
                                        .aligned = aligned};
    if (!transfer_structure(operands, &structure, insn))
        return false;
    insn->vector.kind = elements > 2 ? VECTOR_LOAD_ALLS : VECTOR_LOAD_ALL;
    return true;
}
