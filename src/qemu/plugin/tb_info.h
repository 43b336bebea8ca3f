/* A block as QEMU shows it while it translates: sizes, bytes, instruction set. */
#ifndef QEMU_PLUGIN_TB_INFO_H
#define QEMU_PLUGIN_TB_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "qemu/plugin/abi.h"
#include "qemu/ring/layout.h"
#include "isa/insn.h"

/* Facts that the plugin finds out about a block while it is translated. */
struct tb_info {
    uint64_t address;
    unsigned n_insns;
    unsigned n_bytes;
    enum ring_isa isa;
    uint8_t it_state; /* at its start, as far as the recorder knows it */
    bool peeked;      /* QEMU looked past an instruction, as it does in T32 only */
    uint8_t size[RING_INSNS_MAX];
    uint8_t bytes[4 * RING_INSNS_MAX];
};

/* How this QEMU gives an instruction's bytes: one of the two is set before the first block. */
extern qemu_insn_data_v1 tb_info_insn_data_v1;
extern qemu_insn_data_v3 tb_info_insn_data_v3;

/* Reads CPSR of the processor whose callback runs; NULL where QEMU shows no registers. Set before
 * the first block. */
extern bool (*tb_info_cpsr)(uint32_t *cpsr);

/* Reads a block that is about to be executed; false when it has more instructions than QEMU ever
 * puts into one. Its instruction set is unknown only where it has no bytes, or where QEMU shows
 * neither registers nor a text that tells. */
bool tb_info_read(const struct qemu_plugin_tb *tb, bool is_a64, struct tb_info *info);

/* Returns whether this QEMU shows one of them, of this block of A32 or T32. */
bool tb_info_shows_isa(const struct qemu_plugin_tb *tb);

#define TB_INFO_NO_ISA                                                                             \
    "this QEMU does not say whether code is A32 or T32: it shows no registers, as those before "   \
    "version 9, and its disassembly does not tell, as when it was built without capstone; name "   \
    "another with --qemu or ARMPMU_QEMU"

/* Opens the decoder, before the first block, for what this QEMU executes. False without memory. */
extern struct decoder *tb_info_decoder;
bool tb_info_start(const struct qemu_info *info);

/* Decodes the instruction of `size` bytes at byte `at` of a block. it_state: before it, of T32. */
void tb_info_decode(const struct tb_info *info, unsigned at, unsigned size, uint8_t it_state,
                    struct insn *insn);

/* The accesses of an instruction. */
struct access_facts {
    enum mem_class mem_class; /* what QEMU shows */
    bool governed;            /* by a predicate of SVE that is recorded */
    bool conditional; /* an access may be left out though it executes: a condition, the exclusive
                         monitor, a predicate */
    bool once;        /* QEMU always shows it, as one access; never said of A64 */
};

/* The accesses of the instruction of `size` bytes at byte `at` of a block whose instruction set is
 * known. */
struct access_facts tb_info_access(const struct tb_info *info, unsigned at, unsigned size,
                                   uint8_t it_state);

static inline uint16_t tb_info_halfword(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static inline uint32_t tb_info_word(const uint8_t *bytes)
{
    return (uint32_t)tb_info_halfword(bytes + 2) << 16 | tb_info_halfword(bytes);
}

#endif
