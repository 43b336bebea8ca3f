#include "unicorn/overwritten.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "isa/block_store.h"
#include "unicorn/firmware.h"

static struct overwriting *entry_of(struct firmware *fw, uint64_t word)
{
    return &fw->overwritten->records[word / 4 % OVERWRITTEN_WORDS];
}

void overwritten_note(struct firmware *fw, unsigned index, uint64_t address, unsigned size)
{
    fw->overwritten->any = true;
    for (uint64_t word = address & ~UINT64_C(3); word < address + size; word += 4)
        *entry_of(fw, word) = (struct overwriting){word, fw->code_block, index};
}

static const struct overwriting *find(struct firmware *fw, uint64_t address, uint32_t n_bytes)
{
    for (uint64_t word = address & ~UINT64_C(3); word < address + n_bytes; word += 4) {
        const struct overwriting *const entry = entry_of(fw, word);
        if (entry->code_block != NULL && entry->word == word)
            return entry;
    }
    return NULL;
}

bool overwritten_has(struct firmware *fw, uint64_t address, uint32_t n_bytes)
{
    return fw->overwritten->any && find(fw, address, n_bytes) != NULL;
}

void overwritten_read(struct firmware *fw, uint64_t address, uint32_t n_bytes)
{
    if (!fw->overwritten->any || fw->overwritten->executed.code_block != NULL)
        return;
    const struct overwriting *const entry = find(fw, address, n_bytes);
    if (entry != NULL)
        fw->overwritten->executed = *entry;
}

static uint64_t address_of(const struct overwriting *entry)
{
    uint64_t at = entry->code_block->address;

    for (unsigned i = 0; i < entry->index && i < entry->code_block->n_insns; i++)
        at += entry->code_block->sizes[i];
    return at;
}

void overwritten_explain(struct firmware *fw, uint64_t pc)
{
    char *const reason = fw->result->reason;
    const size_t length = strlen(reason), left = sizeof fw->result->reason - length;
    const struct overwriting *entry = find(fw, pc, 4);
    char symbol[64];

    if (entry == NULL)
        entry = &fw->overwritten->executed;
    if (entry->code_block == NULL)
        return;
    const uint64_t by = address_of(entry);
    image_symbol_at(&fw->image, by, symbol, sizeof symbol);
    snprintf(reason + length, left,
             ". The program has overwritten its own code: the store at PC 0x%08" PRIx64
             "%s%s wrote "
             "to 0x%08" PRIx64 ", which was executed then. Look for a stack or a pointer that has "
             "run into code",
             by, symbol[0] != '\0' ? " " : "", symbol, entry->word);
}
