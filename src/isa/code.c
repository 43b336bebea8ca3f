/* The store of decoded blocks, interned by what makes two translations the same code. A block
 * leaves it with the last core model that used it. */
#include "isa/code.h"

#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/intern.h"

/* A decoded block, and the code it was made of. */
struct kept {
    struct block *block;
    uint32_t n_users;
    uint32_t hash;
    uint32_t n_bytes;
    uint8_t it_before;
    uint8_t bytes[];
};

struct armpmu_code {
    armpmu_block_lookup lookup;
    void *user;
    uint64_t offset;             /* of addresses */
    _Atomic size_t limit, bytes; /* of blocks here, and of what models made of them */
    _Atomic unsigned n_models;
    pthread_mutex_t lock; /* over everything below */
    struct decoder *decoder;
    unsigned vector_bytes; /* of its SVE, 0: as it was made */
    struct intern indices;
    struct kept **by_index;
    uint32_t *free_index; /* of n_index numbers given so far, those that are free */
    uint32_t n_index, n_free;
    size_t room, free_room;
};

/* The allocator's own words before each piece of memory. */
#define OVERHEAD sizeof(size_t)

static size_t bytes_of(const void *memory)
{
    return memory == NULL ? 0 : malloc_usable_size((void *)(uintptr_t)memory) + OVERHEAD;
}

enum armpmu_status armpmu_code_new(armpmu_block_lookup lookup, void *user, struct armpmu_code **out,
                                   struct armpmu_error *err)
{
    struct armpmu_code *code = calloc(1, sizeof *code);
    enum armpmu_status status;

    *out = NULL;
    if (code == NULL)
        return fail_no_memory(err, "the code store");
    code->lookup = lookup;
    code->user = user;
    code->limit = ARMPMU_CODE_BYTES;
    status = decoder_new_blank(&code->decoder, err);
    if (status != ARMPMU_OK) {
        free(code);
        return status;
    }
    pthread_mutex_init(&code->lock, NULL);
    *out = code;
    return ARMPMU_OK;
}

void armpmu_code_free(struct armpmu_code *code)
{
    if (code == NULL)
        return;
    for (uint32_t i = 0; i < code->n_index; i++) {
        if (code->by_index[i] != NULL)
            free(code->by_index[i]->block);
        free(code->by_index[i]);
    }
    free(code->by_index);
    free(code->free_index);
    intern_free(&code->indices);
    decoder_free(code->decoder);
    pthread_mutex_destroy(&code->lock);
    free(code);
}

void armpmu_code_limit(struct armpmu_code *code, size_t bytes)
{
    code->limit = bytes;
}

void armpmu_code_move(struct armpmu_code *code, uint64_t bytes)
{
    code->offset = bytes;
}

void code_have_vectors(struct armpmu_code *code, unsigned bytes)
{
    pthread_mutex_lock(&code->lock);
    if (bytes > code->vector_bytes) {
        code->vector_bytes = bytes;
        decoder_set_vector(code->decoder, bytes);
    }
    pthread_mutex_unlock(&code->lock);
}

uint64_t code_offset(const struct armpmu_code *code)
{
    return code->offset;
}

/* Bytes that are there: an engine may announce more than it has. */
static uint32_t present_bytes(const struct armpmu_block_source *source)
{
    return source->bytes == NULL ? 0 : source->n_bytes;
}

/* The key of a block. */
struct code_key {
    const struct armpmu_block_source *source;
    uint8_t it_before;
};

static uint32_t hash_of(const struct code_key *key)
{
    const struct armpmu_block_source *const source = key->source;
    const uint64_t facts[3] = {source->address, (uint64_t)source->file << 32 | source->n_insns,
                               (uint64_t)source->isa << 8 | key->it_before};

    return hash_bytes(hash_bytes(HASH_START, facts, sizeof facts), source->bytes,
                      present_bytes(source));
}

