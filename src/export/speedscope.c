/* speedscope's JSON: a profile for each event, of the evented type, where one unit of the axis is
 * one event; a frame opens and closes at sums of counts. Order in time is not known: callers and
 * their callees come in the order of their first appearance. */
#include <inttypes.h>

#include "export/call_tree.h"
#include "export/frames.h"
#include "export/json_text.h"

static void print_frame(const struct profile *p, const struct call_tree_frame *frame, FILE *out)
{
    fputs("{\"name\":", out);
    json_text(frame->name, out);
    if (frame->line.file != PROFILE_NONE) {
        json_member("file", frames_file(p, frame->line), out);
        fprintf(out, ",\"line\":%" PRIu32, frame->line.line);
    } else if (frame->object != PROFILE_NONE) {
        json_member("file", p->objects[frame->object].path, out);
    }
    fputc('}', out);
}

/* The stack of open frames is the path from the root to the node that was opened last. */
struct speedscope_walk {
    const struct call_tree *tree;
    FILE *out;
    size_t event;
    uint64_t at;
    bool has_any;
};

static void print_event(struct speedscope_walk *w, char type, uint32_t node)
{
    fprintf(w->out, "%s{\"type\":\"%c\",\"frame\":%" PRIu32 ",\"at\":%" PRIu64 "}",
            w->has_any ? ",\n" : "", type, w->tree->nodes[node].frame, w->at);
    w->has_any = true;
}

static void open_node(struct speedscope_walk *w, uint32_t node)
{
    print_event(w, 'O', node);
    w->at += w->tree->self[node * w->tree->job->n_events + w->event];
}

/* Closes from a node up to, and without, what the next one is below. */
static void close_until(struct speedscope_walk *w, uint32_t node, uint32_t parent)
{
    for (; node != parent; node = w->tree->nodes[node].parent)
        print_event(w, 'C', node);
}

/* Nodes without a count are left out with all that is below them: a frame has a width. */
static void print_walk(struct speedscope_walk *w)
{
    const struct call_tree *const tree = w->tree;
    const size_t n = tree->job->n_events;
    uint32_t last = CALL_TREE_ROOT, node = call_tree_next(tree, CALL_TREE_ROOT);

    while (node != 0) {
        if (tree->inclusive[node * n + w->event] == 0) {
            node = call_tree_skip(tree, node);
            continue;
        }
        close_until(w, last, tree->nodes[node].parent);
        open_node(w, node);
        last = node;
        node = call_tree_next(tree, node);
    }
    close_until(w, last, CALL_TREE_ROOT);
}

static void print_profile(const struct call_tree *tree, size_t event, FILE *out)
{
    struct speedscope_walk w = {tree, out, event, 0, false};

    fputs("{\"type\":\"evented\"", out);
    json_member("name", export_event(tree->job, event)->name, out);
    fprintf(out, ",\"unit\":\"none\",\"startValue\":0,\"endValue\":%" PRIu64 ",\"events\":[\n",
            export_total(tree->job, event));
    print_walk(&w);
    fputs("\n]}", out);
}

static void print(const struct call_tree *tree, FILE *out)
{
    const struct profile *const p = tree->job->profile;

    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\"", out);
    json_member("exporter", "armpmu " ARMPMU_VERSION, out);
    json_member("name", p->setup.command != NULL ? p->setup.command : "armpmu", out);
    fputs(",\"activeProfileIndex\":0,\n\"shared\":{\"frames\":[\n", out);
    for (size_t i = 0; i < tree->n_frames; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        print_frame(p, &tree->frames[i], out);
    }
    fputs("\n]},\n\"profiles\":[\n", out);
    for (size_t i = 0; i < tree->job->n_events; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        print_profile(tree, i, out);
    }
    fputs("\n]}\n", out);
}

enum armpmu_status export_speedscope(const struct export_job *job, FILE *out,
                                     struct armpmu_error *err)
{
    struct call_tree tree;
    const enum armpmu_status status = call_tree_init(&tree, job, err);

    if (status == ARMPMU_OK)
        print(&tree, out);
    call_tree_free(&tree);
    return status;
}
