/* What the library translates such that it cannot be stopped there.
 *
 * Inside an IT block the library translates no places where it stops. Whether it is in one it notes
 * at each T32 instruction, and nowhere else: after a T32 block that ends with a branch inside an
 * IT block it translates A32 code so, too. Hooks would be called there, and what they ask for not
 * be done. Each such block is noticed when it has been translated, and before it runs it is thrown
 * away and the library put right, by having it translate T32 code outside of any IT block.
 *
 * Assumes: Unicorn 2.0.x calls UC_HOOK_EDGE_GENERATED for each block it translates but the first.
 */
#ifndef UNICORN_UNICORN_IT_WORKAROUND_H
#define UNICORN_UNICORN_IT_WORKAROUND_H

#include <stdbool.h>
#include <stdint.h>

#include "unicorn/library.h"

struct firmware;

struct unicorn_it_workaround {
    bool inside_it; /* the library believes so */
    uint32_t t32;   /* code where it began to */
    bool stuck;     /* a block was translated that cannot be stopped: */
    uint64_t first, end;
};

/* UC_HOOK_EDGE_GENERATED. */
void unicorn_it_workaround_made(uc_engine *uc, uc_tb *made, uc_tb *before, void *user);

/* Puts right what unicorn_it_workaround_made has noticed. Outside of a run of the library. */
void unicorn_it_workaround_mend(struct firmware *fw);

#endif
