/*   counts |        _--   a curve for each of a panel
 *          |  __--
 *        0 +-----------   values of the horizontal axis, evenly spaced as they are given
 *
 * The vertical axis begins at 0, so that what looks twice as much is; where small steps are looked
 * for, it fits the counts.
 *
 * A plot is a picture of its own, for a report or a pull request, where no script runs. A page
 * (export/html) draws what its reader selects, so it draws itself. */
#include "cli/plot.h"

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
    LABELS_MOST = 6, /* where they are cut */
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

bool plot_is_page(const char *file)
{
    return ends_in(file, ".html");
}

enum armpmu_status plot_check(const char *option, const char *file, struct armpmu_error *err)
{
    if (file == NULL || ends_in(file, ".svg") || plot_is_page(file))
        return ARMPMU_OK;
    return fail(err, ARMPMU_BAD_CONFIG, "%s %s: the name must end in .svg or .html", option, file);
}

void plot_text(const char *text, FILE *stream)
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

/* The counts of a panel between which the vertical axis is. */
struct range {
    uint64_t low, high;
};

/* Four times 1, 2 or 5 of a power of ten: round numbers at the four lines. */
static uint64_t round_up(uint64_t high)
{
    static const unsigned steps[] = {1, 2, 5};

    for (uint64_t power = 1;; power *= 10)
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
            if (4 * steps[i] * power >= high || power > UINT64_MAX / 400)
                return 4 * steps[i] * power;
}

static struct range range_of(const struct plot *plot, size_t panel)
{
    struct range range = {UINT64_MAX, 0};

    for (size_t i = 0; i < plot->n_curves * plot->n_x; i++) {
        const uint64_t count = plot->count(plot->user, panel, i / plot->n_x, i % plot->n_x);
        range.low = count < range.low ? count : range.low;
        range.high = count > range.high ? count : range.high;
    }
    if (!plot->fits)
        return (struct range){0, round_up(range.high > 0 ? range.high : 1)};
    const uint64_t span = round_up(range.high > range.low ? range.high - range.low : 1);
    const uint64_t low = range.low - range.low % (span / 4);
    return (struct range){low, range.high - low > span ? low + span / 4 * 8 : low + span};
}

static double x_of(const struct plot *plot, size_t value)
{
    const double width = PANEL_WIDTH - LEFT - RIGHT;

    return LEFT + (plot->n_x > 1 ? width * (double)value / (double)(plot->n_x - 1) : width / 2);
}

static double y_of(uint64_t count, const struct range *range)
{
    return TOP + (PANEL_HEIGHT - TOP - BOTTOM) *
                     (1 - (double)(count - range->low) / (double)(range->high - range->low));
}

static void put_label(const char *whole, int n_bytes, double x, int y, FILE *stream)
{
    char text[64];

    snprintf(text, sizeof text, "%.*s", n_bytes > 0 ? n_bytes : (int)sizeof text - 1, whole);
    fprintf(stream, "<text class=\"tick\" text-anchor=\"middle\" x=\"%.1f\" y=\"%d\">", x, y);
    plot_text(text, stream);
    fputs("</text>\n", stream);
}

static void put_grid(const struct plot *plot, const struct range *range, FILE *stream)
{
    const size_t every = plot->label_bytes > 0 ? (plot->n_x + LABELS_MOST - 1) / LABELS_MOST : 1;

    for (unsigned i = 0; i <= 4; i++) {
        char text[TEXT_WRAP_COUNT];
        const uint64_t count = range->low + (range->high - range->low) / 4 * i;
        const double y = y_of(count, range);
        text_wrap_count(count, true, text);
        fprintf(stream, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y, PANEL_WIDTH - RIGHT);
        fprintf(stream, "<text class=\"tick\" text-anchor=\"end\" x=\"%d\" y=\"%.1f\">%s</text>\n",
                LEFT - 6, y + 4, text);
    }
    for (size_t i = 0; i < plot->n_x; i += every)
        put_label(plot->x_value(plot->user, i), plot->label_bytes, x_of(plot, i),
                  PANEL_HEIGHT - BOTTOM + 16, stream);
    put_label(plot->x_name, 0, (LEFT + PANEL_WIDTH - RIGHT) / 2.0, PANEL_HEIGHT - 6, stream);
}

static void put_curve(const struct plot *plot, size_t panel, size_t curve,
                      const struct range *range, FILE *stream)
{
    const char *const color = colors[curve % N_COLORS];

    fprintf(stream, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", color);
    for (size_t i = 0; i < plot->n_x; i++)
        fprintf(stream, "%.1f,%.1f ", x_of(plot, i),
                y_of(plot->count(plot->user, panel, curve, i), range));
    fputs("\"/>\n", stream);
    for (size_t i = 0; i < plot->n_x; i++) {
        const uint64_t count = plot->count(plot->user, panel, curve, i);
        fprintf(stream, "<circle fill=\"%s\" r=\"3\" cx=\"%.1f\" cy=\"%.1f\"><title>", color,
                x_of(plot, i), y_of(count, range));
        plot_text(plot->x_value(plot->user, i), stream);
        fprintf(stream, ": %" PRIu64 "</title></circle>\n", count);
    }
}

static void put_panel(const struct plot *plot, size_t panel, FILE *stream)
{
    const struct range range = range_of(plot, panel);

    fprintf(stream, "<g transform=\"translate(%zu %zu)\">\n", panel % COLUMNS * PANEL_WIDTH,
            panel / COLUMNS * PANEL_HEIGHT);
    fprintf(stream, "<text class=\"title\" x=\"%d\" y=\"22\">", LEFT);
    plot_text(plot->panel(plot->user, panel), stream);
    fputs("</text>\n", stream);
    put_grid(plot, &range, stream);
    for (size_t curve = 0; curve < plot->n_curves; curve++)
        put_curve(plot, panel, curve, &range, stream);
    fputs("</g>\n", stream);
}

static void put_legend(const struct plot *plot, size_t top, FILE *stream)
{
    for (size_t i = 0; plot->put_curve != NULL && i < plot->n_curves; i++) {
        const size_t y = top + i * LEGEND_LINE;
        fprintf(stream, "<rect fill=\"%s\" x=\"%d\" y=\"%zu\" width=\"16\" height=\"4\"/>",
                colors[i % N_COLORS], LEFT, y + 8);
        fprintf(stream, "<text class=\"tick\" x=\"%d\" y=\"%zu\">", LEFT + 24, y + 14);
        plot->put_curve(plot->user, i, stream);
        fputs("</text>\n", stream);
    }
}

void plot_draw(const struct plot *plot, FILE *stream)
{
    const size_t top = (plot->n_panels + COLUMNS - 1) / COLUMNS * PANEL_HEIGHT;
    const size_t height = top + plot->n_curves * LEGEND_LINE + 10;

    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %zu\" width=\"%d\" "
            "height=\"%zu\" font-family=\"sans-serif\">\n"
            "<style>.grid{stroke:#ddd}.tick{font-size:11px;fill:#555}"
            ".title{font-size:14px;fill:#111}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            COLUMNS * PANEL_WIDTH, height, COLUMNS * PANEL_WIDTH, height);
    for (size_t i = 0; i < plot->n_panels; i++)
        put_panel(plot, i, stream);
    put_legend(plot, top, stream);
    fputs("</svg>\n", stream);
}