static bool same(const void *things, uint32_t index, const void *wanted)
{
    const struct kept *const kept = ((const struct armpmu_code *)things)->by_index[index];
    const struct code_key *const key = wanted;
    const struct armpmu_block_source *const source = key->source;
    const uint32_t n_bytes = present_bytes(source);

    return kept->block->address == source->address && kept->block->n_insns == source->n_insns &&
           kept->block->isa == source->isa && kept->it_before == key->it_before &&
           kept->block->file == source->file && kept->n_bytes == n_bytes &&
           (n_bytes == 0 || memcmp(kept->bytes, source->bytes, n_bytes) == 0);
}

/* Room for one more number: in use, and free once more. */
static bool make_room(struct armpmu_code *code)
{
    const size_t wanted = (size_t)code->n_index + 1;

    return intern_reserve(&code->indices) && ARRAY_RESERVE(code->by_index, code->room, wanted) &&
           ARRAY_RESERVE(code->free_index, code->free_room, wanted);
}

static struct kept *new_kept(struct armpmu_code *code, const struct armpmu_block_source *source,
                             uint8_t it_before, uint32_t hash, enum armpmu_status *status)
{
    const uint32_t n_bytes = present_bytes(source);
    struct kept *kept = malloc(sizeof *kept + n_bytes);

    if (kept == NULL) {
        *status = ARMPMU_NO_MEMORY;
        return NULL;
    }
    *kept = (struct kept){.hash = hash, .n_bytes = n_bytes, .it_before = it_before};
    if (n_bytes != 0)
        memcpy(kept->bytes, source->bytes, n_bytes);
    *status = decode_block(code->decoder, source, it_before, &kept->block);
    if (*status != ARMPMU_OK) {
        free(kept);
        return NULL;
    }
    kept->block->it_before = it_before;
    kept->block->file = source->file;
    kept->block->it_open = source->isa == ARMPMU_T32 && !source->it_known;
    kept->block->index = code->n_free != 0 ? code->free_index[--code->n_free] : code->n_index++;
    return kept;
}

static struct kept *find_or_decode(struct armpmu_code *code,
                                   const struct armpmu_block_source *source, uint8_t it_before,
                                   enum armpmu_status *status)
{
    const struct code_key key = {source, it_before};
    const uint32_t hash = hash_of(&key);
    const uint32_t known = intern_find(&code->indices, hash, same, code, &key);

    *status = ARMPMU_OK;
    if (known != INTERN_NONE)
        return code->by_index[known];
    if (!make_room(code)) {
        *status = ARMPMU_NO_MEMORY;
        return NULL;
    }
    struct kept *const kept = new_kept(code, source, it_before, hash, status);
    if (kept == NULL)
        return NULL;
    (void)intern_add(&code->indices, hash, kept->block->index);
    code->by_index[kept->block->index] = kept;
    code->bytes += bytes_of(kept) + bytes_of(kept->block);
    return kept;
}

static enum armpmu_status refuse(enum armpmu_status status, uint32_t id,
                                 const struct armpmu_block_source *source, struct armpmu_error *err)
{
    if (status == ARMPMU_NO_MEMORY)
        return fail(err, status, "out of memory for block %" PRIu32, id);
    return fail(err, status,
                "the trace has a block of %" PRIu32 " instructions at 0x%" PRIx64
                "; a block has at most %d and ends within the address space",
                source->n_insns, source->address, BLOCK_INSNS_MAX);
}

enum armpmu_status code_decoded(struct armpmu_code *code, uint32_t id, uint8_t it_before,
                                unsigned isas, const struct block **out, struct armpmu_error *err)
{
    static const char *const names[] = {"A32", "T32", "A64"};
    struct armpmu_block_source source = {0};
    enum armpmu_status status;

    *out = NULL;
    /* Not under our lock: lookup may take one itself. */
    if (id >= CODE_IDS_MAX || !code->lookup(code->user, id, &source))
        return fail(err, ARMPMU_BAD_INPUT,
                    "the trace names block %" PRIu32 ", which it never defined", id);
    if ((unsigned)source.isa > ARMPMU_A64 || (isas & CODE_ISA(source.isa)) == 0)
        return fail(err, ARMPMU_BAD_INPUT,
                    "the trace has %s code at 0x%" PRIx64
                    ", which this core does not execute; choose another with --machine",
                    (unsigned)source.isa > ARMPMU_A64 ? "unknown" : names[source.isa],
                    source.address);
    if (source.bytes != NULL)
        source.address += code->offset;
    if (source.it_known)
        it_before = source.it_before;
    pthread_mutex_lock(&code->lock);
    struct kept *const kept =
        find_or_decode(code, &source, source.isa == ARMPMU_T32 ? it_before : 0, &status);
    if (kept != NULL)
        kept->n_users++;
    pthread_mutex_unlock(&code->lock);
    *out = kept != NULL ? kept->block : NULL;
    return status == ARMPMU_OK ? status : refuse(status, id, &source, err);
}

