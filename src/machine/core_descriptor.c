#include "machine/core_descriptor.h"

#include <string.h>

#include "base/text.h"

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

bool core_descriptor_runs(const struct core_descriptor *core, const char *target, const char *cpu)
{
    const struct core_emulator *const emulator = &core->emulator;
    const size_t length = strlen(cpu);

    if (strcmp(emulator->target, target) != 0)
        return false;
    for (const char *word = emulator->others; word != NULL && *word != '\0'; word += *word == ' ') {
        const size_t n = strcspn(word, " ");
        if (n == length && memcmp(word, cpu, n) == 0)
            return true;
        word += n;
    }
    return strcmp(emulator->cpu, cpu) == 0;
}

void core_descriptor_machines(bool (*fits)(const struct core_descriptor *, const void *user),
                              const void *user, char *text, size_t size)
{
    const struct core_descriptor *core;

    text[0] = '\0';
    for (size_t i = 0; (core = core_descriptor_at(i)) != NULL; i++)
        if (fits(core, user))
            text_join(text, size, " or ", "%s", core->machine);
}

const char *core_default_machine(void)
{
    return descriptors[0]->machine;
}
