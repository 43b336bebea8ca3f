/* Stands in for device_tree.c where libfdt is not installed. */
#include "cli/cmd/device_tree.h"

#include "base/error.h"

enum armpmu_status device_tree_set_pmu(const void *in, size_t size, const char *name,
                                       const struct pmu_node *pmu, void **out, size_t *out_size,
                                       struct armpmu_error *err)
{
    (void)in, (void)size, (void)pmu;
    *out = NULL;
    *out_size = 0;
    return fail(err, ARMPMU_NOT_FOUND,
                "%s: this armpmu was built without libfdt, which reads device trees; install "
                "libfdt-dev and build it again",
                name);
}
