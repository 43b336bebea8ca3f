/* Rows of caches and of their misses; of data, and of the accesses to it. */
#include "profile/profile_file_read.h"

#include <string.h>

#include "armpmu/profile.h"
#include "profile/profile_schema.h"

#define SETS_MAX     (1u << 20)
#define KINDS_MOST   7 /* ARMPMU_ACCESS_ bits */
#define LATENCY_MOST 64

static uint64_t power_of_two(struct file_reader *r, int column)
{
    const uint64_t value = profile_column_count(r, column);

    if (value == 0 || (value & (value - 1)) != 0)
        profile_row_damaged(r, sqlite3_column_name(r->row, column), "is no power of two");
    return profile_is_sound(r) ? value : 1;
}

void profile_read_cache_row(struct file_reader *r)
{
    const struct profile_cache cache = {
        .name = profile_column_text(r, 1),
        .event = profile_column_reference_or_none(r, 2, r->profile->n_events),
        .n_sets = profile_column_number32(r, 3),
        .region_bytes = power_of_two(r, 4),
        .column_cycles = power_of_two(r, 5),
        .is_physical = profile_column_number(r, 6, 1) != 0};

    if (cache.n_sets > SETS_MAX)
        profile_row_damaged(r, "sets", "is too many");
    ADD_ROW(r, profile_add_cache, &cache);
}

void profile_read_region_row(struct file_reader *r)
{
    const struct profile *const p = r->profile;
    const struct profile_region region = {profile_column_reference(r, 1, p->n_caches),
                                          profile_column_any_number(r, 2),
                                          profile_column_text_or_null(r, 3)};
    const struct profile_region *const last =
        p->n_regions > 0 ? &p->regions[p->n_regions - 1] : NULL;

    if (!profile_is_sound(r))
        return;
    if (region.address % p->caches[region.cache].region_bytes != 0)
        profile_row_damaged(r, "address", "is not where a region begins");
    if (last != NULL && (region.cache < last->cache ||
                         (region.cache == last->cache && region.address <= last->address)))
        profile_row_damaged(r, "address", "does not rise");
    if (r->n_read >= (region.cache + 1) * ARMPMU_MISS_ROWS)
        profile_row_damaged(r, "id", "is too many");
    ADD_ROW(r, profile_add_region, &region);
}

/* A count of misses, of which all so far are `before`. */
static uint64_t misses(struct file_reader *r, int column, uint64_t before)
{
    const uint64_t n = profile_column_count(r, column);

    if (n == 0)
        profile_row_damaged(r, "n", "is 0");
    if (n > INT64_MAX - before)
        profile_row_damaged(r, "n", "is too large");
    return n;
}

void profile_read_miss_row(struct file_reader *r)
{
    const struct profile *const p = r->profile;
    const uint32_t region = profile_column_reference(r, 0, p->n_regions);
    const struct profile_miss *const last = p->n_misses > 0 ? &p->misses[p->n_misses - 1] : NULL;

    if (!profile_is_sound(r))
        return;
    const struct profile_cache *const cache = &p->caches[p->regions[region].cache];
    const struct profile_miss miss = {region, profile_column_count(r, 1), misses(r, 2, cache->n)};
    if (miss.start_cycles % cache->column_cycles != 0 ||
        miss.start_cycles / cache->column_cycles >= ARMPMU_MISS_COLUMNS)
        profile_row_damaged(r, "start_cycles", "is not where a column begins");
    if (last != NULL && (region < last->region ||
                         (region == last->region && miss.start_cycles <= last->start_cycles)))
        profile_row_damaged(r, "start_cycles", "does not rise");
    if (profile_is_sound(r))
        r->status = profile_add_miss(r->profile, &miss, r->err);
}

void profile_read_set_miss_row(struct file_reader *r)
{
    const struct profile *const p = r->profile;
    const uint32_t cache = profile_column_reference(r, 0, p->n_caches),
                   region = profile_column_reference_or_none(r, 2, p->n_regions);

    if (!profile_is_sound(r))
        return;
    const struct profile_set_miss miss = {
        cache, profile_column_reference(r, 1, p->caches[cache].n_sets), region, misses(r, 3, 0)};
    if (profile_is_sound(r) && region != PROFILE_NONE && p->regions[region].cache != cache)
        profile_row_damaged(r, "region", "is one of another cache");
    if (profile_is_sound(r))
        r->status = profile_add_set_miss(r->profile, &miss, r->err);
}

static uint64_t misses_in_sets(const struct profile *p, uint32_t cache)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < p->n_set_misses; i++)
        if (p->set_misses[i].cache == cache)
            sum += p->set_misses[i].n;
    return sum;
}

