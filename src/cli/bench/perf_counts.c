#include "cli/bench/perf_counts.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/read_file.h"
#include "base/printable.h"

#define COUNT_MOST 1e18

static const char *const fact_names[PERF_FACTS] = {"midr", "kernel", "perf"};

/* The file while it is read. */
struct perf_reader {
    struct perf_counts *counts;
    const char *path;
    unsigned line;
    const char *text; /* of the line, for messages */
    struct armpmu_error *err;
};

/* Says what is wrong with the line, which is shown as far as it fits. */
static enum armpmu_status wrong(const struct perf_reader *r, const char *what)
{
    char shown[48];

    printable(r->text, shown, sizeof shown);
    return fail(r->err, ARMPMU_BAD_INPUT, "%.200s:%u: '%s': %s", r->path, r->line, shown, what);
}

static enum armpmu_status add(const struct perf_reader *r, const struct perf_count *count)
{
    struct perf_counts *const all = r->counts;

    if (!ARRAY_RESERVE(all->rows, all->room, all->n + 1))
        return fail_no_memory(r->err, "the counts of perf");
    all->rows[all->n] = *count;
    all->rows[all->n].event = printable_copy(count->event);
    return all->rows[all->n++].event != NULL ? ARMPMU_OK
                                             : fail_no_memory(r->err, "the counts of perf");
}

/* The length of a count at text, 0 if there is none. */
static size_t take_count(const char *text, struct perf_count *count)
{
    static const char *const states[] = {
        [PERF_NOT_COUNTED] = "<not counted>", [PERF_NOT_SUPPORTED] = "<not supported>"};
    char *end;

    for (int i = PERF_NOT_COUNTED; i <= PERF_NOT_SUPPORTED; i++)
        if (strncmp(text, states[i], strlen(states[i])) == 0) {
            count->state = (enum perf_state)i;
            return strlen(states[i]);
        }
    if (text[0] < '0' || text[0] > '9' || text[strspn(text, "0123456789")] == 'x')
        return 0;
    count->state = PERF_COUNTED;
    count->count = strtod(text, &end);
    return count->count <= COUNT_MOST ? (size_t)(end - text) : 0;
}

static bool take_percent(const char *text, double *percent)
{
    char *end;

    *percent = strtod(text, &end);
    return end != text && *end == '\0' && *percent >= 0 && *percent <= 100;
}

/* ---- separated values ---- */

/* Cuts a field from *rest; NULL after the last. Separators between the slashes of an event are its
 * own. */
static char *next_field(char **rest, char separator)
{
    char *const field = *rest;
    bool is_inside = false;

    if (field == NULL)
        return NULL;
    for (char *at = field; *at != '\0'; at++) {
        is_inside ^= *at == '/';
        if (*at != separator || is_inside)
            continue;
        *at = '\0';
        *rest = at + 1;
        return field;
    }
    *rest = NULL;
    return field;
}

/* COUNT,UNIT,EVENT,[DEVIATION%,]TIME,PERCENT and perhaps a metric. */
static enum armpmu_status read_separated(const struct perf_reader *r, char *text)
{
    struct perf_count count = {.percent = 0};
    const size_t length = take_count(text, &count);
    char *rest = text + length;
    const char separator = *rest;

    if (length == 0 || separator == '\0')
        return wrong(r, "this should begin with the count of an event in the whole run, as in "
                        "'perf stat -x,' without -I, -A and --per-core");
    *rest++ = '\0';
    (void)next_field(&rest, separator); /* the unit */
    count.event = next_field(&rest, separator);
    const char *time = next_field(&rest, separator);
    if (time != NULL && strchr(time, '%') != NULL)
        time = next_field(&rest, separator);
    const char *const percent = next_field(&rest, separator);
    if (count.event == NULL || count.event[0] == '\0')
        return wrong(r, "the third field should name the event of a whole run");
    if (percent == NULL || !take_percent(percent, &count.percent))
        return wrong(r, "the percentage of the run in which the event was counted is missing; keep "
                        "all fields that 'perf stat -x,' prints");
    return add(r, &count);
}

/* ---- JSON ---- */

/* The key that makes it a part of a run; NULL for none. */
static const char *part_of(const json_t *object)
{
    static const char *const keys[] = {"interval", "cpu",    "core", "thread",
                                       "die",      "socket", "node", "cgroup"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_object_get(object, keys[i]) != NULL)
            return keys[i];
    return NULL;
}

