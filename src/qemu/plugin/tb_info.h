/* A block as QEMU shows it while it translates: sizes, bytes, instruction set. */
#ifndef QEMU_PLUGIN_TB_INFO_H
#define QEMU_PLUGIN_TB_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "qemu/plugin/abi.h"
#include "qemu/ring.h"
#include "isa/insn.h"

/* What the plugin finds out about a block while it is translated. */
struct tb_info {
    uint64_t address;
    unsigned n_insns;
    unsigned n_bytes;
    enum ring_isa isa;
    bool peeked; /* QEMU looked behind an instruction, as it does in T32 only */
    uint8_t size[RING_INSNS_MAX];
    uint8_t bytes[4 * RING_INSNS_MAX];
};

/* How this QEMU gives an instruction's bytes: one of the two is set before the first block. */
extern qemu_insn_data_v1 tb_info_insn_data_v1;
extern qemu_insn_data_v3 tb_info_insn_data_v3;

/* Reads a block; false when it has more instructions than QEMU ever puts into one. */
bool tb_info_read(const struct qemu_plugin_tb *tb, struct tb_info *info);

/* Opens the decoder, before the first block. False without memory. */
extern struct decoder *tb_info_decoder;
bool tb_info_start(void);

/* What an instruction does with memory. */
struct access_facts {
    enum mem_class mem_class; /* what QEMU shows */
    bool conditional; /* an access may be left out though it executes: a condition, the exclusive
                         monitor, a predicate */
    bool once;        /* QEMU always shows it, as one access; never said of A64 */
};

/* Of the instruction of `size` bytes at byte `at`. A block of unknown instruction set takes the
 * safe side of both. */
struct access_facts tb_info_access(const struct tb_info *info, unsigned at, unsigned size,
                                   uint8_t it_state);

static inline uint16_t tb_info_halfword(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

#endif
