/* Plots of a sweep: a panel for each event, side by side in two columns.
 *
 *   counts |        _--   a curve for each combination of the axes but the last
 *          |  __--
 *        0 +-----------   values of the last axis, evenly spaced as they were given
 *
 * The vertical axis begins at 0, so that what looks twice as much is. */
#include "cli/run/sweep_report.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "cli/text_wrap.h"

enum {
    PANEL_WIDTH = 460,
    PANEL_HEIGHT = 280,
    LEFT = 90, /* margins inside a panel */
    RIGHT = 20,
    TOP = 36,
    BOTTOM = 40,
    LEGEND_LINE = 18,
    COLUMNS = 2,
};

/* Told apart by colour-blind people, too (Okabe and Ito). */
static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#000000"};

#define N_COLORS (sizeof colors / sizeof colors[0])

static bool ends_in(const char *file, const char *ending)
{
    const size_t n = strlen(file), length = strlen(ending);

    return n > length && strcmp(file + n - length, ending) == 0;
}

enum armpmu_status sweep_plot_check(const char *file, struct armpmu_error *err)
{
    if (file == NULL || ends_in(file, ".svg") || ends_in(file, ".html"))
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG, "--plot %s: the name must end in .svg or .html", file);
}

static void put_text(const char *text, FILE *stream)
{
    for (; *text != '\0'; text++) {
        if (*text == '&')
            fputs("&amp;", stream);
        else if (*text == '<')
            fputs("&lt;", stream);
        else
            fputc(*text, stream);
    }
}

static const struct sweep_axis *last_axis(const struct sweep_report *report)
{
    return &report->machines->axes[report->machines->n_axes - 1];
}

static size_t n_curves(const struct sweep_report *report)
{
    return report->machines->n / last_axis(report)->n;
}

/* Four times 1, 2 or 5 of a power of ten: round numbers at the four lines. */
static uint64_t round_up(uint64_t high)
{
    static const unsigned steps[] = {1, 2, 5};

    for (uint64_t power = 1;; power *= 10)
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
            if (4 * steps[i] * power >= high || power > UINT64_MAX / 400)
                return 4 * steps[i] * power;
}

static uint64_t highest(const struct sweep_report *report, size_t event)
{
    uint64_t high = 1;

    for (size_t i = 0; i < report->machines->n; i++) {
        const uint64_t count = sweep_count(report, i, event);
        high = count > high ? count : high;
    }
    return round_up(high);
}

static double x_of(const struct sweep_report *report, size_t value)
{
    const size_t n = last_axis(report)->n;
    const double width = PANEL_WIDTH - LEFT - RIGHT;

    return LEFT + (n > 1 ? width * (double)value / (double)(n - 1) : width / 2);
}

static double y_of(uint64_t count, uint64_t high)
{
    return TOP + (PANEL_HEIGHT - TOP - BOTTOM) * (1 - (double)count / (double)high);
}

static void put_grid(const struct sweep_report *report, uint64_t high, FILE *stream)
{
    const struct sweep_axis *const axis = last_axis(report);

    for (unsigned i = 0; i <= 4; i++) {
        char text[TEXT_WRAP_COUNT];
        const double y = y_of(i, 4);
        text_wrap_count(high * i / 4, true, text);
        fprintf(stream, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y, PANEL_WIDTH - RIGHT);
        fprintf(stream, "<text class=\"tick\" text-anchor=\"end\" x=\"%d\" y=\"%.1f\">%s</text>\n",
                LEFT - 6, y + 4, text);
    }
    for (size_t i = 0; i < axis->n; i++) {
        fprintf(stream, "<text class=\"tick\" text-anchor=\"middle\" x=\"%.1f\" y=\"%d\">",
                x_of(report, i), PANEL_HEIGHT - BOTTOM + 16);
        put_text(axis->values[i], stream);
        fputs("</text>\n", stream);
    }
    fprintf(stream, "<text class=\"tick\" text-anchor=\"middle\" x=\"%d\" y=\"%d\">",
            (LEFT + PANEL_WIDTH - RIGHT) / 2, PANEL_HEIGHT - 6);
    put_text(axis->key, stream);
    fputs("</text>\n", stream);
}

