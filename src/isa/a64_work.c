/* The work of A64's data processing: the letters of rows (a64.def), and the bits that they name. */
#include "isa/a64.h"

/* The exponent of two in bytes of what a field of scalar floating point says: 0 single, 1 double, 3
 * half precision. */
static unsigned precision(unsigned type)
{
    static const uint8_t exponents[4] = {2, 3, 0, 1};

    return exponents[type];
}

/* The immediate of a shift: its highest 1 bit gives the size of elements, the rest the distance. */
static unsigned highest(unsigned bits)
{
    unsigned exponent = 3;

    while (exponent > 0 && (bits >> exponent & 1) == 0)
        exponent--;
    return exponent;
}

/* The exponent of two in the bytes of the largest elements. */
static unsigned element(char size, uint32_t word)
{
    const unsigned type = precision(field(word, 23, 22)), to = precision(field(word, 16, 15));

    switch (size) {
    case 'h':
        return 1;
    case 's':
        return 2;
    case 'd':
        return 3;
    case 'z':
        return field(word, 23, 22);
    case 'Z':
        return field(word, 23, 22) + 1;
    case 'x':
        return bit(word, 22) ? 3 : 2;
    case 'p':
        return type;
    case 'v':
        return to > type ? to : type;
    case 'i':
        return highest(field(word, 22, 19));
    case 'I':
        return highest(field(word, 22, 19)) + 1;
    case 'm':
        return field(word, 14, 13);
    case 'M':
        return field(word, 24, 23);
    case 'k':
        return highest(field(word, 23, 22) << 2 | field(word, 9, 8));
    case 'K':
        return highest(field(word, 23, 22) << 2 | field(word, 20, 19));
    case 'j':
        return highest((unsigned)bit(word, 22) << 2 | field(word, 20, 19)) + 1;
    }
    return 0;
}

/* Bit 28 is that of one element in a V register. */
static unsigned elements_of(const struct a64_form *form, uint32_t word, unsigned bytes)
{
    const bool whole = form->work[2] == 'w' || (form->work[2] != '\0' && form->work[3] == 'w');

    if (form->kind != SVE_NONE)
        return 16 / bytes;
    if (bit(word, 28))
        return 1;
    return (whole || bit(word, 30) ? 16 : 8) / bytes;
}

unsigned a64_element_bytes(const struct a64_form *form, uint32_t word)
{
    return 1u << element(form->work[1], word);
}

static struct insn_work arithmetic(const struct a64_form *form, uint32_t word, enum work_unit unit)
{
    const unsigned bytes = 1u << element(form->work[1], word);
    const char steps = form->work[2];
    struct insn_work work = {.unit = unit, .element_bytes = (uint8_t)bytes};

    if (form->work[0] == 'i' || form->work[0] == 'I')
        return work;
    work.floats = true;
    work.elements = (uint8_t)elements_of(form, word, bytes);
    work.steps = steps >= '1' && steps <= '9' ? (uint8_t)(steps - '0') : 1;
    return work;
}

static bool is_integer(enum insn_class klass)
{
    return klass == CLASS_ALU || klass == CLASS_ALU_SELECT_ADD || klass == CLASS_MOVE ||
           klass == CLASS_ALU_SHIFT || klass == CLASS_MULTIPLY || klass == CLASS_MULTIPLY_LONG ||
           klass == CLASS_MULTIPLY_HIGH || klass == CLASS_DIVIDE || klass == CLASS_CRC ||
           klass == CLASS_ZERO;
}

struct insn_work a64_work(const struct a64_form *form, uint32_t word)
{
    switch (form->work[0]) {
    case 's':
        return arithmetic(form, word, WORK_FLOAT);
    case 'f':
    case 'i':
        return arithmetic(form, word, WORK_SIMD);
    case 't':
        return (struct insn_work){.unit = WORK_FLOAT};
    case 'm':
        return (struct insn_work){.unit = WORK_SIMD};
    case 'c':
        return (struct insn_work){.unit = WORK_CRYPTO};
    case 'F':
    case 'I':
        return arithmetic(form, word, WORK_SCALABLE);
    case 'N':
        return (struct insn_work){.unit = WORK_SCALABLE};
    }
    return (struct insn_work){.unit = is_integer((enum insn_class)form->klass) ? WORK_INTEGER
                                                                               : WORK_NONE};
}
