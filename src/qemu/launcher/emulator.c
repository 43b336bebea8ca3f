#include "qemu/launcher/emulator.h"

#include <elf.h>
#include <string.h>

static const struct emulator emulators[] = {
#define EMULATOR(core, qemu, target, cpu, elf_class, elf_machine, runs, compiler, machine)         \
    {core, qemu, target, cpu, elf_class, elf_machine, runs, compiler, machine},
#include "qemu/launcher/emulator.def"
#undef EMULATOR
};

enum { N_EMULATORS = sizeof emulators / sizeof emulators[0] };

const struct emulator *emulator_of(const char *core)
{
    for (size_t i = 0; i < N_EMULATORS; i++)
        if (strcmp(emulators[i].core, core) == 0)
            return &emulators[i];
    return NULL;
}

const struct emulator *emulator_for(unsigned elf_class, unsigned elf_machine)
{
    for (size_t i = 0; i < N_EMULATORS; i++)
        if (emulators[i].elf_class == elf_class && emulators[i].elf_machine == elf_machine)
            return &emulators[i];
    return NULL;
}