static void put_curve(const struct sweep_report *report, size_t event, size_t curve, uint64_t high,
                      FILE *stream)
{
    const size_t n = last_axis(report)->n;
    const char *const color = colors[curve % N_COLORS];

    fprintf(stream, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", color);
    for (size_t i = 0; i < n; i++)
        fprintf(stream, "%.1f,%.1f ", x_of(report, i),
                y_of(sweep_count(report, curve * n + i, event), high));
    fputs("\"/>\n", stream);
    for (size_t i = 0; i < n; i++) {
        const uint64_t count = sweep_count(report, curve * n + i, event);
        fprintf(stream,
                "<circle fill=\"%s\" r=\"3\" cx=\"%.1f\" cy=\"%.1f\"><title>%" PRIu64
                "</title></circle>\n",
                color, x_of(report, i), y_of(count, high), count);
    }
}

static void put_panel(const struct sweep_report *report, size_t event, FILE *stream)
{
    const uint64_t high = highest(report, event);

    fprintf(stream, "<g transform=\"translate(%zu %zu)\">\n", event % COLUMNS * PANEL_WIDTH,
            event / COLUMNS * PANEL_HEIGHT);
    fprintf(stream, "<text class=\"title\" x=\"%d\" y=\"22\">", LEFT);
    put_text(report->events[0].items[event].label, stream);
    fputs("</text>\n", stream);
    put_grid(report, high, stream);
    for (size_t curve = 0; curve < n_curves(report); curve++)
        put_curve(report, event, curve, high, stream);
    fputs("</g>\n", stream);
}

/* The values of all axes but the last. */
static void put_curve_name(const struct sweep_report *report, size_t curve, FILE *stream)
{
    const struct sweep_machines *const machines = report->machines;

    for (size_t axis = 0; axis + 1 < machines->n_axes; axis++) {
        fputs(axis > 0 ? ", " : "", stream);
        if (axis > 0) {
            put_text(machines->axes[axis].key, stream);
            fputc('=', stream);
        }
        put_text(sweep_machines_value(machines, curve * last_axis(report)->n, axis), stream);
    }
}

static void put_legend(const struct sweep_report *report, size_t top, FILE *stream)
{
    for (size_t i = 0; report->machines->n_axes > 1 && i < n_curves(report); i++) {
        const size_t y = top + i * LEGEND_LINE;
        fprintf(stream, "<rect fill=\"%s\" x=\"%d\" y=\"%zu\" width=\"16\" height=\"4\"/>",
                colors[i % N_COLORS], LEFT, y + 8);
        fprintf(stream, "<text class=\"tick\" x=\"%d\" y=\"%zu\">", LEFT + 24, y + 14);
        put_curve_name(report, i, stream);
        fputs("</text>\n", stream);
    }
}

static void put_svg(const struct sweep_report *report, FILE *stream)
{
    const size_t n_events = report->events[0].count;
    const size_t top = (n_events + COLUMNS - 1) / COLUMNS * PANEL_HEIGHT;
    const size_t height = top + n_curves(report) * LEGEND_LINE + 10;

    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %zu\" width=\"%d\" "
            "height=\"%zu\" font-family=\"sans-serif\">\n"
            "<style>.grid{stroke:#ddd}.tick{font-size:11px;fill:#555}"
            ".title{font-size:14px;fill:#111}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            COLUMNS * PANEL_WIDTH, height, COLUMNS * PANEL_WIDTH, height);
    for (size_t i = 0; i < n_events; i++)
        put_panel(report, i, stream);
    put_legend(report, top, stream);
    fputs("</svg>\n", stream);
}

void sweep_plot(const struct sweep_report *report, const char *file, FILE *stream)
{
    const bool is_page = ends_in(file, ".html");

    if (is_page) {
        fputs(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>armpmu sweep: ",
            stream);
        put_text(report->argv[0], stream);
        fputs("</title>\n<body>\n", stream);
    }
    put_svg(report, stream);
    fputs(is_page ? "</body>\n</html>\n" : "", stream);
}
