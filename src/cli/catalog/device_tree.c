/* Edits device trees with libfdt, on a copy. */
#include "cli/catalog/device_tree.h"

#include <libfdt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* A node of eight interrupts with their CPUs, its strings, and a phandle for each CPU. */
#define ROOM 1024u

#define SPI_LAST   987u /* the GIC's interrupts end at 1019, SPIs begin at 32 */
#define PPI_LAST   15u
#define LEVEL_HIGH 4u
#define CELLS_MAX  4

/* Older trees name their nodes and order their blocks in other ways, for which libfdt, though it
 * goes through them, reads outside of the tree. dtc writes 17 since 2006. */
#define VERSION_FIRST 16u
#define VERSION_LAST  17u

struct controller {
    uint32_t cells;    /* of one interrupt                           */
    bool is_gic;       /* counts SPIs and PPIs                       */
    bool has_cpu_mask; /* a PPI's flags say which CPUs are connected */
};

/* The edit under way. */
struct edit {
    void *tree;
    const char *name;
    struct controller controller;
    struct armpmu_error *err;
};

static enum armpmu_status refuse(const struct edit *e, const char *doing, int reason)
{
    return fail(e->err, ARMPMU_BAD_INPUT, "%s: %s: %s", e->name, doing, fdt_strerror(reason));
}

/* ---- the tree as it comes ---- */

static enum armpmu_status check_tree(const void *in, size_t size, const char *name,
                                     struct armpmu_error *err)
{
    if (size < sizeof(struct fdt_header) || fdt_magic(in) != FDT_MAGIC)
        return fail(err, ARMPMU_BAD_INPUT,
                    "%s: not a flattened device tree (the first four bytes are not d00dfeed); "
                    "make one from source with dtc",
                    name);
    if (fdt_totalsize(in) > size)
        return fail(err, ARMPMU_BAD_INPUT,
                    "%s: truncated: it has %zu bytes, and %u by its header; copy it again", name,
                    size, (unsigned)fdt_totalsize(in));
    if (fdt_version(in) < VERSION_FIRST || fdt_last_comp_version(in) > VERSION_LAST)
        return fail(err, ARMPMU_BAD_INPUT,
                    "%s: version %u of the format, for readers of version %u; armpmu reads "
                    "versions %u and %u: make it again with dtc -V %u",
                    name, (unsigned)fdt_version(in), (unsigned)fdt_last_comp_version(in),
                    VERSION_FIRST, VERSION_LAST, VERSION_LAST);
    int reason = fdt_check_full(in, size);
    if (reason != 0)
        return fail(err, ARMPMU_BAD_INPUT, "%s: a damaged device tree: %s", name,
                    fdt_strerror(reason));
    return ARMPMU_OK;
}

/* One cell of a property; false when the property is not there or not one cell. */
static bool slot_of(const void *tree, int node, const char *property, uint32_t *value)
{
    int length = 0;
    const void *cell = fdt_getprop(tree, node, property, &length);

    if (cell == NULL || length != (int)sizeof(fdt32_t))
        return false;
    *value = fdt32_ld(cell);
    return true;
}

/* Returns whether one of the node's compatible strings begins and ends like this. */
static bool is_compatible(const void *tree, int node, const char *begin, const char *end)
{
    const int n = fdt_stringlist_count(tree, node, "compatible");

    for (int i = 0; i < n; i++) {
        int length = 0;
        const char *text = fdt_stringlist_get(tree, node, "compatible", i, &length);
        const size_t tail = strlen(end);
        if (text != NULL && strncmp(text, begin, strlen(begin)) == 0 && (size_t)length >= tail &&
            strcmp(text + length - tail, end) == 0)
            return true;
    }
    return false;
}

static bool is_gic(const void *tree, int node)
{
    static const char *const ends[] = {"-gic", "gic-400", "gic-v3", "gic-v5", "qgic2", "pl390"};

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (is_compatible(tree, node, "", ends[i]))
            return true;
    }
    return false;
}

/* The controller that the root's interrupts go to. */
static enum armpmu_status find_controller(struct edit *e)
{
    uint32_t phandle = 0;

