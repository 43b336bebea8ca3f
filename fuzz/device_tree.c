/* Fuzzes the editing of device trees: whatever the bytes, a sound tree with the PMU or a message,
 * never both; the tree that came out takes the PMU again. The first byte says which interrupts are
 * asked for. A page that cannot be read stands behind the tree: libfdt is not instrumented. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <libfdt.h>

#include "cli/catalog/device_tree.h"

#define PAGE       4096u
#define TREE_BYTES (8 * PAGE)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static uint8_t *readable_end(void)
{
    static uint8_t *end;

    if (end == NULL) {
        uint8_t *const map = mmap(NULL, TREE_BYTES + PAGE, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        require(map != MAP_FAILED && mprotect(map + TREE_BYTES, PAGE, PROT_NONE) == 0);
        end = map + TREE_BYTES;
    }
    return end;
}

static struct pmu_node node_of(uint8_t choice)
{
    struct pmu_node node = {.compatible = "arm,cortex-a8-pmu", .n_interrupts = 1 + (choice & 7)};

    for (size_t i = 0; i < node.n_interrupts; i++) {
        node.interrupts[i].kind = (enum interrupt_kind)(choice >> 3 & 3) % 3;
        node.interrupts[i].number = (choice >> 5) + (uint32_t)i;
    }
    return node;
}

static void look(const struct device_tree *tree, const struct pmu_node *node)
{
    struct armpmu_error err = {""};
    struct device_tree again;
    const int at = fdt_path_offset(tree->bytes, "/pmu");

    require(fdt_check_full(tree->bytes, tree->size) == 0 && at >= 0);
    require(fdt_node_check_compatible(tree->bytes, at, node->compatible) == 0);
    require(device_tree_set_pmu(tree, node, &again, &err) == ARMPMU_OK);
    require(again.size <= tree->size + 4096);
    free(again.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length < 1 || length > TREE_BYTES)
        return 0;
    const struct pmu_node node = node_of(bytes[0]);
    const size_t size = length - 1;
    uint8_t *const tree = readable_end() - (size + 7) / 8 * 8;
    struct armpmu_error err = {""};
    const struct device_tree in = {"in", tree, size};
    struct device_tree out;

    memset(readable_end() - 8, 0xff, 8);
    memcpy(tree, bytes + 1, size);
    const enum armpmu_status status = device_tree_set_pmu(&in, &node, &out, &err);
    require((status == ARMPMU_OK) == (out.bytes != NULL) &&
            (status == ARMPMU_OK) == !err.message[0]);
    require(memcmp(tree, bytes + 1, size) == 0);
    if (status == ARMPMU_OK)
        look(&out, &node);
    free(out.bytes);
    return 0;
}
