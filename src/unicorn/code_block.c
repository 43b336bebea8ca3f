/* Code as the library executes it.
 *
 * A tb is what the library runs between two calls of its block hook. Intercepted instructions part
 * it: the code before the first of them is a code block, that instruction is one, and after it the
 * library begins a new tb. Memory that holds known code is marked, so that after a write to it all
 * tbs are compared with memory again before they are used. */
#include "unicorn/code_block.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "isa/system_insn.h"
#include "unicorn/address_summary.h"
#include "unicorn/firmware.h"
#include "unicorn/overwritten.h"
#include "isa/insn.h"

#define TB_BYTES_MAX     2048u
#define CALL_LIMIT_FIRST 256u
#define GRAIN_BYTES      16u
#define DC_ZVA_BYTES     64u        /* of DC ZVA */
#define HOLDS_BYTES      (1u << 25) /* a bit for each grain of 4 GiB */

enum armpmu_status code_blocks_new(struct code_blocks *code_blocks, struct armpmu_error *err)
{
    code_blocks->store.block_bytes = sizeof(struct firmware_block);
    code_blocks->generation = 1;
    code_blocks->holds = calloc(HOLDS_BYTES, 1);
    if (code_blocks->holds == NULL)
        return fail_no_memory(err, "the firmware's code");
    return decoder_new(&code_blocks->decoder, err);
}

void code_blocks_free(struct code_blocks *code_blocks)
{
    for (uint32_t id = 0; id < code_blocks->store.n; id++) {
        free(firmware_block(block_store_at(&code_blocks->store, id))->slots);
        free(firmware_block(block_store_at(&code_blocks->store, id))->summary);
    }
    block_store_free(&code_blocks->store);
    for (unsigned i = 0; i < TBS_HASH; i++) {
        for (struct tb *tb = code_blocks->tbs[i], *next; tb != NULL; tb = next) {
            next = tb->next;
            free(tb->bytes);
            free(tb);
        }
    }
    for (struct hook *hook = code_blocks->hooks, *next; hook != NULL; hook = next) {
        next = hook->next;
        free(hook);
    }
    free(code_blocks->holds);
    decoder_free(code_blocks->decoder);
}

/* ---- instructions -----------------------------------------------------------------------------
 */

static uint8_t size_at(const uint8_t *bytes, enum armpmu_isa isa)
{
    return isa == ARMPMU_T32 ? (uint8_t)t32_bytes(half_at(bytes)) : 4;
}

static uint32_t word_at(const uint8_t *bytes, enum armpmu_isa isa, uint8_t size)
{
    const uint32_t first = half_at(bytes), second = size == 4 ? half_at(bytes + 2) : 0;

    if (isa != ARMPMU_T32)
        return second << 16 | first;
    return size == 4 ? first << 16 | second : first;
}

/* ITSTATE after an instruction. */
static uint8_t it_behind(uint8_t it, uint32_t first_half, enum armpmu_isa isa)
{
    return isa == ARMPMU_T32 ? it_after(it, first_half) : it_advance(it);
}

uint32_t code_blocks_it(const struct code_block *code_block, unsigned n)
{
    uint8_t it = code_block->it_state;

    for (uint32_t i = 0, at = 0; i < n && i < code_block->n_insns; at += code_block->sizes[i++])
        it = it_behind(it, half_at(code_block->bytes + at), code_block->isa);
    return code_block->isa == ARMPMU_T32 ? it_in_cpsr(it) : 0;
}

/* ---- hooks ------------------------------------------------------------------------------------
 */

/* NULL for none. */
static struct hook *hook_at(const struct code_blocks *code_blocks, uint64_t address,
                            enum armpmu_isa isa)
{
    struct hook *hook = code_blocks->hooks;

    while (hook != NULL && (hook->address != address || hook->isa != isa))
        hook = hook->next;
    return hook;
}

