#include "cli/table/table_options.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/table/csv.h"
#include "cli/table/json.h"

const char *const table_formats[] = {"text", "csv", "json", "md", NULL};

enum armpmu_status table_options_choose(struct table_options *o, enum table_format format,
                                        const char *option, struct armpmu_error *err)
{
    if (o->chosen_by[0] != '\0' && o->format != format)
        return fail(err, ARMPMU_BAD_CONFIG, "%s and %s are two formats; choose one", o->chosen_by,
                    option);
    o->format = format;
    snprintf(o->chosen_by, sizeof o->chosen_by, "%s", option);
    if (o->separator == NULL)
        o->separator = ",";
    return ARMPMU_OK;
}

enum armpmu_status table_options_set_word(struct table_options *options, const char *const *words,
                                          const char *option, const char *value,
                                          struct armpmu_error *err)
{
    char choices[80], chosen[24];

    snprintf(chosen, sizeof chosen, "%s %s", option, value);
    for (unsigned i = 0; words[i] != NULL; i++)
        if (strcmp(value, words[i]) == 0)
            return table_options_choose(options, (enum table_format)i, chosen, err);
    option_choices(words, choices, sizeof choices);
    return fail(err, ARMPMU_BAD_CONFIG, "%s '%.40s': there are %s", option, value, choices);
}

enum armpmu_status table_options_set_format(void *options, const char *option, const char *value,
                                            struct armpmu_error *err)
{
    return table_options_set_word(options, table_formats, option, value, err);
}

static enum armpmu_status set_separator(void *options, const char *option, const char *value,
                                        struct armpmu_error *err)
{
    struct table_options *const o = options;
    const enum armpmu_status status = table_options_choose(o, TABLE_CSV, option, err);

    return status == ARMPMU_OK ? csv_separator(option, value, &o->separator, err) : status;
}

static enum armpmu_status set_json(void *options, const char *option, const char *value,
                                   struct armpmu_error *err)
{
    struct table_options *const o = options;

    const enum armpmu_status status = json_check_version(option, value, err);

    if (status != ARMPMU_OK)
        return status;
    o->is_document = value != NULL;
    return table_options_choose(o, TABLE_JSON, option, err);
}

/* -x and -j are of all the options: an offset of 0. */
const struct option_row table_rows[] = {
    {'x', "field-separator", "SEP", "separated values with a header line", .kind = OPTION_CALL,
     .set = set_separator},
    {'j', "json", "1", "one JSON object a line; =1: a document", .kind = OPTION_CALL,
     .set = set_json, .optional = true, .other_name = "json-output"},
    {'o', "output", "FILE", "write to a file", OPTION_TEXT_TO(struct table_options, output),
     .completes = COMPLETE_FILE},
    {0, "append", NULL, "add to the file", OPTION_FLAG_TO(struct table_options, append)},
    OPTION_COLOR_ROW(struct table_options, color),
    {.kind = OPTION_END},
};

bool table_options_color(const struct table_options *o)
{
    return o->output != NULL ? o->color == OPTION_COLOR_ALWAYS
                             : option_wants_color(o->color, STDOUT_FILENO);
}
