/* A row for each type, those with most misses first, then for each of its members. A member without
 * accesses has a row, too, unless an access to several members includes its bytes. */
#include "cli/profile/type_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/order.h"
#include "cli/profile/memory_report.h"
#include "cli/profile/profile_table.h"

struct member_row {
    const struct profile_member *member; /* NULL: accesses whose type is not known */
    struct access_sum sum;
};

/* Rows from first on, before end. */
struct type_row {
    size_t first, end;
    struct access_sum sum;
};

struct type_rows {
    struct member_row *rows;
    struct type_row *types;
    size_t n_rows, n_types;
    struct access_sum sum;
};

static const char *type_of(const struct member_row *row)
{
    return row->member != NULL ? row->member->type : MEMORY_NO_TYPE;
}

static int by_offset(const void *a, const void *b)
{
    const struct member_row *x = a, *y = b;
    const int types = strcmp(type_of(x), type_of(y));

    if (types != 0 || x->member == NULL || y->member == NULL)
        return types;
    const int offsets =
        ORDER(x->member->offset, y->member->offset, y->member->n_bytes, x->member->n_bytes);
    return offsets != 0 ? offsets : strcmp(x->member->name, y->member->name);
}

static int by_cost(const void *a, const void *b)
{
    const struct type_row *x = a, *y = b;

    return ORDER(y->sum.refills, x->sum.refills, y->sum.n, x->sum.n, x->first, y->first);
}

static void add_accesses(struct type_rows *to, const struct profile *p)
{
    for (size_t i = 0; i < p->n_accesses; i++) {
        const struct profile_access *const access = &p->accesses[i];
        const struct access_sum sum = access_sum_of(&access->of);
        const size_t row = access->member != PROFILE_NONE ? access->member : p->n_members;
        access_sum_add(&to->rows[row].sum, &sum);
    }
}

/* Rows of one type are beside each other. */
static void find_types(struct type_rows *to)
{
    for (size_t i = 0; i < to->n_rows; i++) {
        struct type_row *type = to->n_types != 0 ? &to->types[to->n_types - 1] : NULL;
        if (type == NULL || strcmp(type_of(&to->rows[type->first]), type_of(&to->rows[i])) != 0) {
            type = &to->types[to->n_types++];
            type->first = i;
        }
        type->end = i + 1;
        access_sum_add(&type->sum, &to->rows[i].sum);
        access_sum_add(&to->sum, &to->rows[i].sum);
    }
}

static enum armpmu_status make(struct type_rows *to, const struct profile *p,
                               struct armpmu_error *err)
{
    to->n_rows = p->n_members + 1;
    to->rows = calloc(to->n_rows, sizeof *to->rows);
    to->types = calloc(to->n_rows, sizeof *to->types);
    if (to->rows == NULL || to->types == NULL)
        return fail_no_memory(err, "a report of types");
    for (size_t i = 0; i < p->n_members; i++)
        to->rows[i].member = &p->members[i];
    add_accesses(to, p);
    qsort(to->rows, to->n_rows, sizeof *to->rows, by_offset);
    find_types(to);
    qsort(to->types, to->n_types, sizeof *to->types, by_cost);
    return ARMPMU_OK;
}

/* ---- cells ---- */

static const struct table_column text_columns[] = {
    {.key = "refills", .is_right = true, .is_separated = true, .gap = 2},
    {.key = "percent", .name = "%", .is_right = true, .digits = 2, .gap = 2},
    {.key = "accesses", .is_right = true, .is_separated = true, .gap = 2},
    {.key = "latency", .name = "each", .is_right = true, .digits = 1, .gap = 2},
    {.key = "offset", .is_right = true, .gap = 2},
    {.key = "size", .is_right = true, .gap = 2},
    {.key = "field", .is_name = true, .gap = 2},
};

static const struct table_column data_columns[] = {
    {.key = "type"},     {.key = "member"},  {.key = "offset"},  {.key = "size"},
    {.key = "accesses"}, {.key = "refills"}, {.key = "percent"}, {.key = "tlb_refills"},
    {.key = "cycles"},   {.key = "latency"},
};