static bool add_hook(struct firmware *fw, const struct hook *key)
{
    struct hook *hook = hook_at(fw->code_blocks, key->address, key->isa);

    if (hook == NULL) {
        hook = calloc(1, sizeof *hook);
        if (hook == NULL)
            return false;
        hook->next = fw->code_blocks->hooks;
        fw->code_blocks->hooks = hook;
    }
    if (hook->fw != NULL && key->kind == INTERCEPT_NONE) { /* it stays what it is */
        hook->after = hook->after || key->after;
        return true;
    }
    const bool hooked = hook->hooked, after = hook->after;
    struct hook *const next = hook->next;
    const uc_hook handle = hook->hook;
    *hook = *key;
    hook->fw = fw;
    hook->next = next;
    hook->hook = handle;
    hook->hooked = hooked;
    hook->after = hook->after || after;
    fw->code_blocks->unhooked = fw->code_blocks->unhooked || !hooked;
    return true;
}

/* ---- code blocks
 * -----------------------------------------------------------------------------------
 */

/* An access after an instruction that may have left its own out belongs to either, unless the flags
 * are still the same: where they are not, a hook decides. */
static enum armpmu_status add_slots(struct firmware *fw, struct firmware_block *known,
                                    const struct block *block)
{
    bool may_be_left_out = false, unclear = false;

    known->slots = calloc(block->n_insns + 1u, sizeof *known->slots);
    if (known->slots == NULL)
        return ARMPMU_NO_MEMORY;
    for (uint16_t i = 0; i < block->n_insns; i++) {
        const struct insn *const insn = &block->insns[i];
        const struct insn_memory *const memory = &insn->memory;
        if (memory->bytes > 0) {
            const bool line = memory->exclusive && memory->store && memory->bytes == DC_ZVA_BYTES;
            const bool exclusive = memory->exclusive && memory->store && !line;
            known->slots[known->n_slots++] = (struct slot){
                .index = i,
                /* The library looks first whether an exclusive store may happen. */
                .bytes =
                    (uint16_t)(memory->bytes << (exclusive || (memory->load && memory->store))),
                .span = memory->bytes,
                .line = line,
                .condition = insn->condition,
                .multiple = memory->multiple,
                .exclusive = exclusive,
                .align = memory->align,
                .faults = insn_access_faults_unaligned(insn),
            };
            const struct hook hook = {.address = block->address + insn->offset,
                                      .isa = block->isa,
                                      .kind = INTERCEPT_REACHED};
            if (unclear && !add_hook(fw, &hook))
                return ARMPMU_NO_MEMORY;
            known->leaves_out =
                known->leaves_out ||
                ((insn->condition != CONDITION_ALWAYS || exclusive) && i + 1 < block->n_insns);
            may_be_left_out = insn->condition != CONDITION_ALWAYS || exclusive;
            unclear = exclusive;
        }
        unclear = unclear || (may_be_left_out && (insn->writes & REG_FLAGS) != 0);
    }
    return ARMPMU_OK;
}

/* A branch by a register may change the instruction set, one to a number only where the decoder
 * says so. In A64 no branch does but the return from an exception. */
static bool keeps_state(const struct code_block *code_block, const struct block *block)
{
    bool keeps = code_block->it_state == 0 && block->it_after == 0 && block->n_insns > 0;

    for (uint16_t i = 0; i < block->n_insns; i++) {
        const struct insn *const insn = &block->insns[i];
        const bool stays = block->isa == ARMPMU_A64
                               ? insn->branch != BRANCH_EXCEPTION_RETURN
                               : !insn->other_isa && (insn->branch == BRANCH_NONE ||
                                                      insn->branch == BRANCH_IMMEDIATE);
        keeps = keeps && insn->effect == EFFECT_NONE && stays;
    }
    return keeps;
}

/* Accesses of Thumb-2 instructions on a core without: the decoder knows them, the library does
 * something else. */
