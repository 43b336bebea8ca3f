/* Tables of a profile for people:
 *
 *     CPU_CYCLES           L1D_CACHE_REFILL
 *         11,330                      1,007  total
 *   84.02 %    9,520     89.37 %        900  list::sum(int)  prog
 */
#include <stdlib.h>
#include <string.h>

#include "armpmu/profile.h"
#include "base/error.h"
#include "base/memory_stream.h"
#include "base/printable.h"
#include "cli/report/profile_table.h"
#include "cli/text_wrap.h"

#define KEY_WIDTH_MAX      60 /* longer names stand out of their column */
#define CUT                "..."
#define NAME_COLUMNS_LEAST 20
#define CALLER_PERCENT     0.5
#define NAME_COLUMNS       32 /* of the terminal are kept for names */

#define RED   "31" /* as perf: 5 % and more */
#define GREEN "32" /* 0.5 % and more */

#define DECIMAL_OF(number) #number
#define DECIMAL(number)    DECIMAL_OF(number)

const char profile_lacks_paths[] = "a thread has " DECIMAL(
    ARMPMU_PROFILE_PATHS_MAX) ", the most there are; calls on others count "
                              "in their caller's path, so inclusive counts and callers are too low";

void profile_put_setup(const struct profile *p, const char *command, FILE *stream)
{
    const struct profile_setup *const setup = &p->setup;

    fprintf(stream, " armpmu %s: ", command);
    printable_put(setup->command != NULL ? setup->command : "[unknown]", stream);
    fputs("  [", stream);
    printable_put(setup->core != NULL ? setup->core : "[unknown]", stream);
    fprintf(stream, " @ %g MHz, machine ", setup->clock_mhz);
    printable_put(setup->machine != NULL ? setup->machine : "[unknown]", stream);
    fputs("]\n", stream);
    if (!setup->is_complete)
        fputs(" not complete: the counts do not reach the end of the run\n", stream);
    if (setup->lacks_paths)
        fprintf(stream, " not all call paths: %s\n", profile_lacks_paths);
    fputc('\n', stream);
}

void profile_put_percent(double percent, bool color, FILE *stream)
{
    const char *const style = percent >= 5 ? RED : percent >= 0.5 ? GREEN : NULL;
    const bool is_painted = color && style != NULL;

    fprintf(stream, "%s%s%s%6.2f %%%s", is_painted ? "\033[" : "", is_painted ? style : "",
            is_painted ? "m" : "", percent, is_painted ? "\033[m" : "");
}

struct layout {
    struct profile_table *table;
    const struct profile_print *how;
    int *counts; /* widths: of the count of each event */
    int keys[PROFILE_KEYS];
    size_t n_events; /* of the table's, that are shown */
    FILE *stream;
};

/* ---- keys ---- */

