/* `armpmu doctor`: what there is on this computer, and what each lack costs. */
#include "cli/commands.h"

#include <stdlib.h>

#include "armpmu/catalog.h"
#include "armpmu/machine.h"
#include "base/own_path.h"
#include "cli/report/json_build.h"
#include "cli/text_wrap.h"
#include "qemu/engine.h"
#include "unicorn/firmware_run.h"

struct doctor_options {
    bool json;
};

static const struct option_row rows[] = {
    {'j', "json", NULL, "one JSON document", OPTION_FLAG_TO(struct doctor_options, json)},
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

    fprintf(out, "%-8s %-20s  ", part->is_there ? "ok" : absent, part->name);
    if (!part->is_there) {
        text_wrap_wrapped(part->problem.message, LEFT, LEFT, out);
        fprintf(out, "%*swithout it: no %s\n", LEFT, "", part->use);
        return;
    }
    fputs(part->path[0] != '\0' ? part->path : "there", out);
    if (part->version[0] != '\0')
        fprintf(out, ", version %s", part->version);
    if (part->reason != NULL)
        fprintf(out, "\n%*s%s", LEFT, "", part->reason);
    fputc('\n', out);
}

static void print_text(const struct engine_part *parts, size_t n, FILE *out)
{
    char self[4096];

    fprintf(out, "armpmu %s%s%s\n", armpmu_version, own_path(self, sizeof self) ? " " : "", self);
    for (size_t i = 0; i < n; i++)
        print_part(&parts[i], out);
    fprintf(out, "%-8s %-20s  %zu compiled in\n", "ok", "machines", count_machines());
}

/* ---- JSON ---- */

static json_t *part_json(const struct engine_part *part)
{
    json_t *object = json_object();

    object = build_put(object, "name", build_text(part->name));
    object = build_put(object, "is-there", json_boolean(part->is_there));
    object = build_put(object, "is-optional", json_boolean(part->is_optional));
    object = build_put(object, "use", build_text(part->use));
    if (part->path[0] != '\0' && part->is_there)
        object = build_put(object, "path", build_text(part->path));
    if (part->version[0] != '\0')
        object = build_put(object, "version", build_text(part->version));
    if (part->reason != NULL && part->is_there)
        object = build_put(object, "reason", build_text(part->reason));
    if (!part->is_there)
        object = build_put(object, "problem", build_text(part->problem.message));
    return object;
}

static bool print_json(const struct engine_part *parts, size_t n, FILE *out)
{
    json_t *document = json_object(), *array = json_array();

    for (size_t i = 0; i < n; i++)
        array = build_append(array, part_json(&parts[i]));
    document = build_put(document, "armpmu", json_string(armpmu_version));
    document = build_put(document, "machines", json_integer((json_int_t)count_machines()));
    return build_print(build_put(document, "parts", array), out);
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
    if (o->json)
        (void)print_json(parts, n, out);
    else
        print_text(parts, n, out);
    free(parts);
    return all_there ? EXIT_SUCCESS : EXIT_WRONG;
}

const struct command command_doctor = {
    .name = "doctor",
    .summary = "show what armpmu finds on this computer, and what is missing",
    .synopsis = "doctor [OPTIONS]",
    .text = "Looks for what armpmu works with, as a run would, and says what each lack costs.\n"
            "\n"
            "What is absent is for firmware or guests only; what is missing is needed by every run "
            "of a\n"
            "program for Linux.\n",
    .options = rows,
    .ends = ENDS_WRONG,
    .options_bytes = sizeof(struct doctor_options),
    .run = run,
};
