/* `armpmu doctor`: the parts found on this computer, and the effect of each missing one. */
#include "cli/commands.h"

#include <stdlib.h>

#include "armpmu/catalog.h"
#include "armpmu/machine.h"
#include "base/own_path.h"
#include "cli/table/table.h"
#include "cli/text_wrap.h"
#include "qemu/engine.h"
#include "unicorn/firmware_run.h"

struct doctor_options {
    struct table_options table;
};

static const struct option_row rows[] = {
    TABLE_ROWS_TO(struct doctor_options, table, "text, csv, json or md"),
    {.kind = OPTION_END},
};

enum { LEFT = 31, PARTS_MAX = ENGINE_PARTS_MAX + 1 };

static void find_unicorn(struct engine_part *part)
{
    struct engine_firmware_library library;

    part->is_there = engine_firmware_ready(&library, &part->problem) == ARMPMU_OK;
    snprintf(part->path, sizeof part->path, "%s", library.path);
    snprintf(part->version, sizeof part->version, "%s", library.version);
    part->reason = library.standing;
}

static size_t find_parts(struct engine_part *parts)
{
    const size_t n = engine_parts(parts);

    parts[n] = (struct engine_part){
        .name = "Unicorn", .use = "firmware (armpmu run)", .is_optional = true};
    find_unicorn(&parts[n]);
    return n + 1;
}

static size_t count_machines(void)
{
    size_t n = 0;

    while (armpmu_machine_built_in(n) != NULL)
        n++;
    return n;
}

/* ---- text ---- */

static void print_part(const struct engine_part *part, FILE *out)
{
    const char *const absent = part->is_optional ? "absent" : "missing";
    char text[sizeof part->path + sizeof part->version + 16];

    fprintf(out, "%-8s %-20s  ", part->is_there ? "ok" : absent, part->name);
    if (!part->is_there) {
        text_wrap_wrapped(part->problem.message, LEFT, LEFT, out);
        fprintf(out, "%*swithout it: no %s\n", LEFT, "", part->use);
        return;
    }
    snprintf(text, sizeof text, part->version[0] != '\0' ? "%s, version %s" : "%s",
             part->path[0] != '\0' ? part->path : "there", part->version);
    text_wrap_fitted(text, LEFT, LEFT, out);
    if (part->reason != NULL)
        fprintf(out, "%*s%s\n", LEFT, "", part->reason);
}

static void print_text(const struct engine_part *parts, size_t n, FILE *out)
{
    char self[4096];

    fprintf(out, "armpmu %s%s%s\n", armpmu_version, own_path(self, sizeof self) ? " " : "", self);
    for (size_t i = 0; i < n; i++)
        print_part(&parts[i], out);
    fprintf(out, "%-8s %-20s  %zu compiled in\n", "ok", "machines", count_machines());
}

/* ---- rows ---- */

static void put_part(struct report_table *t, const struct engine_part *part)
{
    table_row(t);
    table_text(t, "name", part->name);
    table_flag(t, "is-there", part->is_there);
    table_flag(t, "is-optional", part->is_optional);
    table_text(t, "use", part->use);
    if (part->path[0] != '\0' && part->is_there)
        table_text(t, "path", part->path);
    if (part->version[0] != '\0')
        table_text(t, "version", part->version);
    if (part->reason != NULL && part->is_there)
        table_text(t, "reason", part->reason);
    if (!part->is_there)
        table_text(t, "problem", part->problem.message);
}

static enum armpmu_status print_rows(const struct doctor_options *o,
                                     const struct engine_part *parts, size_t n, FILE *out,
                                     struct armpmu_error *err)
{
    static const struct table_column columns[] = {
        {.key = "name"}, {.key = "is-there"}, {.key = "is-optional"}, {.key = "use"},
        {.key = "path"}, {.key = "version"},  {.key = "reason"},      {.key = "problem"}};
    static const struct table_form form = {"doctor", "parts", TABLE_COLUMNS(columns)};
    struct report_table t;

    table_begin(&t, &o->table, &form, out);
    table_count(&t, "machines", count_machines());
    for (size_t i = 0; i < n; i++)
        put_part(&t, &parts[i]);
    return table_end(&t, err);
}

static int run(void *options, char *const *operands, FILE *out, struct armpmu_error *err)
{
    const struct doctor_options *const o = options;
    struct engine_part *const parts = calloc(PARTS_MAX, sizeof *parts);
    bool all_there = true;

    err->message[0] = '\0';
    if (operands[0] != NULL || parts == NULL) {
        print_error(parts == NULL ? "out of memory"
                                  : "doctor: takes no '%s'; see 'armpmu help doctor'",
                    operands[0]);
        free(parts);
        return EXIT_ARMPMU;
    }
    const size_t n = find_parts(parts);
    for (size_t i = 0; i < n; i++)
        all_there &= parts[i].is_there || parts[i].is_optional;
    enum armpmu_status status = ARMPMU_OK;
    if (o->table.format == TABLE_TEXT)
        print_text(parts, n, out);
    else
        status = print_rows(o, parts, n, out, err);
    free(parts);
    if (status != ARMPMU_OK)
        return EXIT_ARMPMU;
    return all_there ? EXIT_SUCCESS : EXIT_WRONG;
}

const struct command command_doctor = {
    .name = "doctor",
    .summary = "show which engines and tools armpmu finds, and what is missing",
    .synopsis = "doctor [OPTIONS]",
    .text = "Looks for the engines and files that armpmu uses, in the same way as a run, and\n"
            "says what does not work without them. 'absent' marks what only firmware or guests\n"
            "need; 'missing' marks what every program for Linux needs.\n",
    .options = rows,
    .ends = ENDS_WRONG,
    COMMAND_REPORT(struct doctor_options, table),
    .run = run,
};
