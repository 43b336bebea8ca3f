#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

enum armpmu_status fail(struct armpmu_error *err, enum armpmu_status status, const char *format,
                        ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
    }
    return status;
}

enum armpmu_status fail_no_memory(struct armpmu_error *err, const char *what)
{
    return fail(err, ARMPMU_NO_MEMORY, "out of memory for %s", what);
}