    if (!slot_of(e->tree, 0, "interrupt-parent", &phandle))
        return fail(e->err, ARMPMU_BAD_INPUT,
                    "%s: the root has no interrupt-parent, so no controller takes the PMU's "
                    "interrupt; name one in the tree's source",
                    e->name);
    int node = fdt_node_offset_by_phandle(e->tree, phandle);
    if (node < 0)
        return fail(e->err, ARMPMU_BAD_INPUT,
                    "%s: the root's interrupt-parent is phandle 0x%x and no node has it; correct "
                    "the tree's source",
                    e->name, (unsigned)phandle);
    if (!slot_of(e->tree, node, "#interrupt-cells", &e->controller.cells))
        return fail(
            e->err, ARMPMU_BAD_INPUT,
            "%s: the interrupt controller %s has no #interrupt-cells; correct the tree's source",
            e->name, fdt_get_name(e->tree, node, NULL));
    if (e->controller.cells < 1 || e->controller.cells > CELLS_MAX)
        return fail(e->err, ARMPMU_BAD_INPUT,
                    "%s: #interrupt-cells of %s is %u, from 1 to %d are known", e->name,
                    fdt_get_name(e->tree, node, NULL), (unsigned)e->controller.cells, CELLS_MAX);
    e->controller.is_gic = e->controller.cells >= 3 && is_gic(e->tree, node);
    e->controller.has_cpu_mask =
        e->controller.is_gic && !is_compatible(e->tree, node, "arm,", "gic-v3");
    return ARMPMU_OK;
}

/* ---- the interrupts ---- */

static bool is_cpu(const void *tree, int node)
{
    return fdt_stringlist_search(tree, node, "device_type", "cpu") == 0;
}

/* The nodes of the CPUs, in the order of the tree; at most PMU_INTERRUPTS_MAX. */
static size_t find_cpus(const void *tree, int nodes[PMU_INTERRUPTS_MAX])
{
    const int parent = fdt_path_offset(tree, "/cpus");
    size_t n = 0;
    int node;

    if (parent < 0)
        return 0;
    fdt_for_each_subnode(node, tree, parent)
    {
        if (n < PMU_INTERRUPTS_MAX && is_cpu(tree, node))
            nodes[n++] = node;
    }
    return n;
}

static enum armpmu_status check_interrupt(const struct edit *e, const struct pmu_interrupt *irq)
{
    static const struct {
        const char *word;
        uint32_t last;
        bool is_gic;
    } kinds[] = {
        [INTERRUPT_SPI] = {"spi", SPI_LAST, true},
        [INTERRUPT_PPI] = {"ppi", PPI_LAST, true},
        [INTERRUPT_PLAIN] = {"irq", UINT32_MAX, false},
    };

    if (irq->number > kinds[irq->kind].last)
        return fail(e->err, ARMPMU_BAD_CONFIG, "--irq %s:%u: the GIC's go from 0 to %u",
                    kinds[irq->kind].word, (unsigned)irq->number, (unsigned)kinds[irq->kind].last);
    if (kinds[irq->kind].is_gic != e->controller.is_gic)
        return fail(e->err, ARMPMU_BAD_CONFIG,
                    "--irq %s:%u: the interrupt controller of %s is %s; use %s",
                    kinds[irq->kind].word, (unsigned)irq->number, e->name,
                    e->controller.is_gic ? "a GIC" : "no GIC",
                    e->controller.is_gic ? "spi:N or ppi:N" : "irq:N");
    return ARMPMU_OK;
}

/* One interrupt in the words of the controller. */
static void spell(const struct edit *e, const struct pmu_interrupt *irq, size_t n_cpus,
                  fdt32_t cells[CELLS_MAX])
{
    uint32_t words[CELLS_MAX] = {0};

    if (!e->controller.is_gic) {
        words[0] = irq->number;
        words[1] = LEVEL_HIGH;
    } else {
        const bool masked = irq->kind == INTERRUPT_PPI && e->controller.has_cpu_mask;
        words[0] = irq->kind == INTERRUPT_PPI;
        words[1] = irq->number;
        words[2] = LEVEL_HIGH | (masked ? ((1u << n_cpus) - 1) << 8 : 0);
    }
    for (size_t i = 0; i < CELLS_MAX; i++)
        cells[i] = cpu_to_fdt32(words[i]);
}

static int add_interrupts(const struct edit *e, int node, const struct pmu_node *pmu)
{
    int cpus[PMU_INTERRUPTS_MAX];
    const size_t n_cpus = find_cpus(e->tree, cpus);
    int reason = fdt_setprop(e->tree, node, "interrupts", NULL, 0);

    for (size_t i = 0; i < pmu->n_interrupts && reason == 0; i++) {
        fdt32_t cells[CELLS_MAX];
        spell(e, &pmu->interrupts[i], n_cpus, cells);
        reason = fdt_appendprop(e->tree, node, "interrupts", cells,
                                (int)(e->controller.cells * sizeof cells[0]));
    }
    return reason;
}

/* The phandle of the nth CPU, which gets one if it has none; 0 on failure. */
static uint32_t cpu_phandle(void *tree, size_t nth)
{
    int cpus[PMU_INTERRUPTS_MAX];
    uint32_t phandle = 0;

    find_cpus(tree, cpus); /* again: a property that is added moves the nodes after it */
    phandle = fdt_get_phandle(tree, cpus[nth]);
    if (phandle != 0)
        return phandle;
    if (fdt_generate_phandle(tree, &phandle) != 0 ||
        fdt_setprop_u32(tree, cpus[nth], "phandle", phandle) != 0)
        return 0;
    return phandle;
}

