/* The reader of `armpmu whatif --json=1`: it keeps the rows that belong to a place in the code, in
 * the report's order. */
#include "cli/profile/whatif_input.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/error.h"
#include "base/read_file.h"

#define WHATIF_SCHEMA  "armpmu-whatif"
#define WHATIF_VERSION 1

static enum armpmu_status bad(const char *path, const char *what, struct armpmu_error *err)
{
    return fail(err, ARMPMU_BAD_INPUT,
                "--whatif %.200s: %s; 'armpmu whatif --json=1 -o FILE' writes such a file", path,
                what);
}

/* Takes a row whose change was replayed; one that was not has no cycles. */
static bool take_row(struct whatif_rows *rows, const json_t *trial)
{
    const char *const place = json_string_value(json_object_get(trial, "place"));
    const char *const text = json_string_value(json_object_get(trial, "what-if"));
    const json_t *const percent = json_object_get(trial, "percent");
    struct whatif_row *const row = &rows->items[rows->n];

    if (text == NULL || !json_is_number(percent))
        return true;
    *row = (struct whatif_row){.place = place != NULL ? strdup(place) : NULL,
                               .text = strdup(text),
                               .percent = json_number_value(percent)};
    rows->n++;
    return row->text != NULL && (place == NULL || row->place != NULL);
}

/* Changes of another machine would say nothing of this one. */
static enum armpmu_status check_machine(const json_t *document, const char *machine,
                                        const char *path, struct armpmu_error *err)
{
    const char *const of = json_string_value(json_object_get(document, "machine"));

    if (of == NULL || machine == NULL || strcmp(of, machine) == 0)
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG,
                "--whatif %.200s: a report of machine %.60s, but the profile is of %.60s: run both "
                "with the same --machine",
                path, of, machine);
}

static enum armpmu_status take_rows(struct whatif_rows *rows, const json_t *document,
                                    const char *path, struct armpmu_error *err)
{
    const char *const schema = json_string_value(json_object_get(document, "schema"));
    const json_t *const trials = json_object_get(document, "trials");
    const size_t n = json_array_size(trials);

    if (schema == NULL || strcmp(schema, WHATIF_SCHEMA) != 0 || !json_is_array(trials))
        return bad(path, "no report of armpmu whatif", err);
    if (json_integer_value(json_object_get(document, "schema-version")) != WHATIF_VERSION)
        return bad(path, "a report of another version", err);
    rows->items = calloc(n + 1, sizeof *rows->items);
    if (rows->items == NULL)
        return fail_no_memory(err, "the report of whatif");
    for (size_t i = 0; i < n; i++)
        if (!take_row(rows, json_array_get(trials, i)))
            return fail_no_memory(err, "the report of whatif");
    return ARMPMU_OK;
}

enum armpmu_status whatif_input_read(struct whatif_rows *out, const char *path, const char *machine,
                                     struct armpmu_error *err)
{
    const struct file_source asked = {path, "name a report of armpmu whatif", 0};
    json_error_t where;
    char *text;

    *out = (struct whatif_rows){0};
    enum armpmu_status status = read_text_file(&asked, &text, err);
    json_t *const document =
        status == ARMPMU_OK ? json_loads(text, JSON_REJECT_DUPLICATES, &where) : NULL;
    free(text);
    if (status == ARMPMU_OK)
        status = json_is_object(document) ? take_rows(out, document, path, err)
                                          : bad(path, "no JSON document", err);
    if (status == ARMPMU_OK)
        status = check_machine(document, machine, path, err);
    json_decref(document);
    return status;
}

void whatif_input_free(struct whatif_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        free(rows->items[i].place);
        free(rows->items[i].text);
    }
    free(rows->items);
}
