#include "export/call_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "export/frames.h"

/* ---- frames ---- */

static bool same_frame(const void *things, uint32_t number, const void *key)
{
    const struct call_tree *const tree = things;
    const struct call_tree_frame *const a = &tree->frames[number], *const b = key;

    return a->object == b->object && strcmp(a->name, b->name) == 0;
}

/* PROFILE_NONE without memory. */
static uint32_t frame_number(struct call_tree *tree, const struct call_tree_frame *frame)
{
    const uint32_t hash = hash_bytes(hash_bytes(HASH_START, frame->name, strlen(frame->name)),
                                     &frame->object, sizeof frame->object);
    const uint32_t found = intern_find(&tree->frame_numbers, hash, same_frame, tree, frame);

    if (found != INTERN_NONE)
        return found;
    if (!ARRAY_RESERVE(tree->frames, tree->room_frames, tree->n_frames + 1) ||
        !intern_add(&tree->frame_numbers, hash, (uint32_t)tree->n_frames))
        return PROFILE_NONE;
    tree->frames[tree->n_frames] = *frame;
    return (uint32_t)tree->n_frames++;
}

/* ---- nodes ---- */

static bool same_node(const void *things, uint32_t number, const void *key)
{
    const struct call_tree *const tree = things;
    const struct call_tree_node *const a = &tree->nodes[number], *const b = key;

    return a->parent == b->parent && a->frame == b->frame;
}

static bool append_node(struct call_tree *tree, const struct call_tree_node *node)
{
    return ARRAY_APPEND(tree->nodes, tree->n_nodes, tree->room_nodes, *node);
}

/* The child of a node with this frame; PROFILE_NONE without memory. */
static uint32_t child(struct call_tree *tree, uint32_t parent, uint32_t frame)
{
    const struct call_tree_node node = {parent, frame, 0, 0, tree->nodes[parent].depth + 1};
    const uint32_t pair[2] = {parent, frame};
    const uint32_t hash = hash_bytes(HASH_START, pair, sizeof pair);
    const uint32_t found = intern_find(&tree->node_numbers, hash, same_node, tree, &node);

    if (found != INTERN_NONE)
        return found;
    if (!append_node(tree, &node) ||
        !intern_add(&tree->node_numbers, hash, (uint32_t)tree->n_nodes - 1))
        return PROFILE_NONE;
    return (uint32_t)tree->n_nodes - 1;
}

/* The node below parent for all frames of an instruction. */
static uint32_t extend(struct call_tree *tree, uint32_t parent, uint32_t number)
{
    const struct profile *const p = tree->job->profile;
    const struct profile_insn *const insn = &p->insns[number];

    for (uint32_t i = 0; i < frames_of_insn(insn) && parent != PROFILE_NONE; i++) {
        const struct call_tree_frame frame = {frames_name(p, insn, i), insn->object,
                                              frames_line(p, insn, i)};
        const uint32_t found = frame_number(tree, &frame);
        parent = found == PROFILE_NONE ? PROFILE_NONE : child(tree, parent, found);
    }
    return parent;
}

/* ---- the tree ---- */

/* of_path: the node that each path's own frames are below. */
static bool add_paths(struct call_tree *tree, uint32_t *of_path)
{
    const struct profile *const p = tree->job->profile;

    of_path[PROFILE_ROOT] = CALL_TREE_ROOT;
    for (size_t i = 1; i < p->n_paths; i++) {
        of_path[i] = of_path[p->paths[i].parent];
        if (p->paths[i].caller != PROFILE_NONE)
            of_path[i] = extend(tree, of_path[i], p->paths[i].caller);
        if (of_path[i] == PROFILE_NONE)
            return false;
    }
    return true;
}

