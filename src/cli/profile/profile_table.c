#include "cli/profile/profile_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/printable.h"

#define CALLERS_DEPTH_MAX 127u /* as perf's --max-stack */

static const char *const key_names[] = {
    [KEY_SYMBOL] = "symbol", [KEY_OBJECT] = "object", [KEY_LINE] = "line",
    [KEY_INSN] = "insn",     [KEY_THREAD] = "thread",
};

/* ---- keys ---- */

/* perf's words, too. */
static enum profile_key key_of(const char *word)
{
    static const struct {
        const char *word;
        enum profile_key key;
    } others[] = {
        {"sym", KEY_SYMBOL}, {"dso", KEY_OBJECT}, {"srcline", KEY_LINE}, {"tid", KEY_THREAD}};

    for (enum profile_key key = 0; key < PROFILE_KEYS; key++)
        if (strcmp(word, key_names[key]) == 0)
            return key;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(word, others[i].word) == 0)
            return others[i].key;
    return PROFILE_KEYS;
}

static enum armpmu_status add_key(const char *word, struct profile_keys *keys,
                                  struct armpmu_error *err)
{
    const enum profile_key key = key_of(word);

    if (key == PROFILE_KEYS)
        return fail(
            err, ARMPMU_BAD_CONFIG,
            "--sort '%.40s': symbol, object, line, insn or thread, separated by ','; for data "
            "accesses also mem, tlb, latency, symbol_daddr, type or typeoff",
            word);
    for (unsigned i = 0; i < keys->n; i++)
        if (keys->at[i] == key)
            return fail(err, ARMPMU_BAD_CONFIG, "--sort: '%.40s' is given twice", word);
    keys->at[keys->n++] = key;
    return ARMPMU_OK;
}

enum armpmu_status profile_keys_parse(const char *list, struct profile_keys *keys,
                                      struct armpmu_error *err)
{
    char copy[128];
    char *rest = copy;
    enum armpmu_status status = ARMPMU_OK;

    *keys = (struct profile_keys){.n = 0};
    snprintf(copy, sizeof copy, "%s", list);
    for (char *word; status == ARMPMU_OK && (word = strsep(&rest, ",")) != NULL;)
        status = add_key(word, keys, err);
    return status;
}

/* ---- texts ---- */

const char *profile_symbol(const struct profile *p, uint32_t insn)
{
    const uint32_t function = p->insns[insn].function;

    if (function != PROFILE_NONE)
        return p->functions[function].name;
    return p->insns[insn].n_bytes == 0 ? "[no instruction]" : "[unknown]";
}

const char *profile_frame(const struct profile *p, uint32_t insn, uint32_t frame)
{
    return frame == 0 ? profile_symbol(p, insn)
                      : p->inlines[p->insns[insn].first_inline + frame - 1].name;
}

const char *profile_inlined_mark(bool is_inlined)
{
    return is_inlined ? " (inlined)" : "";
}

const char *profile_object_path(const struct profile *p, uint32_t insn)
{
    const uint32_t object = p->insns[insn].object;

    return object != PROFILE_NONE ? p->objects[object].path : "[unknown]";
}

void profile_print_symbol(const struct profile *p, uint32_t insn, FILE *stream)
{
    const struct profile_insn *const at = &p->insns[insn];
    const uint64_t offset =
        at->function != PROFILE_NONE ? at->address - p->functions[at->function].address : 0;

    printable_put(profile_symbol(p, insn), stream);
    if (offset != 0)
        fprintf(stream, "+0x%llx", (unsigned long long)offset);
}

/* ---- groups ---- */

/* A number that identifies what the key says; strings of a profile are the same where they are
 * equal. */
static uint64_t identity(const struct profile *p, enum profile_key key, uint32_t thread,
                         uint32_t insn)
{
    const struct profile_insn *const at = &p->insns[insn];

    switch (key) {
    case KEY_SYMBOL:
        return (uintptr_t)profile_symbol(p, insn);
    case KEY_OBJECT:
        return (uintptr_t)profile_object_path(p, insn);
    case KEY_LINE:
        return (uint64_t)at->line.file << 32 | at->line.line;
    case KEY_INSN:
        return insn;
    case KEY_THREAD:
        return thread;
    case PROFILE_KEYS:
        break;
    }
    return 0;
}

static bool same_group(const void *table, uint32_t number, const void *key)
{
    const struct profile_group *a = &((const struct profile_table *)table)->groups[number],
                               *b = key;

    return memcmp(a->identity, b->identity, sizeof a->identity) == 0;
}

