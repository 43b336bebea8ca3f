#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"

#define APPEND(profile, many, item)                                                                \
    ((profile)->n_##many < PROFILE_NONE &&                                                         \
     ARRAY_ROOM((profile)->many, (profile)->room_##many, (profile)->n_##many + 1) &&               \
     ((profile)->many[(profile)->n_##many++] = (item), true))

#define HASH(hash, value) hash_bytes(hash, &(value), sizeof(value))

/* Adds an item whose texts the profile owns, if it does, and sets *number to its place. */
#define ADD_TO(profile, many, item, owns)                                                          \
    ((owns) && APPEND(profile, many, item)                                                         \
         ? (*number = (uint32_t)(profile)->n_##many - 1, ARMPMU_OK)                                \
         : fail_no_memory(err, "the profile"))

/* ---- strings ---- */

static bool same_text(const void *profile, uint32_t number, const void *key)
{
    return strcmp(((const struct profile *)profile)->texts[number], key) == 0;
}

static bool add_text(struct profile *profile, uint32_t hash, const char *text)
{
    char *copy;

    if (!intern_reserve(&profile->text_numbers) ||
        !ARRAY_RESERVE(profile->texts, profile->room_texts, profile->n_texts + 1) ||
        (copy = strdup(text)) == NULL)
        return false;
    profile->texts[profile->n_texts] = copy;
    return intern_add(&profile->text_numbers, hash, (uint32_t)profile->n_texts++);
}

static bool own(struct profile *profile, const char **text)
{
    if (*text == NULL)
        return true;
    const uint32_t hash = hash_bytes(HASH_START, *text, strlen(*text));
    uint32_t number = intern_find(&profile->text_numbers, hash, same_text, profile, *text);

    if (number == INTERN_NONE) {
        if (!add_text(profile, hash, *text))
            return false;
        number = (uint32_t)profile->n_texts - 1;
    }
    *text = profile->texts[number];
    return true;
}

enum armpmu_status profile_own_text(struct profile *profile, const char **text,
                                    struct armpmu_error *err)
{
    return own(profile, text) ? ARMPMU_OK : fail_no_memory(err, "the profile");
}

enum armpmu_status profile_set_setup(struct profile *profile, const struct profile_setup *setup,
                                     struct armpmu_error *err)
{
    struct profile_setup copy = *setup;

    if (!own(profile, &copy.armpmu) || !own(profile, &copy.core) || !own(profile, &copy.machine) ||
        !own(profile, &copy.machine_text) || !own(profile, &copy.machine_hash) ||
        !own(profile, &copy.engine) || !own(profile, &copy.command))
        return fail_no_memory(err, "the profile");
    for (size_t i = 0; i < VERSIONS; i++)
        if (!own(profile, &copy.versions[i]))
            return fail_no_memory(err, "the profile");
    profile->setup = copy;
    return ARMPMU_OK;
}

/* ---- begin and end ---- */

enum armpmu_status profile_new(struct profile **out, struct armpmu_error *err)
{
    const struct profile_path root = {PROFILE_ROOT, PROFILE_NONE, PROFILE_NONE, 0};
    uint32_t number;
    enum armpmu_status status;

    *out = calloc(1, sizeof **out);
    status = *out != NULL ? profile_add_path(*out, &root, &number, err)
                          : fail_no_memory(err, "the profile");
    if (status != ARMPMU_OK) {
        profile_free(*out);
        *out = NULL;
    }
    return status;
}

static void free_numbers(struct profile *profile)
{
    intern_free(&profile->text_numbers);
    intern_free(&profile->object_numbers);
    intern_free(&profile->function_numbers);
    intern_free(&profile->file_numbers);
    intern_free(&profile->insn_numbers);
    intern_free(&profile->path_numbers);
    intern_free(&profile->row_numbers);
    intern_free(&profile->allocation_numbers);
    intern_free(&profile->member_numbers);
}

void profile_free(struct profile *profile)
{
    if (profile == NULL)
        return;
    for (size_t i = 0; i < profile->n_texts; i++)
        free(profile->texts[i]);
    for (size_t i = 0; i < profile->n_intervals; i++)
        free(profile->intervals[i].counts);
#define TABLE(one, many) free(profile->many);
    PROFILE_TABLES(TABLE)
#undef TABLE
    free(profile->totals);
    free(profile->texts);
    free_numbers(profile);
    free(profile);
}

/* ---- what is always added ---- */

enum armpmu_status profile_add_event(struct profile *profile, const struct profile_event *event,
                                     uint32_t *number, struct armpmu_error *err)
{
    struct profile_event copy = *event;
    return ADD_TO(profile, events, copy,
                  own(profile, &copy.name) && own(profile, &copy.meaning) &&
                      own(profile, &copy.fidelity) && own(profile, &copy.unit) &&
                      ARRAY_RESERVE(profile->totals, profile->room_totals, profile->n_events + 1));
}

enum armpmu_status profile_add_thread(struct profile *profile, const struct profile_thread *thread,
                                      uint32_t *number, struct armpmu_error *err)
{
    struct profile_thread copy = *thread;
    return ADD_TO(profile, threads, copy, own(profile, &copy.name));
}

enum armpmu_status profile_add_inline(struct profile *profile, const struct profile_inline *inlined,
                                      uint32_t *number, struct armpmu_error *err)
{
    struct profile_inline copy = *inlined;
    return ADD_TO(profile, inlines, copy, own(profile, &copy.name));
}

enum armpmu_status profile_add_interval(struct profile *profile, uint64_t end_cycles,
                                        const uint64_t *counts, struct armpmu_error *err)
{
    const size_t n_bytes = profile->n_events * sizeof *counts;
    struct profile_interval interval = {end_cycles, malloc(n_bytes > 0 ? n_bytes : 1)};

    if (interval.counts == NULL || !APPEND(profile, intervals, interval)) {
        free(interval.counts);
        return fail_no_memory(err, "the profile");
    }
    if (n_bytes > 0)
        memcpy(interval.counts, counts, n_bytes);
    return ARMPMU_OK;
}

/* ---- misses of caches ---- */

enum armpmu_status profile_add_cache(struct profile *profile, const struct profile_cache *cache,
                                     uint32_t *number, struct armpmu_error *err)
{
    struct profile_cache copy = *cache;
    return ADD_TO(profile, caches, copy, own(profile, &copy.name));
}

enum armpmu_status profile_add_region(struct profile *profile, const struct profile_region *region,
                                      uint32_t *number, struct armpmu_error *err)
{
    struct profile_region copy = *region;
    return ADD_TO(profile, regions, copy, own(profile, &copy.name));
}

enum armpmu_status profile_add_miss(struct profile *profile, const struct profile_miss *miss,
                                    struct armpmu_error *err)
{
    if (!APPEND(profile, misses, *miss))
        return fail_no_memory(err, "the profile");
    profile->caches[profile->regions[miss->region].cache].n += miss->n;
    return ARMPMU_OK;
}

enum armpmu_status profile_add_edge(struct profile *profile, const struct profile_edge *edge,
                                    struct armpmu_error *err)
{
    return APPEND(profile, edges, *edge) ? ARMPMU_OK : fail_no_memory(err, "the profile");
}

enum armpmu_status profile_add_datum(struct profile *profile, const struct profile_datum *datum,
                                     uint32_t *number, struct armpmu_error *err)
{
    struct profile_datum copy = *datum;
    return ADD_TO(profile, data, copy, own(profile, &copy.name));
}

enum armpmu_status profile_add_access(struct profile *profile, const struct profile_access *access,
                                      struct armpmu_error *err)
{
    return APPEND(profile, accesses, *access) ? ARMPMU_OK : fail_no_memory(err, "the profile");
}

enum armpmu_status profile_add_set_miss(struct profile *profile,
                                        const struct profile_set_miss *miss,
                                        struct armpmu_error *err)
{
    return APPEND(profile, set_misses, *miss) ? ARMPMU_OK : fail_no_memory(err, "the profile");
}

/* ---- what may be there ---- */

/* Gives the number of the same, or, after memory for one more, PROFILE_NONE. */
static bool find_or_reserve(struct profile *profile, struct intern *numbers, uint32_t hash,
                            intern_same *same, const void *key, uint32_t *number)
{
    *number = intern_find(numbers, hash, same, profile, key);
    return *number != PROFILE_NONE || intern_reserve(numbers);
}

/* Enters what was added, which is found by its hash from now on. */
static enum armpmu_status entered(struct intern *numbers, uint32_t hash, enum armpmu_status added,
                                  const uint32_t *number)
{
    if (added == ARMPMU_OK)
        (void)intern_add(numbers, hash, *number); /* reserved */
    return added;
}

static bool same_object(const void *profile, uint32_t number, const void *key)
{
    const struct profile_object *a = &((const struct profile *)profile)->objects[number], *b = key;

    return a->bias == b->bias && strcmp(a->path, b->path) == 0;
}

enum armpmu_status profile_add_object(struct profile *profile, const struct profile_object *object,
                                      uint32_t *number, struct armpmu_error *err)
{
    struct intern *const numbers = &profile->object_numbers;
    const uint32_t hash =
        HASH(hash_bytes(HASH_START, object->path, strlen(object->path)), object->bias);
    struct profile_object copy = *object;

    if (!find_or_reserve(profile, numbers, hash, same_object, object, number))
        return fail_no_memory(err, "the profile");
    if (*number != PROFILE_NONE)
        return ARMPMU_OK;
    return entered(
        numbers, hash,
        ADD_TO(profile, objects, copy, own(profile, &copy.path) && own(profile, &copy.build_id)),
        number);
}

static bool same_function(const void *profile, uint32_t number, const void *key)
{
    const struct profile_function *a = &((const struct profile *)profile)->functions[number],
                                  *b = key;

    return a->address == b->address && a->object == b->object;
}

enum armpmu_status profile_add_function(struct profile *profile,
                                        const struct profile_function *function, uint32_t *number,
                                        struct armpmu_error *err)
{
    struct intern *const numbers = &profile->function_numbers;
    const uint32_t hash = HASH(HASH(HASH_START, function->address), function->object);
    struct profile_function copy = *function;

    if (!find_or_reserve(profile, numbers, hash, same_function, function, number))
        return fail_no_memory(err, "the profile");
    if (*number != PROFILE_NONE)
        return ARMPMU_OK;
    return entered(
        numbers, hash,
        ADD_TO(profile, functions, copy, own(profile, &copy.symbol) && own(profile, &copy.name)),
        number);
}

static bool same_file(const void *profile, uint32_t number, const void *key)
{
    return strcmp(((const struct profile *)profile)->files[number].path, key) == 0;
}

enum armpmu_status profile_add_file(struct profile *profile, const char *path, uint32_t *number,
                                    struct armpmu_error *err)
{
    struct intern *const numbers = &profile->file_numbers;
    const uint32_t hash = hash_bytes(HASH_START, path, strlen(path));
    struct profile_file file = {path};

    if (!find_or_reserve(profile, numbers, hash, same_file, path, number))
        return fail_no_memory(err, "the profile");
    if (*number != PROFILE_NONE)
        return ARMPMU_OK;
    return entered(numbers, hash, ADD_TO(profile, files, file, own(profile, &file.path)), number);
}

static bool same_insn(const void *profile, uint32_t number, const void *key)
{
    const struct profile_insn *a = &((const struct profile *)profile)->insns[number], *b = key;

    return a->address == b->address && a->object == b->object && a->isa == b->isa &&
           a->n_bytes == b->n_bytes && memcmp(a->bytes, b->bytes, a->n_bytes) == 0;
}

enum armpmu_status profile_add_insn(struct profile *profile, const struct profile_insn *insn,
                                    uint32_t *number, struct armpmu_error *err)
{
    struct intern *const numbers = &profile->insn_numbers;
    const uint32_t hash =
        hash_bytes(HASH(HASH(HASH_START, insn->address), insn->object), insn->bytes, insn->n_bytes);

    if (!find_or_reserve(profile, numbers, hash, same_insn, insn, number))
        return fail_no_memory(err, "the profile");
    if (*number != PROFILE_NONE)
        return ARMPMU_OK;
    return entered(numbers, hash, ADD_TO(profile, insns, *insn, true), number);
}

static bool same_path(const void *profile, uint32_t number, const void *key)
{
    const struct profile_path *a = &((const struct profile *)profile)->paths[number], *b = key;

    return a->parent == b->parent && a->caller == b->caller && a->function == b->function;
}

static uint32_t hash_of_path(const struct profile_path *path)
{
    return HASH(HASH(HASH(HASH_START, path->parent), path->caller), path->function);
}

void profile_name_path(struct profile *profile, uint32_t number, uint32_t function)
{
    struct intern *const numbers = &profile->path_numbers;
    struct profile_path *const path = &profile->paths[number];
    struct profile_path named = *path;

    named.function = function;
    if (intern_find(numbers, hash_of_path(&named), same_path, profile, &named) != INTERN_NONE)
        return;
    intern_remove(numbers, hash_of_path(path), number);
    path->function = function;
    (void)intern_add(numbers, hash_of_path(path), number); /* in the room of the other */
}

static bool same_allocation(const void *profile, uint32_t number, const void *key)
{
    const struct profile_allocation *const a = &((const struct profile *)profile)
                                                    ->allocations[number],
                                           *const b = key;

    return a->insn == b->insn && a->path == b->path && a->is_mapped == b->is_mapped;
}

static void add_blocks(struct profile_allocation *to, const struct profile_allocation *other)
{
    to->n += other->n;
    to->n_bytes += other->n_bytes;
    to->smallest = other->smallest < to->smallest ? other->smallest : to->smallest;
    to->largest = other->largest > to->largest ? other->largest : to->largest;
}

enum armpmu_status profile_add_allocation(struct profile *profile,
                                          const struct profile_allocation *allocation,
                                          uint32_t *number, struct armpmu_error *err)
{
    struct intern *const numbers = &profile->allocation_numbers;
    const uint32_t key[] = {allocation->insn, allocation->path, allocation->is_mapped};
    const uint32_t hash = hash_bytes(HASH_START, key, sizeof key);

    if (!find_or_reserve(profile, numbers, hash, same_allocation, allocation, number))
        return fail_no_memory(err, "the profile");
    if (*number != PROFILE_NONE) {
        add_blocks(&profile->allocations[*number], allocation);
        return ARMPMU_OK;
    }
    return entered(numbers, hash, ADD_TO(profile, allocations, *allocation, true), number);
}

static bool same_member(const void *profile, uint32_t number, const void *key)
{
    const struct profile_member *const a = &((const struct profile *)profile)->members[number],
                                       *const b = key;

    return a->type == b->type && a->name == b->name && a->offset == b->offset &&
           a->n_bytes == b->n_bytes;
}

enum armpmu_status profile_add_member(struct profile *profile, const struct profile_member *member,
                                      uint32_t *number, struct armpmu_error *err)
{
    struct intern *const numbers = &profile->member_numbers;
    struct profile_member copy = *member;

    if (!own(profile, &copy.type) || !own(profile, &copy.name))
        return fail_no_memory(err, "the profile");
    uint32_t hash = hash_bytes(HASH_START, copy.type, strlen(copy.type));
    hash = hash_bytes(hash_bytes(hash, copy.name, strlen(copy.name)), &copy.offset,
                      sizeof copy.offset);
    if (!find_or_reserve(profile, numbers, hash, same_member, &copy, number))
        return fail_no_memory(err, "the profile");
    if (*number != PROFILE_NONE)
        return ARMPMU_OK;
    return entered(numbers, hash, ADD_TO(profile, members, copy, true), number);
}

enum armpmu_status profile_add_path(struct profile *profile, const struct profile_path *path,
                                    uint32_t *number, struct armpmu_error *err)
{
    struct intern *const numbers = &profile->path_numbers;
    const uint32_t hash = hash_of_path(path);

    if (!find_or_reserve(profile, numbers, hash, same_path, path, number))
        return fail_no_memory(err, "the profile");
    if (*number != PROFILE_NONE) {
        profile->paths[*number].n_calls += path->n_calls;
        return ARMPMU_OK;
    }
    return entered(numbers, hash, ADD_TO(profile, paths, *path, true), number);
}

/* ---- rows ---- */

static bool same_row(const void *profile, uint32_t number, const void *key)
{
    const struct profile_row *a = &((const struct profile *)profile)->rows[number], *b = key;

    return a->thread == b->thread && a->path == b->path && a->insn == b->insn;
}

uint64_t profile_row_count(const struct profile *profile, const struct profile_row *row,
                           uint32_t event)
{
    for (uint32_t i = 0; i < row->n_counts; i++)
        if (profile->counts[row->first_count + i].event == event)
            return profile->counts[row->first_count + i].n;
    return 0;
}

static bool reserve_counts(struct profile *profile, size_t n)
{
    return profile->n_counts + n < PROFILE_NONE &&
           ARRAY_ROOM(profile->counts, profile->room_counts, profile->n_counts + n);
}

/* Makes a row one of the sums of its counts and others, at the end of the table. False without
 * memory. */
static bool add_anew(struct profile *profile, struct profile_row *row,
                     const struct profile_row *other)
{
    const size_t first = profile->n_counts;
    if (!reserve_counts(profile, (size_t)row->n_counts + other->n_counts))
        return false;
    const struct profile_count *own = &profile->counts[row->first_count],
                               *added = &profile->counts[other->first_count];
    const struct profile_count *const own_end = own + row->n_counts, *const added_end =
                                                                         added + other->n_counts;

    while (own < own_end || added < added_end) {
        const bool is_own = own < own_end && (added == added_end || own->event <= added->event),
                   is_added = added < added_end && (own == own_end || added->event <= own->event);
        struct profile_count sum = is_own ? *own : *added;
        sum.n += is_own && is_added ? added->n : 0;
        profile->counts[profile->n_counts++] = sum;
        own += is_own;
        added += is_added;
    }
    row->first_count = (uint32_t)first;
    row->n_counts = (uint32_t)(profile->n_counts - first);
    return true;
}

/* Adds to a row if it has all these events. */
static bool add_in_place(const struct profile *profile, const struct profile_row *row,
                         const struct profile_row *other)
{
    struct profile_count *const own = &profile->counts[row->first_count];
    const struct profile_count *const added = &profile->counts[other->first_count];
    const uint32_t n = other->n_counts;
    uint32_t found = 0;

    for (uint32_t i = 0; i < row->n_counts && found < n; i++)
        found += own[i].event == added[found].event;
    if (found < n)
        return false;
    for (uint32_t i = 0, k = 0; k < n; i++)
        if (own[i].event == added[k].event)
            own[i].n += added[k++].n;
    return true;
}

enum armpmu_status profile_take_counts(struct profile *profile, struct profile_count **counts,
                                       size_t n, uint32_t *first, struct armpmu_error *err)
{
    *first = (uint32_t)profile->n_counts;
    if (n == 0)
        return ARMPMU_OK;
    if (profile->n_counts == 0 && n < PROFILE_NONE) {
        free(profile->counts);
        profile->counts = *counts;
        profile->room_counts = n;
    } else if (reserve_counts(profile, n)) {
        memcpy(&profile->counts[profile->n_counts], *counts, n * sizeof **counts);
        free(*counts);
    } else {
        return fail_no_memory(err, "the profile");
    }
    profile->n_counts += n;
    *counts = NULL;
    return ARMPMU_OK;
}

/* Adds what is at the row's counts to the totals. */
static void add_to_totals(struct profile *profile, const struct profile_row *row)
{
    for (uint32_t i = 0; i < row->n_counts; i++) {
        const struct profile_count *const count = &profile->counts[row->first_count + i];
        profile->totals[count->event] += count->n;
    }
}

enum armpmu_status profile_add_counts(struct profile *profile, const struct profile_row *row,
                                      struct armpmu_error *err)
{
    struct intern *const numbers = &profile->row_numbers;
    const uint32_t hash = HASH(HASH(HASH(HASH_START, row->thread), row->path), row->insn);
    uint32_t number;

    if (row->n_counts == 0)
        return ARMPMU_OK;
    bool done = find_or_reserve(profile, numbers, hash, same_row, row, &number);
    if (done && number == PROFILE_NONE) {
        done = APPEND(profile, rows, *row);
        if (done)
            (void)intern_add(numbers, hash, (uint32_t)profile->n_rows - 1); /* reserved */
    } else if (done) {
        done = add_in_place(profile, &profile->rows[number], row) ||
               add_anew(profile, &profile->rows[number], row);
    }
    if (!done)
        return fail_no_memory(err, "the profile");
    add_to_totals(profile, row);
    if (number != PROFILE_NONE && row->first_count + row->n_counts == profile->n_counts)
        profile->n_counts = row->first_count; /* added in place, by the last ones */
    return ARMPMU_OK;
}

enum armpmu_status profile_add_row(struct profile *profile, uint32_t thread, uint32_t path,
                                   uint32_t insn, const uint64_t *counts, struct armpmu_error *err)
{
    struct profile_row row = {
        .thread = thread, .path = path, .insn = insn, .first_count = (uint32_t)profile->n_counts};

    if (!reserve_counts(profile, profile->n_events))
        return fail_no_memory(err, "the profile");
    for (uint32_t event = 0; event < profile->n_events; event++)
        if (counts[event] != 0)
            profile->counts[row.first_count + row.n_counts++] =
                (struct profile_count){event, counts[event]};
    profile->n_counts += row.n_counts;
    return profile_add_counts(profile, &row, err);
}

uint32_t profile_find_event(const struct profile *profile, const char *name)
{
    for (uint32_t event = 0; event < profile->n_events; event++)
        if (strcasecmp(profile->events[event].name, name) == 0)
            return event;
    return PROFILE_NONE;
}

uint32_t profile_find_number(const struct profile *profile, uint32_t number)
{
    for (uint32_t event = 0; event < profile->n_events; event++)
        if (profile->events[event].number == number)
            return event;
    return PROFILE_NONE;
}

bool profile_is_library_file(const char *path)
{
    const char *const under_usr = strncmp(path, "/usr/", 5) == 0 ? path + 5 : "";
    const char *const include = strstr(under_usr, "/include/");

    return strncmp(under_usr, "include/", 8) == 0 ||
           (include != NULL && include == strchr(under_usr, '/') &&
            memchr(under_usr, '-', (size_t)(include - under_usr)) != NULL) ||
           strstr(path, "/include/c++/") != NULL || strstr(path, "/lib/gcc") != NULL;
}

struct profile_line profile_own_line(const struct profile *profile, uint32_t insn)
{
    const struct profile_insn *const at = &profile->insns[insn];
    struct profile_line line = at->line;

    for (uint32_t i = at->n_inlines; line.file != PROFILE_NONE && i-- > 0;) {
        if (!profile_is_library_file(profile->files[line.file].path))
            return line;
        line = profile->inlines[at->first_inline + i].call;
    }
    return line.file != PROFILE_NONE ? line : at->line;
}

const char *profile_lacks_paths(const struct profile *profile)
{
    switch (profile->setup.lacks_paths) {
    case PATHS_WHOLE:
        break;
    case PATHS_MERGED:
        return "a thread has more than 65,536; further calls of a function from several lines of "
               "its caller count as one of them: functions, their callers and inclusive counts are "
               "right, lines that call and how often are not";
    case PATHS_LOST:
        return "a thread has 262,144, the most there are; further calls count in their caller's "
               "path: inclusive counts of the called functions are too low";
    }
    return NULL;
}
