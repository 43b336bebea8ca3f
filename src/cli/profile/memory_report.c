/* The rows of `armpmu report --mem`, one for each group of accesses: first the counts, which add up
 * to the core's events, then the keys. Groups that miss most come first. */
#include "cli/profile/memory_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/order.h"
#include "cli/profile/profile_table.h"
#include "cli/table/table.h"
#include "profile/profile_schema.h"

static const struct {
    const char *word, *other; /* other: as perf has it */
} key_words[MEMORY_KEYS] = {
    [MEMORY_SOURCE] = {"mem", "source"},  [MEMORY_TLB] = {"tlb", NULL},
    [MEMORY_LATENCY] = {"latency", NULL}, [MEMORY_DATA] = {"symbol_daddr", "data"},
    [MEMORY_TYPE] = {"type", NULL},       [MEMORY_MEMBER] = {"typeoff", "member"},
    [MEMORY_SYMBOL] = {"symbol", "sym"},  [MEMORY_OBJECT] = {"object", "dso"},
    [MEMORY_LINE] = {"line", "srcline"},  [MEMORY_INSN] = {"insn", NULL},
    [MEMORY_THREAD] = {"thread", "tid"},
};

static enum memory_key key_of(const char *word, size_t length)
{
    for (enum memory_key key = 0; key < MEMORY_KEYS; key++) {
        const char *const names[] = {key_words[key].word, key_words[key].other};
        for (unsigned i = 0; i < 2; i++)
            if (names[i] != NULL && strlen(names[i]) == length &&
                strncmp(names[i], word, length) == 0)
                return key;
    }
    return MEMORY_KEYS;
}

bool memory_keys_wanted(const char *list)
{
    for (const char *word = list; word != NULL; word = strchr(word, ',')) {
        word += *word == ',';
        if (key_of(word, strcspn(word, ",")) < MEMORY_SYMBOL)
            return true;
    }
    return false;
}

enum armpmu_status memory_keys_parse(const char *list, struct memory_keys *keys,
                                     struct armpmu_error *err)
{
    keys->n = 0;
    for (const char *word = list; word != NULL; word = strchr(word, ',')) {
        word += *word == ',';
        const size_t length = strcspn(word, ",");
        const enum memory_key key = key_of(word, length);
        if (key == MEMORY_KEYS)
            return fail(
                err, ARMPMU_BAD_CONFIG,
                "--sort '%.*s': the keys of data accesses are mem, tlb, latency, symbol_daddr, "
                "type, typeoff, symbol, object, line, insn and thread, separated by ','",
                (int)(length < 40 ? length : 40), word);
        for (unsigned i = 0; i < keys->n; i++)
            if (keys->at[i] == key)
                return fail(err, ARMPMU_BAD_CONFIG, "--sort: '%.*s' is given twice", (int)length,
                            word);
        keys->at[keys->n++] = key;
    }
    return ARMPMU_OK;
}

/* ---- groups ---- */

struct memory_group {
    uint64_t identity[MEMORY_KEYS];
    const struct profile_access *one;
    struct access_sum sum;
};

struct memory_groups {
    const struct profile *profile;
    const struct memory_keys *keys;
    struct memory_group *at;
    size_t n, room;
    struct intern numbers;
    struct access_sum sum;
};

const char *memory_data_name(const struct profile *p, const struct profile_access *access)
{
    return access->datum != PROFILE_NONE ? p->data[access->datum].name : "[unknown]";
}

static uint64_t identity(const struct profile *p, const struct profile_access *access,
                         enum memory_key key)
{
    const struct profile_insn *const insn =
        access->insn != PROFILE_NONE ? &p->insns[access->insn] : NULL;

    switch (key) {
    case MEMORY_SOURCE:
        return access->of.source;
    case MEMORY_TLB:
        return access->of.tlb;
    case MEMORY_LATENCY:
        return access->of.latency;
    case MEMORY_DATA:
        return access->datum;
    case MEMORY_TYPE:
        return access->member != PROFILE_NONE ? (uintptr_t)p->members[access->member].type : 0;
    case MEMORY_MEMBER:
        return access->member;
    case MEMORY_SYMBOL:
        return insn != NULL ? (uintptr_t)profile_symbol(p, access->insn) : 0;
    case MEMORY_OBJECT:
        return insn != NULL ? (uintptr_t)profile_object_path(p, access->insn) : 0;
    case MEMORY_LINE:
        return insn != NULL ? (uint64_t)insn->line.file << 32 | insn->line.line : 0;
    case MEMORY_INSN:
        return access->insn;
    case MEMORY_THREAD:
        return access->thread;
    case MEMORY_KEYS:
        break;
    }
    return 0;
}