static bool add_group(struct profile_table *t, struct profile_group group, uint32_t hash)
{
    if (!ARRAY_RESERVE(t->groups, t->room_groups, t->n_groups + 1) || !intern_reserve(&t->numbers))
        return false;
    const size_t n = event_choice_n_counts(t->events);
    group.self = calloc(2 * n + 1, sizeof *group.self);
    if (group.self == NULL)
        return false;
    group.inclusive = group.self + n;
    t->groups[t->n_groups] = group;
    return intern_add(&t->numbers, hash, (uint32_t)t->n_groups++);
}

/* The group of an instruction in a thread; PROFILE_NONE without memory. */
static uint32_t group_of(struct profile_table *t, uint32_t thread, uint32_t insn)
{
    struct profile_group group = {.thread = thread, .insn = insn};

    for (unsigned i = 0; i < t->keys.n; i++)
        group.identity[i] = identity(t->profile, t->keys.at[i], thread, insn);
    const uint32_t hash = hash_bytes(HASH_START, group.identity, sizeof group.identity);
    const uint32_t found = intern_find(&t->numbers, hash, same_group, t, &group);
    if (found != INTERN_NONE)
        return found;
    return add_group(t, group, hash) ? (uint32_t)t->n_groups - 1 : PROFILE_NONE;
}

/* ---- adding up ---- */

bool group_sets_init(struct group_sets *sets)
{
    *sets = (struct group_sets){.n = 1};
    return ARRAY_RESERVE(sets->at, sets->room, 1);
}

static bool set_holds(const struct group_sets *sets, uint32_t set, uint32_t group)
{
    for (; set != 0; set = sets->at[set].without)
        if (sets->at[set].group == group)
            return true;
    return false;
}

uint32_t group_sets_add(struct group_sets *sets, uint32_t set, uint32_t group)
{
    if (set_holds(sets, set, group))
        return set;
    if (!ARRAY_RESERVE(sets->at, sets->room, sets->n + 1))
        return PROFILE_NONE;
    sets->at[sets->n] = (struct group_set){set, group};
    return (uint32_t)sets->n++;
}

struct path_sets {
    struct group_sets sets;
    uint32_t *of_path; /* the groups of all callers on it */
    uint32_t thread;   /* whose groups these are */
};

static bool find_set_of_path(struct profile_table *t, struct path_sets *s, uint32_t path)
{
    const struct profile_path *const at = &t->profile->paths[path];

    s->of_path[path] = s->of_path[at->parent];
    if (at->caller == PROFILE_NONE)
        return true;
    const uint32_t group = group_of(t, s->thread, at->caller);
    if (group == PROFILE_NONE)
        return false;
    s->of_path[path] = group_sets_add(&s->sets, s->of_path[path], group);
    return s->of_path[path] != PROFILE_NONE;
}

/* Groups differ from thread to thread only where they are by thread. */
static bool find_sets(struct profile_table *t, struct path_sets *s, uint32_t thread)
{
    bool has_threads = false, done = true;

    for (unsigned i = 0; i < t->keys.n; i++)
        has_threads |= t->keys.at[i] == KEY_THREAD;
    if (s->thread == thread || (s->thread != PROFILE_NONE && !has_threads))
        return true;
    s->thread = thread;
    s->sets.n = 1;
    s->of_path[PROFILE_ROOT] = 0;
    for (uint32_t path = 1; path < t->profile->n_paths && done; path++)
        done = find_set_of_path(t, s, path);
    return done;
}

static void add_counts(const struct profile_table *t, const struct profile_row *row,
                       uint64_t *counts)
{
    for (size_t i = 0; i < event_choice_n_counts(t->events); i++)
        counts[i] += profile_row_count(t->profile, row, t->events->events[i]);
}

static bool add_inclusive(struct profile_table *t, const struct profile_row *row, uint32_t group,
                          struct path_sets *outer)
{
    if (!find_sets(t, outer, row->thread))
        return false;
    const uint32_t callers = outer->of_path[row->path];
    for (uint32_t set = callers; set != 0; set = outer->sets.at[set].without)
        add_counts(t, row, t->groups[outer->sets.at[set].group].inclusive);
    if (!set_holds(&outer->sets, callers, group))
        add_counts(t, row, t->groups[group].inclusive);
    return true;
}

static bool add_row(struct profile_table *t, uint32_t number, struct path_sets *outer)
{
    const struct profile_row *const row = &t->profile->rows[number];
    const uint32_t group = group_of(t, row->thread, row->insn);

    if (group == PROFILE_NONE)
        return false;
    t->next_rows[number] = t->groups[group].first_row;
    t->groups[group].first_row = number + 1;
    add_counts(t, row, t->groups[group].self);
    return !t->has_inclusive || add_inclusive(t, row, group, outer);
}

