#include "cli/cmd/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/report/report.h"

#define FIRST_SECONDS 2
#define ERASE_LINE    "\r\033[K"

bool progress_is_wanted(bool is_silent)
{
    const char *const terminal = getenv("TERM");

    return !is_silent && isatty(STDERR_FILENO) &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

/* The cursor goes back to where the program may print. */
void progress_show(struct progress_line *progress, double seconds, uint64_t cycles, uint64_t insns)
{
    if (seconds < FIRST_SECONDS)
        return;
    progress->is_shown = true;
    fprintf(stderr, ERASE_LINE "armpmu: %.0f s, %.1f ms simulated, %.1f M insns, %.1f M insns/s\r",
            seconds, report_seconds(progress->machine, cycles) * 1e3, (double)insns / 1e6,
            (double)insns / 1e6 / seconds);
    fflush(stderr);
}

void progress_end(struct progress_line *progress)
{
    if (progress->is_shown)
        fputs(ERASE_LINE, stderr);
    progress->is_shown = false;
}