/* of_row: the node of each row. */
static bool add_rows(struct call_tree *tree, const uint32_t *of_path, uint32_t *of_row)
{
    const struct profile *const p = tree->job->profile;

    for (size_t i = 0; i < p->n_rows; i++) {
        of_row[i] = extend(tree, of_path[p->rows[i].path], p->rows[i].insn);
        if (of_row[i] == PROFILE_NONE)
            return false;
    }
    return true;
}

static bool add_sums(struct call_tree *tree, const uint32_t *of_row)
{
    const struct profile *const p = tree->job->profile;
    const size_t n = tree->job->n_events;

    tree->self = export_new_sums(tree->job, tree->n_nodes);
    tree->inclusive = export_new_sums(tree->job, tree->n_nodes);
    if (tree->self == NULL || tree->inclusive == NULL)
        return false;
    for (size_t i = 0; i < p->n_rows; i++)
        export_add_row(tree->job, &p->rows[i], tree->self + of_row[i] * n);
    memcpy(tree->inclusive, tree->self, tree->n_nodes * n * sizeof *tree->self);
    for (size_t i = tree->n_nodes - 1; i > 0; i--)
        for (size_t e = 0; e < n; e++)
            tree->inclusive[tree->nodes[i].parent * n + e] += tree->inclusive[i * n + e];
    return true;
}

static void link_nodes(struct call_tree *tree)
{
    for (size_t i = tree->n_nodes - 1; i > 0; i--) {
        struct call_tree_node *const parent = &tree->nodes[tree->nodes[i].parent];
        tree->nodes[i].next_sibling = parent->first_child;
        parent->first_child = (uint32_t)i;
    }
}

enum armpmu_status call_tree_init(struct call_tree *tree, const struct export_job *job,
                                  struct armpmu_error *err)
{
    const struct profile *const p = job->profile;
    const struct call_tree_node root = {0, PROFILE_NONE, 0, 0, 0};
    uint32_t *const of_path = calloc(p->n_paths + 1, sizeof *of_path);
    uint32_t *const of_row = calloc(p->n_rows + 1, sizeof *of_row);

    *tree = (struct call_tree){.job = job};
    const bool done = of_path != NULL && of_row != NULL && append_node(tree, &root) &&
                      add_paths(tree, of_path) && add_rows(tree, of_path, of_row) &&
                      add_sums(tree, of_row);
    if (done)
        link_nodes(tree);
    free(of_path);
    free(of_row);
    return done ? ARMPMU_OK : export_no_memory(err);
}

void call_tree_free(struct call_tree *tree)
{
    free(tree->frames);
    free(tree->nodes);
    free(tree->self);
    free(tree->inclusive);
    intern_free(&tree->frame_numbers);
    intern_free(&tree->node_numbers);
}

uint32_t call_tree_skip(const struct call_tree *tree, uint32_t node)
{
    while (node != CALL_TREE_ROOT && tree->nodes[node].next_sibling == 0)
        node = tree->nodes[node].parent;
    return node == CALL_TREE_ROOT ? 0 : tree->nodes[node].next_sibling;
}

uint32_t call_tree_next(const struct call_tree *tree, uint32_t node)
{
    const uint32_t below = tree->nodes[node].first_child;

    return below != 0 ? below : call_tree_skip(tree, node);
}

size_t call_tree_stack(const struct call_tree *tree, uint32_t node, uint32_t *nodes)
{
    const size_t deepest = tree->nodes[node].depth, outer = FRAMES_MOST / 2;
    const size_t n = deepest > FRAMES_MOST ? FRAMES_MOST : deepest;

    for (; node != CALL_TREE_ROOT; node = tree->nodes[node].parent) {
        const size_t depth = tree->nodes[node].depth;
        if (deepest <= FRAMES_MOST || depth <= outer)
            nodes[depth - 1] = node;
        else if (deepest - depth < n - outer - 1)
            nodes[n - 1 - (deepest - depth)] = node;
    }
    if (deepest > FRAMES_MOST)
        nodes[outer] = PROFILE_NONE;
    return n;
}