static bool add_rows(struct profile_table *t)
{
    struct path_sets outer = {.thread = PROFILE_NONE};
    bool done = group_sets_init(&outer.sets);

    outer.of_path = malloc(t->profile->n_paths * sizeof *outer.of_path);
    done &= outer.of_path != NULL;
    for (uint32_t i = 0; i < t->profile->n_rows && done; i++)
        done = add_row(t, i, &outer);
    free(outer.sets.at);
    free(outer.of_path);
    return done;
}

/* ---- sorting ---- */

static int by_text(const struct profile_table *t, enum profile_key key,
                   const struct profile_group *a, const struct profile_group *b)
{
    const struct profile *const p = t->profile;
    const struct profile_insn *const left = &p->insns[a->insn], *const right = &p->insns[b->insn];

    switch (key) {
    case KEY_SYMBOL:
        return strcmp(profile_symbol(p, a->insn), profile_symbol(p, b->insn));
    case KEY_OBJECT:
        return strcmp(profile_object_path(p, a->insn), profile_object_path(p, b->insn));
    case KEY_LINE:
        if (left->line.file == right->line.file)
            return (left->line.line > right->line.line) - (left->line.line < right->line.line);
        return left->line.file < right->line.file ? -1 : 1;
    case KEY_INSN:
        if (left->address == right->address)
            return (a->insn > b->insn) - (a->insn < b->insn);
        return left->address < right->address ? -1 : 1;
    case KEY_THREAD:
        return (a->thread > b->thread) - (a->thread < b->thread);
    case PROFILE_KEYS:
        break;
    }
    return 0;
}

static int greatest_first(const void *left, const void *right, void *table)
{
    const struct profile_table *const t = table;
    const struct profile_group *a = left, *b = right;
    const uint64_t *const x = t->has_inclusive ? a->inclusive : a->self, *const y =
                                                                             t->has_inclusive
                                                                                 ? b->inclusive
                                                                                 : b->self;

    for (size_t i = 0; i < t->events->n; i++)
        if (x[i] != y[i])
            return x[i] > y[i] ? -1 : 1;
    for (unsigned i = 0; i < t->keys.n; i++) {
        const int order = by_text(t, t->keys.at[i], a, b);
        if (order != 0)
            return order;
    }
    return 0;
}

static bool has_counted(const struct profile_table *t, const struct profile_group *group)
{
    for (size_t i = 0; i < 2 * event_choice_n_counts(t->events); i++)
        if (group->self[i] != 0)
            return true;
    return false;
}

/* Leaves out what is below the limit. What is left out is freed. */
static void keep_above(struct profile_table *t, double limit)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n_groups; i++) {
        struct profile_group *const group = &t->groups[i];
        const uint64_t *const counts = t->has_inclusive ? group->inclusive : group->self;
        const bool is_above =
            has_counted(t, group) && event_percent(t->profile, t->events, 0, counts[0]) >= limit;
        t->n_hidden += has_counted(t, group) && !is_above;
        if (is_above)
            t->groups[n++] = *group;
        else
            free(group->self);
    }
    t->n_groups = n;
}

static bool add_disassembly(struct profile_table *t)
{
    bool is_by_insn = false;

    for (unsigned i = 0; i < t->keys.n; i++)
        is_by_insn |= t->keys.at[i] == KEY_INSN;
    if (is_by_insn)
        t->disassembly = disassembly_new(t->profile);
    return !is_by_insn || t->disassembly != NULL;
}

enum armpmu_status profile_table_make(struct profile_table *table, double limit,
                                      struct armpmu_error *err)
{
    table->next_rows = malloc(table->profile->n_rows * sizeof(uint32_t) + 1);
    if (table->next_rows == NULL || !add_rows(table) || !add_disassembly(table))
        return fail_no_memory(err, "the report");
    keep_above(table, table->events->n > 0 ? limit : 0);
    intern_free(&table->numbers); /* of groups as they were before some went */
    if (table->n_groups > 0)
        qsort_r(table->groups, table->n_groups, sizeof *table->groups, greatest_first, table);
    return ARMPMU_OK;
}

void profile_table_free(struct profile_table *table)
{
    for (size_t i = 0; i < table->n_groups; i++)
        free(table->groups[i].self);
    free(table->groups);
    free(table->next_rows);
    free(table->callers);
    disassembly_free(table->disassembly);
    intern_free(&table->numbers);
}

/* ---- where cycles go ---- */

size_t profile_table_topdown(const struct profile_table *t, const struct profile_group *group,
                             struct topdown_part parts[TOPDOWN_LEAVES_MOST])
{
    const uint64_t *const of_group = t->has_inclusive ? group->inclusive : group->self;
    uint64_t *const counts = calloc(t->profile->n_events + 1, sizeof *counts);
    size_t n = 0;

