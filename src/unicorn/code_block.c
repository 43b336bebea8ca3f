/* Code as the library executes it.
 *
 * A stretch is what the library runs between two calls of its block hook. Instructions that stand
 * alone part it: what is in front of the first of them is a piece, that instruction is one, and
 * behind it the library begins a new stretch. Memory that holds known code is marked, so that a
 * write to it has all stretches compared with memory again before they are believed. */
#include "unicorn/code_block.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cosim/sysreg_insn.h"
#include "unicorn/firmware.h"
#include "unicorn/address_summary.h"
#include "unicorn/it_block.h"
#include "isa/insn.h"

#define STRETCH_BYTES_MAX 2048u
#define CALLS_TO_BEAR     256u
#define GRAIN_BYTES       16u
#define LINE_BYTES        64u        /* of DC ZVA */
#define HOLDS_BYTES       (1u << 25) /* a bit for each grain of 4 GiB */

enum armpmu_status pieces_new(struct pieces *pieces, struct armpmu_error *err)
{
    *pieces = (struct pieces){.generation = 1};
    pthread_mutex_init(&pieces->lock, NULL);
    pieces->holds = calloc(HOLDS_BYTES, 1);
    if (pieces->holds == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "out of memory for the firmware's code");
    return decoder_new(&pieces->decoder, err);
}

static void free_piece(struct piece *piece)
{
    free(piece->bytes);
    free(piece->sizes);
    free(piece->slots);
    free(piece->forecast);
    free(piece);
}

void pieces_free(struct pieces *pieces)
{
    for (uint32_t i = 0; i < pieces->n_pieces; i++)
        free_piece(pieces->list[i]);
    for (unsigned i = 0; i < PIECES_HASH; i++) {
        for (struct stretch *stretch = pieces->stretches[i], *next; stretch != NULL;
             stretch = next) {
            next = stretch->next;
            free(stretch->bytes);
            free(stretch);
        }
    }
    for (struct site *site = pieces->sites, *next; site != NULL; site = next) {
        next = site->next;
        free(site);
    }
    free(pieces->list);
    free(pieces->holds);
    decoder_free(pieces->decoder);
}

bool pieces_lookup(void *user, uint32_t id, struct armpmu_block_source *out)
{
    struct pieces *const pieces = user;

    pthread_mutex_lock(&pieces->lock);
    const struct piece *const piece = id < pieces->n_pieces ? pieces->list[id] : NULL;
    pthread_mutex_unlock(&pieces->lock);
    if (piece == NULL)
        return false;
    *out = (struct armpmu_block_source){.address = piece->address,
                                        .bytes = piece->bytes,
                                        .n_bytes = piece->n_bytes,
                                        .n_insns = piece->n_insns,
                                        .isa = piece->isa,
                                        .it_known = true,
                                        .it_before = piece->it};
    return true;
}

/* ---- instructions -----------------------------------------------------------------------------
 */

static uint32_t half_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

static uint8_t size_at(const uint8_t *bytes, enum armpmu_isa isa)
{
    return isa != ARMPMU_T32 || half_at(bytes) >= 0xe800 ? 4 : 2;
}

static uint32_t word_at(const uint8_t *bytes, enum armpmu_isa isa, uint8_t size)
{
    const uint32_t first = half_at(bytes), second = size == 4 ? half_at(bytes + 2) : 0;

    if (isa != ARMPMU_T32)
        return second << 16 | first;
    return size == 4 ? first << 16 | second : first;
}

/* ITSTATE behind an instruction. */
static uint8_t it_behind(uint8_t it, uint32_t first_half, enum armpmu_isa isa)
{
    return isa == ARMPMU_T32 && it_begins(first_half) ? (uint8_t)first_half : it_advance(it);
}

uint32_t pieces_it(const struct piece *piece, unsigned n)
{
    uint8_t it = piece->it;

    for (uint32_t i = 0, at = 0; i < n && i < piece->n_insns; at += piece->sizes[i++])
        it = it_behind(it, half_at(piece->bytes + at), piece->isa);
    return piece->isa == ARMPMU_T32 ? (uint32_t)(it & 0xfc) << 8 | (uint32_t)(it & 3) << 25 : 0;
}

/* ---- sites ------------------------------------------------------------------------------------
 */

