/* The code of a function in a program's file, and the blocks that it is made of.
 *
 * A block ends with a branch, a call or a system call, or where another begins. Blocks are those
 * that execution can reach from the function's start without indirect branches: targets of branch
 * tables and data between code are left out. */
#ifndef CLI_BENCH_FUNCTION_CODE_H
#define CLI_BENCH_FUNCTION_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "base/elf_file.h"
#include "isa/decoder.h"

struct function_code {
    char name[200];
    uint64_t address;     /* of its first byte */
    uint64_t data;        /* an address of the program's data */
    const uint8_t *bytes; /* of the file */
    enum armpmu_isa isa;
    struct block *code; /* all of it, decoded */
    bool *begins;       /* a block, by instruction of code */
    bool *reached;
};

/* Finds the function that `what` names, or that holds the address 0x...; NULL: the program's entry
 * point. Returns ARMPMU_OK, ARMPMU_BAD_CONFIG (no such function), ARMPMU_BAD_INPUT or
 * ARMPMU_NO_MEMORY. function_code_free in any case; file must outlive it. */
ARMPMU_MUST_USE enum armpmu_status function_code_find(const struct elf_file *file, const char *what,
                                                      struct decoder *decoder,
                                                      struct function_code *out,
                                                      struct armpmu_error *err);
void function_code_free(struct function_code *code);

/* The blocks: the instruction after the last one of the block that begins with `first`, and the
 * first of the next block; code->n_insns for none. */
unsigned function_code_end(const struct function_code *code, unsigned first);
unsigned function_code_next(const struct function_code *code, unsigned from);

#endif
