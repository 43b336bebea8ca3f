/* Where the cycles of a section went, by armpmu/topdown.def: a tree whose leaves add up to them.
 */
#ifndef CLI_RUN_TOPDOWN_H
#define CLI_RUN_TOPDOWN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/run/report.h"

#define TOPDOWN_NODES_MAX 40

struct topdown_node {
    unsigned depth;      /* 1: a group; 2: a leaf */
    const char *name;    /* "Memory bound", "stores" */
    const char *group;   /* that a leaf is in; of a group its own name */
    const char *meaning; /* of a group what its cycles have in common, of a leaf its signal's */
    uint64_t cycles;
    double share; /* of all, in percent */
};

/* Fills in the nodes of a section that has its signals, each group before its leaves; leaves
 * without cycles are left out. The last is "Unattributed" where the model does not say of all
 * cycles. Returns how many. */
size_t topdown_nodes(const struct report_section *section,
                     struct topdown_node nodes[TOPDOWN_NODES_MAX]);

/* Prints the tree for people, and an empty line. */
void topdown_print(const struct report *report, const struct report_section *section, FILE *stream);

#endif
