/* What A64's data processing computes: the letters of rows (a64.def), and the bits they name. */
#include "isa/a64.h"

/* The exponent of two in bytes of what a field of scalar floating point says: 0 single, 1 double, 3
 * half precision. */
static unsigned precision(unsigned type)
{
    static const uint8_t exponents[4] = {2, 3, 0, 1};

    return exponents[type];
}

/* Of a shift by an immediate: its highest one says how large elements are, the rest by how much. */
static unsigned shifted(uint32_t word)
{
    unsigned exponent = 3;

    while (exponent > 0 && !bit(word, 19 + exponent))
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
        return shifted(word);
    case 'I':
        return shifted(word) + 1;
    }
    return 0;
}

/* Bit 28 is that of one element in a V register. */
static unsigned elements_of(const struct a64_form *form, uint32_t word, unsigned bytes)
{
    const bool whole = form->work[2] == 'w' || (form->work[2] != '\0' && form->work[3] == 'w');

    if (bit(word, 28))
        return 1;
    return (whole || bit(word, 30) ? 16 : 8) / bytes;
}

static struct insn_work arithmetic(const struct a64_form *form, uint32_t word, enum work_unit unit)
{
    const unsigned bytes = 1u << element(form->work[1], word);
    const char steps = form->work[2];
    struct insn_work work = {.unit = unit, .element_bytes = (uint8_t)bytes};

    if (form->work[0] == 'i')
        return work;
    work.floats = true;
    work.elements = (uint8_t)elements_of(form, word, bytes);
    work.steps = steps >= '1' && steps <= '9' ? (uint8_t)(steps - '0') : 1;
    return work;
}

static bool is_integer(enum insn_class klass)
{
    return klass == CLASS_ALU || klass == CLASS_MOVE || klass == CLASS_ALU_SHIFT ||
           klass == CLASS_MULTIPLY || klass == CLASS_MULTIPLY_LONG ||
           klass == CLASS_MULTIPLY_HIGH || klass == CLASS_DIVIDE || klass == CLASS_CRC;
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
    }
    return (struct insn_work){.unit = is_integer((enum insn_class)form->klass) ? WORK_INTEGER
                                                                               : WORK_NONE};
}
