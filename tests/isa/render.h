/* An instruction's facts as one line, for tables and messages.
 *
 *   class [branch] [link] [cbz] [effect] [?condition] [r:SET] [w:SET] [m:MEMORY] [xOPERATIONS]
 *
 * In r: a register ending in ' is needed early, in ~ late; in w: one ending in ! is written back.
 * MEMORY is load, store or swap, bytes/align, then + multiple, x exclusive, n NEON. A target is
 * relative to the instruction: @+8. */
#ifndef TESTS_ISA_RENDER_H
#define TESTS_ISA_RENDER_H

#include <stddef.h>

#include "isa/insn.h"

void render_insn(const struct insn *insn, uint64_t address, char *text, size_t size);

/* The same of A64, whose sets are of x0 to x30, sp, v0 to v31 and flags. */
void render_a64_insn(const struct insn *insn, uint64_t address, char *text, size_t size);

#endif