static bool is_same(const void *groups, uint32_t number, const void *key)
{
    return memcmp(((const struct memory_group *)groups)[number].identity, key,
                  sizeof((struct memory_group *)NULL)->identity) == 0;
}

struct access_sum access_sum_of(const struct armpmu_data_access *access)
{
    return (struct access_sum){
        .n = access->n,
        .lookups = access->lookups,
        .refills = access->refills,
        .tlb_refills = access->tlb_refills,
        .loads = access->kind & ARMPMU_ACCESS_LOADS ? access->n : 0,
        .cycles = access->cycles,
    };
}

void access_sum_add(struct access_sum *to, const struct access_sum *more)
{
    to->n += more->n;
    to->lookups += more->lookups;
    to->refills += more->refills;
    to->tlb_refills += more->tlb_refills;
    to->loads += more->loads;
    to->cycles += more->cycles;
}

bool access_sum_reaches(const struct access_sum *part, const struct access_sum *all, double limit)
{
    return percent(part->refills, all->refills) >= limit || percent(part->n, all->n) >= limit;
}

static bool add_access(struct memory_groups *groups, const struct profile_access *access)
{
    struct memory_group made = {.one = access};
    const struct access_sum sum = access_sum_of(&access->of);

    for (unsigned i = 0; i < groups->keys->n; i++)
        made.identity[i] = identity(groups->profile, access, groups->keys->at[i]);
    const uint32_t hash = hash_bytes(HASH_START, made.identity, sizeof made.identity);
    uint32_t number = intern_find(&groups->numbers, hash, is_same, groups->at, made.identity);
    if (number == INTERN_NONE) {
        number = (uint32_t)groups->n;
        if (!ARRAY_RESERVE(groups->at, groups->room, groups->n + 1) ||
            !intern_add(&groups->numbers, hash, number))
            return false;
        groups->at[groups->n++] = made;
    }
    access_sum_add(&groups->at[number].sum, &sum);
    access_sum_add(&groups->sum, &sum);
    return true;
}

/* Those that are met first come first where they are equal. */
static int by_cost(const void *a, const void *b)
{
    const struct memory_group *x = a, *y = b;

    return ORDER(y->sum.refills, x->sum.refills, y->sum.n, x->sum.n, (uintptr_t)x->one,
                 (uintptr_t)y->one);
}

static enum armpmu_status make_groups(struct memory_groups *groups, struct armpmu_error *err)
{
    const struct profile *const p = groups->profile;

    const bool *const are_shown = groups->keys->insns;

    for (size_t i = 0; i < p->n_accesses; i++) {
        const struct profile_access *const access = &p->accesses[i];
        const bool is_shown =
            are_shown == NULL || (access->insn != PROFILE_NONE && are_shown[access->insn]);
        if (is_shown && !add_access(groups, access))
            return fail_no_memory(err, "a report of accesses");
    }
    if (groups->n != 0)
        qsort(groups->at, groups->n, sizeof *groups->at, by_cost);
    return ARMPMU_OK;
}

/* ---- cells ---- */

static const struct table_column count_columns[] = {
    {.key = "accesses", .is_right = true, .is_separated = true, .gap = 2},
    {.key = "refills", .is_right = true, .is_separated = true, .gap = 2},
    {.key = "percent", .name = "%", .is_right = true, .digits = 2, .gap = 2},
    {.key = "tlb_refills", .name = "TLB refills", .is_right = true, .is_separated = true, .gap = 2},
    {.key = "cycles", .name = "load cycles", .is_right = true, .is_separated = true, .gap = 2},
    {.key = "latency", .name = "each", .is_right = true, .digits = 1, .gap = 2},
};

#define COUNTS (sizeof count_columns / sizeof *count_columns)

