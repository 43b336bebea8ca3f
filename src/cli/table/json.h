/* Writes JSON member by member, and stores only the open brackets: a report of any length needs no
 * memory, and its first rows appear while later ones are computed. */
#ifndef CLI_TABLE_JSON_H
#define CLI_TABLE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "armpmu/status.h"

struct json_writer {
    FILE *stream;
    bool indents; /* a line for each member, else all on one */
    bool failed;  /* memory was short: what was printed is not whole */
    char *open;   /* closing brackets, the innermost last; ',' after one with a member */
    size_t depth, room;
};

void json_begin(struct json_writer *writer, bool indents, FILE *stream);

/* Frees what it holds. False where memory was short at any time. */
bool json_end(struct json_writer *writer);

/* key: of a member of an object; NULL in a list, and outside. bracket: '{' or '['. */
void json_open(struct json_writer *writer, const char *key, char bracket);
void json_close(struct json_writer *writer);

/* Control characters and bytes that are no UTF-8 become \xNN, as base/printable.h has it;
 * json_put_exact keeps every character of a text that is UTF-8. The output is ASCII. */
void json_put_text(struct json_writer *writer, const char *key, const char *text);
void json_put_exact(struct json_writer *writer, const char *key, const char *text);
void json_put_integer(struct json_writer *writer, const char *key, int64_t number);
void json_put_flag(struct json_writer *writer, const char *key, bool flag);

/* Continues an object whose opening bracket the caller has printed. */
void json_resume(struct json_writer *writer);

/* The number with 6 decimals at most, "0.5"; "null" for what is no finite number. */
#define JSON_REAL_BYTES 40
void json_real_text(double number, char text[JSON_REAL_BYTES]);

/* With 6 decimals; null for what is no finite number. */
void json_put_real(struct json_writer *writer, const char *key, double number);
void json_put_nano(struct json_writer *writer, const char *key, double number); /* 9 decimals */

/* Checks the value of a -j: "1", or NULL for an object a line. Returns ARMPMU_OK or
 * ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status json_check_version(const char *option, const char *value,
                                                      struct armpmu_error *err);

#endif
