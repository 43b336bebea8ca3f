/* The address that a PLD names, by the registers of the moment.
 *
 * Source: Arm DDI 0406C, PLD (immediate), PLD (literal), PLD (register). */
#include "unicorn/firmware.h"

#define NO_REGISTER 0xffu

/* base and index: register numbers; shift_kind: as encoded, LSL to ROR. */
struct preload_operands {
    uint8_t base, index, shift_kind, shift;
    bool subtracts;
    uint32_t offset;
};

static bool decode_a32(uint32_t word, struct preload_operands *out)
{
    *out = (struct preload_operands){.base = word >> 16 & 15,
                                     .index = NO_REGISTER,
                                     .subtracts = (word >> 23 & 1) == 0,
                                     .offset = word & 0xfff};
    if ((word & 0xff70f000) == 0xf550f000)
        return true;
    out->index = word & 15;
    out->shift_kind = word >> 5 & 3;
    out->shift = word >> 7 & 31;
    out->offset = 0;
    return (word & 0xff70f010) == 0xf750f000;
}

static bool decode_t32(uint32_t word, struct preload_operands *out)
{
    *out = (struct preload_operands){
        .base = word >> 16 & 15, .index = NO_REGISTER, .offset = word & 0xfff};
    if ((word & 0xff7ff000) == 0xf81ff000) { /* literal */
        out->subtracts = (word >> 23 & 1) == 0;
        return true;
    }
    if ((word & 0xfff0f000) == 0xf890f000)
        return true;
    out->offset = word & 0xff;
    out->subtracts = true;
    if ((word & 0xfff0ff00) == 0xf810fc00)
        return true;
    out->index = word & 15;
    out->shift = word >> 4 & 3;
    out->offset = 0;
    out->subtracts = false;
    return (word & 0xfff0ffc0) == 0xf810f000;
}

static bool decode(enum armpmu_isa isa, uint32_t word, struct preload_operands *out)
{
    return isa == ARMPMU_A32 ? decode_a32(word, out) : decode_t32(word, out);
}

bool preload_is(enum armpmu_isa isa, uint32_t word)
{
    struct preload_operands preload;

    return decode(isa, word, &preload);
}

static uint32_t shifted(uint32_t value, const struct preload_operands *preload, bool carry)
{
    const unsigned n = preload->shift;

    switch (preload->shift_kind) {
    case 0:
        return value << n;
    case 1:
        return n == 0 ? 0 : value >> n;
    case 2:
        return (uint32_t)((int32_t)value >> (n == 0 ? 31 : n));
    default: /* RRX, ROR */
        return n == 0 ? (uint32_t)carry << 31 | value >> 1 : value >> n | value << (32 - n);
    }
}

uint32_t preload_address(const struct firmware *fw, const struct hook *hook, uint32_t cpsr)
{
    struct preload_operands preload;

    (void)decode(hook->isa, hook->word, &preload);
    const uint32_t pc = ((uint32_t)hook->address & ~3u) + (hook->isa == ARMPMU_A32 ? 8 : 4);
    const uint32_t base = preload.base == 15 ? pc : (uint32_t)processor_read(fw, preload.base);
    const uint32_t offset =
        preload.index == NO_REGISTER
            ? preload.offset
            : shifted((uint32_t)processor_read(fw, preload.index), &preload, (cpsr & CPSR_C) != 0);
    return preload.subtracts ? base - offset : base + offset;
}
