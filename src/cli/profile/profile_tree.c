/* The call tree. A node is a function below the same callers, and occurs once on its path from the
 * root: recursion into a function on the path counts in its existing node. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "cli/profile/profile_table.h"

#define ROOT 0

struct node {
    uint32_t parent;                    /* smaller than its own number; of the root: itself */
    uint32_t first_child, next_sibling; /* 0: none */
    const char *name;
    struct profile_group group;
};

struct tree {
    struct profile_table *table;
    struct node *nodes;
    size_t n, room;
    struct group_sets sets; /* of nodes */
    uint32_t *of_path;      /* the node of each path's caller */
    uint32_t *set_of_path;  /* the nodes of all callers on it */
};

/* ---- nodes ---- */

static bool add_node(struct tree *tree, uint32_t parent, uint32_t insn, uint32_t frame)
{
    const size_t n_events = event_choice_n_counts(tree->table->events);

    if (tree->n >= PROFILE_NONE || !ARRAY_RESERVE(tree->nodes, tree->room, tree->n + 1))
        return false;
    struct node *const node = &tree->nodes[tree->n];
    *node = (struct node){.parent = parent, .group = {.insn = insn, .frame = frame}};
    node->name = tree->n != ROOT ? profile_frame(tree->table->profile, insn, frame) : "";
    node->group.self = calloc(2 * n_events + 1, sizeof *node->group.self);
    if (node->group.self == NULL)
        return false;
    node->group.inclusive = node->group.self + n_events;
    if (tree->n != ROOT) {
        node->next_sibling = tree->nodes[parent].first_child;
        tree->nodes[parent].first_child = (uint32_t)tree->n;
    }
    tree->n++;
    return true;
}

static bool is_function(const struct node *node, const char *name, uint32_t frame)
{
    return node->name == name && (node->group.frame != 0) == (frame != 0);
}

/* Where a function of an instruction counts when it runs below a node; PROFILE_NONE without memory.
 */
static uint32_t enter_frame(struct tree *tree, uint32_t node, uint32_t insn, uint32_t frame)
{
    const char *const name = profile_frame(tree->table->profile, insn, frame);
    uint32_t outer = node;

    while (outer != ROOT && !is_function(&tree->nodes[outer], name, frame))
        outer = tree->nodes[outer].parent;
    if (outer != ROOT)
        return outer;
    for (uint32_t i = tree->nodes[node].first_child; i != 0; i = tree->nodes[i].next_sibling)
        if (is_function(&tree->nodes[i], name, frame))
            return i;
    return add_node(tree, node, insn, frame) ? (uint32_t)tree->n - 1 : PROFILE_NONE;
}

/* The same of all functions that an instruction is in. *set gets their nodes. */
static uint32_t enter(struct tree *tree, uint32_t node, uint32_t insn, uint32_t *set)
{
    const struct profile_table *const t = tree->table;
    const uint32_t last = t->has_inlines ? t->profile->insns[insn].n_inlines : 0;

    for (uint32_t frame = 0; frame <= last; frame++) {
        node = enter_frame(tree, node, insn, frame);
        *set = node != PROFILE_NONE ? group_sets_add(&tree->sets, *set, node) : PROFILE_NONE;
        if (*set == PROFILE_NONE)
            return PROFILE_NONE;
    }
    return node;
}

/* ---- adding up ---- */

static bool add_paths(struct tree *tree)
{
    const struct profile *const p = tree->table->profile;

    tree->of_path[PROFILE_ROOT] = ROOT;
    tree->set_of_path[PROFILE_ROOT] = 0;
    for (size_t i = 1; i < p->n_paths; i++) {
        const uint32_t parent = p->paths[i].parent, caller = p->paths[i].caller;
        tree->of_path[i] = tree->of_path[parent];
        tree->set_of_path[i] = tree->set_of_path[parent];
        if (caller == PROFILE_NONE)
            continue;
        tree->of_path[i] = enter(tree, tree->of_path[parent], caller, &tree->set_of_path[i]);
        if (tree->of_path[i] == PROFILE_NONE)
            return false;
    }
    return true;
}

static void add_counts(const struct tree *tree, const struct profile_row *row, uint64_t *counts)
{
    const struct profile_table *const t = tree->table;

    for (size_t i = 0; i < event_choice_n_counts(t->events); i++)
        counts[i] += profile_row_count(t->profile, row, t->events->events[i]);
}

