#include "cli/run/stat.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/printable.h"

static const char *program_of(const struct report *report, const struct engine_thread *thread)
{
    const char *const first = report->argv[0], *const slash = strrchr(first, '/');

    if (thread->program[0] != '\0')
        return thread->program;
    return slash != NULL && slash[1] != '\0' ? slash + 1 : first;
}

static void find_width(struct report *report, const struct run_result *result)
{
    for (size_t i = 0; i < result->n_threads; i++) {
        const size_t width = strlen(program_of(report, &result->threads[i]));
        if (width > report->program_width)
            report->program_width = width;
    }
}

/* Adds up the threads from `first` on that belong to one row. Gives the first of the next one. */
static size_t add_up(const struct report *report, const struct run_result *result, size_t first,
                     uint64_t *sum)
{
    const struct engine_thread *const threads = result->threads;
    size_t i = first;

    memset(sum, 0, ARMPMU_SIGNAL_COUNT * sizeof *sum);
    do {
        for (unsigned s = 0; s < ARMPMU_SIGNAL_COUNT; s++)
            sum[s] += threads[i].signals[s];
        i++;
    } while (report->per_process && i < result->n_threads &&
             threads[i].process == threads[first].process);
    return i;
}

/* Freed by the caller, NULL without memory. */
static char *name_of(const struct report *report, const struct engine_thread *thread)
{
    char *const program = printable_copy(program_of(report, thread));
    char *name = NULL;
    int n = -1;

    if (program != NULL && report->per_process)
        n = asprintf(&name, "%s-%u", program, thread->process);
    else if (program != NULL)
        n = asprintf(&name, "%s-%u.%u", program, thread->process, thread->thread);
    free(program);
    return n >= 0 ? name : NULL;
}

enum armpmu_status stat_threads(struct report *report, const struct run_result *result,
                                enum armpmu_status (*print)(void *user, const char *name,
                                                            const uint64_t *signals),
                                void *user, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    uint64_t sum[ARMPMU_SIGNAL_COUNT];

    find_width(report, result);
    for (size_t i = 0; i < result->n_threads && status == ARMPMU_OK;) {
        char *const name = name_of(report, &result->threads[i]);
        i = add_up(report, result, i, sum);
        status = name != NULL ? print(user, name, sum) : fail_no_memory(err, "the report");
        free(name);
    }
    return status;
}
