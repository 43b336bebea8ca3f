/* The pmu node of a flattened device tree. */
#ifndef CLI_CATALOG_DEVICE_TREE_H
#define CLI_CATALOG_DEVICE_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "armpmu/status.h"

/* How an interrupt is numbered: as one of the GIC's two kinds, or as any other controller counts.
 */
enum interrupt_kind {
    INTERRUPT_SPI,   /* of the GIC, shared by the CPUs        */
    INTERRUPT_PPI,   /* of the GIC, one for each CPU          */
    INTERRUPT_PLAIN, /* one number and nothing else           */
};

struct pmu_interrupt {
    enum interrupt_kind kind;
    uint32_t number;
};

#define PMU_INTERRUPTS_MAX 8

struct pmu_node {
    const char *compatible;
    struct pmu_interrupt interrupts[PMU_INTERRUPTS_MAX]; /* of CPU 0, 1, ... */
    size_t n_interrupts;                                 /* at least 1       */
};

/* A file's content. */
struct device_tree {
    const char *name; /* the file's, for messages */
    void *bytes;
    size_t size;
};

/* Copies a tree and gives the copy this PMU: every node of a CPU's PMU goes, /pmu comes.
 * out: the new tree, of which the caller frees the bytes; NULL on failure.
 * Returns ARMPMU_BAD_INPUT when in is not a sound tree or lacks what an interrupt needs,
 * ARMPMU_BAD_CONFIG for an interrupt that the tree's controller cannot have, ARMPMU_NO_MEMORY, and
 * ARMPMU_NOT_FOUND when this program was built without libfdt. Source: Devicetree Specification
 * v0.4, flattened format; Linux Documentation/devicetree/bindings arm/pmu.yaml and
 * interrupt-controller/arm,gic.yaml. */
ARMPMU_MUST_USE enum armpmu_status device_tree_set_pmu(const struct device_tree *in,
                                                       const struct pmu_node *pmu,
                                                       struct device_tree *out,
                                                       struct armpmu_error *err);

#endif
