/* JSON as it is said, member by member: nothing is kept but the brackets that are open, so that a
 * report may be of any length. */
#ifndef CLI_TABLE_JSON_H
#define CLI_TABLE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

/* A text is fit to print, as base/printable.h has it: bytes of the user's may be no UTF-8. Of a
 * text that is UTF-8 json_put_exact keeps every character. All is printed in ASCII. */
void json_put_text(struct json_writer *writer, const char *key, const char *text);
void json_put_exact(struct json_writer *writer, const char *key, const char *text);
void json_put_integer(struct json_writer *writer, const char *key, int64_t number);
void json_put_flag(struct json_writer *writer, const char *key, bool flag);

/* In an object whose bracket was printed before: what follows are its next members. */
void json_resume(struct json_writer *writer);

/* The number with 6 decimals at most, "0.5"; "null" for what is no finite number. */
#define JSON_REAL_BYTES 40
void json_real_text(double number, char text[JSON_REAL_BYTES]);

/* With 6 decimals; null for what is no finite number. */
void json_put_real(struct json_writer *writer, const char *key, double number);
void json_put_nano(struct json_writer *writer, const char *key, double number); /* 9 decimals */

#endif
