#include "cli/commands.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "cli/output.h"

static bool lost;

bool print_error(const char *format, ...)
{
    char sentence[1024], line[1100] = "armpmu: ";
    const size_t begin = strlen(line);
    va_list args;

    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    size_t n = begin + printable(sentence, line + begin, sizeof line - begin - 1);
    line[n++] = '\n';
    /* One write: the program's own messages cannot land in the middle. */
    lost = lost || !output_write(STDERR_FILENO, line, n);
    return false;
}

bool print_lost(void)
{
    return lost;
}
