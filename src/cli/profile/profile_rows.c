/* The rows of `armpmu report`, one for each group. The keys of -s come first: symbol; object; file
 * and line; address and insn; process, thread and name. Then each event has its count and its
 * percentage of the total, and with --children both of the inclusive counts; each metric its value.
 * Only JSON has path (in a tree: the functions that called it, outermost first) and callers, a list
 * of symbol, count and percent of the first event, and callers again. */
#include <stdlib.h>

#include "base/error.h"
#include "cli/profile/profile_table.h"

static void put_line(struct report_table *t, const struct profile *p, struct profile_line line)
{
    const bool is_known = line.file != PROFILE_NONE;

    if (is_known)
        table_text(t, "file", p->files[line.file].path);
    if (is_known || !table_is_json(t))
        table_count(t, "line", line.line);
}

static void put_insn(struct report_table *t, const struct profile_table *groups, uint32_t insn)
{
    char text[DISASSEMBLY_TEXT];

    table_hex(t, "address", 1, groups->profile->insns[insn].address);
    disassembly_text(groups->disassembly, insn, 0, text);
    if (text[0] != '\0')
        table_text(t, "insn", text);
}

static void put_key(struct report_table *t, const struct profile_table *groups,
                    enum profile_key key, const struct profile_group *group)
{
    const struct profile *const p = groups->profile;
    const struct profile_thread *const thread = &p->threads[group->thread];

    switch (key) {
    case KEY_SYMBOL:
        table_text(t, "symbol", profile_frame(p, group->insn, group->frame));
        if (group->frame != 0)
            table_flag(t, "inlined", true);
        break;
    case KEY_OBJECT:
        table_text(t, "object", profile_object_path(p, group->insn));
        break;
    case KEY_LINE:
        put_line(t, p, p->insns[group->insn].line);
        break;
    case KEY_INSN:
        put_insn(t, groups, group->insn);
        break;
    case KEY_THREAD:
        table_count(t, "process", thread->process);
        table_count(t, "thread", thread->thread);
        if (thread->name != NULL)
            table_text(t, "name", thread->name);
        break;
    case PROFILE_KEYS:
        break;
    }
}

static void put_callers(struct report_table *t, const struct profile_table *groups, uint32_t parent)
{
    const struct caller *const callers = groups->callers;

    table_open(t, "callers", '[');
    for (uint32_t i = callers[parent].first_child; i != 0; i = callers[i].next_sibling) {
        table_open(t, NULL, '{');
        table_text(t, "symbol", callers[i].name);
        if (callers[i].is_inlined)
            table_flag(t, "inlined", true);
        table_count(t, "count", callers[i].n);
        table_real(t, "percent", event_percent(groups->profile, groups->events, 0, callers[i].n));
        put_callers(t, groups, i);
        table_close(t);
    }
    table_close(t);
}

static void put_path(struct report_table *t, const struct profile_table *groups, uint32_t parent)
{
    if (parent == 0)
        return;
    put_path(t, groups, groups->groups[parent - 1].parent);
    const struct profile_group *const by = &groups->groups[parent - 1];
    table_text(t, NULL, profile_frame(groups->profile, by->insn, by->frame));
}

/* A report of a profile by its keys. */
struct group_report {
    struct report_table table;
    struct profile_table *groups;
    const struct profile_print *how;
    struct event_columns counts;
};

static enum armpmu_status put_group(struct group_report *report, const struct profile_group *group,
                                    struct armpmu_error *err)
{
    struct report_table *const t = &report->table;
    struct profile_table *const groups = report->groups;
    enum armpmu_status status = ARMPMU_OK;

    table_row(t);
    for (unsigned i = 0; i < groups->keys.n; i++)
        put_key(t, groups, groups->keys.at[i], group);
    if (groups->is_tree) {
        table_open(t, "path", '[');
        put_path(t, groups, group->parent);
        table_close(t);
    }
    event_columns_put_cells(t, &report->counts, group->self,
                            groups->has_inclusive ? group->inclusive : NULL);
    if (report->how->has_topdown) {
        struct topdown_part parts[TOPDOWN_LEAVES_MOST];
        event_columns_put_topdown(t, parts, profile_table_topdown(groups, group, parts));
    }
    if (report->how->has_callers) {
        status = profile_table_callers(groups, group, err);
        if (status == ARMPMU_OK)
            put_callers(t, groups, 0);
    }
    return status;
}

/* ---- columns ---- */

static size_t key_columns(const struct profile_table *groups, struct table_column *columns)
{
    static const char *const names[PROFILE_KEYS][3] = {
        [KEY_SYMBOL] = {"symbol"},
        [KEY_OBJECT] = {"object"},
        [KEY_LINE] = {"file", "line"},
        [KEY_INSN] = {"address", "insn"},
        [KEY_THREAD] = {"process", "thread", "name"},
    };
    size_t n = 0;

    for (unsigned i = 0; i < groups->keys.n; i++)
        for (size_t k = 0; k < 3 && names[groups->keys.at[i]][k] != NULL; k++)
            columns[n++].key = names[groups->keys.at[i]][k];
    return n;
}

enum armpmu_status profile_print_rows(struct profile_table *groups, const struct profile_print *how,
                                      FILE *stream, struct armpmu_error *err)
{
    struct group_report report = {.groups = groups,
                                  .how = how,
                                  .counts = {.profile = groups->profile,
                                             .events = groups->events,
                                             .metrics = how->metrics,
                                             .has_inclusive = groups->has_inclusive}};
    struct report_table *const t = &report.table;
    struct table_column *const columns =
        calloc(3 * PROFILE_KEYS + 4 * (groups->events->n + how->metrics->n), sizeof *columns);
    struct table_form form = {"report", "groups", columns, .keys = NULL};
    enum armpmu_status status = ARMPMU_OK;

    if (columns == NULL)
        return fail_no_memory(err, "the report");
    form.n_columns = key_columns(groups, columns);
    form.n_columns += event_columns_of_table(&report.counts, columns + form.n_columns);
    table_begin(t, how->table, &form, stream);
    for (size_t i = 0; i < groups->n_groups && status == ARMPMU_OK && !table_failed(t); i++)
        status = put_group(&report, &groups->groups[i], err);
    if (table_end(t, err) != ARMPMU_OK)
        status = ARMPMU_NO_MEMORY;
    free(columns);
    return status;
}
