/* Accesses whose addresses are known before they happen. */
#ifndef UNICORN_EARLY_ACCESSES_H
#define UNICORN_EARLY_ACCESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "unicorn/code_block.h"
#include "unicorn/firmware.h"

/* Returns whether all accesses of its first code block can be known_early. */
static inline bool early_accesses_can(const struct firmware *fw, const struct tb *tb)
{
    return firmware_block(tb->first)->summary != NULL && !tb->changes_code &&
           !fw->setup->watch_accesses;
}

/* Such a tb begins, and with it a block of the library's. */
void early_accesses_enter(struct firmware *fw, struct tb *tb);
/* The library's hook of blocks. Most are such a tb, which was here lately, after code that left
 * nothing to do; firmware_enter_block for the others. The host's signals and time are looked at
 * when records are passed on. */
void early_accesses_on_block(uc_engine *uc, uint64_t address, uint32_t n_bytes, void *fw);
/* Translates fw->tb, which is about to execute, again. */
void early_accesses_translate(struct firmware *fw);

#endif
