/* Plots of a sweep. A picture has a panel for each event; a curve for each combination of the axes
 * but the last, over the values of that. */
#include "cli/plot.h"
#include "export/export.h"
#include "cli/run/sweep_report.h"

static const struct sweep_axis *last_axis(const struct sweep_report *report)
{
    return &report->machines->axes[report->machines->n_axes - 1];
}

static const char *event_name(const void *user, size_t event)
{
    const struct sweep_report *const report = user;

    return report->events[0].items[event].label;
}

static const char *value_of(const void *user, size_t value)
{
    return last_axis(user)->values[value];
}

static uint64_t count_of(const void *user, size_t event, size_t curve, size_t value)
{
    return sweep_count(user, curve * last_axis(user)->n + value, event);
}

/* The values of all axes but the last. */
static void put_curve_name(const void *user, size_t curve, FILE *stream)
{
    const struct sweep_report *const report = user;
    const struct sweep_machines *const machines = report->machines;

    for (size_t axis = 0; axis + 1 < machines->n_axes; axis++) {
        fputs(axis > 0 ? ", " : "", stream);
        if (axis > 0) {
            plot_text(machines->axes[axis].key, stream);
            fputc('=', stream);
        }
        plot_text(sweep_machines_value(machines, curve * last_axis(report)->n, axis), stream);
    }
}

static enum armpmu_status print_data(const void *user, FILE *stream, struct armpmu_error *err)
{
    static const struct table_options json = {.format = TABLE_JSON, .is_document = true};

    fputs("{\"sweep\":", stream);
    const enum armpmu_status status = sweep_print(user, &json, stream, err);
    fputs("}\n", stream);
    return status;
}

enum armpmu_status sweep_plot(const struct sweep_report *report, const char *file, FILE *stream,
                              struct armpmu_error *err)
{
    const size_t n = last_axis(report)->n;
    const struct plot plot = {
        .x_name = last_axis(report)->key,
        .n_panels = report->events[0].count,
        .n_curves = report->machines->n / n,
        .n_x = n,
        .panel = event_name,
        .x_value = value_of,
        .count = count_of,
        .put_curve = report->machines->n_axes > 1 ? put_curve_name : NULL,
        .user = report,
    };

    if (plot_is_page(file))
        return export_html_page(print_data, report, stream, err);
    plot_draw(&plot, stream);
    return ARMPMU_OK;
}