static const struct table_column key_columns[MEMORY_KEYS] = {
    [MEMORY_SOURCE] = {.key = "source", .gap = 2},
    [MEMORY_TLB] = {.key = "tlb", .name = "TLB", .gap = 2},
    [MEMORY_LATENCY] = {.key = "cycles_below", .name = "cycles <", .is_right = true, .gap = 2},
    [MEMORY_DATA] = {.key = "data", .is_name = true, .shortens = TABLE_WORDS, .gap = 2},
    [MEMORY_TYPE] = {.key = "type", .is_name = true, .shortens = TABLE_WORDS, .gap = 2},
    [MEMORY_MEMBER] = {.key = "member", .is_name = true, .shortens = TABLE_WORDS, .gap = 2},
    [MEMORY_SYMBOL] = {.key = "symbol", .is_name = true, .shortens = TABLE_SYMBOL, .gap = 2},
    [MEMORY_OBJECT] = {.key = "object", .shortens = TABLE_PATH, .gap = 2},
    [MEMORY_LINE] = {.key = "line", .shortens = TABLE_PATH, .gap = 2},
    [MEMORY_INSN] = {.key = "address", .is_right = true, .gap = 2},
    [MEMORY_THREAD] = {.key = "thread", .gap = 2},
};

void memory_put_line(struct report_table *t, const char *key, const struct profile *p,
                     struct profile_line line)
{
    char text[1024];

    if (line.file == PROFILE_NONE)
        snprintf(text, sizeof text, "[unknown]");
    else
        snprintf(text, sizeof text, "%s:%u", p->files[line.file].path, line.line);
    table_text(t, key, text);
}

void memory_put_thread(struct report_table *t, const struct profile_thread *thread)
{
    char text[32];

    snprintf(text, sizeof text, "%u/%u", thread->process, thread->thread);
    table_text(t, "thread", text);
}

/* The key of an access at an instruction that is known. */
static void put_place(struct report_table *t, const struct profile *p, enum memory_key key,
                      uint32_t insn)
{
    if (key == MEMORY_SYMBOL)
        table_text(t, "symbol", profile_symbol(p, insn));
    else if (key == MEMORY_OBJECT)
        table_text(t, "object", profile_object_path(p, insn));
    else if (key == MEMORY_LINE)
        memory_put_line(t, "line", p, p->insns[insn].line);
    else
        table_hex(t, "address", 1, p->insns[insn].address);
}

/* "struct node +8 (next)", as perf has it. */
static void put_member(struct report_table *t, const struct profile_member *member)
{
    char text[1024];

    if (member->name[0] == '\0')
        snprintf(text, sizeof text, "%s", member->type);
    else
        snprintf(text, sizeof text, "%s +%llu (%s)", member->type,
                 (unsigned long long)member->offset, member->name);
    table_text(t, "member", text);
}

static void put_key(struct report_table *t, const struct profile *p, enum memory_key key,
                    const struct profile_access *access)
{
    switch (key) {
    case MEMORY_SOURCE:
        table_text(t, "source", profile_source_name(access->of.source));
        break;
    case MEMORY_TLB:
        table_text(t, "tlb", profile_tlb_name(access->of.tlb));
        break;
    case MEMORY_LATENCY:
        table_real(t, "cycles_below",
                   access->of.latency < 63 ? (double)(1ull << access->of.latency) : 9e18);
        break;
    case MEMORY_DATA:
        table_text(t, "data", memory_data_name(p, access));
        break;
    case MEMORY_TYPE:
        table_text(t, "type",
                   access->member != PROFILE_NONE ? p->members[access->member].type
                                                  : MEMORY_NO_TYPE);
        break;
    case MEMORY_MEMBER:
        if (access->member != PROFILE_NONE)
            put_member(t, &p->members[access->member]);
        else
            table_text(t, "member", MEMORY_NO_TYPE);
        break;
    case MEMORY_THREAD:
        memory_put_thread(t, &p->threads[access->thread]);
        break;
    default:
        if (access->insn != PROFILE_NONE)
            put_place(t, p, key, access->insn);
        else
            table_text(t, key_columns[key].key, "[unknown]");
    }
}

void access_sum_put(struct report_table *t, const struct access_sum *part,
                    const struct access_sum *all)
{
    table_count(t, "accesses", part->n);
    table_count(t, "refills", part->refills);
    table_real(t, "percent", percent(part->refills, all->refills));
    table_count(t, "tlb_refills", part->tlb_refills);
    table_count(t, "cycles", part->cycles);
    if (part->loads != 0)
        table_real(t, "latency", (double)part->cycles / (double)part->loads);
}

static void put_group(struct report_table *t, const struct memory_groups *groups,
                      const struct memory_group *group)
{
    table_row(t);
    access_sum_put(t, &group->sum, &groups->sum);
    for (unsigned i = 0; i < groups->keys->n; i++)
        put_key(t, groups->profile, groups->keys->at[i], group->one);
}

/* ---- what they add up to ---- */

