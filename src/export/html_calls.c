#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/short_name.h"
#include "export/call_tree.h"
#include "export/html_sections.h"
#include "export/json_text.h"

/* Numbers of the flame graph and of the table of functions, over all events. */
#define TREE_NUMBERS     36000u
#define FUNCTION_NUMBERS 12000u
#define FUNCTIONS_MOST   200u

#define NAME_BYTES 240u /* of a function, some of C++ have thousands */

/* ---- which are shown ---- */

/* While it is decided what a page shows. */
struct page_choice {
    double *shares, *sorted; /* of functions, then of nodes */
    double least;            /* the share that what is shown exceeds */
    uint32_t *numbers;       /* in the page, of each node or of the nearest caller that is shown */
    bool *is_shown;          /* of each frame */
};

static int falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x > y ? -1 : x < y;
}

/* Sets the least share so that most of n things at most are shown; below 0 where there are no more.
 */
static void set_least(struct page_choice *c, size_t n, size_t most)
{
    c->least = -1;
    if (n <= most)
        return;
    memcpy(c->sorted, c->shares, n * sizeof *c->sorted);
    qsort(c->sorted, n, sizeof *c->sorted, falling);
    c->least = c->sorted[most];
}

/* Adds what is not shown to its callers. A caller's share is never below that of what it calls. */
static void fold_nodes(struct call_tree *tree, const struct page_choice *c)
{
    const size_t n = tree->job->n_events;
    uint32_t n_shown = 1;

    for (size_t i = 1; i < tree->n_nodes; i++)
        c->numbers[i] = c->shares[i] > c->least ? n_shown++ : c->numbers[tree->nodes[i].parent];
    for (size_t i = tree->n_nodes - 1; i > 0; i--)
        if (c->shares[i] <= c->least)
            export_add(tree->job, tree->self + tree->nodes[i].parent * n, tree->self + i * n);
}

/* ---- the flame graph ---- */

static void print_nodes(const struct call_tree *tree, const uint32_t *numbers, FILE *out)
{
    uint32_t next = 1;

    fputs(",\n\"nodes\":[", out);
    for (size_t i = 1; i < tree->n_nodes; i++) {
        if (numbers[i] != next)
            continue;
        fprintf(out, "%s%" PRIu32 ",%" PRIu32, next > 1 ? "," : "", numbers[tree->nodes[i].parent],
                tree->nodes[i].frame);
        next++;
    }
    fputc(']', out);
}

/* One event's nodes that count anything, and their counts. */
static void print_self(const struct call_tree *tree, const uint32_t *numbers, size_t event,
                       FILE *out)
{
    const size_t n = tree->job->n_events;
    uint32_t next = 0;
    bool has_any = false;

    fputc('[', out);
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const uint64_t count = tree->self[i * n + event];
        if (numbers[i] != next)
            continue;
        if (count > 0)
            fprintf(out, "%s%" PRIu32 ",%" PRIu64, has_any ? "," : "", next, count);
        has_any |= count > 0;
        next++;
    }
    fputc(']', out);
}

static void print_tree(const struct call_tree *tree, const uint32_t *numbers, FILE *out)
{
    print_nodes(tree, numbers, out);
    fputs(",\n\"self\":[", out);
    for (size_t e = 0; e < tree->job->n_events; e++) {
        fputs(e > 0 ? ",\n" : "", out);
        print_self(tree, numbers, e, out);
    }
    fputc(']', out);
}

/* ---- functions ---- */

/* Returns whether a function is among its own callers: then its counts are theirs already. */
static bool is_recursive(const struct call_tree *tree, size_t node)
{
    const uint32_t frame = tree->nodes[node].frame;
    uint32_t above = tree->nodes[node].parent;

    while (above != CALL_TREE_ROOT && tree->nodes[above].frame != frame)
        above = tree->nodes[above].parent;
    return above != CALL_TREE_ROOT;
}

static void sum_functions(const struct call_tree *tree, uint64_t *self, uint64_t *inclusive)
{
    const size_t n = tree->job->n_events;

    for (size_t i = 1; i < tree->n_nodes; i++) {
        const size_t frame = tree->nodes[i].frame;
        export_add(tree->job, self + frame * n, tree->self + i * n);
        if (!is_recursive(tree, i))
            export_add(tree->job, inclusive + frame * n, tree->inclusive + i * n);
    }
}