struct site *pieces_site(const struct pieces *pieces, uint64_t address, enum armpmu_isa isa)
{
    struct site *site = pieces->sites;

    while (site != NULL && (site->address != address || site->isa != isa))
        site = site->next;
    return site;
}

static bool add_site(struct firmware *fw, const struct site *key)
{
    struct site *site = pieces_site(&fw->pieces, key->address, key->isa);

    if (site == NULL) {
        site = calloc(1, sizeof *site);
        if (site == NULL)
            return false;
        site->next = fw->pieces.sites;
        fw->pieces.sites = site;
    }
    if (site->fw != NULL && key->kind == ALONE_NONE) { /* it stays what it is */
        site->behind = site->behind || key->behind;
        return true;
    }
    const bool hooked = site->hooked, behind = site->behind;
    struct site *const next = site->next;
    const uc_hook hook = site->hook;
    *site = *key;
    site->fw = fw;
    site->next = next;
    site->hook = hook;
    site->hooked = hooked;
    site->behind = site->behind || behind;
    fw->pieces.unhooked = fw->pieces.unhooked || !hooked;
    return true;
}

/* ---- pieces -----------------------------------------------------------------------------------
 */

static uint32_t hash_of(const struct piece *key)
{
    uint32_t hash = 2166136261u ^ (uint32_t)key->address ^ (uint32_t)key->n_insns << 8;

    for (uint32_t i = 0; i < key->n_bytes; i++)
        hash = (hash ^ key->bytes[i]) * 16777619u;
    return (hash ^ hash >> 15) % PIECES_HASH;
}

static bool same_piece(const struct piece *left, const struct piece *right)
{
    return left->address == right->address && left->n_bytes == right->n_bytes &&
           left->n_insns == right->n_insns && left->isa == right->isa &&
           left->user == right->user && left->it == right->it &&
           memcmp(left->bytes, right->bytes, left->n_bytes) == 0;
}

/* An access behind an instruction that may have left its own out belongs to either, unless the
 * flags still say what they said then: a hook tells where they do not. */
static enum armpmu_status add_slots(struct firmware *fw, struct piece *piece,
                                    const struct block *block)
{
    bool may_be_left_out = false, unclear = false;

    piece->slots = calloc(piece->n_insns + 1u, sizeof *piece->slots);
    if (piece->slots == NULL)
        return ARMPMU_NO_MEMORY;
    for (uint16_t i = 0; i < block->n_insns; i++) {
        const struct insn *const insn = &block->insns[i];
        const struct insn_memory *const memory = &insn->memory;
        if (memory->bytes > 0) {
            const bool line = memory->exclusive && memory->store && memory->bytes == LINE_BYTES;
            const bool exclusive = memory->exclusive && memory->store && !line;
            piece->slots[piece->n_slots++] = (struct slot){
                .index = i,
                /* The library looks first whether an exclusive store may happen. */
                .bytes =
                    (uint16_t)(memory->bytes << (exclusive || (memory->load && memory->store))),
                .span = memory->bytes,
                .line = line,
                .condition = insn->condition,
                .multiple = memory->multiple,
                .exclusive = exclusive,
            };
            const struct site site = {
                .address = piece->address + insn->offset, .isa = piece->isa, .kind = ALONE_REACHED};
            if (unclear && !add_site(fw, &site))
                return ARMPMU_NO_MEMORY;
            piece->leaves_out =
                piece->leaves_out ||
                ((insn->condition != CONDITION_ALWAYS || exclusive) && i + 1 < block->n_insns);
            may_be_left_out = insn->condition != CONDITION_ALWAYS || exclusive;
            unclear = exclusive;
        }
        unclear = unclear || (may_be_left_out && (insn->writes & REG_FLAGS) != 0);
    }
    return ARMPMU_OK;
}

/* BLX changes the instruction set, BL does not; it is taken for the same. In A64 no branch does but
 * the return from an exception. */
static bool keeps_state(const struct piece *piece, const struct block *block)
{
    bool keeps = piece->it == 0 && block->it_after == 0 && block->n_insns > 0;

    for (uint16_t i = 0; i < block->n_insns; i++) {
        const struct insn *const insn = &block->insns[i];
        const bool stays =
            piece->isa == ARMPMU_A64
                ? insn->branch != BRANCH_EXCEPTION_RETURN
                : !insn->links && (insn->branch == BRANCH_NONE || insn->branch == BRANCH_IMMEDIATE);
        keeps = keeps && insn->effect == EFFECT_NONE && stays;
    }
    return keeps;
}

