/* Random programs for the bare core: ELF files with loops, loads and stores of every form, calls
 * from one instruction set to the other, conditional instructions and IT blocks, accesses to the
 * monitor, exceptions, interrupts, code that changes itself, and words that are no code at all.
 *
 * A program lies where its seed says: at address 0, across the end of a page, at the end of memory.
 * Its vectors, its beginning and its data are segments apart. The same seed gives the same program.
 *
 * Assumes: r7 holds the address of the data, r5 and r9 count loops; what the random words do to
 * them is part of the game, so a program may run for ever. */
#ifndef TESTS_UNICORN_RANDOM_PROGRAM_H
#define TESTS_UNICORN_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_CODE_MAX  6144u
#define PROGRAM_INSNS_MAX 2048u

enum program_core {
    PROGRAM_CORTEX_A8,
    PROGRAM_CORTEX_R4F,
    PROGRAM_XSCALE1,
    PROGRAM_XSCALE2,
    PROGRAM_CORES
};

struct program_insn {
    uint16_t offset;
    uint8_t size;
    bool t32;
};

struct program {
    uint64_t seed;
    enum program_core core;
    bool user; /* for qemu-arm as well: no vectors, nothing privileged */
    bool wild; /* has words that are no code */
    bool interrupts, mmu, t32;
    uint32_t address, vectors, data;
    uint8_t code[PROGRAM_CODE_MAX];
    unsigned n_bytes;
    struct program_insn insns[PROGRAM_INSNS_MAX];
    unsigned n_insns;
    uint8_t begin[1024];     /* vectors, handlers, and what comes before the code */
    unsigned n_begin, entry; /* entry: its offset */
};

extern const char *const program_machines[PROGRAM_CORES];

void program_make(struct program *program, uint64_t seed, bool user);

/* Puts a NOP in the place of an instruction. */
void program_leave_out(struct program *program, unsigned insn);

/* Writes the ELF file. False when that fails. */
bool program_write(const struct program *program, int fd);

#endif