    for (size_t i = 0; counts != NULL && i < event_choice_n_counts(t->events); i++)
        counts[t->events->events[i]] = of_group[i];
    if (counts != NULL)
        n = topdown_parts(t->profile, counts, parts);
    free(counts);
    return n;
}

/* ---- callers ---- */

static bool add_caller(struct profile_table *t, const char *name, bool is_inlined, uint32_t *number)
{
    if (t->n_callers >= PROFILE_NONE ||
        !ARRAY_RESERVE(t->callers, t->room_callers, t->n_callers + 1))
        return false;
    *number = (uint32_t)t->n_callers;
    t->callers[t->n_callers++] = (struct caller){.name = name, .is_inlined = is_inlined};
    return true;
}

/* The child of a name, made where there is none. */
static bool find_caller(struct profile_table *t, uint32_t parent, const char *name, bool is_inlined,
                        uint32_t *number)
{
    *number = t->callers[parent].first_child;
    while (*number != 0 &&
           (t->callers[*number].name != name || t->callers[*number].is_inlined != is_inlined))
        *number = t->callers[*number].next_sibling;
    if (*number != 0)
        return true;
    if (!add_caller(t, name, is_inlined, number))
        return false;
    t->callers[*number].next_sibling = t->callers[parent].first_child;
    t->callers[parent].first_child = *number;
    return true;
}

/* The frames of a caller, innermost first; one that calls itself is there once. *at: the caller
 * that they call, then the outermost. False without memory. */
static bool add_frames(struct profile_table *t, uint32_t insn, uint64_t n, uint32_t *at)
{
    const struct profile *const p = t->profile;

    for (uint32_t frame = t->has_inlines ? p->insns[insn].n_inlines : 0; frame != UINT32_MAX;
         frame--) {
        const char *const name = profile_frame(p, insn, frame);
        if (name == t->callers[*at].name && t->callers[*at].is_inlined == (frame != 0))
            continue;
        if (!find_caller(t, *at, name, frame != 0, at))
            return false;
        t->callers[*at].n += n;
    }
    return true;
}

static bool add_callers_of_row(struct profile_table *t, const struct profile_row *row)
{
    const struct profile *const p = t->profile;
    const uint64_t n = profile_row_count(p, row, t->events->events[0]);
    uint32_t at = 0, path = row->path;
    bool done = true;

    t->callers[0].n += n;
    for (unsigned depth = 0;
         n > 0 && done && p->paths[path].caller != PROFILE_NONE && depth < CALLERS_DEPTH_MAX;
         path = p->paths[path].parent) {
        const uint32_t before = at;
        done = add_frames(t, p->paths[path].caller, n, &at);
        depth += at != before;
    }
    return done;
}

static int most_first(const void *left, const void *right, void *callers)
{
    const struct caller *const a = (const struct caller *)callers + *(const uint32_t *)left,
                               *const b = (const struct caller *)callers + *(const uint32_t *)right;

    return a->n != b->n ? (a->n > b->n ? -1 : 1) : strcmp(a->name, b->name);
}

static bool sort_callers_of(struct profile_table *t, uint32_t **numbers, size_t *room,
                            struct caller *caller)
{
    size_t n = 0;

    for (uint32_t i = caller->first_child; i != 0; i = t->callers[i].next_sibling) {
        if (!ARRAY_RESERVE(*numbers, *room, n + 1))
            return false;
        (*numbers)[n++] = i;
    }
    if (n < 2)
        return true;
    qsort_r(*numbers, n, sizeof **numbers, most_first, t->callers);
    caller->first_child = (*numbers)[0];
    for (size_t i = 0; i < n; i++)
        t->callers[(*numbers)[i]].next_sibling = i + 1 < n ? (*numbers)[i + 1] : 0;
    return true;
}

static bool sort_callers(struct profile_table *t)
{
    uint32_t *numbers = NULL;
    size_t room = 0;
    bool done = true;

    for (size_t i = 0; i < t->n_callers && done; i++)
        done = sort_callers_of(t, &numbers, &room, &t->callers[i]);
    free(numbers);
    return done;
}

enum armpmu_status profile_table_callers(struct profile_table *table,
                                         const struct profile_group *group,
                                         struct armpmu_error *err)
{
    uint32_t root;

    table->n_callers = 0;
    bool done = add_caller(table, profile_symbol(table->profile, group->insn), false, &root);
    for (uint32_t row = group->first_row; row != 0 && done; row = table->next_rows[row - 1])
        done = add_callers_of_row(table, &table->profile->rows[row - 1]);
    return done && sort_callers(table) ? ARMPMU_OK : fail_no_memory(err, "the report");
}
