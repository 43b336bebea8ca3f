/* JSON documents piece by piece.
 *
 * Every function that returns a value returns NULL when memory is short, and takes NULL for that,
 * as Jansson's json_pack does: a document is whole or not there. */
#ifndef CLI_REPORT_JSON_BUILD_H
#define CLI_REPORT_JSON_BUILD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

/* A string of the user's may be any bytes, JSON may not: control characters and what is no UTF-8
 * are \xNN, as in text. */
json_t *build_text(const char *string);

/* "0x3f", with at least so many digits. */
json_t *build_hexadecimal(int digits, uint64_t number);

/* The array with one more item. Takes over both. */
json_t *build_append(json_t *array, json_t *item);

/* The object with one more member. Takes over both. */
json_t *build_put(json_t *object, const char *key, json_t *value);

/* Prints the object on one line, in ASCII, without a newline or with one. Takes it over. Return
 * false without memory or when the stream fails. */
bool build_print_item(json_t *object, FILE *stream);
bool build_print_line(json_t *object, FILE *stream);

/* Prints the document and a newline. Takes it over. Returns false without memory or when the stream
 * fails. */
bool build_print(json_t *document, FILE *stream);

#endif
