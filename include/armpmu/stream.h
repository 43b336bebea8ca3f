/* The executed stream: what an engine says about a running program.
 *
 * One 64-bit word per fact, in program order, one stream per guest thread (vCPU):
 *
 *   63..60  kind
 *   BLOCK    31..0  block id: the block starts executing
 *   ACCESS   59..48 instruction index in the block, 47..0 virtual address: a data access
 *   RUN      as ACCESS, for an instruction that makes several accesses at rising addresses; the
 *            next word is the plain number of bytes covered so far, counted from the address
 *   MARK     59..48 instruction index: execution reached this instruction. Engines emit it behind
 *            every access that may be left out (a condition, a store-exclusive) unless that is the
 *            block's last instruction, so that a block cut short can be counted exactly; they may
 *            emit it behind others
 *   SYSCALL  31..0  number: the block's last instruction called the system
 *   SYSRET          the system call came back (absent when it never did)
 *   LOST            the engine lost the thread here (its process executed another program)
 *
 * A block's accesses follow its BLOCK word. An instruction whose access is missing did not make
 * it: its condition failed, or the block was cut short by a fault at or before it. Addresses are
 * 48 bits, sign extended. */
#ifndef ARMPMU_STREAM_H
#define ARMPMU_STREAM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum armpmu_word_kind {
    ARMPMU_WORD_BYTES = 0, /* second word of a RUN */
    ARMPMU_WORD_BLOCK = 1,
    ARMPMU_WORD_ACCESS = 2,
    ARMPMU_WORD_RUN = 3,
    ARMPMU_WORD_MARK = 4,
    ARMPMU_WORD_SYSCALL = 5,
    ARMPMU_WORD_SYSRET = 6,
    ARMPMU_WORD_LOST = 7,
};

#define ARMPMU_WORD_KIND_LSB  60
#define ARMPMU_WORD_INDEX_LSB 48
#define ARMPMU_WORD_INDEX_MAX 0xfff
#define ARMPMU_WORD_ADDRESS   UINT64_C(0xffffffffffff)

/* The constant part of a word about instruction `index`; the address is added with OR. */
static inline uint64_t armpmu_word(enum armpmu_word_kind kind, unsigned index)
{
    return (uint64_t)kind << ARMPMU_WORD_KIND_LSB | (uint64_t)index << ARMPMU_WORD_INDEX_LSB;
}

static inline enum armpmu_word_kind armpmu_word_kind(uint64_t word)
{
    return (enum armpmu_word_kind)(word >> ARMPMU_WORD_KIND_LSB);
}

static inline unsigned armpmu_word_index(uint64_t word)
{
    return (unsigned)(word >> ARMPMU_WORD_INDEX_LSB) & ARMPMU_WORD_INDEX_MAX;
}

static inline uint64_t armpmu_word_address(uint64_t word)
{
    return (uint64_t)((int64_t)(word << 16) >> 16);
}

#ifdef __cplusplus
}
#endif
#endif
