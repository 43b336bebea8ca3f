#include "cli/bench/measurements.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/printable.h"

#define VERSION_MAX 1
#define RUNS_MAX    1000u
#define ROWS_MAX    10000u
#define DIGITS_MAX  9 /* before the point */
#define LINE_MAX    160
#define AGAIN       "run the program again and keep all that it prints"

/* The text while it is read. */
struct measurements_reader {
    FILE *file;
    const char *path;
    unsigned line;
    char text[LINE_MAX]; /* of the line, without its end */
    char word[2][MEASUREMENT_NAME_MAX];
    char value[MEASUREMENT_NAME_MAX]; /* in between */
    struct armpmu_error *err;
};

/* Prints what is wrong with the line, which is shown as far as it fits. */
static enum armpmu_status wrong(const struct measurements_reader *r, const char *what)
{
    char shown[48];

    printable(r->text, shown, sizeof shown);
    return fail(r->err, ARMPMU_BAD_INPUT, "%s:%u: '%s': %s", r->path, r->line, shown, what);
}

/* Reads a line without its end. A serial line may end it in CR LF. */
static enum armpmu_status next_line(struct measurements_reader *r)
{
    size_t n = 0;
    int c;

    r->line++;
    while ((c = getc(r->file)) != EOF && c != '\n') {
        if (n + 1 == sizeof r->text)
            return fail(r->err, ARMPMU_BAD_INPUT,
                        "%s:%u: the line is longer than %zu characters; name a file with the "
                        "output of 'calibrate' on the board",
                        r->path, r->line, sizeof r->text - 1);
        r->text[n++] = (char)(c == '\0' ? '\1' : c);
    }
    n -= n > 0 && r->text[n - 1] == '\r';
    r->text[n] = '\0';
    if (ferror(r->file))
        return fail(r->err, ARMPMU_IO, "cannot read %s: %s", r->path, strerror(errno));
    if (c == EOF && n == 0)
        return fail(r->err, ARMPMU_BAD_INPUT,
                    "%s:%u: the text ends here, without the line 'end'; " AGAIN, r->path, r->line);
    return ARMPMU_OK;
}

static bool is_name(const char *text)
{
    return text[0] >= 'a' && text[0] <= 'z' &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-")] == '\0';
}

/* A number with three decimals, or with none; in thousandths. */
static bool take_value(const char *text, int64_t *value)
{
    const size_t whole = strspn(text, "0123456789");
    const bool has_decimals = text[whole] == '.';

    if (whole == 0 || whole > DIGITS_MAX)
        return false;
    *value = strtoll(text, NULL, 10) * 1000;
    if (!has_decimals)
        return text[whole] == '\0';
    if (strspn(text + whole + 1, "0123456789") != 3 || text[whole + 4] != '\0')
        return false;
    *value += strtoll(text + whole + 1, NULL, 10);
    return true;
}

/* Returns true if the line has this number of words. */
static bool take_words(struct measurements_reader *r, int wanted)
{
    char more[2];
    const int n = sscanf(r->text, "%31s %31s %31s %1s", r->word[0], r->value, r->word[1], more);
    return n == wanted && is_name(r->word[0]);
}

/* A line "NAME N". */
static enum armpmu_status read_number(struct measurements_reader *r, const char *name,
                                      unsigned most, unsigned *number)
{
    char sentence[120];
    int64_t value = 0;

    if (take_words(r, 2) && strcmp(r->word[0], name) == 0 && take_value(r->value, &value) &&
        value % 1000 == 0 && value >= 1000 && value / 1000 <= most) {
        *number = (unsigned)(value / 1000);
        return ARMPMU_OK;
    }
    snprintf(sentence, sizeof sentence, "this should be '%s N' with N from 1 to %u; %s", name, most,
             AGAIN);
    return wrong(r, sentence);
}

static enum armpmu_status read_head(struct measurements_reader *r, struct measurements *measured)
{
    unsigned version = 0;
    enum armpmu_status status = next_line(r);

    if (status == ARMPMU_OK)
        status = read_number(r, "armpmu-calibrate", VERSION_MAX, &version);
    if (status == ARMPMU_OK)
        status = next_line(r);
    if (status != ARMPMU_OK)
        return status;
    if (!take_words(r, 2) || strcmp(r->word[0], "core") != 0 || !is_name(r->value))
        return wrong(r, "this should be 'core NAME'; " AGAIN);
    memcpy(measured->core, r->value, sizeof measured->core);
    status = next_line(r);
    return status == ARMPMU_OK ? read_number(r, "runs", RUNS_MAX, &measured->runs) : status;
}

