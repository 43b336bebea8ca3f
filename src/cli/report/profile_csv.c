/* Tables of a profile as separated values: a line of names, then one for each group. The columns of
 * the keys are symbol; object; file and line; address and insn; process, thread and name. Then for
 * each event its count, and its percentage of the total in a column named EVENT %; with inclusive
 * counts two more, EVENT inclusive and EVENT inclusive %. */
#include <inttypes.h>

#include "cli/table/csv.h"
#include "cli/report/profile_table.h"

struct table_line {
    const struct profile_print *how;
    FILE *stream;
    bool is_begun;
};

static void put(struct table_line *line, const char *field)
{
    if (line->is_begun)
        fputs(line->how->separator, line->stream);
    line->is_begun = true;
    csv_field(field, line->how->separator, line->stream);
}

static void put_number(struct table_line *line, const char *format, uint64_t number)
{
    char text[32];

    snprintf(text, sizeof text, format, number);
    put(line, text);
}

static void put_key_names(struct table_line *line, enum profile_key key)
{
    static const char *const names[PROFILE_KEYS][3] = {
        [KEY_SYMBOL] = {"symbol"},
        [KEY_OBJECT] = {"object"},
        [KEY_LINE] = {"file", "line"},
        [KEY_INSN] = {"address", "insn"},
        [KEY_THREAD] = {"process", "thread", "name"},
    };

    for (size_t i = 0; i < 3 && names[key][i] != NULL; i++)
        put(line, names[key][i]);
}

static void put_event_names(struct table_line *line, const struct profile_table *t,
                            const char *name)
{
    static const char *const endings[] = {"", " %", " inclusive", " inclusive %"};
    char text[300];

    for (size_t i = 0; i < (t->has_inclusive ? 4 : 2); i++) {
        snprintf(text, sizeof text, "%.256s%s", name, endings[i]);
        put(line, text);
    }
}

static void put_header(const struct profile_table *t, const struct profile_print *how, FILE *stream)
{
    struct table_line line = {how, stream, false};

    for (unsigned i = 0; i < t->keys.n; i++)
        put_key_names(&line, t->keys.at[i]);
    for (size_t i = 0; i < t->events->n; i++)
        put_event_names(&line, t, t->profile->events[t->events->events[i]].name);
    fputc('\n', stream);
}

static void put_insn(struct table_line *line, const struct profile_table *t, uint32_t insn)
{
    char text[DISASSEMBLY_TEXT];

    put_number(line, "0x%" PRIx64, t->profile->insns[insn].address);
    disassembly_text(t->disassembly, insn, 0, text);
    put(line, text);
}

static void put_key(struct table_line *line, const struct profile_table *t, enum profile_key key,
                    const struct profile_group *group)
{
    const struct profile *const p = t->profile;
    const struct profile_insn *const insn = &p->insns[group->insn];
    const struct profile_thread *const thread = &p->threads[group->thread];

    switch (key) {
    case KEY_SYMBOL:
        put(line, profile_symbol(p, group->insn));
        break;
    case KEY_OBJECT:
        put(line, profile_object_path(p, group->insn));
        break;
    case KEY_LINE:
        put(line, insn->line.file != PROFILE_NONE ? p->files[insn->line.file].path : "");
        put_number(line, "%" PRIu64, insn->line.line);
        break;
    case KEY_INSN:
        put_insn(line, t, group->insn);
        break;
    case KEY_THREAD:
        put_number(line, "%" PRIu64, thread->process);
        put_number(line, "%" PRIu64, thread->thread);
        put(line, thread->name != NULL ? thread->name : "");
        break;
    case PROFILE_KEYS:
        break;
    }
}

static void put_count(struct table_line *line, const struct profile_table *t, size_t i, uint64_t n)
{
    char percent[16];

    put_number(line, "%" PRIu64, n);
    snprintf(percent, sizeof percent, "%.2f", profile_table_percent(t, i, n));
    put(line, percent);
}

static void put_group(const struct profile_table *t, const struct profile_print *how,
                      const struct profile_group *group, FILE *stream)
{
    struct table_line line = {how, stream, false};

    for (unsigned i = 0; i < t->keys.n; i++)
        put_key(&line, t, t->keys.at[i], group);
    for (size_t i = 0; i < t->events->n; i++) {
        put_count(&line, t, i, group->self[i]);
        if (t->has_inclusive)
            put_count(&line, t, i, group->inclusive[i]);
    }
    fputc('\n', stream);
}

enum armpmu_status profile_print_csv(struct profile_table *table, const struct profile_print *how,
                                     FILE *stream, struct armpmu_error *err)
{
    (void)err;
    put_header(table, how, stream);
    for (size_t i = 0; i < table->n_groups; i++)
        put_group(table, how, &table->groups[i], stream);
    return ARMPMU_OK;
}