static bool has_too_much(const struct firmware *fw, const struct block *block)
{
    bool has = false;

    for (uint16_t i = 0;
         i < block->n_insns && block->isa == ARMPMU_T32 && !fw->core->firmware.thumb2; i++)
        has = has || (block->insns[i].size == 4 && block->insns[i].memory.bytes > 0);
    return has;
}

static struct address_summary *address_summary_of(struct firmware *fw, const struct block *block)
{
    struct address_summary *const summary =
        has_too_much(fw, block) ? NULL : address_summary_new(block);

    for (unsigned i = 0; summary != NULL && i < summary->n_registers; i++) {
        summary->values_at[i] = &fw->values[summary->registers[i]];
        summary->registers[i] = fw->processor->registers[summary->registers[i]];
    }
    return summary;
}

static bool decode(struct firmware *fw, struct firmware_block *known)
{
    const struct code_block *const code = &known->code;
    struct armpmu_block_source source;
    struct block *block = NULL;

    (void)block_store_lookup(&fw->code_blocks->store, (uint32_t)code->record, &source);
    enum armpmu_status status =
        decode_block(fw->code_blocks->decoder, &source, code->it_state, &block);
    if (status == ARMPMU_OK)
        status = add_slots(fw, known, block);
    if (status == ARMPMU_OK) {
        known->keeps_state = keeps_state(code, block);
        known->stack_effect = (uint8_t)task_stacks_effect(block);
        known->summary = address_summary_of(fw, block);
    }
    free(block);
    return status == ARMPMU_OK;
}

static void stop_without_memory(struct firmware *fw)
{
    firmware_stop(fw, ENGINE_FIRMWARE_FAILED,
                  "armpmu has no memory left for the program's code: raise the limit of memory "
                  "(ulimit -v)");
}

static const struct code_block *find_or_add(struct firmware *fw, const struct code_block *key)
{
    bool is_new;
    struct code_block *const block = block_store_intern(&fw->code_blocks->store, key, &is_new);

    if (block != NULL && (!is_new || decode(fw, (struct firmware_block *)block)))
        return block;
    stop_without_memory(fw);
    return NULL;
}

const struct code_block *code_blocks_arrival(struct firmware *fw, uint64_t address, uint32_t cpsr)
{
    const struct code_block key = {.address = address,
                                   .isa = cpsr_isa(cpsr),
                                   .mode = cpsr_is_user(cpsr),
                                   .it_state = it_of(cpsr)};

    return find_or_add(fw, &key);
}

const struct code_block *code_blocks_nop(struct firmware *fw, uint64_t address, uint32_t cpsr)
{
    const enum armpmu_isa isa = cpsr_isa(cpsr);
    uint8_t size = 4;
    const struct code_block key = {.address = address,
                                   .n_bytes = 4,
                                   .n_insns = 1,
                                   .isa = isa,
                                   .mode = cpsr_is_user(cpsr),
                                   .it_state = it_of(cpsr),
                                   .bytes = block_store_nop(isa),
                                   .sizes = &size};

    return find_or_add(fw, &key);
}

/* The kind of the word at an address, as if outside of an IT block. */
static struct hook hook_of(const struct firmware *fw, uint64_t address, enum armpmu_isa isa,
                           const uint8_t *bytes, uint8_t size)
{
    const uint32_t word = word_at(bytes, isa, size);
    struct insn insn;

    decode_single(fw->code_blocks->decoder, isa, bytes, size, 0, &insn);
    return (struct hook){.address = address,
                         .word = word,
                         .isa = isa,
                         .kind = fw->processor->kind(fw, isa, word, &insn),
                         .sum = insn.sum,
                         .size = size,
                         .condition = isa == ARMPMU_A32 ? word >> 28 : CONDITION_ALWAYS};
}

bool code_blocks_fetch(const struct firmware *fw, uint64_t address, enum armpmu_isa isa,
                       struct hook *out)
{
    uint8_t bytes[4] = {0};
    const uc_err first = fw->lib->mem_read(fw->uc, address, bytes, 2);
    const uint8_t size = size_at(bytes, isa);

