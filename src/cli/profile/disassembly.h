/* The text of the instructions of a profile, from the bytes that were recorded.
 *
 * Assumes that an IT instruction was executed before those of its block. */
#ifndef CLI_PROFILE_DISASSEMBLY_H
#define CLI_PROFILE_DISASSEMBLY_H

#include "profile/profile.h"

#define DISASSEMBLY_TEXT 256
#define MNEMONIC_WIDTH   7 /* in columns for people */

struct disassembly;
struct insn;

struct disassembly *disassembly_new(const struct profile *profile); /* NULL without memory */
void disassembly_free(struct disassembly *disassembly);             /* NULL is fine */

/* "ldr r0, [r1]", with the mnemonic at least so wide; ".inst 0x..." for what capstone does not
 * know, "" for no instruction. */
void disassembly_text(struct disassembly *disassembly, uint32_t insn, int width,
                      char text[DISASSEMBLY_TEXT]);

/* An executed instruction decoded, as if it lay at address 0 and outside an IT block. False where
 * its bytes or the memory are missing. */
bool disassembly_decode(struct disassembly *disassembly, uint32_t insn, struct insn *out);

/* The executed instruction that lies directly before another one; PROFILE_NONE for none. */
uint32_t disassembly_before(const struct disassembly *disassembly, uint32_t insn);

#endif
