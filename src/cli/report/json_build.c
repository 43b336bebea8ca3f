#include "cli/report/json_build.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/printable.h"

json_t *build_text(const char *string)
{
    char *const text = printable_copy(string);
    json_t *const value = text != NULL ? json_string(text) : NULL;

    free(text);
    return value;
}

json_t *build_hexadecimal(int digits, uint64_t number)
{
    char string[32];

    snprintf(string, sizeof string, "0x%0*" PRIx64, digits, number);
    return json_string(string);
}

json_t *build_append(json_t *array, json_t *item)
{
    if (array != NULL && json_array_append_new(array, item) == 0)
        return array;
    json_decref(array);
    return NULL;
}

json_t *build_put(json_t *object, const char *key, json_t *value)
{
    if (object != NULL && json_object_set_new(object, key, value) == 0)
        return object;
    json_decref(object);
    return NULL;
}

bool build_print_item(json_t *object, FILE *stream)
{
    const bool printed =
        object != NULL &&
        json_dumpf(object, stream,
                   JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15) | JSON_ENSURE_ASCII) == 0;
    json_decref(object);
    return printed;
}

bool build_print_line(json_t *object, FILE *stream)
{
    return build_print_item(object, stream) && putc('\n', stream) != EOF;
}

bool build_print(json_t *document, FILE *stream)
{
    const bool printed = document != NULL &&
                         json_dumpf(document, stream, JSON_INDENT(2) | JSON_PRESERVE_ORDER) == 0 &&
                         putc('\n', stream) != EOF;
    json_decref(document);
    return printed;
}