static const struct {
    const char *key, *names[2];
} added_up[] = {
    {"lookups", {"L1D_CACHE", "DCACHE_ACCESS"}},
    {"refills", {"L1D_CACHE_REFILL", "DCACHE_MISS"}},
    {"tlb_refills", {"L1D_TLB_REFILL", "DTLB_MISS"}},
};

/* The event that a sum of accesses is; PROFILE_NONE where it was not recorded. */
static uint32_t event_of(const struct profile *p, unsigned i)
{
    const uint32_t event = profile_find_event(p, added_up[i].names[0]);

    return event != PROFILE_NONE ? event : profile_find_event(p, added_up[i].names[1]);
}

#define HEAP_NOTE                                                                                  \
    "# [heap]: no call of malloc, calloc, realloc, operator new or mmap that was seen\n"           \
    "# has returned it: the allocator's own, or that of a program without symbols\n"               \
    "# or of another allocator\n"

/* Returns whether rows name data, and some are to what no call was seen to return. */
static bool has_unknown_heap(const struct memory_groups *groups)
{
    for (unsigned i = 0; i < groups->keys->n; i++)
        for (size_t k = 0; k < groups->n && groups->keys->at[i] == MEMORY_DATA; k++)
            if (strcmp(memory_data_name(groups->profile, groups->at[k].one), "[heap]") == 0)
                return true;
    return false;
}

static void put_sums(const struct memory_groups *groups, FILE *stream)
{
    const struct profile *const p = groups->profile;
    const uint64_t sums[] = {groups->sum.lookups, groups->sum.refills, groups->sum.tlb_refills};

    for (unsigned i = 0; i < sizeof sums / sizeof *sums; i++) {
        const uint32_t event = event_of(p, i);
        if (event == PROFILE_NONE)
            continue;
        fprintf(stream, "# %s: %llu by these accesses", p->events[event].name,
                (unsigned long long)sums[i]);
        fprintf(stream,
                p->totals[event] != sums[i] ? ", %lld by others (preloads, maintenance)\n" : "\n",
                (long long)(p->totals[event] - sums[i]));
    }
    fprintf(stream, "# Load cycles: %s; not known of stores\n%s\n", p->setup.access_latency,
            has_unknown_heap(groups) ? HEAP_NOTE : "");
}

static void put_json_sums(struct report_table *t, const struct memory_groups *groups)
{
    const uint64_t sums[] = {groups->sum.lookups, groups->sum.refills, groups->sum.tlb_refills};

    table_text(t, "load_cycles", groups->profile->setup.access_latency);
    for (unsigned i = 0; i < sizeof sums / sizeof *sums; i++)
        table_count(t, added_up[i].key, sums[i]);
}

static enum armpmu_status print(const struct memory_groups *groups,
                                const struct table_options *options, FILE *stream,
                                struct armpmu_error *err)
{
    struct table_column columns[COUNTS + MEMORY_KEYS];
    const struct table_form form = {"report", "accesses", columns, COUNTS + groups->keys->n,
                                    .has_headings = true};
    struct report_table table;

    memcpy(columns, count_columns, sizeof count_columns);
    for (unsigned i = 0; i < groups->keys->n; i++)
        columns[COUNTS + i] = key_columns[groups->keys->at[i]];
    if (options->format == TABLE_TEXT) {
        profile_put_setup(groups->profile, "report", stream);
        put_sums(groups, stream);
    }
    table_begin(&table, options, &form, stream);
    put_json_sums(&table, groups);
    for (size_t i = 0; i < groups->n; i++)
        if (access_sum_reaches(&groups->at[i].sum, &groups->sum, groups->keys->limit))
            put_group(&table, groups, &groups->at[i]);
    return table_end(&table, err);
}

enum armpmu_status memory_check(const struct profile *profile, struct armpmu_error *err)
{
    return profile->setup.access_latency != NULL
               ? ARMPMU_OK
               : fail(err, ARMPMU_BAD_INPUT, "the profile has no data accesses; record with --mem");
}

enum armpmu_status memory_report(const struct profile *profile, const struct memory_keys *keys,
                                 const struct table_options *options, FILE *stream,
                                 struct armpmu_error *err)
{
    struct memory_groups groups = {.profile = profile, .keys = keys};

    enum armpmu_status status = memory_check(profile, err);
    if (status == ARMPMU_OK)
        status = make_groups(&groups, err);
    if (status == ARMPMU_OK)
        status = print(&groups, options, stream, err);
    intern_free(&groups.numbers);
    free(groups.at);
    return status;
}
