/* Where cycles go, and where caches miss. */
#include <inttypes.h>

#include "armpmu/catalog.h"
#include "export/html_sections.h"
#include "export/json_text.h"
#include "profile/topdown_leaves.h"

/* Numbers of the maps of misses, over all caches. */
#define MISS_NUMBERS 48000u

/* ---- where cycles go ---- */

static void print_stall(const struct export_job *job, const struct armpmu_stall *stall,
                        bool *has_any, FILE *out)
{
    const uint32_t event = html_find_number(job, stall->event);
    const bool is_part = stall->of != ARMPMU_STALL_ALONE && stall->of != ARMPMU_STALL_BESIDE;
    const uint32_t of = is_part ? html_find_number(job, stall->of) : PROFILE_NONE;

    if (event == PROFILE_NONE || (is_part && of == PROFILE_NONE))
        return;
    fprintf(out, "%s{\"event\":%" PRIu32 ",\"of\":%" PRId64 ",\"beside\":%s", *has_any ? "," : "",
            event, is_part ? (int64_t)of : -1, stall->of == ARMPMU_STALL_BESIDE ? "true" : "false");
    json_member("label", stall->label, out);
    fputc('}', out);
    *has_any = true;
}

/* The leaves of --topdown, where they were recorded: each cycle is in one at most. */
static bool print_leaves(const struct export_job *job, FILE *out)
{
    bool has_any = false;

    for (uint32_t i = 0; i < job->n_events; i++) {
        if (!topdown_is_leaf(export_event(job, i)->number) || export_total(job, i) == 0)
            continue;
        fprintf(out, "%s{\"event\":%" PRIu32 ",\"of\":-1,\"beside\":false", has_any ? "," : "", i);
        json_member("label", export_event(job, i)->meaning, out);
        fputc('}', out);
        has_any = true;
    }
    return has_any;
}

void html_cycles(const struct export_job *job, FILE *out)
{
    const struct profile_setup *const setup = &job->profile->setup;
    const struct armpmu_core *core = setup->core != NULL ? armpmu_core_find(setup->core) : NULL;
    const uint32_t cycles = core != NULL ? html_find_number(job, core->cycles_event) : PROFILE_NONE;
    bool has_any = false;

    fprintf(out, ",\n\"cycles\":{\"event\":%" PRId64 ",\"stalls\":[",
            cycles != PROFILE_NONE ? (int64_t)cycles : -1);
    const bool has_leaves = cycles != PROFILE_NONE && print_leaves(job, out);
    for (size_t i = 0; cycles != PROFILE_NONE && !has_leaves && i < core->n_stalls; i++)
        print_stall(job, &core->stalls[i], &has_any, out);
    fputc(']', out);
    json_member("rest",
                has_leaves     ? "the model does not say what for"
                : core != NULL ? core->not_stalled
                               : "",
                out);
    fputc('}', out);
}

/* ---- where caches miss ---- */

/* A cache of the profile, and where its rows are. */
struct cache_rows {
    const struct profile *profile;
    uint32_t cache;
    size_t first_region, end_region, miss;
    uint64_t column_cycles; /* as printed */
};

/* Columns of a region from the first on: counts, and -N for N columns without any. */
static void print_region(struct cache_rows *rows, size_t region, FILE *out)
{
    const struct profile *const p = rows->profile;
    uint64_t next = 0;
    bool has_any = false;

    fprintf(out, "%s[\"%" PRIx64 "\",", region > rows->first_region ? ",\n" : "",
            p->regions[region].address);
    json_text(p->regions[region].name != NULL ? p->regions[region].name : "", out);
    fputs(",[", out);
    while (rows->miss < p->n_misses && p->misses[rows->miss].region == region) {
        const uint64_t column = p->misses[rows->miss].start_cycles / rows->column_cycles;
        uint64_t n = 0;
        for (; rows->miss < p->n_misses && p->misses[rows->miss].region == region &&
               p->misses[rows->miss].start_cycles / rows->column_cycles == column;
             rows->miss++)
            n += p->misses[rows->miss].n;
        if (column > next)
            fprintf(out, "%s-%" PRIu64, has_any ? "," : "", column - next);
        fprintf(out, "%s%" PRIu64, has_any || column > next ? "," : "", n);
        has_any = true;
        next = column + 1;
    }
    fputs("]]", out);
}

/* Returns whether two rows of a set have regions with the same name, or none. */
static bool is_same_place(const struct profile *p, const struct profile_set_miss *a,
                          const struct profile_set_miss *b)
{
    if (a->cache != b->cache || a->set != b->set)
        return false;
    if (a->region == PROFILE_NONE || b->region == PROFILE_NONE)
        return a->region == b->region;
    return a->region == b->region || (p->regions[a->region].name != NULL &&
                                      p->regions[a->region].name == p->regions[b->region].name);
}

/* A list of three numbers each: the set, a region or -1 for others, and the misses. Regions of a
 * set that follow one another and have the same name are one. */
static void print_sets(const struct cache_rows *rows, FILE *out)
{
    const struct profile *const p = rows->profile;
    const char *comma = "";

    fputs(",\n\"in_sets\":[", out);
    for (size_t i = 0, next; i < p->n_set_misses; i = next) {
        const struct profile_set_miss *const miss = &p->set_misses[i];
        uint64_t n = miss->n;
        for (next = i + 1; next < p->n_set_misses && is_same_place(p, miss, &p->set_misses[next]);)
            n += p->set_misses[next++].n;
        if (miss->cache != rows->cache)
            continue;
        fprintf(out, "%s%" PRIu32 ",%" PRId64 ",%" PRIu64, comma, miss->set,
                miss->region != PROFILE_NONE ? (int64_t)(miss->region - rows->first_region) : -1,
                n);
        comma = ",";
    }
    fputc(']', out);
}

static void print_cache(const struct export_job *job, struct cache_rows *rows, FILE *out)
{
    const struct profile_cache *const cache = &job->profile->caches[rows->cache];
    const uint32_t event = cache->event != PROFILE_NONE ? job->columns[cache->event] : PROFILE_NONE;

    fprintf(out, "%s{\"total\":%" PRIu64 ",\"event\":%" PRId64 ",\"sets\":%" PRIu32,
            rows->cache > 0 ? ",\n" : "", cache->n, event != PROFILE_NONE ? (int64_t)event : -1,
            cache->n_sets);
    fprintf(out, ",\"bytes\":%" PRIu64 ",\"cycles\":%" PRIu64 ",\"physical\":%s",
            cache->region_bytes, rows->column_cycles, cache->is_physical ? "true" : "false");
    json_member("name", cache->name, out);
    fputs(",\n\"regions\":[", out);
    for (size_t i = rows->first_region; i < rows->end_region; i++)
        print_region(rows, i, out);
    fputc(']', out);
    print_sets(rows, out);
    fputc('}', out);
}

void html_misses(const struct export_job *job, FILE *out)
{
    const struct profile *const p = job->profile;
    struct cache_rows rows = {.profile = p};
    uint64_t wide = 1;

    while (p->n_misses / wide > MISS_NUMBERS)
        wide *= 2;
    fputs(",\n\"caches\":[", out);
    for (uint32_t i = 0; i < p->n_caches; i++) {
        rows.cache = i;
        rows.column_cycles = p->caches[i].column_cycles;
        if (rows.column_cycles <= UINT64_MAX / wide)
            rows.column_cycles *= wide;
        rows.first_region = rows.end_region;
        while (rows.end_region < p->n_regions && p->regions[rows.end_region].cache == i)
            rows.end_region++;
        print_cache(job, &rows, out);
    }
    fputc(']', out);
}
