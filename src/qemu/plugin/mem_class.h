/* What the recorder must know of an instruction before it runs: whether it may access memory, how
 * often, and whether that depends on a condition. Decided from the bits alone, for ARMv7-A and A64
 * in User mode.
 *
 * Assumes: words that are no instruction of the core never access memory. MEM_CLASS_MULTIPLE is
 * always safe to record. Must say what insn.memory.multiple of isa/insn.h says
 * (tests/qemu/plugin/mem_class.c). */
#ifndef QEMU_PLUGIN_MEM_CLASS_H
#define QEMU_PLUGIN_MEM_CLASS_H

#include <stdbool.h>
#include <stdint.h>

enum memory_shape {
    MEM_CLASS_NONE,     /* never accesses memory                                              */
    MEM_CLASS_SINGLE,   /* one access (SWP: a load and a store at one address)                */
    MEM_CLASS_MULTIPLE, /* several registers or elements at rising addresses: LDM, LDRD, VLD1 */
};

enum memory_shape mem_class_a32(uint32_t word);

/* first: the halfword at the lower address; second: the next one, 0 for a 16-bit instruction. */
enum memory_shape mem_class_t32(uint16_t first, uint16_t second);

enum memory_shape mem_class_a64(uint32_t word);

static inline bool t32_is_long(uint16_t first)
{
    return first >= 0xe800;
}

/* Whether an instruction's access may be left out though the instruction executes: a condition, or
 * the exclusive monitor. */
bool access_is_conditional_a32(uint32_t word);
bool access_is_conditional_a64(uint32_t word);
bool access_is_conditional_t32(uint16_t first, uint16_t second, uint8_t it_state);

#endif
