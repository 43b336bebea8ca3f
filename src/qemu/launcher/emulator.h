/* Which QEMU runs a core's programs, and what these are. */
#ifndef QEMU_LAUNCHER_EMULATOR_H
#define QEMU_LAUNCHER_EMULATOR_H

#include <stddef.h>
#include <stdint.h>

/* A row of emulator.def. */
struct emulator {
    const char *core;
    const char *qemu;     /* the command */
    const char *target;   /* what it emulates, as it tells a plugin */
    const char *cpu;      /* the value of -cpu */
    uint8_t elf_class;    /* ELFCLASS32 or ELFCLASS64 */
    uint16_t elf_machine; /* EM_ARM or EM_AARCH64 */
    const char *runs;     /* whose programs, in records */
    const char *compiler; /* that makes such programs */
    const char *machine;  /* of the core, by name */
};

/* The emulator of a core, by its name; NULL when there is none. Static. */
const struct emulator *emulator_of(const char *core);

/* The first emulator that runs such files, NULL when there is none. */
const struct emulator *emulator_for(unsigned elf_class, unsigned elf_machine);

#endif
