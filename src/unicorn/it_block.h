/* IT blocks, an instruction at a time.
 *
 * Inside an IT block the library neither stops nor lets a hook go elsewhere, and the CPSR that it
 * shows is the one before the block. Where that matters, because an instruction of the block is
 * intercepted or because a counter may wrap in it, each instruction is a run of the library of its
 * own: between two runs ITSTATE is in the CPSR, as the architecture has it. */
#ifndef UNICORN_IT_BLOCK_H
#define UNICORN_IT_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct firmware;

/* Bytes of the instructions that are in an IT block from an address on, by ITSTATE there. */
uint32_t it_block_bytes(const struct firmware *fw, uint64_t address, uint8_t it);

/* From an IT instruction, or from where its block goes on, to the end of the block or to what takes
 * execution elsewhere. Outside of a run of the library. */
void it_block_run(struct firmware *fw);

#endif