/* Accesses of Thumb-2 instructions on a core without: the decoder knows them, the library does
 * something else. */
static bool has_too_much(const struct firmware *fw, const struct block *block)
{
    bool has = false;

    for (uint16_t i = 0; i < block->n_insns && block->isa == ARMPMU_T32 && !fw->core->thumb2; i++)
        has = has || (block->insns[i].size == 4 && block->insns[i].memory.bytes > 0);
    return has;
}

static struct forecast *forecast_of(const struct firmware *fw, const struct piece *piece,
                                    const struct block *block)
{
    struct forecast *const forecast =
        has_too_much(fw, block) ? NULL : forecast_new(block, piece->bytes);

    for (unsigned i = 0; forecast != NULL && i < forecast->n_registers; i++)
        forecast->registers[i] = fw->processor->registers[forecast->registers[i]];
    return forecast;
}

static bool decode(struct firmware *fw, struct piece *piece)
{
    struct armpmu_block_source source;
    struct block *block = NULL;

    (void)pieces_lookup(&fw->pieces, piece->word & UINT32_MAX, &source);
    enum armpmu_status status = decode_block(fw->pieces.decoder, &source, piece->it, &block);
    if (status == ARMPMU_OK)
        status = add_slots(fw, piece, block);
    piece->keeps_state = status == ARMPMU_OK && keeps_state(piece, block);
    if (status == ARMPMU_OK)
        piece->forecast = forecast_of(fw, piece, block);
    free(block);
    return status == ARMPMU_OK;
}

static uint8_t *copy_of(const uint8_t *bytes, size_t n)
{
    uint8_t *const copy = malloc(n > 0 ? n : 1);

    if (copy != NULL)
        memcpy(copy, bytes, n);
    return copy;
}

/* Gives a piece its number. */
static bool append(struct pieces *pieces, struct piece *piece)
{
    bool has_room = true;

    pthread_mutex_lock(&pieces->lock);
    if (pieces->n_pieces == pieces->room) {
        const uint32_t room = pieces->room > 0 ? 2 * pieces->room : 1024;
        struct piece **const list = realloc(pieces->list, room * sizeof *list);
        has_room = list != NULL;
        pieces->list = has_room ? list : pieces->list;
        pieces->room = has_room ? room : pieces->room;
    }
    if (has_room) {
        piece->word = armpmu_record(ARMPMU_RECORD_BLOCK, 0) | pieces->n_pieces;
        pieces->list[pieces->n_pieces++] = piece;
    }
    pthread_mutex_unlock(&pieces->lock);
    return has_room;
}

static struct piece *add_piece(struct firmware *fw, const struct piece *key)
{
    struct piece *const piece = malloc(sizeof *piece);

    if (piece == NULL)
        return NULL;
    *piece = *key;
    piece->bytes = copy_of(key->bytes, key->n_bytes);
    piece->sizes = copy_of(key->sizes, key->n_insns);
    piece->slots = NULL;
    piece->forecast = NULL;
    if (piece->bytes == NULL || piece->sizes == NULL || !append(&fw->pieces, piece)) {
        free_piece(piece);
        return NULL;
    }
    return decode(fw, piece) ? piece : NULL;
}

static void no_memory(struct firmware *fw)
{
    firmware_stop(fw, ENGINE_FIRMWARE_FAILED,
                  "armpmu has no memory left for the program's code: raise the limit of memory "
                  "(ulimit -v)");
}

static const struct piece *find_or_add(struct firmware *fw, const struct piece *key)
{
    struct piece **const slot = &fw->pieces.by_hash[hash_of(key)];

    for (struct piece *piece = *slot; piece != NULL; piece = piece->next)
        if (same_piece(piece, key))
            return piece;
    struct piece *const piece = add_piece(fw, key);
    if (piece == NULL) {
        no_memory(fw);
        return NULL;
    }
    piece->next = *slot;
    *slot = piece;
    return piece;
}

const struct piece *pieces_arrival(struct firmware *fw, uint64_t address, uint32_t cpsr)
{
    uint8_t none = 0;
    const struct piece key = {.address = address,
                              .isa = cpsr_isa(cpsr),
                              .user = cpsr_is_user(cpsr),
                              .it = it_of(cpsr),
                              .bytes = &none,
                              .sizes = &none};

    return find_or_add(fw, &key);
}

