/* Finds the instructions that overwrote the program's code, such as a stack that has grown into it
 * or a stray pointer, so that a report of the resulting garbage can name its cause.
 *
 * Code is what the file calls so (its executable sections), and what has executed.
 * Does not know: what semihosting writes; more than the last store to a word, nor all of them. */
#ifndef UNICORN_OVERWRITTEN_H
#define UNICORN_OVERWRITTEN_H

#include <stdbool.h>
#include <stdint.h>

struct firmware;
struct code_block;

#define OVERWRITTEN_WORDS 1024u

struct overwriting {
    uint64_t word;                       /* its address, a multiple of 4 */
    const struct code_block *code_block; /* of the store; NULL: no entry */
    unsigned index;                      /* of the instruction in it */
};

struct overwritten {
    bool any;
    struct overwriting records[OVERWRITTEN_WORDS]; /* by address */
    struct overwriting executed;                   /* the first that execution came to */
};

/* The executing code block's instruction writes there. */
void overwritten_note(struct firmware *fw, unsigned index, uint64_t address, unsigned size);

bool overwritten_has(struct firmware *fw, uint64_t address, uint32_t n_bytes);

/* Code is read to be executed. */
void overwritten_read(struct firmware *fw, uint64_t address, uint32_t n_bytes);

/* The program has ended at an address: adds to the reason what of its code it wrote over. */
void overwritten_explain(struct firmware *fw, uint64_t pc);

#endif