static void put_member(struct report_table *t, const struct type_rows *rows,
                       const struct member_row *row)
{
    char text[1024];

    table_row(t);
    snprintf(text, sizeof text, "    %s", row->member->name);
    if (t->options->format == TABLE_TEXT) {
        table_text(t, "field", text);
    } else {
        table_text(t, "type", row->member->type);
        table_text(t, "member", row->member->name);
    }
    table_count(t, "offset", row->member->offset);
    table_count(t, "size", row->member->n_bytes);
    access_sum_put(t, &row->sum, &rows->sum);
}

/* Returns whether accesses to some members that are named are to bytes of another. */
static bool is_covered(const struct type_rows *rows, const struct type_row *type,
                       const struct profile_member *member)
{
    for (size_t i = type->first; i < type->end; i++) {
        const struct profile_member *const other = rows->rows[i].member;
        if (rows->rows[i].sum.n != 0 && strstr(other->name, PROFILE_SEVERAL) == NULL &&
            other->offset < member->offset + member->n_bytes &&
            member->offset < other->offset + other->n_bytes)
            return true;
    }
    return false;
}

static void put_type(struct report_table *t, const struct type_rows *rows,
                     const struct type_row *type)
{
    table_row(t);
    table_text(t, t->options->format == TABLE_TEXT ? "field" : "type",
               type_of(&rows->rows[type->first]));
    access_sum_put(t, &type->sum, &rows->sum);
    for (size_t i = type->first; i < type->end; i++) {
        const struct member_row *const row = &rows->rows[i];
        if (row->member != NULL && row->member->name[0] != '\0' &&
            (row->sum.n != 0 || !is_covered(rows, type, row->member)))
            put_member(t, rows, row);
    }
}

/* ---- which types ---- */

static bool is_called(const char *type, const char *name)
{
    const char *const blank = strchr(type, ' ');

    return strcmp(type, name) == 0 ||
           ((strncmp(type, "struct ", 7) == 0 || strncmp(type, "union ", 6) == 0) &&
            strcmp(blank + 1, name) == 0);
}

static bool is_wanted(const struct type_rows *rows, const struct type_row *type,
                      const struct type_choice *choice)
{
    if (choice->name != NULL)
        return is_called(type_of(&rows->rows[type->first]), choice->name);
    return type->sum.n != 0 && access_sum_reaches(&type->sum, &rows->sum, choice->limit);
}

static enum armpmu_status check_name(const struct type_rows *rows, const struct type_choice *choice,
                                     struct armpmu_error *err)
{
    for (size_t i = 0; i < rows->n_types; i++)
        if (choice->name == NULL || is_wanted(rows, &rows->types[i], choice))
            return ARMPMU_OK;
    return fail(err, ARMPMU_NOT_FOUND,
                "--data-type '%.60s': the program accesses no such type; --data-type without a "
                "name shows all",
                choice->name);
}

static enum armpmu_status print(const struct profile *p, const struct type_rows *rows,
                                const struct type_choice *choice, FILE *stream,
                                struct armpmu_error *err)
{
    const bool is_text = choice->options->format == TABLE_TEXT;
    const struct table_form form = {"annotate", "members", is_text ? text_columns : data_columns,
                                    is_text ? sizeof text_columns / sizeof *text_columns
                                            : sizeof data_columns / sizeof *data_columns,
                                    .has_headings = true};
    struct report_table table;

    if (is_text) {
        profile_put_setup(p, "annotate", stream);
        fprintf(stream, "# each: cycles of a load %s,\n# not known of stores\n\n",
                p->setup.access_latency);
    }
    table_begin(&table, choice->options, &form, stream);
    table_text(&table, "load_cycles", p->setup.access_latency);
    for (size_t i = 0; i < rows->n_types; i++)
        if (is_wanted(rows, &rows->types[i], choice))
            put_type(&table, rows, &rows->types[i]);
    return table_end(&table, err);
}

enum armpmu_status type_report(const struct profile *profile, const struct type_choice *choice,
                               FILE *stream, struct armpmu_error *err)
{
    struct type_rows rows = {0};
    enum armpmu_status status = memory_check(profile, err);

    if (status == ARMPMU_OK)
        status = make(&rows, profile, err);
    if (status == ARMPMU_OK)
        status = check_name(&rows, choice, err);
    if (status == ARMPMU_OK)
        status = print(profile, &rows, choice, stream, err);
    free(rows.rows);
    free(rows.types);
    return status;
}
