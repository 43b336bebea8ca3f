#include "cosim/preload_insn.h"

#include "armpmu/trace.h"

enum { TYPE_LSB = 3, TARGET_LSB = 1 }; /* in the hint, bits 4:0 */
enum { TYPE_CODE = 1, TYPE_STORE = 2, TYPE_RESERVED = 3 };

static unsigned type_of(uint32_t word)
{
    return word >> TYPE_LSB & 3;
}

bool preload_insn64_is(uint32_t word)
{
    const bool is_one = (word & 0xff000000) == 0xd8000000 ||  /* of a literal */
                        (word & 0xffc00000) == 0xf9800000 ||  /* base and number */
                        (word & 0xffe00c00) == 0xf8800000 ||  /* PRFUM */
                        ((word & 0xffe00c00) == 0xf8a00800 && /* base and index... */
                         (word & 0x00004000) != 0);           /* ...of a defined extension */

    return is_one && type_of(word) != TYPE_RESERVED;
}

uint64_t preload_insn64_record(uint32_t word, uint64_t address)
{
    const unsigned bits = (type_of(word) == TYPE_CODE ? ARMPMU_PRELOAD_CODE : 0u) |
                          (type_of(word) == TYPE_STORE ? ARMPMU_PRELOAD_STORE : 0u) |
                          ((word >> TARGET_LSB & 3) != 0 ? ARMPMU_PRELOAD_OUTER : 0u);

    return armpmu_system_record(ARMPMU_SYSTEM_PRELOAD, bits) | (address & ARMPMU_RECORD_ADDRESS);
}

/* A first look, before the instruction is decoded. */
static bool may_be_preload(enum armpmu_isa isa, uint32_t word)
{
    return isa == ARMPMU_T32 ? (word & 0xfe10f000) == 0xf810f000
                             : (word & 0xfd300000) == 0xf5100000;
}

bool preload_insn_find(struct decoder *decoder, enum armpmu_isa isa, uint32_t word,
                       struct insn_sum *sum)
{
    const uint32_t text = isa == ARMPMU_T32 ? word << 16 | word >> 16 : word;
    uint8_t bytes[sizeof text];
    struct insn insn;

    if (!may_be_preload(isa, word))
        return false;
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(text >> 8 * i);
    decode_single(decoder, isa, bytes, sizeof bytes, 0, &insn);
    *sum = insn.sum;
    return insn.klass == CLASS_PRELOAD && sum->known && (sum->index == 0 || sum->base != REG_PC) &&
           (sum->index == 0 || sum->shift_by != SHIFT_ROR || sum->shift != 0);
}

uint64_t preload_insn_record(uint32_t address)
{
    return armpmu_system_record(ARMPMU_SYSTEM_PRELOAD, 0) | address;
}
