/* Collapsed stacks: a line for each call path, functions outermost first, separated by ';', and a
 * count. The thread's name, which perf's scripts put first, is left out. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "export/call_tree.h"
#include "export/frames.h"

/* A name without what parts names; the caller frees it. NULL without memory. */
static char *label(const char *name)
{
    char *const text = printable_copy(name);

    for (char *at = text; at != NULL && (at = strchr(at, ';')) != NULL;)
        *at = ':';
    return text;
}

static void free_labels(char **labels, size_t n)
{
    for (size_t i = 0; labels != NULL && i < n; i++)
        free(labels[i]);
    free(labels);
}

static char **new_labels(const struct call_tree *tree)
{
    char **const labels = calloc(tree->n_frames + 1, sizeof *labels);

    for (size_t i = 0; labels != NULL && i < tree->n_frames; i++) {
        labels[i] = label(tree->frames[i].name);
        if (labels[i] == NULL) {
            free_labels(labels, i);
            return NULL;
        }
    }
    return labels;
}

static void print_stack(const struct call_tree *tree, uint32_t node, char *const *labels, FILE *out)
{
    uint32_t nodes[FRAMES_MOST];
    const size_t n = call_tree_stack(tree, node, nodes);

    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%s", i > 0 ? ";" : "",
                nodes[i] != PROFILE_NONE ? labels[tree->nodes[nodes[i]].frame] : FRAMES_CUT);
}

static enum armpmu_status print(const struct call_tree *tree, FILE *out, struct armpmu_error *err)
{
    char **const labels = new_labels(tree);

    if (labels == NULL)
        return export_no_memory(err);
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        if (tree->self[i] == 0)
            continue;
        print_stack(tree, i, labels, out);
        fprintf(out, " %" PRIu64 "\n", tree->self[i]);
    }
    free_labels(labels, tree->n_frames);
    return ARMPMU_OK;
}

enum armpmu_status export_collapsed(const struct export_job *job, FILE *out,
                                    struct armpmu_error *err)
{
    struct call_tree tree;
    enum armpmu_status status = call_tree_init(&tree, job, err);

    if (status == ARMPMU_OK)
        status = print(&tree, out, err);
    call_tree_free(&tree);
    return status;
}