const char *profile_basename(const char *path)
{
    const char *const slash = strrchr(path, '/');

    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static void put_line(const struct profile *p, struct profile_line line, FILE *stream)
{
    if (line.file == PROFILE_NONE)
        fputs("[unknown]", stream);
    else
        fprintf(stream, "%s:%u", profile_basename(p->files[line.file].path), line.line);
}

static void put_insn(const struct profile_table *t, uint32_t insn, FILE *stream)
{
    char text[DISASSEMBLY_TEXT];

    if (t->profile->insns[insn].n_bytes > 0)
        fprintf(stream, "0x%llx  ", (unsigned long long)t->profile->insns[insn].address);
    profile_print_symbol(t->profile, insn, stream);
    disassembly_text(t->disassembly, insn, MNEMONIC_WIDTH, text);
    fprintf(stream, text[0] != '\0' ? "  %s" : "%s", text);
}

static void put_thread(const struct profile_thread *thread, FILE *stream)
{
    fprintf(stream, "%u/%u", thread->process, thread->thread);
    if (thread->name != NULL)
        fprintf(stream, " %s", thread->name);
}

static void put_key(const struct profile_table *t, enum profile_key key,
                    const struct profile_group *group, FILE *stream)
{
    const struct profile *const p = t->profile;

    switch (key) {
    case KEY_SYMBOL:
        fprintf(stream, "%*s", 2 * (int)group->depth, "");
        fputs(profile_symbol(p, group->insn), stream);
        break;
    case KEY_OBJECT:
        fputs(profile_basename(profile_object_path(p, group->insn)), stream);
        break;
    case KEY_LINE:
        put_line(p, p->insns[group->insn].line, stream);
        break;
    case KEY_INSN:
        put_insn(t, group->insn, stream);
        break;
    case KEY_THREAD:
        put_thread(&p->threads[group->thread], stream);
        break;
    case PROFILE_KEYS:
        break;
    }
}

/* Fit to print, in memory that the caller frees; NULL without memory. */
static char *key_text(const struct profile_table *t, enum profile_key key,
                      const struct profile_group *group)
{
    char *text = NULL, *copy = NULL;
    size_t size;
    FILE *const stream = open_memstream(&text, &size);

    if (stream == NULL)
        return NULL;
    put_key(t, key, group, stream);
    if (memory_stream_close(stream, &text))
        copy = printable_copy(text);
    free(text);
    return copy;
}

/* ---- widths ---- */

static int block_width(const struct layout *l, size_t event)
{
    const int pair = PROFILE_PERCENT_WIDTH + 2 + l->counts[event];

    return l->table->has_inclusive ? 2 * pair + 2 : pair;
}

static void measure_counts(struct layout *l)
{
    const struct profile_table *const t = l->table;
    char text[TEXT_WRAP_COUNT];

    for (size_t i = 0; i < t->events->n; i++) {
        const uint32_t event = t->events->events[i];
        const int name = (int)strlen(t->profile->events[event].name);
        l->counts[i] = text_wrap_count(t->profile->totals[event], true, text);
        if (block_width(l, i) < name)
            l->counts[i] += name - block_width(l, i);
    }
}

/* As many events as fit a terminal: the first, and all that were asked for. */
static void choose_events(struct layout *l)
{
    int width = NAME_COLUMNS;

    l->n_events = l->table->events->n;
    if (!l->how->chose_events || l->how->columns == 0)
        return;
    for (size_t i = 0; i < l->table->events->n; i++) {
        width += 2 + block_width(l, i);
        if (i > 0 && width > (int)l->how->columns) {
            l->n_events = i;
            return;
        }
    }
}

static void put_hidden_events(const struct layout *l)
{
    const struct profile_table *const t = l->table;

    if (l->n_events == t->events->n)
        return;
    fputs(" too wide for the terminal:", l->stream);
    for (size_t i = l->n_events; i < t->events->n; i++) {
        fputc(' ', l->stream);
        printable_put(t->profile->events[t->events->events[i]].name, l->stream);
    }
    fputs("\n\n", l->stream);
}

/* Columns of the terminal that counts leave; 0: no limit, or so few that names go on. */
static int room_for_names(const struct layout *l)
{
    int room = (int)l->how->columns;

    for (size_t i = 0; i < l->n_events; i++)
        room -= 2 + block_width(l, i);
    return room >= NAME_COLUMNS_LEAST ? room : 0;
}

/* Makes the widest names narrower until all fit the terminal. */
static void fit_keys(struct layout *l)
{
    const int room = room_for_names(l), n = (int)l->table->keys.n;

    for (int key = 0; key < n && room == 0; key++)
        l->keys[key] = l->keys[key] < KEY_WIDTH_MAX ? l->keys[key] : KEY_WIDTH_MAX;
    while (room > 0) {
        int sum = 0, widest = 0;
        for (int key = 0; key < n; key++) {
            sum += 2 + l->keys[key];
            widest = l->keys[key] > l->keys[widest] ? key : widest;
        }
        if (sum <= room || l->keys[widest] <= (int)strlen(CUT))
            return;
        l->keys[widest]--;
    }
}

static bool measure_keys(struct layout *l)
{
    const struct profile_table *const t = l->table;

    for (unsigned key = 0; key < t->keys.n; key++)
        for (size_t i = 0; i < t->n_groups; i++) {
            char *const text = key_text(t, t->keys.at[key], &t->groups[i]);
            if (text == NULL)
                return false;
            const int width = (int)strlen(text);
            l->keys[key] = width > l->keys[key] ? width : l->keys[key];
            free(text);
        }
    fit_keys(l);
    return true;
}

/* ---- lines ---- */

static void put_names(const struct layout *l)
{
    const struct profile_table *const t = l->table;

    for (size_t i = 0; i < l->n_events; i++) {
        const char *const name = t->profile->events[t->events->events[i]].name;
        fprintf(l->stream, "  %*s", block_width(l, i) - (int)strlen(name), "");
        printable_put(name, l->stream);
    }
    fputc('\n', l->stream);
    for (size_t i = 0; i < l->n_events && t->has_inclusive; i++) {
        const int pair = PROFILE_PERCENT_WIDTH + 2 + l->counts[i];
        fprintf(l->stream, "  %*s  %*s", pair, "inclusive", pair, "self");
    }
    if (t->has_inclusive)
        fputc('\n', l->stream);
}

static void put_totals(const struct layout *l)
{
    const struct profile_table *const t = l->table;
    char text[TEXT_WRAP_COUNT];

    for (size_t i = 0; i < l->n_events; i++) {
        text_wrap_count(t->profile->totals[t->events->events[i]], true, text);
        fprintf(l->stream, "  %*s", block_width(l, i), text);
    }
    fputs("  total\n", l->stream);
}

static void put_count(const struct layout *l, size_t i, uint64_t n)
{
    char text[TEXT_WRAP_COUNT];

    text_wrap_count(n, true, text);
    fputs("  ", l->stream);
    profile_put_percent(profile_table_percent(l->table, i, n), l->how->color, l->stream);
    fprintf(l->stream, "  %*s", l->counts[i], text);
}

/* In a column of that width; on a terminal the rest of a name is left out. */
static void put_name(const struct layout *l, const char *text, int width, bool is_last)
{
    const int n = (int)strlen(text);

    if (room_for_names(l) == 0 || n <= width)
        fprintf(l->stream, "  %-*s", is_last ? 0 : width, text);
    else
        fprintf(l->stream, "  %.*s%s", width - (int)strlen(CUT), text, CUT);
}

static bool put_group(const struct layout *l, const struct profile_group *group)
{
    const struct profile_table *const t = l->table;

    for (size_t i = 0; i < l->n_events; i++) {
        if (t->has_inclusive)
            put_count(l, i, group->inclusive[i]);
        put_count(l, i, group->self[i]);
    }
    for (unsigned key = 0; key < t->keys.n; key++) {
        char *const text = key_text(t, t->keys.at[key], group);
        if (text == NULL)
            return false;
        put_name(l, text, l->keys[key], key + 1 == t->keys.n);
        free(text);
    }
    fputc('\n', l->stream);
    return true;
}

static void put_callers(const struct layout *l, uint32_t parent, unsigned depth)
{
    const struct profile_table *const t = l->table;

    for (uint32_t i = t->callers[parent].first_child; i != 0; i = t->callers[i].next_sibling) {
        const double percent = profile_table_percent(t, 0, t->callers[i].n);
        if (percent < CALLER_PERCENT)
            continue;
        fprintf(l->stream, "%*s", 12 + 2 * (int)depth, "");
        profile_put_percent(percent, l->how->color, l->stream);
        fputs("  ", l->stream);
        printable_put(t->callers[i].name, l->stream);
        fputc('\n', l->stream);
        put_callers(l, i, depth + 1);
    }
}

static enum armpmu_status put_groups(const struct layout *l, struct armpmu_error *err)
{
    struct profile_table *const t = l->table;
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < t->n_groups && status == ARMPMU_OK; i++) {
        if (!put_group(l, &t->groups[i]))
            return fail_no_memory(err, "the report");
        if (l->how->has_callers)
            status = profile_table_callers(t, &t->groups[i], err);
        if (l->how->has_callers && status == ARMPMU_OK)
            put_callers(l, 0, 0);
    }
    if (t->n_hidden > 0)
        fprintf(l->stream, "  and %zu more below the limit\n", t->n_hidden);
    return status;
}

enum armpmu_status profile_print_text(struct profile_table *table, const struct profile_print *how,
                                      FILE *stream, struct armpmu_error *err)
{
    struct layout l = {.table = table, .how = how, .stream = stream};
    enum armpmu_status status;

    l.counts = calloc(table->events->n + 1, sizeof *l.counts);
    if (l.counts != NULL) {
        measure_counts(&l);
        choose_events(&l);
    }
    if (l.counts == NULL || !measure_keys(&l)) {
        free(l.counts);
        return fail_no_memory(err, "the report");
    }
    profile_put_setup(table->profile, "report", stream);
    put_hidden_events(&l);
    put_names(&l);
    put_totals(&l);
    status = put_groups(&l, err);
    free(l.counts);
    return status;
}
