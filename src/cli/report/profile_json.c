/* Tables of a profile as one JSON object a line and group. The keys' members are symbol; object;
 * file and line (where known); address and insn; process, thread and name. Of a tree, path lists
 * the functions that called it, outermost first. events has a member for each
 * event: self, self-percent and, with inclusive counts, inclusive and inclusive-percent. With
 * callers: a list of symbol, count and percent (of the first event), and callers again. */
#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/error.h"
#include "base/printable.h"
#include "cli/report/json_build.h"
#include "cli/report/profile_table.h"

static json_t *percent(const struct profile_table *t, size_t i, uint64_t n)
{
    return json_real(round(profile_table_percent(t, i, n) * 1e6) / 1e6);
}

static json_t *put_line(json_t *object, const struct profile *p, struct profile_line line)
{
    if (line.file == PROFILE_NONE)
        return object;
    object = build_put(object, "file", build_text(p->files[line.file].path));
    return build_put(object, "line", json_integer(line.line));
}

static json_t *put_thread(json_t *object, const struct profile_thread *thread)
{
    object = build_put(object, "process", json_integer(thread->process));
    object = build_put(object, "thread", json_integer(thread->thread));
    return thread->name != NULL ? build_put(object, "name", build_text(thread->name)) : object;
}

static json_t *put_insn(json_t *object, const struct profile_table *t, uint32_t insn)
{
    char text[DISASSEMBLY_TEXT];

    disassembly_text(t->disassembly, insn, 0, text);
    object = build_put(object, "address", build_hexadecimal(1, t->profile->insns[insn].address));
    return text[0] != '\0' ? build_put(object, "insn", build_text(text)) : object;
}

static json_t *put_key(json_t *object, const struct profile_table *t, enum profile_key key,
                       const struct profile_group *group)
{
    const struct profile *const p = t->profile;

    switch (key) {
    case KEY_SYMBOL:
        return build_put(object, "symbol", build_text(profile_symbol(p, group->insn)));
    case KEY_OBJECT:
        return build_put(object, "object", build_text(profile_object_path(p, group->insn)));
    case KEY_LINE:
        return put_line(object, p, p->insns[group->insn].line);
    case KEY_INSN:
        return put_insn(object, t, group->insn);
    case KEY_THREAD:
        return put_thread(object, &p->threads[group->thread]);
    case PROFILE_KEYS:
        break;
    }
    return object;
}

static json_t *counts(const struct profile_table *t, const struct profile_group *group, size_t i)
{
    json_t *object = json_object();

    object = build_put(object, "self", json_integer((json_int_t)group->self[i]));
    object = build_put(object, "self-percent", percent(t, i, group->self[i]));
    if (!t->has_inclusive)
        return object;
    object = build_put(object, "inclusive", json_integer((json_int_t)group->inclusive[i]));
    return build_put(object, "inclusive-percent", percent(t, i, group->inclusive[i]));
}

static json_t *put_event(json_t *object, const struct profile_table *t,
                         const struct profile_group *group, size_t i)
{
    char *const name = printable_copy(t->profile->events[t->events->events[i]].name);

    object = build_put(object, name != NULL ? name : "", name != NULL ? counts(t, group, i) : NULL);
    free(name);
    return object;
}

static json_t *callers(const struct profile_table *t, uint32_t parent)
{
    json_t *list = json_array();

    for (uint32_t i = t->callers[parent].first_child; i != 0; i = t->callers[i].next_sibling) {
        json_t *object = build_put(json_object(), "symbol", build_text(t->callers[i].name));
        object = build_put(object, "count", json_integer((json_int_t)t->callers[i].n));
        object = build_put(object, "percent", percent(t, 0, t->callers[i].n));
        list = build_append(list, build_put(object, "callers", callers(t, i)));
    }
    return list;
}

/* The functions that call a group of a tree, outermost first. */
static json_t *path(const struct profile_table *t, const struct profile_group *group)
{
    json_t *list = json_array();

    for (uint32_t i = group->parent; i != 0 && list != NULL; i = t->groups[i - 1].parent) {
        json_t *const name = build_text(profile_symbol(t->profile, t->groups[i - 1].insn));
        if (name == NULL || json_array_insert_new(list, 0, name) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *group_object(struct profile_table *t, const struct profile_print *how,
                            const struct profile_group *group, struct armpmu_error *err)
{
    json_t *object = json_object(), *events = json_object();

    for (unsigned i = 0; i < t->keys.n; i++)
        object = put_key(object, t, t->keys.at[i], group);
    if (t->is_tree)
        object = build_put(object, "path", path(t, group));
    for (size_t i = 0; i < t->events->n; i++)
        events = put_event(events, t, group, i);
    object = build_put(object, "events", events);
    if (!how->has_callers)
        return object;
    const bool done = profile_table_callers(t, group, err) == ARMPMU_OK;
    return build_put(object, "callers", done ? callers(t, 0) : NULL);
}

enum armpmu_status profile_print_json(struct profile_table *table, const struct profile_print *how,
                                      FILE *stream, struct armpmu_error *err)
{
    for (size_t i = 0; i < table->n_groups; i++) {
        json_t *const object = group_object(table, how, &table->groups[i], err);
        if (!build_print_line(object, stream))
            return fail_no_memory(err, "the report");
    }
    return ARMPMU_OK;
}