/* Whose interrupt is which. With one interrupt there is nothing to say. */
static enum armpmu_status add_affinity(const struct edit *e, const struct pmu_node *pmu)
{
    int cpus[PMU_INTERRUPTS_MAX];
    const size_t n_cpus = find_cpus(e->tree, cpus);

    if (pmu->n_interrupts == 1)
        return ARMPMU_OK;
    if (pmu->n_interrupts > n_cpus)
        return fail(e->err, ARMPMU_BAD_CONFIG,
                    "--irq names %zu interrupts, %s has %zu CPU nodes; name one for each CPU",
                    pmu->n_interrupts, e->name, n_cpus);
    for (size_t i = 0; i < pmu->n_interrupts; i++) {
        const uint32_t phandle = cpu_phandle(e->tree, i);
        int reason = phandle == 0 ? -FDT_ERR_NOPHANDLES
                                  : fdt_appendprop_u32(e->tree, fdt_path_offset(e->tree, "/pmu"),
                                                       "interrupt-affinity", phandle);
        if (reason != 0)
            return refuse(e, "cannot add interrupt-affinity", reason);
    }
    return ARMPMU_OK;
}

/* ---- the node ---- */

/* A CPU's PMU, not one of an interconnect: those are named for what they sit in. */
static bool is_pmu(const void *tree, int node)
{
    const char *name = fdt_get_name(tree, node, NULL);

    return (name != NULL && (strcmp(name, "pmu") == 0 || strncmp(name, "pmu@", 4) == 0)) ||
           is_compatible(tree, node, "arm,cortex-", "-pmu") ||
           is_compatible(tree, node, "arm,arm11", "-pmu") ||
           is_compatible(tree, node, "arm,armv8", "-pmuv3");
}

static int remove_pmus(void *tree)
{
    int node = fdt_next_node(tree, -1, NULL);

    while (node >= 0) {
        if (!is_pmu(tree, node)) {
            node = fdt_next_node(tree, node, NULL);
            continue;
        }
        int reason = fdt_del_node(tree, node);
        if (reason != 0)
            return reason;
        node = fdt_next_node(tree, -1, NULL);
    }
    return node == -FDT_ERR_NOTFOUND ? 0 : node;
}

static enum armpmu_status edit_tree(struct edit *e, const struct pmu_node *pmu)
{
    enum armpmu_status status = find_controller(e);

    for (size_t i = 0; i < pmu->n_interrupts && status == ARMPMU_OK; i++)
        status = check_interrupt(e, &pmu->interrupts[i]);
    if (status != ARMPMU_OK)
        return status;
    int reason = remove_pmus(e->tree);
    if (reason != 0)
        return refuse(e, "cannot remove the existing PMU", reason);
    status = find_controller(e); /* it is not named as a PMU, and is not inside one */
    if (status != ARMPMU_OK)
        return status;
    int node = fdt_add_subnode(e->tree, 0, "pmu");
    if (node < 0)
        return refuse(e, "cannot add /pmu", node);
    reason = fdt_setprop_string(e->tree, node, "compatible", pmu->compatible);
    if (reason == 0)
        reason = add_interrupts(e, node, pmu);
    if (reason != 0)
        return refuse(e, "cannot fill in /pmu", reason);
    return add_affinity(e, pmu);
}

enum armpmu_status device_tree_set_pmu(const struct device_tree *in, const struct pmu_node *pmu,
                                       struct device_tree *out, struct armpmu_error *err)
{
    struct edit e = {.name = in->name, .err = err};

    *out = (struct device_tree){.name = in->name};
    enum armpmu_status status = check_tree(in->bytes, in->size, in->name, err);
    if (status != ARMPMU_OK)
        return status;
    const size_t room = (size_t)fdt_totalsize(in->bytes) + ROOM;
    e.tree = calloc(1, room);
    if (e.tree == NULL)
        return fail(err, ARMPMU_NO_MEMORY, "%s: out of memory for %zu bytes", in->name, room);
    int reason = fdt_open_into(in->bytes, e.tree, (int)room);
    status = reason != 0 ? refuse(&e, "cannot be edited", reason) : edit_tree(&e, pmu);
    if (status == ARMPMU_OK && (reason = fdt_pack(e.tree)) != 0)
        status = refuse(&e, "cannot be packed", reason);
    if (status != ARMPMU_OK) {
        free(e.tree);
        return status;
    }
    out->bytes = e.tree;
    out->size = fdt_totalsize(e.tree);
    return ARMPMU_OK;
}
