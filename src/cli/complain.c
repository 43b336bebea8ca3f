#include "cli/commands.h"

#include <stdarg.h>
#include <stdio.h>

void complain(const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    /* One write: the program's own messages cannot land in the middle. */
    fprintf(stderr, "armpmu: %s\n", line);
}