const struct piece *pieces_nop(struct firmware *fw, uint64_t address, uint32_t cpsr)
{
    const enum armpmu_isa isa = cpsr_isa(cpsr);
    static uint8_t nops[3][4] = {[ARMPMU_A32] = {0x00, 0xf0, 0x20, 0xe3},
                                 [ARMPMU_T32] = {0xaf, 0xf3, 0x00, 0x80},
                                 [ARMPMU_A64] = {0x1f, 0x20, 0x03, 0xd5}};
    uint8_t size = 4;
    const struct piece key = {.address = address,
                              .n_bytes = 4,
                              .n_insns = 1,
                              .isa = isa,
                              .user = cpsr_is_user(cpsr),
                              .it = it_of(cpsr),
                              .bytes = nops[isa],
                              .sizes = &size};

    return find_or_add(fw, &key);
}

/* What a word at an address is, as if outside of an IT block. */
static struct site site_of(const struct firmware *fw, uint64_t address, enum armpmu_isa isa,
                           const uint8_t *bytes, uint8_t size)
{
    const uint32_t word = word_at(bytes, isa, size);

    return (struct site){.address = address,
                         .word = word,
                         .isa = isa,
                         .kind = fw->processor->kind(fw, isa, word),
                         .size = size,
                         .condition = isa == ARMPMU_A32 ? word >> 28 : CONDITION_ALWAYS};
}

bool pieces_fetch(const struct firmware *fw, uint64_t address, enum armpmu_isa isa,
                  struct site *out)
{
    uint8_t bytes[4] = {0};
    const uc_err first = fw->lib->mem_read(fw->uc, address, bytes, 2);
    const uint8_t size = size_at(bytes, isa);

    *out = (struct site){.address = address, .isa = isa, .size = 2};
    if (first != UC_ERR_OK ||
        (size == 4 && fw->lib->mem_read(fw->uc, address, bytes, 4) != UC_ERR_OK))
        return false;
    *out = site_of(fw, address, isa, bytes, size);
    return true;
}

const struct piece *pieces_part(struct firmware *fw, const struct piece *piece, unsigned from,
                                unsigned to)
{
    uint32_t begin = 0, end = 0;

    for (unsigned i = 0; i < to; i++) {
        begin += i < from ? piece->sizes[i] : 0;
        end += piece->sizes[i];
    }
    const struct piece key = {.address = piece->address + begin,
                              .n_bytes = end - begin,
                              .n_insns = (uint16_t)(to - from),
                              .isa = piece->isa,
                              .user = piece->user,
                              .bytes = piece->bytes + begin,
                              .sizes = piece->sizes + from};

    return find_or_add(fw, &key);
}

const struct piece *pieces_one(struct firmware *fw, uint64_t address, uint32_t cpsr)
{
    const enum armpmu_isa isa = cpsr_isa(cpsr);
    struct site site;

    if (!pieces_fetch(fw, address, isa, &site))
        return NULL;
    const uint32_t word =
        isa == ARMPMU_T32 && site.size == 4 ? site.word << 16 | site.word >> 16 : site.word;
    uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                        (uint8_t)(word >> 24)};
    const struct piece key = {.address = address,
                              .n_bytes = site.size,
                              .n_insns = 1,
                              .isa = isa,
                              .user = cpsr_is_user(cpsr),
                              .it = it_of(cpsr),
                              .bytes = bytes,
                              .sizes = &site.size};

    return find_or_add(fw, &key);
}

/* ---- stretches --------------------------------------------------------------------------------
 */

/* Whether an instruction is an IT instruction that makes one conditional that stands alone. */
static bool begins_with_alone(const struct firmware *fw, const struct site *site)
{
    return site->isa == ARMPMU_T32 && site->size == 2 && it_begins(site->word) &&
           it_block_has_alone(fw, site->address + site->size, (uint8_t)site->word);
}

