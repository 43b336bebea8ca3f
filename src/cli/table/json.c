#include "cli/table/json.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/printable.h"

#define INDENT 2

void json_begin(struct json_writer *writer, bool indents, FILE *stream)
{
    *writer = (struct json_writer){.stream = stream, .indents = indents};
}

bool json_end(struct json_writer *writer)
{
    free(writer->open);
    writer->open = NULL;
    return !writer->failed;
}

/* ---- between members ---- */

static bool has_members(const struct json_writer *writer)
{
    return writer->open[2 * writer->depth - 1] == ',';
}

static void begin_line(const struct json_writer *writer)
{
    if (writer->indents)
        fprintf(writer->stream, "\n%*s", (int)(INDENT * writer->depth), "");
}

/* Jansson escapes the text. */
static void put_string(struct json_writer *writer, const char *text, bool is_exact)
{
    json_t *string = is_exact ? json_string(text) : NULL;
    char *const shown = string == NULL ? printable_copy(text) : NULL;

    if (shown != NULL)
        string = json_string(shown);
    if (string == NULL ||
        json_dumpf(string, writer->stream, JSON_ENCODE_ANY | JSON_ENSURE_ASCII) != 0)
        writer->failed = true;
    json_decref(string);
    free(shown);
}

/* Prints the comma, the blanks and the key before a value. */
static void begin_value(struct json_writer *writer, const char *key)
{
    if (writer->depth > 0) {
        fputs(!has_members(writer) ? "" : writer->indents ? "," : ", ", writer->stream);
        writer->open[2 * writer->depth - 1] = ',';
        begin_line(writer);
    }
    if (key == NULL)
        return;
    put_string(writer, key, false);
    fputs(": ", writer->stream);
}

static void push(struct json_writer *writer, char closing)
{
    if (!ARRAY_RESERVE(writer->open, writer->room, 2 * (writer->depth + 1))) {
        writer->failed = true;
        return;
    }
    writer->open[2 * writer->depth] = closing;
    writer->open[2 * writer->depth + 1] = ' ';
    writer->depth++;
}

void json_open(struct json_writer *writer, const char *key, char bracket)
{
    begin_value(writer, key);
    fputc(bracket, writer->stream);
    push(writer, bracket == '{' ? '}' : ']');
}

void json_resume(struct json_writer *writer)
{
    push(writer, '}');
}

void json_close(struct json_writer *writer)
{
    if (writer->depth == 0)
        return;
    const bool follows = has_members(writer);
    writer->depth--;
    if (follows)
        begin_line(writer);
    fputc(writer->open[2 * writer->depth], writer->stream);
}

/* ---- values ---- */

void json_put_text(struct json_writer *writer, const char *key, const char *text)
{
    begin_value(writer, key);
    put_string(writer, text, false);
}

void json_put_exact(struct json_writer *writer, const char *key, const char *text)
{
    begin_value(writer, key);
    put_string(writer, text, true);
}

void json_put_integer(struct json_writer *writer, const char *key, int64_t number)
{
    begin_value(writer, key);
    fprintf(writer->stream, "%" PRId64, number);
}

void json_put_flag(struct json_writer *writer, const char *key, bool flag)
{
    begin_value(writer, key);
    fputs(flag ? "true" : "false", writer->stream);
}

/* 7.5e-05 as 7.5e-5, 1e+20 as 1e20: the shortest form, and the one of reports so far. */
static void shorten_exponent(char *text)
{
    char *const exponent = strchr(text, 'e');

    if (exponent == NULL)
        return;
    char *to = exponent + 1 + (exponent[1] == '-');
    const char *from = exponent + 2; /* past the sign, which printf always writes */
    from += strspn(from, "0");
    memmove(to, from, strlen(from) + 1);
}

static void real_text(double number, double scale, char text[JSON_REAL_BYTES])
{
    snprintf(text, JSON_REAL_BYTES, "%.15g", round(number * scale) / scale);
    shorten_exponent(text);
    if (!isfinite(number))
        snprintf(text, JSON_REAL_BYTES, "null");
    else if (text[strcspn(text, ".e")] == '\0')
        snprintf(text + strlen(text), JSON_REAL_BYTES - strlen(text), ".0");
}

void json_real_text(double number, char text[JSON_REAL_BYTES])
{
    real_text(number, 1e6, text);
}

static void put_scaled(struct json_writer *writer, const char *key, double number, double scale)
{
    char text[JSON_REAL_BYTES];

    begin_value(writer, key);
    real_text(number, scale, text);
    fputs(text, writer->stream);
}

void json_put_real(struct json_writer *writer, const char *key, double number)
{
    put_scaled(writer, key, number, 1e6);
}

void json_put_nano(struct json_writer *writer, const char *key, double number)
{
    put_scaled(writer, key, number, 1e9);
}

enum armpmu_status json_check_version(const char *option, const char *value,
                                      struct armpmu_error *err)
{
    if (value == NULL || strcmp(value, "1") == 0)
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG,
                "%s '%.40s': the only version is 1; without a value, -j prints an object a line",
                option, value);
}
