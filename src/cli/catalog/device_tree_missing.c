/* Stands in for device_tree.c where libfdt is not installed. */
#include "cli/catalog/device_tree.h"

#include "base/error.h"

enum armpmu_status device_tree_set_pmu(const struct device_tree *in, const struct pmu_node *pmu,
                                       struct device_tree *out, struct armpmu_error *err)
{
    (void)pmu;
    *out = (struct device_tree){.name = in->name};
    return fail(err, ARMPMU_NOT_FOUND,
                "%s: this armpmu was built without libfdt, which reads device trees; install "
                "libfdt-dev and build it again",
                in->name);
}
