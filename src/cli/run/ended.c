#include "cli/run/ended.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"

void ended_signal(int number, char *text)
{
    const char *const name = sigabbrev_np(number);

    if (name != NULL)
        snprintf(text, ENDED_TEXT_BYTES, "SIG%s", name);
    else
        snprintf(text, ENDED_TEXT_BYTES, "signal %d", number);
}

const char *ended_fidelity(const struct armpmu_event *event, bool is_complete)
{
    const bool is_partial = event->fidelity == ARMPMU_EXACT && !is_complete;

    return is_partial ? "partial" : armpmu_fidelity_name(event->fidelity);
}

bool ended_early(const struct run_result *result, char *text)
{
    const int number = result->interrupted != 0 ? result->interrupted : result->killed;
    char name[ENDED_TEXT_BYTES];

    ended_signal(number, name);
    if (number != 0)
        snprintf(text, ENDED_TEXT_BYTES, "%s by %.40s",
                 result->interrupted != 0 ? "interrupted" : "killed", name);
    else if (result->timed_out)
        snprintf(text, ENDED_TEXT_BYTES, "ended by --timeout");
    else
        snprintf(text, ENDED_TEXT_BYTES, "not counted to its end");
    return !run_is_complete(result);
}

void ended_explain(const struct run_result *result, const char *program)
{
    char name[ENDED_TEXT_BYTES];

    if (result->killed == 0)
        return;
    ended_signal(result->killed, name);
    print_error("'%s' was killed by %s%s; the counts end there", program, name,
                result->killed == SIGKILL ? ", by somebody or by the system for lack of memory"
                                          : "");
}
