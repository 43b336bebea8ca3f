/* Plots of counts for people: a panel for each subject, side by side in two columns, as an SVG
 * picture. A page is the report's JSON, which the page of export/html draws. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "armpmu/status.h"

/* All functions get user; texts are borrowed. */
struct plot {
    const char *x_name; /* of the horizontal axis, whose n_x values are evenly spaced */
    size_t n_panels, n_curves, n_x;
    int label_bytes; /* of a label of the horizontal axis, then only some are there; 0: all */
    bool fits;       /* the vertical axis shows the counts alone; else it begins at 0 */
    const char *(*panel)(const void *user, size_t panel);
    const char *(*x_value)(const void *user, size_t x);
    uint64_t (*count)(const void *user, size_t panel, size_t curve, size_t x);
    /* Names a curve in the legend. NULL: there is none. */
    void (*put_curve)(const void *user, size_t curve, FILE *stream);
    const void *user;
};

/* Checks that a file's name says how to draw: ".svg" or ".html". NULL is fine. option: "--plot".
 * Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status plot_check(const char *option, const char *file,
                                              struct armpmu_error *err);

/* Returns whether a page is asked for. */
bool plot_is_page(const char *file);

void plot_draw(const struct plot *plot, FILE *stream);

/* Prints text with what XML reserves escaped. */
void plot_text(const char *text, FILE *stream);

#endif
