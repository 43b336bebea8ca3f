/* Fuzzes the decoder against others: the bytes are instructions, six for each.
 *
 * A32 and T32: all facts are those of the independent decoder of tests/reference/isa. A64, of which
 * there is none in C: a branch is one to capstone as well, with the same target, for all that both
 * know. Of all: the facts of an instruction fit together as isa/insn.h says. */
#include <capstone/capstone.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/reference/isa/reference.h"
#include "../tests/isa/row.h"
#include "base/arm.h"
#include "isa/insn.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { ITEM_BYTES = 6 };

static const uint64_t address = 0x8000;
static struct decoder *decoder;
static csh capstone;

static void require(bool holds, const char *rule, uint32_t word)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz-decode: %s (%08x)\n", rule, word);
    abort();
}

static void check_facts(const struct insn *insn, uint32_t word)
{
    const struct insn_memory *const memory = &insn->memory;

    require(insn->condition <= 14, "a condition is at most 14", word);
    require(insn->operations >= 1, "there is one operation at least", word);
    require((insn->reads_early & insn->reads_late) == 0, "early and late exclude each other", word);
    require(((insn->reads_early | insn->reads_late | insn->reads_twice) & ~insn->reads) == 0,
            "what is read early, late or twice is read", word);
    require((insn->writes_back & ~insn->writes) == 0, "what is written back is written", word);
    require(memory->bytes <= 256 && (memory->bytes != 0) == (memory->load || memory->store),
            "an access has bytes, at most 256", word);
    require(memory->bytes == 0 || __builtin_popcount(memory->align) == 1,
            "an alignment is a power of two", word);
}

static bool has_group(const cs_insn *found, uint8_t group)
{
    return cs_insn_group(capstone, found, group);
}

static bool branches(unsigned id)
{
    switch (id) {
    case ARM64_INS_B:
#if CS_API_MAJOR >= 5
    case ARM64_INS_BC:
#endif
    case ARM64_INS_BL:
    case ARM64_INS_BLR:
    case ARM64_INS_BR:
    case ARM64_INS_CBNZ:
    case ARM64_INS_CBZ:
    case ARM64_INS_DRPS:
    case ARM64_INS_ERET:
    case ARM64_INS_RET:
    case ARM64_INS_TBNZ:
    case ARM64_INS_TBZ:
        return true;
    default:
        return false;
    }
}

static void check_branch(const struct insn *insn, uint32_t word, const uint8_t *bytes)
{
    cs_insn *found;

    if (insn->effect == EFFECT_UNDEFINED || cs_disasm(capstone, bytes, 4, address, 1, &found) != 1)
        return;
    require((insn->branch != BRANCH_NONE) == branches(found->id), "capstone knows its branches",
            word);
    const cs_arm64 *const theirs = &found->detail->arm64;
    if (insn->branch == BRANCH_IMMEDIATE)
        require(insn->target == (uint64_t)theirs->operands[theirs->op_count - 1].imm,
                "capstone knows where it goes", word);
    require(!has_group(found, CS_GRP_CALL) || insn->links, "a call links", word);
    cs_free(found, 1);
}

static void check(enum armpmu_isa isa, uint32_t word, uint8_t it)
{
    const unsigned size = isa == ARMPMU_T32 && !t32_is_long((uint16_t)(word >> 16)) ? 2 : 4;
    uint8_t bytes[4];
    struct block *block;

    if (size == 2)
        word >>= 16;
    store_insn(isa, word, size, bytes);
    const struct armpmu_block_source source = {
        .address = address, .bytes = bytes, .n_bytes = size, .n_insns = 1, .isa = isa};
    require(decode_block(decoder, &source, it, &block) == ARMPMU_OK, "one is decoded", word);
    check_facts(&block->insns[0], word);
    if (isa == ARMPMU_A64) {
        check_branch(&block->insns[0], word, bytes);
    } else {
        const struct insn want = reference_decode(isa, word, size, address, it);
        require(insn_is_same(&block->insns[0], &want), "the reference has the same facts", word);
    }
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (decoder == NULL) {
        require(decoder_new(&decoder, NULL) == ARMPMU_OK &&
                    cs_open(CS_ARCH_ARM64, CS_MODE_ARM, &capstone) == CS_ERR_OK,
                "there are decoders", 0);
        cs_option(capstone, CS_OPT_DETAIL, CS_OPT_ON);
    }
    for (; length >= ITEM_BYTES; bytes += ITEM_BYTES, length -= ITEM_BYTES) {
        uint32_t word;
        memcpy(&word, bytes + 2, sizeof word);
        /* An IT block of one instruction, the last of it, or none. */
        const uint8_t it = bytes[0] & 4 ? (uint8_t)((bytes[1] & 0xf0) | 8) : 0;
        check((enum armpmu_isa)(bytes[0] % 3), word, bytes[0] % 3 == ARMPMU_T32 ? it : 0);
    }
    return 0;
}