static void remove_kept(struct armpmu_code *code, struct kept *kept)
{
    intern_remove(&code->indices, kept->hash, kept->block->index);
    code->by_index[kept->block->index] = NULL;
    code->free_index[code->n_free++] = kept->block->index;
    code->bytes -= bytes_of(kept) + bytes_of(kept->block);
    free(kept->block);
    free(kept);
}

void code_release(struct armpmu_code *code, const struct block *block)
{
    pthread_mutex_lock(&code->lock);
    struct kept *kept = code->by_index[block->index];
    if (--kept->n_users == 0)
        remove_kept(code, kept);
    pthread_mutex_unlock(&code->lock);
}

const uint8_t *code_bytes(struct armpmu_code *code, const struct block *block, uint32_t *n_bytes)
{
    pthread_mutex_lock(&code->lock);
    const struct kept *const kept = code->by_index[block->index];
    pthread_mutex_unlock(&code->lock);
    *n_bytes = kept->n_bytes;
    return kept->n_bytes != 0 ? kept->bytes : NULL;
}

uint32_t code_block_count(struct armpmu_code *code)
{
    pthread_mutex_lock(&code->lock);
    const uint32_t count = code->indices.n;
    pthread_mutex_unlock(&code->lock);
    return count;
}

/* ---- what models hold ---- */

void code_join(struct code_share *share, struct armpmu_code *code)
{
    *share = (struct code_share){.code = code};
    code->n_models++;
}

void code_leave(struct code_share *share)
{
    if (share->code == NULL)
        return;
    share->code->n_models--;
    share->code = NULL;
}

void code_hold(struct code_share *share, const void *memory)
{
    share->bytes += bytes_of(memory);
    share->code->bytes += bytes_of(memory);
}

void code_drop(struct code_share *share, const void *memory)
{
    share->bytes -= bytes_of(memory);
    share->code->bytes -= bytes_of(memory);
}

/* Each model counts as holding all the shared bytes that it uses. */
void code_use(struct code_share *share, const struct block *block)
{
    pthread_mutex_lock(&share->code->lock);
    share->code->by_index[block->index]->n_users++;
    pthread_mutex_unlock(&share->code->lock);
    share->bytes += bytes_of(block);
}

void code_unuse(struct code_share *share, const struct block *block)
{
    share->bytes -= bytes_of(block);
    code_release(share->code, block);
}

/* A model cannot be sure that it needs this much again itself: another thread's allocations come
 * from elsewhere. */
#define WORTH_RETURNING ((size_t)16 << 20)

void code_forgot(const struct code_share *share, size_t bytes_before)
{
    if (bytes_before - share->bytes >= WORTH_RETURNING)
        malloc_trim(0);
}

size_t code_allowed(const struct code_share *share)
{
    const unsigned n_models = atomic_load_explicit(&share->code->n_models, memory_order_relaxed);

    return atomic_load_explicit(&share->code->limit, memory_order_relaxed) /
           (n_models != 0 ? n_models : 1);
}

bool code_is_full(const struct code_share *share)
{
    const struct armpmu_code *code = share->code;

    return atomic_load_explicit(&code->bytes, memory_order_relaxed) >
               atomic_load_explicit(&code->limit, memory_order_relaxed) &&
           share->bytes > code_allowed(share);
}
