/* All call paths of a profile as a tree of functions, inlined ones among them; threads and
 * instructions of a function are added up. What flame graphs show. */
#ifndef EXPORT_CALL_TREE_H
#define EXPORT_CALL_TREE_H

#include "base/intern.h"
#include "export/export.h"

#define CALL_TREE_ROOT 0 /* no function: what is above the outermost ones */

/* A function of a name in an object. */
struct call_tree_frame {
    const char *name; /* the profile's */
    uint32_t object;
    struct profile_line line; /* one of it that is in the profile; file PROFILE_NONE: none is */
};

struct call_tree_node {
    uint32_t parent;                    /* smaller than its own number; of the root: itself */
    uint32_t frame;                     /* PROFILE_NONE: the root's */
    uint32_t first_child, next_sibling; /* in the order of first appearance; 0: none */
    uint32_t depth;                     /* of the root: 0 */
};

struct call_tree {
    const struct export_job *job;
    struct call_tree_frame *frames;
    struct call_tree_node *nodes;
    uint64_t *self, *inclusive; /* n_nodes times the job's n_events */
    size_t n_frames, room_frames, n_nodes, room_nodes;
    struct intern frame_numbers, node_numbers;
};

/* tree is freed by call_tree_free, also after a failure. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status
call_tree_init(struct call_tree *tree, const struct export_job *job, struct armpmu_error *err);
void call_tree_free(struct call_tree *tree);

/* The node after this one where a node comes before its children; 0 after the last. */
uint32_t call_tree_next(const struct call_tree *tree, uint32_t node);

/* The same without what is below this one. */
uint32_t call_tree_skip(const struct call_tree *tree, uint32_t node);

/* The nodes of a stack, outermost first, without the root; PROFILE_NONE means what was left out.
 * nodes: room for FRAMES_MOST. Returns how many. */
size_t call_tree_stack(const struct call_tree *tree, uint32_t node, uint32_t *nodes);

#endif