/* ---- rows ---- */

static const struct measurement *row_of(const struct measurements *measured, const char *name)
{
    for (size_t i = 0; i < measured->n; i++)
        if (strcmp(measured->rows[i].name, name) == 0)
            return &measured->rows[i];
    return NULL;
}

static enum armpmu_status read_row(struct measurements_reader *r, struct measurements *measured)
{
    struct measurement row = {.is_time = false};

    if (!take_words(r, 3) || !take_value(r->value, &row.value))
        return wrong(r, "this should be 'NAME VALUE UNIT', with a value like 1.005 below "
                        "1000000000; " AGAIN);
    row.is_time = strcmp(r->word[1], "ns") == 0;
    if (!row.is_time && strcmp(r->word[1], "cycles") != 0)
        return wrong(r, "its unit should be cycles or ns; " AGAIN);
    if (row_of(measured, r->word[0]) != NULL)
        return wrong(r, "this was measured before; keep what one run printed");
    if (measured->n == ROWS_MAX)
        return wrong(r, "more than 10000 values; keep what one run printed");
    memcpy(row.name, r->word[0], sizeof row.name);
    if (!ARRAY_APPEND(measured->rows, measured->n, measured->room, row))
        return fail(r->err, ARMPMU_NO_MEMORY, "%s: out of memory", r->path);
    return ARMPMU_OK;
}

static enum armpmu_status read_end(struct measurements_reader *r,
                                   const struct measurements *measured)
{
    unsigned n = 0;
    char sentence[120];
    const enum armpmu_status status = read_number(r, "end", ROWS_MAX, &n);

    if (status != ARMPMU_OK || n == measured->n)
        return status;
    snprintf(sentence, sizeof sentence, "%zu values stand before it; %s", measured->n, AGAIN);
    return wrong(r, sentence);
}

static enum armpmu_status read_rows(struct measurements_reader *r, struct measurements *measured)
{
    for (;;) {
        enum armpmu_status status = next_line(r);
        if (status == ARMPMU_OK && strncmp(r->text, "end", 3) == 0)
            return read_end(r, measured);
        if (status == ARMPMU_OK)
            status = read_row(r, measured);
        if (status != ARMPMU_OK)
            return status;
    }
}

/* Values in ns become cycles. */
static enum armpmu_status use_cycles(const struct measurements_reader *r,
                                     struct measurements *measured)
{
    int64_t cycle = 0;
    const bool has_clock = measurement_value(measured, MEASUREMENT_CLOCK, &cycle) && cycle > 0;

    for (size_t i = 0; i < measured->n; i++) {
        struct measurement *const row = &measured->rows[i];
        if (!row->is_time || strcmp(row->name, MEASUREMENT_CLOCK) == 0)
            continue;
        if (!has_clock)
            return fail(r->err, ARMPMU_BAD_INPUT,
                        "%s: '%s' is in ns, but no line 'clock' says how long a cycle is; " AGAIN,
                        r->path, row->name);
        row->value = (row->value * 1000 + cycle / 2) / cycle;
    }
    return ARMPMU_OK;
}

enum armpmu_status measurements_read(FILE *file, const char *path, struct measurements *measured,
                                     struct armpmu_error *err)
{
    struct measurements_reader reader = {.file = file, .path = path, .err = err};
    enum armpmu_status status = read_head(&reader, measured);

    if (status == ARMPMU_OK)
        status = read_rows(&reader, measured);
    return status == ARMPMU_OK ? use_cycles(&reader, measured) : status;
}

void measurements_free(struct measurements *measured)
{
    free(measured->rows);
}

bool measurement_value(const struct measurements *measured, const char *name, int64_t *value)
{
    const struct measurement *const row = row_of(measured, name);

    if (row != NULL)
        *value = row->value;
    return row != NULL;
}

bool measurement_point(const struct measurements *measured, const char *curve, unsigned at,
                       int64_t *value)
{
    char name[MEASUREMENT_NAME_MAX];

    snprintf(name, sizeof name, "%.20s_%u", curve, at);
    return measurement_value(measured, name, value);
}
