#include "cli/run/methodology.h"

#include <string.h>

#include "cli/text_wrap.h"
#include "profile/metric.h"

enum { VALUE_WIDTH = 18, UNIT_WIDTH = 23, LEFT = 1 };

static const struct {
    const char *metric, *group;
} nexts[] = {
#define NEXT(metric, group) {#metric, #group},
#include "cli/run/methodology.def"
#undef NEXT
};

#define N_NEXTS (sizeof nexts / sizeof nexts[0])

static const char *const first_stages[] = {"Topdown_L1", "Cycle_Accounting"};

/* NULL: there is none. */
static const char *first_stage(const struct armpmu_core *core)
{
    for (size_t s = 0; s < sizeof first_stages / sizeof first_stages[0]; s++)
        for (size_t i = 0; i < core->n_metrics; i++)
            if (metric_is_in_group(&core->metrics[i], first_stages[s]))
                return first_stages[s];
    return NULL;
}

bool methodology_of(const struct armpmu_core *core)
{
    return first_stage(core) != NULL;
}

static bool count_of(void *user, const struct armpmu_event *event, double *count)
{
    *count = (double)armpmu_event_count(event, user);
    return event->fidelity != ARMPMU_RESERVED;
}

/* Appends the metrics of a group. */
static size_t add_group(const struct armpmu_core *core, const struct report_section *section,
                        const char *group, struct methodology_row *rows, size_t room)
{
    size_t n = 0;

    for (size_t i = 0; i < core->n_metrics && n < room; i++) {
        struct methodology_row *const row = &rows[n];
        *row = (struct methodology_row){.metric = &core->metrics[i], .group = group};
        n += metric_is_in_group(row->metric, group) &&
             metric_value(core, row->metric, count_of, section->signals, &row->value);
    }
    return n;
}

static struct methodology_row *highest_of(struct methodology_row *rows, size_t n)
{
    struct methodology_row *highest = rows;

    for (size_t i = 1; i < n; i++)
        if (rows[i].value > highest->value)
            highest = &rows[i];
    return highest;
}

size_t methodology_rows(const struct report *report, const struct report_section *section,
                        struct methodology_row rows[METHODOLOGY_ROWS_MAX])
{
    const struct armpmu_core *const core = armpmu_machine_core(report->machine);
    size_t n = 0;

    if (report->methodology)
        n = add_group(core, section, first_stage(core), rows, METHODOLOGY_ROWS_MAX);
    if (n == 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        rows[i].group = NULL;
    struct methodology_row *const highest = highest_of(rows, n);
    highest->is_highest = true;
    for (size_t i = 0; i < N_NEXTS; i++)
        if (strcmp(nexts[i].metric, highest->metric->name) == 0)
            n += add_group(core, section, nexts[i].group, rows + n, METHODOLOGY_ROWS_MAX - n);
    return n;
}

static void print_row(const struct methodology_row *row, FILE *stream)
{
    fprintf(stream, "%*.*f %-*s %s\n", VALUE_WIDTH, row->value != 0 && row->value < 1 ? 4 : 2,
            row->value, UNIT_WIDTH, row->metric->unit, row->metric->name);
}

static const struct methodology_row *find_highest(const struct methodology_row *rows)
{
    while (!rows->is_highest)
        rows++;
    return rows;
}

static void print_highest(const struct methodology_row *highest, FILE *stream)
{
    char sentence[400];

    snprintf(sentence, sizeof sentence,
             "Highest is %s: %s. These metrics say more of it:", highest->metric->name,
             highest->metric->meaning);
    fprintf(stream, "\n%*s", LEFT, "");
    text_wrap_wrapped(sentence, LEFT, LEFT, stream);
}

void methodology_print(const struct report *report, const struct report_section *section,
                       FILE *stream)
{
    struct methodology_row rows[METHODOLOGY_ROWS_MAX];
    const size_t n = methodology_rows(report, section, rows);
    const char *group = NULL;

    fputs(" Arm's top-down methodology", stream);
    if (section->thread != NULL)
        fprintf(stream, " (%s)", section->thread);
    fputs(n != 0 ? ":\n\n" : ": nothing was counted\n", stream);
    for (size_t i = 0; i < n; i++) {
        if (rows[i].group != NULL && group == NULL)
            print_highest(find_highest(rows), stream);
        if (rows[i].group != group)
            fprintf(stream, "\n   %s\n", rows[i].group);
        group = rows[i].group;
        print_row(&rows[i], stream);
    }
    fputc('\n', stream);
}