/* The first piece: up to an instruction that stands alone. Finds the sites of all. */
static bool part(struct firmware *fw, struct stretch *stretch, uint8_t it)
{
    uint8_t sizes[STRETCH_BYTES_MAX / 2];
    struct piece key = {.address = stretch->address,
                        .isa = stretch->isa,
                        .user = stretch->user,
                        .it = it,
                        .bytes = stretch->bytes,
                        .sizes = sizes};
    bool parted = false;
    enum alone_kind before = ALONE_NONE;

    stretch->steps = false;
    for (uint32_t at = 0; at < stretch->n_bytes;) {
        const uint8_t *const bytes = stretch->bytes + at;
        const uint8_t size = size_at(bytes, stretch->isa);
        if (at + size > stretch->n_bytes)
            break;
        struct site site = site_of(fw, stretch->address + at, stretch->isa, bytes, size);
        if (it_is_inside(it)) {
            stretch->steps = stretch->steps || (stretch->it != 0 && site.kind != ALONE_NONE);
            site.kind = ALONE_NONE;
        } else if (begins_with_alone(fw, &site)) {
            site.kind = ALONE_IT_BLOCK;
        }
        site.behind = at > 0 && before == ALONE_SYSTEM;
        if ((site.kind != ALONE_NONE || site.behind) && !add_site(fw, &site))
            return false;
        before = site.kind;
        parted = parted || site.kind != ALONE_NONE;
        if (!parted) {
            sizes[key.n_insns++] = size;
            key.n_bytes += size;
        }
        it = it_behind(it, half_at(bytes), stretch->isa);
        at += size;
    }
    stretch->first = key.n_insns > 0 ? find_or_add(fw, &key) : NULL;
    return key.n_insns == 0 || stretch->first != NULL;
}

static void hold(struct pieces *pieces, const struct stretch *stretch)
{
    for (uint64_t grain = stretch->address / GRAIN_BYTES;
         grain <= (stretch->address + stretch->n_bytes - 1) / GRAIN_BYTES; grain++)
        pieces->holds[grain / 8 % HOLDS_BYTES] |= (uint8_t)(1u << grain % 8);
}

/* Its bytes as they are in memory now. */
static bool refresh(struct firmware *fw, struct stretch *stretch, uint8_t it)
{
    uint8_t now[STRETCH_BYTES_MAX];

    if (fw->lib->mem_read(fw->uc, stretch->address, now, stretch->n_bytes) != UC_ERR_OK)
        return false;
    const bool known = stretch->checked != 0 && memcmp(stretch->bytes, now, stretch->n_bytes) == 0;
    stretch->checked = fw->pieces.generation;
    if (known)
        return true;
    memcpy(stretch->bytes, now, stretch->n_bytes);
    overwritten_read(fw, stretch->address, stretch->n_bytes);
    hold(&fw->pieces, stretch);
    return part(fw, stretch, it);
}

static struct stretch *find_stretch(const struct firmware *fw, const struct stretch *key,
                                    unsigned hash)
{
    struct stretch *stretch = fw->pieces.stretches[hash];

    while (stretch != NULL &&
           (stretch->address != key->address || stretch->n_bytes != key->n_bytes ||
            stretch->isa != key->isa || stretch->user != key->user || stretch->it != key->it))
        stretch = stretch->next;
    return stretch;
}

struct stretch *pieces_stretch(struct firmware *fw, uint64_t address, uint32_t n_bytes,
                               uint32_t cpsr)
{
    const struct stretch key = {.address = address,
                                .n_bytes = n_bytes,
                                .isa = cpsr_isa(cpsr),
                                .user = cpsr_is_user(cpsr),
                                .it = it_of(cpsr)};
    const unsigned hash = (address >> 1 ^ n_bytes << 3) % PIECES_HASH;
    struct stretch *stretch = find_stretch(fw, &key, hash);

    if (stretch != NULL && stretch->checked == fw->pieces.generation)
        return stretch;
    if (stretch == NULL) {
        stretch = malloc(sizeof *stretch);
        if (stretch == NULL)
            no_memory(fw);
        if (stretch == NULL || n_bytes == 0 || n_bytes > STRETCH_BYTES_MAX) {
            free(stretch);
            return NULL;
        }
        *stretch = key;
        stretch->patience = CALLS_TO_BEAR;
        stretch->bytes = malloc(n_bytes);
        if (stretch->bytes == NULL)
            no_memory(fw);
        stretch->next = fw->pieces.stretches[hash];
        fw->pieces.stretches[hash] = stretch;
    }
    return stretch->bytes != NULL && refresh(fw, stretch, key.it) ? stretch : NULL;
}
