/* The store of decoded blocks: a hash table over what makes two translations the same code. */
#include "isa/code.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

struct entry {
    struct block *block;  /* NULL: free                                    */
    const uint8_t *bytes; /* the engine's, they live as long as we do      */
    uint32_t n_bytes;
    uint32_t hash;
    uint8_t it_before;
};

struct armpmu_code {
    armpmu_block_lookup lookup;
    void *user;
    pthread_mutex_t lock; /* over everything below */
    struct decoder *decoder;
    struct entry *entries; /* open addressing, a power of two, at most half full */
    uint32_t n_entries, n_blocks;
};

enum { FIRST_ENTRIES = 1024 };

enum armpmu_status armpmu_code_new(armpmu_block_lookup lookup, void *user, struct armpmu_code **out,
                                   struct armpmu_error *err)
{
    struct armpmu_code *code = calloc(1, sizeof *code);
    enum armpmu_status status;

    *out = NULL;
    if (code == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "no memory for the code store");
    code->lookup = lookup;
    code->user = user;
    code->n_entries = FIRST_ENTRIES;
    code->entries = calloc(code->n_entries, sizeof *code->entries);
    if (code->entries == NULL) {
        free(code);
        return fail(err, ARMPMU_NO_MEMORY, "no memory for the code store");
    }
    status = decoder_new(&code->decoder, err);
    if (status != ARMPMU_OK) {
        free(code->entries);
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
    for (uint32_t i = 0; i < code->n_entries; i++)
        free(code->entries[i].block);
    free(code->entries);
    decoder_free(code->decoder);
    pthread_mutex_destroy(&code->lock);
    free(code);
}

/* Bytes that are there: an engine may announce more than it has. */
static uint32_t present_bytes(const struct armpmu_block_source *source)
{
    return source->bytes == NULL ? 0 : source->n_bytes;
}

/* FNV-1a over all that tells two blocks apart. */
static uint32_t hash_of(const struct armpmu_block_source *source, uint8_t it_before)
{
    const uint64_t facts[3] = {source->address, source->n_insns,
                               (uint64_t)source->isa << 8 | it_before};
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < sizeof facts; i++)
        hash = (hash ^ (uint8_t)(facts[i / 8] >> i % 8 * 8)) * 16777619u;
    for (uint32_t i = 0; i < present_bytes(source); i++)
        hash = (hash ^ source->bytes[i]) * 16777619u;
    return hash;
}

static bool entry_is(const struct entry *entry, const struct armpmu_block_source *source,
                     uint8_t it_before, uint32_t hash)
{
    const uint32_t n_bytes = present_bytes(source);

    return entry->hash == hash && entry->block->address == source->address &&
           entry->block->n_insns == source->n_insns && entry->block->isa == source->isa &&
           entry->it_before == it_before && entry->n_bytes == n_bytes &&
           (n_bytes == 0 || memcmp(entry->bytes, source->bytes, n_bytes) == 0);
}

/* The entry of the block, or the free one where it belongs. */
static struct entry *find(const struct armpmu_code *code, const struct armpmu_block_source *source,
                          uint8_t it_before, uint32_t hash)
{
    uint32_t i = hash & (code->n_entries - 1);

    while (code->entries[i].block != NULL && !entry_is(&code->entries[i], source, it_before, hash))
        i = (i + 1) & (code->n_entries - 1);
    return &code->entries[i];
}

static bool grow(struct armpmu_code *code)
{
    const uint32_t n_entries = 2 * code->n_entries;
    struct entry *entries = calloc(n_entries, sizeof *entries);

    if (entries == NULL)
        return false;
    for (uint32_t i = 0; i < code->n_entries; i++) {
        uint32_t to = code->entries[i].hash & (n_entries - 1);
        if (code->entries[i].block == NULL)
            continue;
        while (entries[to].block != NULL)
            to = (to + 1) & (n_entries - 1);
        entries[to] = code->entries[i];
    }
    free(code->entries);
    code->entries = entries;
    code->n_entries = n_entries;
    return true;
}

static const struct block *find_or_decode(struct armpmu_code *code,
                                          const struct armpmu_block_source *source,
                                          uint8_t it_before, enum armpmu_status *status)
{
    const uint32_t hash = hash_of(source, it_before);
    struct entry *entry = find(code, source, it_before, hash);
    struct block *block;

    *status = ARMPMU_OK;
    if (entry->block != NULL)
        return entry->block;
    if (2 * code->n_blocks >= code->n_entries) {
        if (!grow(code)) {
            *status = ARMPMU_NO_MEMORY;
            return NULL;
        }
        entry = find(code, source, it_before, hash);
    }
    *status = decode_block(code->decoder, source, it_before, &block);
    if (*status != ARMPMU_OK)
        return NULL;
    block->index = code->n_blocks++;
    *entry = (struct entry){block, source->bytes, present_bytes(source), hash, it_before};
    return block;
}

const struct block *code_block(struct armpmu_code *code, uint32_t id, uint8_t it_before,
                               enum armpmu_status *status)
{
    struct armpmu_block_source source;
    const struct block *block;

    if (!code->lookup(code->user, id, &source)) { /* not under our lock: it may take one itself */
        *status = ARMPMU_BAD_INPUT;
        return NULL;
    }
    if (source.it_known)
        it_before = source.it_before;
    pthread_mutex_lock(&code->lock);
    block = find_or_decode(code, &source, source.isa == ARMPMU_T32 ? it_before : 0, status);
    pthread_mutex_unlock(&code->lock);
    return block;
}

uint32_t code_block_count(struct armpmu_code *code)
{
    pthread_mutex_lock(&code->lock);
    const uint32_t count = code->n_blocks;
    pthread_mutex_unlock(&code->lock);
    return count;
}
