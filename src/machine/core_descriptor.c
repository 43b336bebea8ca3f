#include "machine/core_descriptor.h"

#include <string.h>

#define CORE(name, id, ...) extern const struct core_descriptor core_##id;
#include "catalog/cores.def"
#undef CORE

static const struct core_descriptor *const descriptors[] = {
#define CORE(name, id, ...) &core_##id,
#include "catalog/cores.def"
#undef CORE
};

const struct core_descriptor *core_descriptor_at(size_t index)
{
    return index < sizeof descriptors / sizeof descriptors[0] ? descriptors[index] : NULL;
}

const struct core_descriptor *core_descriptor_of(const struct armpmu_core *core)
{
    size_t i = 0;

    while (strcmp(descriptors[i]->name, core->name) != 0)
        i++;
    return descriptors[i];
}

const char *core_default_machine(void)
{
    return descriptors[0]->machine;
}