    *out = (struct hook){.address = address, .isa = isa, .size = 2};
    if (first != UC_ERR_OK ||
        (size == 4 && fw->lib->mem_read(fw->uc, address, bytes, 4) != UC_ERR_OK))
        return false;
    *out = hook_of(fw, address, isa, bytes, size);
    return true;
}

struct hook code_blocks_insn(const struct firmware *fw, const struct code_block *code_block,
                             unsigned n)
{
    uint32_t offset = 0;

    for (unsigned i = 0; i < n; i++)
        offset += code_block->sizes[i];
    return hook_of(fw, code_block->address + offset, code_block->isa, code_block->bytes + offset,
                   code_block->sizes[n]);
}

const struct code_block *code_blocks_part(struct firmware *fw, const struct code_block *code_block,
                                          unsigned from, unsigned to)
{
    uint32_t begin = 0, end = 0;

    for (unsigned i = 0; i < to; i++) {
        begin += i < from ? code_block->sizes[i] : 0;
        end += code_block->sizes[i];
    }
    const struct code_block key = {.address = code_block->address + begin,
                                   .n_bytes = end - begin,
                                   .n_insns = (uint16_t)(to - from),
                                   .isa = code_block->isa,
                                   .mode = code_block->mode,
                                   .bytes = code_block->bytes + begin,
                                   .sizes = code_block->sizes + from};

    return find_or_add(fw, &key);
}

const struct code_block *code_blocks_one(struct firmware *fw, uint64_t address, uint32_t cpsr)
{
    const enum armpmu_isa isa = cpsr_isa(cpsr);
    struct hook hook;

    if (!code_blocks_fetch(fw, address, isa, &hook))
        return NULL;
    const uint32_t word =
        isa == ARMPMU_T32 && hook.size == 4 ? hook.word << 16 | hook.word >> 16 : hook.word;
    uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                        (uint8_t)(word >> 24)};
    const struct code_block key = {.address = address,
                                   .n_bytes = hook.size,
                                   .n_insns = 1,
                                   .isa = isa,
                                   .mode = cpsr_is_user(cpsr),
                                   .it_state = it_of(cpsr),
                                   .bytes = bytes,
                                   .sizes = &hook.size};

    return find_or_add(fw, &key);
}

/* ---- tbs --------------------------------------------------------------------------------
 */

/* Returns whether an instruction is intercepted that is in an IT block from an address on, by
 * ITSTATE there. */
static bool has_intercepted(const struct firmware *fw, uint64_t address, uint8_t it)
{
    struct hook hook = {.kind = INTERCEPT_NONE};

    for (; it_is_inside(it) && code_blocks_fetch(fw, address, ARMPMU_T32, &hook);
         it = it_advance(it)) {
        if (hook.kind != INTERCEPT_NONE)
            return true;
        address += hook.size;
    }
    return false;
}

/* Returns whether an instruction is an IT instruction that makes an intercepted one conditional. */
static bool begins_with_intercepted(const struct firmware *fw, const struct hook *hook)
{
    return hook->isa == ARMPMU_T32 && hook->size == 2 && it_begins(hook->word) &&
           has_intercepted(fw, hook->address + hook->size, (uint8_t)hook->word);
}

