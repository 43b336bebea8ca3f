#include "cli/table/csv.h"

#include <string.h>

#include "base/error.h"
#include "base/printable.h"

void csv_field(const char *field, const char *separator, FILE *stream)
{
    if (strchr(field, '"') == NULL && strstr(field, separator) == NULL) {
        printable_put(field, stream);
        return;
    }
    fputc('"', stream);
    while (*field != '\0') {
        const size_t n = strcspn(field, "\"");
        printable_put_n(field, n, stream);
        fputs(field[n] == '"' ? "\"\"" : "", stream);
        field += n + (field[n] == '"');
    }
    fputc('"', stream);
}

enum armpmu_status csv_separator(const char *option, const char *value, const char **separator,
                                 struct armpmu_error *err)
{
    if (*value == '\0' || strpbrk(value, "\"\r\n") != NULL)
        return fail(
            err, ARMPMU_BAD_CONFIG,
            "%s: the separator is empty or has a quote or a line end in it; use one like ','",
            option);
    *separator = strcmp(value, "\\t") == 0 ? "\t" : value;
    return ARMPMU_OK;
}