static void print_functions(const struct call_tree *tree, const uint64_t *self,
                            const uint64_t *inclusive, const struct page_choice *c, FILE *out)
{
    const size_t n = tree->job->n_events;
    bool has_any = false;

    fputs(",\n\"functions\":[", out);
    for (size_t i = 0; i < tree->n_frames; i++) {
        if (c->shares[i] <= c->least)
            continue;
        fprintf(out, "%s{\"frame\":%zu,\"self\":", has_any ? ",\n" : "", i);
        html_sums(tree->job, self + i * n, out);
        fputs(",\"inclusive\":", out);
        html_sums(tree->job, inclusive + i * n, out);
        fputc('}', out);
        c->is_shown[i] = has_any = true;
    }
    fputc(']', out);
}

static size_t n_functions_shown(const struct export_job *job)
{
    const size_t budget = FUNCTION_NUMBERS / (2 * job->n_events + 1) + 1;

    return budget < FUNCTIONS_MOST ? budget : FUNCTIONS_MOST;
}

static bool write_functions(const struct call_tree *tree, struct page_choice *c, FILE *out)
{
    const size_t n = tree->job->n_events;
    uint64_t *const self = export_new_sums(tree->job, tree->n_frames);
    uint64_t *const inclusive = export_new_sums(tree->job, tree->n_frames);
    const bool done = self != NULL && inclusive != NULL;

    if (done) {
        sum_functions(tree, self, inclusive);
        for (size_t i = 0; i < tree->n_frames; i++)
            c->shares[i] = html_share(tree->job, inclusive + i * n);
        set_least(c, tree->n_frames, n_functions_shown(tree->job));
        print_functions(tree, self, inclusive, c, out);
    }
    free(self);
    free(inclusive);
    return done;
}

/* ---- all of it ---- */

static void print_objects(const struct profile *p, FILE *out)
{
    fputs(",\n\"objects\":[", out);
    for (size_t i = 0; i < p->n_objects; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        json_text(p->objects[i].path, out);
    }
    fputc(']', out);
}

bool export_html_name(const char *name, FILE *out)
{
    char *const shown = printable_copy(name);

    if (shown == NULL)
        return false;
    short_name(shown, NAME_BYTES);
    json_text(shown, out);
    free(shown);
    return true;
}

/* Name and object, which may be none. */
static bool print_frame(const struct call_tree_frame *frame, FILE *out)
{
    fputc('[', out);
    const bool done = export_html_name(frame->name, out);
    if (frame->object != PROFILE_NONE)
        fprintf(out, ",%" PRIu32, frame->object);
    fputc(']', out);
    return done;
}

/* A node that nothing shows has a 0, which keeps the place. Returns false without memory. */
static bool print_frames(const struct call_tree *tree, const bool *is_shown, FILE *out)
{
    bool done = true;

    fputs(",\n\"frames\":[", out);
    for (size_t i = 0; i < tree->n_frames; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        if (is_shown[i])
            done &= print_frame(&tree->frames[i], out);
        else
            fputc('0', out);
    }
    fputc(']', out);
    return done;
}

static void write_nodes(struct call_tree *tree, struct page_choice *c, FILE *out)
{
    const size_t n = tree->job->n_events;

    for (size_t i = 0; i < tree->n_nodes; i++)
        c->shares[i] = html_share(tree->job, tree->inclusive + i * n);
    set_least(c, tree->n_nodes, TREE_NUMBERS / (n + 2) + 1);
    fold_nodes(tree, c);
    for (size_t i = 1; i < tree->n_nodes; i++)
        c->is_shown[tree->nodes[i].frame] |= c->shares[i] > c->least;
    print_tree(tree, c->numbers, out);
}

static bool write_calls(struct call_tree *tree, FILE *out)
{
    const size_t room = tree->n_nodes + tree->n_frames;
    struct page_choice c = {.shares = calloc(room, sizeof *c.shares),
                            .sorted = calloc(room, sizeof *c.sorted),
                            .numbers = calloc(tree->n_nodes, sizeof *c.numbers),
                            .is_shown = calloc(room, sizeof *c.is_shown)};
    bool done = c.shares != NULL && c.sorted != NULL && c.numbers != NULL && c.is_shown != NULL &&
                write_functions(tree, &c, out);

    if (done) {
        write_nodes(tree, &c, out);
        done = print_frames(tree, c.is_shown, out);
        print_objects(tree->job->profile, out);
    }
    free(c.shares);
    free(c.sorted);
    free(c.numbers);
    free(c.is_shown);
    return done;
}

enum armpmu_status html_calls(const struct export_job *job, FILE *out, struct armpmu_error *err)
{
    struct call_tree tree;
    enum armpmu_status status = call_tree_init(&tree, job, err);

    if (status == ARMPMU_OK && !write_calls(&tree, out))
        status = export_no_memory(err);
    call_tree_free(&tree);
    return status;
}