/* The first code block: up to an intercepted instruction. Finds the hooks of all. */
static bool part(struct firmware *fw, struct tb *tb, uint8_t it)
{
    uint8_t sizes[TB_BYTES_MAX / 2];
    struct code_block key = {.address = tb->address,
                             .isa = tb->isa,
                             .mode = tb->user,
                             .it_state = it,
                             .bytes = tb->bytes,
                             .sizes = sizes};
    bool parted = false;
    enum intercept_kind before = INTERCEPT_NONE;

    tb->steps = false;
    for (uint32_t at = 0; at < tb->n_bytes;) {
        const uint8_t *const bytes = tb->bytes + at;
        const uint8_t size = size_at(bytes, tb->isa);
        if (at + size > tb->n_bytes)
            break;
        struct hook hook = hook_of(fw, tb->address + at, tb->isa, bytes, size);
        if (it_is_inside(it)) {
            tb->steps = tb->steps || (tb->it != 0 && hook.kind != INTERCEPT_NONE);
            hook.kind = INTERCEPT_NONE;
        } else if (begins_with_intercepted(fw, &hook)) {
            hook.kind = INTERCEPT_IT_BLOCK;
        }
        hook.after = at > 0 && before == INTERCEPT_SYSTEM;
        if ((hook.kind != INTERCEPT_NONE || hook.after) && !add_hook(fw, &hook)) {
            stop_without_memory(fw);
            return false;
        }
        before = hook.kind;
        parted = parted || hook.kind != INTERCEPT_NONE;
        if (!parted) {
            sizes[key.n_insns++] = size;
            key.n_bytes += size;
        }
        it = it_behind(it, half_at(bytes), tb->isa);
        at += size;
    }
    tb->first = key.n_insns > 0 ? find_or_add(fw, &key) : NULL;
    return key.n_insns == 0 || tb->first != NULL;
}

static void hold(struct firmware *fw, const struct tb *tb)
{
    for (uint64_t grain = tb->address / GRAIN_BYTES;
         grain <= (tb->address + tb->n_bytes - 1) / GRAIN_BYTES; grain++)
        fw->code_blocks->holds[grain / 8 % HOLDS_BYTES] |= (uint8_t)(1u << grain % 8);
    firmware_forget_pages(fw);
}

/* Its bytes as they are in memory now. */
static bool refresh(struct firmware *fw, struct tb *tb, uint8_t it)
{
    uint8_t now[TB_BYTES_MAX];

    if (fw->lib->mem_read(fw->uc, tb->address, now, tb->n_bytes) != UC_ERR_OK)
        return false;
    const bool known = tb->checked != 0 && memcmp(tb->bytes, now, tb->n_bytes) == 0;
    tb->checked = fw->code_blocks->generation;
    if (known)
        return true;
    memcpy(tb->bytes, now, tb->n_bytes);
    overwritten_read(fw, tb->address, tb->n_bytes);
    hold(fw, tb);
    return part(fw, tb, it);
}

static struct tb *find_tb(const struct firmware *fw, const struct tb *key, unsigned hash)
{
    struct tb *tb = fw->code_blocks->tbs[hash];

    while (tb != NULL && (tb->address != key->address || tb->n_bytes != key->n_bytes ||
                          tb->isa != key->isa || tb->user != key->user || tb->it != key->it))
        tb = tb->next;
    return tb;
}

struct tb *code_blocks_tb(struct firmware *fw, uint64_t address, uint32_t n_bytes, uint32_t cpsr)
{
    const struct tb key = {.address = address,
                           .n_bytes = n_bytes,
                           .isa = cpsr_isa(cpsr),
                           .user = cpsr_is_user(cpsr),
                           .it = it_of(cpsr)};
    const unsigned hash = (address >> 1 ^ n_bytes << 3) % TBS_HASH;
    struct tb *tb = find_tb(fw, &key, hash);

    if (tb != NULL && tb->checked == fw->code_blocks->generation)
        return tb;
    if (tb == NULL) {
        tb = malloc(sizeof *tb);
        if (tb == NULL)
            stop_without_memory(fw);
        if (tb == NULL || n_bytes == 0 || n_bytes > TB_BYTES_MAX) {
            free(tb);
            return NULL;
        }
        *tb = key;
        tb->call_limit = CALL_LIMIT_FIRST;
        tb->bytes = malloc(n_bytes);
        if (tb->bytes == NULL)
            stop_without_memory(fw);
        tb->next = fw->code_blocks->tbs[hash];
        fw->code_blocks->tbs[hash] = tb;
    }
    return tb->bytes != NULL && refresh(fw, tb, key.it) ? tb : NULL;
}