void profile_end_set_misses(struct file_reader *r)
{
    for (uint32_t i = 0; i < r->profile->n_caches && profile_is_sound(r); i++)
        if (misses_in_sets(r->profile, i) != r->profile->caches[i].n)
            profile_row_damaged(r, "n", "does not add up to the misses of the cache");
}

/* ---- data accesses ---- */

void profile_read_datum_row(struct file_reader *r)
{
    const struct profile_datum datum = {profile_column_text(r, 1), profile_column_any_number(r, 2),
                                        profile_column_any_number(r, 3)};

    ADD_ROW(r, profile_add_datum, &datum);
}

/* The number of a word of a list. */
static uint8_t word(struct file_reader *r, int column, const char *(*name)(unsigned))
{
    const char *const text = profile_column_text(r, column);
    uint8_t number = 0;

    while (profile_is_sound(r) && name(number) != NULL && strcmp(name(number), text) != 0)
        number++;
    if (profile_is_sound(r) && name(number) == NULL)
        profile_row_damaged(r, sqlite3_column_name(r->row, column), "is none of its words");
    return number;
}

static struct armpmu_data_access numbers(struct file_reader *r)
{
    return (struct armpmu_data_access){.kind = (uint8_t)profile_column_number(r, 3, KINDS_MOST),
                                       .source = word(r, 4, profile_source_name),
                                       .tlb = word(r, 5, profile_tlb_name),
                                       .latency =
                                           (uint8_t)profile_column_number(r, 6, LATENCY_MOST),
                                       .low = profile_column_any_number(r, 7),
                                       .high = profile_column_any_number(r, 8),
                                       .sample = profile_column_any_number(r, 9),
                                       .step = profile_column_any_number(r, 10),
                                       .n = profile_column_count(r, 11),
                                       .lookups = profile_column_count(r, 12),
                                       .refills = profile_column_count(r, 13),
                                       .tlb_refills = profile_column_count(r, 14),
                                       .cycles = profile_column_count(r, 15)};
}

void profile_read_access_row(struct file_reader *r)
{
    const struct profile *const p = r->profile;
    const struct profile_access access = {profile_column_reference(r, 0, p->n_threads),
                                          profile_column_reference_or_none(r, 1, p->n_insns),
                                          profile_column_reference_or_none(r, 2, p->n_data),
                                          numbers(r), PROFILE_NONE};

    if (profile_is_sound(r) &&
        (access.of.sample < access.of.low || access.of.sample > access.of.high))
        profile_row_damaged(r, "sample", "is outside of low and high");
    if (profile_is_sound(r))
        r->status = profile_add_access(r->profile, &access, r->err);
}

void profile_read_allocation_row(struct file_reader *r)
{
    struct profile *const p = r->profile;
    const struct profile_allocation allocation = {
        .datum = profile_column_reference_or_none(r, 1, p->n_data),
        .insn = profile_column_reference_or_none(r, 2, p->n_insns),
        .path = profile_column_reference(r, 3, p->n_paths),
        .is_mapped = profile_column_number(r, 4, 1) != 0,
        .n = profile_column_count(r, 5),
        .n_bytes = profile_column_any_number(r, 6),
        .smallest = profile_column_any_number(r, 7),
        .largest = profile_column_any_number(r, 8)};

    ADD_ROW(r, profile_add_allocation, &allocation);
}

void profile_read_member_row(struct file_reader *r)
{
    const struct profile_member member = {profile_column_text(r, 1), profile_column_text(r, 2),
                                          profile_column_any_number(r, 3),
                                          profile_column_any_number(r, 4)};

    ADD_ROW(r, profile_add_member, &member);
}

void profile_read_place_row(struct file_reader *r)
{
    struct profile *const p = r->profile;
    const uint64_t number = profile_column_number(r, 0, p->n_accesses);
    const uint16_t bytes = (uint16_t)profile_column_number(r, 1, UINT16_MAX);
    const uint32_t allocation = profile_column_reference_or_none(r, 2, p->n_allocations);
    const uint32_t member = profile_column_reference_or_none(r, 5, p->n_members);

    if (profile_is_sound(r) && number == 0)
        profile_row_damaged(r, "access", "is no row of that table");
    if (!profile_is_sound(r))
        return;
    struct profile_access *const access = &p->accesses[number - 1];
    access->of.bytes = bytes;
    access->of.allocation = allocation + 1; /* 0 of none */
    access->of.offset = profile_column_any_number(r, 3);
    access->of.offset_step = profile_column_any_number(r, 4);
    access->member = member;
}
