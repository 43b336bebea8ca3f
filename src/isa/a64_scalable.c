/* The meaning of an SVE instruction's bits beyond the registers that its row names:
 * the size of elements, what it does with memory, and the first fault register.
 *
 * Elements that a predicate leaves out are not accessed, so that an access has at most the bytes
 * given here. */
#include "isa/a64.h"

static bool is_load(const struct insn *insn)
{
    return insn->klass == CLASS_NEON_LOAD;
}

/* The registers from the first on, Z31 followed by Z0, that an LD2 or its like transfers. */
static void move_vectors(struct insn *insn, unsigned first, unsigned n)
{
    insn->operations = (uint8_t)n;
    for (unsigned i = 0; i < n; i++) {
        const uint64_t set = REG_V((first + i) % 32);
        if (is_load(insn))
            insn->writes |= set;
        else
            insn->reads |= set, insn->reads_late |= set;
    }
}

static void access(struct insn *insn, unsigned bytes, bool partial)
{
    insn->memory = (struct insn_memory){
        .load = is_load(insn),
        .store = !is_load(insn),
        .neon = true,
        .multiple = true,
        .partial = partial,
        .bytes = (uint16_t)bytes,
        .align = 1,
    };
}

static void fault_first(struct insn *insn)
{
    insn->memory.first_fault = true;
    insn->scalable.reads |= REG_FFR;
    insn->scalable.writes |= REG_FFR;
}

/* Exponents of two in the bytes of an element in memory and in the register, by field dtype.
 * Source: Arm DDI 0487, SVE encodings, LD1B to LD1D. */
static const struct {
    uint8_t memory, in_register;
} types[16] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {2, 3}, {1, 1}, {1, 2}, {1, 3},
               {1, 3}, {1, 2}, {2, 2}, {2, 3}, {0, 3}, {0, 2}, {0, 1}, {3, 3}};

static void access_contiguous(uint32_t word, unsigned vector_bytes, struct insn *insn)
{
    const unsigned type = field(word, 24, 21);
    const unsigned memory = is_load(insn) ? types[type].memory : field(word, 24, 23);
    const unsigned in_register = is_load(insn) ? types[type].in_register : field(word, 22, 21);

    insn->scalable.element_bytes = (uint8_t)(1u << in_register);
    access(insn, vector_bytes >> (in_register - memory), true);
}

static void access_replicated(uint32_t word, struct insn *insn)
{
    const unsigned type = field(word, 24, 23) << 2 | field(word, 14, 13);

    insn->scalable.element_bytes = (uint8_t)(1u << types[type].in_register);
    access(insn, 1u << types[type].memory, true);
}

/* CHOICE(sve-gather): bytes of one element. Bit 13 of loads says that they end at the first fault,
 * but of the non-temporal ones. */
static void access_gathered(const struct a64_form *form, uint32_t word, struct insn *insn)
{
    const bool plain = field(word, 22, 21) == 0 && bit(word, 15);

    insn->scalable.element_bytes = form->bytes;
    access(insn, 1u << field(word, 24, 23), true);
    insn->memory.scattered = true;
    if (is_load(insn) && bit(word, 13) && !plain)
        fault_first(insn);
}

static void access_vectors(uint32_t word, unsigned vector_bytes, struct insn *insn)
{
    const unsigned n = field(word, 22, 21) + 1;

    insn->scalable.element_bytes = (uint8_t)(1u << field(word, 24, 23));
    access(insn, n * vector_bytes, true);
    move_vectors(insn, field(word, 4, 0), n);
}

static void name_registers(const struct a64_form *form, uint32_t word, struct insn *insn)
{
    const uint64_t pair = REG_V(field(word, 9, 5)) | REG_V((field(word, 9, 5) + 1) % 32);

    switch ((enum sve_kind)form->kind) {
    case SVE_PAIR:
    case SVE_EXTRACT_PAIR:
        insn->reads |= pair;
        break;
    case SVE_READ_FFR:
    case SVE_READ_FFR_GOVERNED:
    case SVE_READ_FFR_SET:
        insn->scalable.reads |= REG_FFR;
        break;
    case SVE_WRITE_FFR:
        insn->scalable.writes |= REG_FFR;
        break;
    default:
        break;
    }
}

/* An immediate as logical instructions of 64 bits have it, in bits 17:5. */
static bool is_mask(uint32_t word)
{
    return a64_is_bit_mask(UINT32_C(1) << 31 | (uint32_t)bit(word, 17) << 22 |
                           field(word, 10, 5) << 10);
}

bool a64_complete_sve(const struct a64_form *form, uint32_t word, unsigned vector_bytes,
                      struct insn *insn)
{
    insn->scalable.kind = (enum sve_kind)form->kind;
    insn->scalable.element_bytes = (uint8_t)a64_element_bytes(form, word);
    name_registers(form, word, insn);
    switch ((enum a64_operation)form->operation) {
    case A64_WHOLE:
        access(insn, vector_bytes, false);
        return true;
    case A64_WHOLE_PREDICATE:
        access(insn, vector_bytes / 8, false);
        return true;
    case A64_CONTIGUOUS:
        access_contiguous(word, vector_bytes, insn);
        return true;
    case A64_FIRST:
        access_contiguous(word, vector_bytes, insn);
        fault_first(insn);
        return true;
    case A64_GATHERED:
        access_gathered(form, word, insn);
        return true;
    case A64_REPLICATED:
        access_replicated(word, insn);
        return true;
    case A64_QUADWORD:
        insn->scalable.element_bytes = (uint8_t)(1u << field(word, 24, 23));
        access(insn, 16, true);
        return true;
    case A64_VECTORS:
        access_vectors(word, vector_bytes, insn);
        return true;
    default:
        return form->kind != SVE_MASK || is_mask(word);
    }
}