static bool add_rows(struct tree *tree)
{
    const struct profile *const p = tree->table->profile;

    for (size_t i = 0; i < p->n_rows; i++) {
        const struct profile_row *const row = &p->rows[i];
        uint32_t set = tree->set_of_path[row->path];
        const uint32_t node = enter(tree, tree->of_path[row->path], row->insn, &set);
        if (node == PROFILE_NONE)
            return false;
        add_counts(tree, row, tree->nodes[node].group.self);
        /* All that is active, also where a function recurs and its node is further out. */
        for (; set != 0; set = tree->sets.at[set].without)
            add_counts(tree, row, tree->nodes[tree->sets.at[set].group].group.inclusive);
    }
    return true;
}

/* ---- order ---- */

static int least_first(const void *left, const void *right, void *of)
{
    const struct tree *const tree = of;
    const struct node *const a = &tree->nodes[*(const uint32_t *)left],
                             *const b = &tree->nodes[*(const uint32_t *)right];

    for (size_t i = 0; i < tree->table->events->n; i++)
        if (a->group.inclusive[i] != b->group.inclusive[i])
            return a->group.inclusive[i] < b->group.inclusive[i] ? -1 : 1;
    return strcmp(b->name, a->name);
}

/* Links the children of each node again, greatest first. */
static bool sort(struct tree *tree)
{
    uint32_t *const order = malloc((tree->n + 1) * sizeof *order);

    if (order == NULL)
        return false;
    for (uint32_t i = 0; i < tree->n; i++) {
        order[i] = i;
        tree->nodes[i].first_child = 0;
    }
    qsort_r(order, tree->n, sizeof *order, least_first, tree);
    for (size_t i = 0; i < tree->n; i++) {
        struct node *const node = &tree->nodes[order[i]];
        if (order[i] == ROOT)
            continue;
        node->next_sibling = tree->nodes[node->parent].first_child;
        tree->nodes[node->parent].first_child = order[i];
    }
    free(order);
    return true;
}

/* The node after this one where a node comes before its children; ROOT after the last. */
static uint32_t next_node(const struct tree *tree, uint32_t node, bool is_below)
{
    if (is_below && tree->nodes[node].first_child != 0)
        return tree->nodes[node].first_child;
    while (node != ROOT && tree->nodes[node].next_sibling == 0)
        node = tree->nodes[node].parent;
    return node != ROOT ? tree->nodes[node].next_sibling : ROOT;
}

/* Makes groups of the table from what is shown. identity[0] of a node: its group's number + 1. */
static bool give_groups(struct tree *tree, double limit)
{
    struct profile_table *const t = tree->table;
    bool is_shown = true;

    for (uint32_t i = next_node(tree, ROOT, true); i != ROOT; i = next_node(tree, i, is_shown)) {
        struct profile_group *const group = &tree->nodes[i].group;
        const struct profile_group *const outer = &tree->nodes[tree->nodes[i].parent].group;
        is_shown = t->events->n > 0 && group->inclusive[0] > 0 &&
                   event_percent(t->profile, t->events, 0, group->inclusive[0]) >= limit;
        if (!is_shown)
            continue;
        if (!ARRAY_RESERVE(t->groups, t->room_groups, t->n_groups + 1))
            return false;
        group->parent = outer->identity[0];
        group->depth = outer->depth + (tree->nodes[i].parent != ROOT);
        t->groups[t->n_groups++] = *group;
        group->identity[0] = (uint32_t)t->n_groups;
        group->self = NULL; /* the table's from here on */
    }
    t->n_hidden = tree->n - 1 - t->n_groups;
    return true;
}

enum armpmu_status profile_tree_make(struct profile_table *table, double limit,
                                     struct armpmu_error *err)
{
    const size_t n_paths = table->profile->n_paths;
    struct tree tree = {
        .table = table,
        .of_path = malloc(n_paths * sizeof *tree.of_path + 1),
        .set_of_path = malloc(n_paths * sizeof *tree.set_of_path + 1),
    };

    table->keys = (struct profile_keys){{KEY_SYMBOL}, 1};
    table->has_inclusive = table->is_tree = true;
    const bool done = group_sets_init(&tree.sets) && tree.of_path != NULL &&
                      tree.set_of_path != NULL && add_node(&tree, ROOT, 0, 0) && add_paths(&tree) &&
                      add_rows(&tree) && sort(&tree) && give_groups(&tree, limit);
    for (size_t i = 0; i < tree.n; i++)
        free(tree.nodes[i].group.self);
    free(tree.nodes);
    free(tree.of_path);
    free(tree.set_of_path);
    free(tree.sets.at);
    return done ? ARMPMU_OK : fail_no_memory(err, "the report");
}