static enum armpmu_status read_object(const struct perf_reader *r, const json_t *object)
{
    const char *const value = json_string_value(json_object_get(object, "counter-value"));
    const char *const event = json_string_value(json_object_get(object, "event"));
    const json_t *const percent = json_object_get(object, "pcnt-running");
    struct perf_count count = {.percent = json_number_value(percent)};

    if (event == NULL && value == NULL && json_object_get(object, "metric-value") != NULL)
        return ARMPMU_OK; /* a further metric of the event before */
    if (part_of(object) != NULL)
        return wrong(r, "these are counts of a part of a run (interval, processor or thread); "
                        "record totals");
    if (event == NULL || event[0] == '\0' || value == NULL)
        return wrong(r, "there is no 'event' with a 'counter-value'; 'perf stat -j' prints both");
    const size_t length = take_count(value, &count);
    if (length == 0 || value[length] != '\0')
        return wrong(r, "'counter-value' should be a count, '<not counted>' or '<not supported>'");
    if (!json_is_number(percent) || !(count.percent >= 0 && count.percent <= 100))
        return wrong(r, "'pcnt-running' should be a number from 0 to 100");
    count.event = (char *)(uintptr_t)event;
    return add(r, &count);
}

static enum armpmu_status read_json(const struct perf_reader *r)
{
    json_error_t where;
    json_t *const object = json_loads(r->text, JSON_REJECT_DUPLICATES, &where);
    const enum armpmu_status status =
        json_is_object(object) ? read_object(r, object)
                               : wrong(r, "this should be a JSON object, as 'perf stat -j' prints "
                                          "on each line");

    json_decref(object);
    return status;
}

/* ---- either ---- */

/* "# midr: 0x410fd083"; other comments are whoever's. */
static enum armpmu_status read_comment(const struct perf_reader *r)
{
    const char *const text = r->text + 1 + strspn(r->text + 1, " ");

    for (size_t i = 0; i < PERF_FACTS; i++) {
        const size_t n = strlen(fact_names[i]);
        if (strncmp(text, fact_names[i], n) != 0 || text[n] != ':')
            continue;
        const char *const value = text + n + 1 + strspn(text + n + 1, " ");
        if (*value == '\0')
            return wrong(r, "nothing follows the ':'");
        if (r->counts->facts[i] != NULL)
            return wrong(r, "this was said before");
        r->counts->facts[i] = printable_copy(value);
        return r->counts->facts[i] != NULL ? ARMPMU_OK
                                           : fail_no_memory(r->err, "the counts of perf");
    }
    return ARMPMU_OK;
}

/* An event with several metrics has a line for each after the first, with nothing before it. */
static bool is_further_metric(const char *text)
{
    return text[0] != '\0' && strchr(",;|:\t", text[0]) != NULL && text[1] == text[0];
}

static enum armpmu_status read_line(struct perf_reader *r, char *text)
{
    r->line++;
    r->text = text;
    text[strcspn(text, "\r")] = '\0';
    if (text[0] == '#')
        return read_comment(r);
    if (text[0] == '{')
        return read_json(r);
    if (text[strspn(text, " \t")] == '\0' || is_further_metric(text))
        return ARMPMU_OK;
    char *const copy = strdup(text);
    const enum armpmu_status status =
        copy != NULL ? read_separated(r, copy) : fail_no_memory(r->err, "the counts of perf");
    free(copy);
    return status;
}

enum armpmu_status perf_counts_read(struct perf_counts *counts, FILE *file, const char *path,
                                    struct armpmu_error *err)
{
    struct perf_reader r = {.counts = counts, .path = path, .err = err};
    const struct file_source asked = {path, "name what 'perf stat -x,' or 'perf stat -j' printed",
                                      0};
    char *text;

    enum armpmu_status status = read_file_text(file, &asked, &text, err);
    for (char *rest = text; status == ARMPMU_OK && rest != NULL && *rest != '\0';)
        status = read_line(&r, strsep(&rest, "\n"));
    free(text);
    if (status != ARMPMU_OK)
        return status;
    return counts->n > 0 ? ARMPMU_OK
                         : fail(err, ARMPMU_BAD_INPUT,
                                "%.200s:%u: the text ends here, without a count of 'perf stat -x,' "
                                "or 'perf stat -j'",
                                path, r.line + 1);
}

void perf_counts_free(struct perf_counts *counts)
{
    for (size_t i = 0; i < counts->n; i++)
        free(counts->rows[i].event);
    free(counts->rows);
    for (size_t i = 0; i < PERF_FACTS; i++)
        free(counts->facts[i]);
    *counts = (struct perf_counts){0};
}
