/* An independent decoder: from the encodings of the Arm Architecture Reference Manual alone,
 * without capstone. What the shipped decoder is held against. */
#ifndef TESTS_REFERENCE_ISA_REFERENCE_H
#define TESTS_REFERENCE_ISA_REFERENCE_H

#include "isa/insn.h"

/* One instruction of size 2 or 4 bytes; word has the first halfword of T32 on top. it: ITSTATE. */
struct insn reference_decode(enum armpmu_isa isa, uint32_t word, unsigned size, uint64_t address,
                             uint8_t it);

#endif
