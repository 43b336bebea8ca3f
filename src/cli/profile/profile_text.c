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
#include "base/short_name.h"
#include "cli/profile/profile_table.h"

#define KEY_WIDTH_MAX      60 /* longer names extend past their column */
#define CUT                "..."
#define NAME_COLUMNS_LEAST 20
#define CALLER_PERCENT     0.5
#define CAUSE_PERCENT      2.0
#define NAME_COLUMNS       32 /* of the terminal are kept for names */

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
        fprintf(stream, " not all call paths: %s\n", profile_lacks_paths(p));
    fputc('\n', stream);
}

struct layout {
    struct profile_table *table;
    const struct profile_print *how;
    struct event_columns counts;
    int keys[PROFILE_KEYS]; /* widths */
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
        fputs(profile_frame(p, group->insn, group->frame), stream);
        fputs(profile_inlined_mark(group->frame != 0), stream);
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
    FILE *const stream = memory_stream_open(&text, &size);

    if (stream == NULL)
        return NULL;
    put_key(t, key, group, stream);
    if (memory_stream_close(stream, &text))
        copy = printable_copy(text);
    free(text);
    return copy;
}

/* ---- widths ---- */

/* Columns of the terminal that counts leave, or those that a name needs; 0: no limit. */
static int room_for_names(const struct layout *l)
{
    const int room = (int)l->how->columns - event_columns_left(&l->counts);

    return room >= NAME_COLUMNS_LEAST || l->how->columns == 0 ? (room > 0 ? room : 0)
                                                              : NAME_COLUMNS_LEAST;
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

/* In the column of a key; on a terminal a part of a longer name is left out, the front of a path.
 */
static void put_name(const struct layout *l, char *text, unsigned key)
{
    const enum profile_key what = l->table->keys.at[key];
    const int width = l->keys[key], cut = (int)strlen(CUT);

    if (room_for_names(l) != 0 && what == KEY_SYMBOL)
        short_name(text, (size_t)width);
    const int n = (int)strlen(text);
    if (room_for_names(l) == 0 || n <= width)
        fprintf(l->stream, "  %-*s", key + 1 == l->table->keys.n ? 0 : width, text);
    else if (what == KEY_LINE || what == KEY_OBJECT) {
        const char *end = text + n - (width - cut);
        while ((*end & 0xc0) == 0x80) /* inside of a character */
            end++;
        fprintf(l->stream, "  %s%-*s", CUT, width - cut, end);
    } else
        fprintf(l->stream, "  %.*s%s", width - cut, text, CUT);
}

static bool put_group(const struct layout *l, const struct profile_group *group)
{
    const struct profile_table *const t = l->table;

    event_columns_put(&l->counts, group->self, t->has_inclusive ? group->inclusive : NULL, false);
    for (unsigned key = 0; key < t->keys.n; key++) {
        char *const text = key_text(t, t->keys.at[key], group);
        if (text == NULL)
            return false;
        put_name(l, text, key);
        free(text);
    }
    fputc('\n', l->stream);
    return true;
}

/* On a terminal, cut to the columns that are left. */
static void put_caller_name(const struct layout *l, const struct caller *caller, unsigned used)
{
    const char *const mark = profile_inlined_mark(caller->is_inlined);
    char *const name = l->how->columns > 0 ? printable_copy(caller->name) : NULL;

    if (name == NULL) { /* without memory, too */
        printable_put(caller->name, l->stream);
        fprintf(l->stream, "%s\n", mark);
        return;
    }
    if (l->how->columns > used + strlen(mark) + NAME_COLUMNS_LEAST)
        short_name(name, l->how->columns - used - strlen(mark));
    else
        short_name(name, NAME_COLUMNS_LEAST);
    fprintf(l->stream, "%s%s\n", name, mark);
    free(name);
}

static void put_callers(const struct layout *l, uint32_t parent, unsigned depth)
{
    const struct profile_table *const t = l->table;

    for (uint32_t i = t->callers[parent].first_child; i != 0; i = t->callers[i].next_sibling) {
        const double percent = event_percent(t->profile, t->events, 0, t->callers[i].n);
        if (percent < CALLER_PERCENT)
            continue;
        fprintf(l->stream, "%*s", 12 + 2 * (int)depth, "");
        event_columns_put_percent(percent, l->how->color, l->stream);
        fputs("  ", l->stream);
        put_caller_name(l, &t->callers[i], 12 + 2 * depth + 8 + 2);
        put_callers(l, i, depth + 1);
    }
}

/* Parts that a person looks at, in percent of the line's cycles. */
static void put_parts(const struct layout *l, const struct topdown_part *parts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (parts[i].percent < CAUSE_PERCENT)
            continue;
        fprintf(l->stream, "%*s", 12, "");
        event_columns_put_percent(parts[i].percent, false, l->stream);
        fprintf(l->stream, "  %s\n", parts[i].name);
    }
}

static void put_topdown(const struct layout *l, const struct profile_group *group)
{
    const struct profile_table *const t = l->table;
    struct topdown_part parts[TOPDOWN_LEAVES_MOST];

    if (l->how->has_topdown && group == NULL)
        put_parts(l, parts, topdown_parts(t->profile, t->profile->totals, parts));
    else if (l->how->has_topdown)
        put_parts(l, parts, profile_table_topdown(t, group, parts));
}

static enum armpmu_status put_groups(const struct layout *l, struct armpmu_error *err)
{
    struct profile_table *const t = l->table;
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < t->n_groups && status == ARMPMU_OK; i++) {
        if (!put_group(l, &t->groups[i]))
            return fail_no_memory(err, "the report");
        put_topdown(l, &t->groups[i]);
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
    struct layout l = {.table = table,
                       .how = how,
                       .stream = stream,
                       .counts = {.profile = table->profile,
                                  .events = table->events,
                                  .metrics = how->metrics,
                                  .has_inclusive = table->has_inclusive,
                                  .color = how->color,
                                  .stream = stream}};
    enum armpmu_status status = ARMPMU_NO_MEMORY;

    if (event_columns_open(&l.counts, how->chose_events, how->columns, NAME_COLUMNS) &&
        measure_keys(&l)) {
        profile_put_setup(table->profile, "report", stream);
        if (event_columns_put_hidden(&l.counts))
            fputc('\n', stream);
        event_columns_put_head(&l.counts);
        put_topdown(&l, NULL);
        status = put_groups(&l, err);
    } else {
        status = fail_no_memory(err, "the report");
    }
    event_columns_close(&l.counts);
    return status;
}
