/* Fuzzes the formulas of armpmu check: whatever the text, a value or a message, the same each time;
 * reading ends without using up the stack. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/formula.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Names of one letter have extreme values. */
static bool value_of(void *user, const char *name, int64_t *value)
{
    static const int64_t values[] = {INT64_MIN, INT64_MAX, 0, 1, -1, INT64_C(1) << 32};

    (void)user;
    if (name[1] != '\0' || name[0] < 'a' || name[0] >= 'a' + (int)(sizeof values / sizeof *values))
        return false;
    *value = values[name[0] - 'a'];
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct armpmu_error err = {""}, again = {""};
    int64_t value = 0, value_again = 0;
    char *const text = text_of(bytes, length);

    if (text == NULL)
        return 0;
    const enum armpmu_status status = formula_value(text, value_of, NULL, &value, &err);
    if ((status == ARMPMU_OK) != !err.message[0] ||
        formula_value(text, value_of, NULL, &value_again, &again) != status || value != value_again)
        abort();
    (void)formula_names(text, "a");
    free(text);
    return 0;
}
