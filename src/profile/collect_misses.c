/* Copies cache misses from the maps of core models to a profile. */
#include "profile/collect_internal.h"

#define PART_OF_SET 100 /* regions with less than this part of a set's misses are told as one */

void profile_collect_misses(struct profile_collection *collection, struct armpmu_sim *sim)
{
    for (enum armpmu_miss_cache cache = ARMPMU_MISS_L1I; cache < ARMPMU_MISS_CACHES; cache++) {
        struct armpmu_miss_map **const sum = &collection->misses[cache];
        const struct armpmu_miss_map *const map =
            armpmu_sim_miss_map(sim, cache, &collection->miss_signals[cache]);
        if (map == NULL)
            continue;
        if (*sum == NULL)
            *sum = armpmu_sim_take_miss_map(sim, cache);
        else
            armpmu_miss_map_merge(*sum, map);
    }
}

/* A map on its way to a profile. */
struct miss_filling {
    struct profile *profile;
    const struct armpmu_miss_map *map;
    uint32_t cache, first_region;
    uint32_t rows[ARMPMU_MISS_ROWS]; /* by address */
    struct armpmu_error *err;
};

static enum armpmu_status add_columns(const struct miss_filling *to, uint32_t region, uint32_t row)
{
    enum armpmu_status status = ARMPMU_OK;

    for (uint64_t column = 0; column < ARMPMU_MISS_COLUMNS && status == ARMPMU_OK; column++) {
        const struct profile_miss miss = {region, column << to->map->column_shift,
                                          to->map->by_time[row][column]};
        if (miss.n != 0)
            status = profile_add_miss(to->profile, &miss, to->err);
    }
    return status;
}

static enum armpmu_status add_regions(struct miss_filling *to)
{
    enum armpmu_status status = ARMPMU_OK;

    to->first_region = (uint32_t)to->profile->n_regions;
    for (uint32_t i = 0; i < to->map->n_rows && status == ARMPMU_OK; i++) {
        const struct profile_region region = {
            to->cache, to->map->regions[to->rows[i]] << to->map->row_shift, NULL};
        uint32_t number;
        status = profile_add_region(to->profile, &region, &number, to->err);
    }
    for (uint32_t i = 0; i < to->map->n_rows && status == ARMPMU_OK; i++)
        status = add_columns(to, to->first_region + i, to->rows[i]);
    return status;
}

/* The misses of the set in the i-th region by address. */
static uint64_t count_of(const struct miss_filling *to, uint32_t set, uint32_t i)
{
    return to->map->by_set[(size_t)to->rows[i] * to->map->n_sets + set];
}

/* Regions of physical memory say nothing. */
static enum armpmu_status add_set(const struct miss_filling *to, uint32_t set)
{
    struct profile_set_miss others = {to->cache, set, PROFILE_NONE, 0};
    enum armpmu_status status = ARMPMU_OK;
    uint64_t total = 0;

    for (uint32_t i = 0; i < to->map->n_rows; i++)
        total += count_of(to, set, i);
    for (uint32_t i = 0; i < to->map->n_rows && status == ARMPMU_OK; i++) {
        const struct profile_set_miss miss = {to->cache, set, to->first_region + i,
                                              count_of(to, set, i)};
        if (to->profile->caches[to->cache].is_physical || miss.n < total / PART_OF_SET + 1)
            others.n += miss.n;
        else
            status = profile_add_set_miss(to->profile, &miss, to->err);
    }
    if (others.n == 0 || status != ARMPMU_OK)
        return status;
    return profile_add_set_miss(to->profile, &others, to->err);
}

/* The recorded event that is the signal; PROFILE_NONE where none is. */
static uint32_t event_of(const struct profile_collection *collection, enum armpmu_signal signal)
{
    for (uint32_t i = 0; i < collection->n_events; i++)
        if (collection->events[i]->n_signals == 1 && collection->events[i]->signals[0] == signal)
            return i;
    return PROFILE_NONE;
}

static enum armpmu_status add_cache(const struct profile_collection *collection,
                                    enum armpmu_miss_cache cache, struct profile *profile,
                                    struct armpmu_error *err)
{
    static const char *const names[] = {
        [ARMPMU_MISS_L1I] = "L1I", [ARMPMU_MISS_L1D] = "L1D", [ARMPMU_MISS_L2] = "L2"};
    struct miss_filling to = {.profile = profile, .map = collection->misses[cache], .err = err};
    const struct profile_cache made = {
        .name = names[cache],
        .event = event_of(collection, collection->miss_signals[cache]),
        .n_sets = to.map->n_sets,
        .region_bytes = UINT64_C(1) << to.map->row_shift,
        .column_cycles = UINT64_C(1) << to.map->column_shift,
        .is_physical = cache == ARMPMU_MISS_L2,
    };
    enum armpmu_status status = profile_add_cache(profile, &made, &to.cache, err);

    armpmu_miss_map_rows(to.map, to.rows);
    if (status == ARMPMU_OK)
        status = add_regions(&to);
    for (uint32_t set = 0; set < to.map->n_sets && status == ARMPMU_OK; set++)
        status = add_set(&to, set);
    return status;
}

enum armpmu_status profile_fill_misses(const struct profile_collection *collection,
                                       struct profile *profile, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (enum armpmu_miss_cache cache = ARMPMU_MISS_L1I;
         cache < ARMPMU_MISS_CACHES && status == ARMPMU_OK; cache++)
        if (collection->misses[cache] != NULL)
            status = add_cache(collection, cache, profile, err);
    return status;
}
