/* The parsed machine, as the core models read it: a field per row of machine.def. */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "armpmu/machine.h"
#include "machine/cures.h"

enum machine_replacement { REPLACEMENT_RANDOM, REPLACEMENT_ROUND_ROBIN, REPLACEMENT_LRU };
enum machine_yesno { YESNO_NO, YESNO_YES };
enum machine_page_map { PAGE_MAP_IDENTITY, PAGE_MAP_SCATTERED };
enum machine_held_lines { HOLDS_MISSED, HOLDS_VICTIMS };
enum machine_cache_index { INDEX_PHYSICAL, INDEX_VIRTUAL };
enum machine_protection { PROTECTION_NONE, PROTECTION_PARITY, PROTECTION_ECC };
enum machine_pipes { PIPES_ANY, PIPES_V0, PIPES_V1, PIPES_V01, PIPES_V02, PIPES_V13 };
enum machine_elsewhere { ELSEWHERE_CACHEABLE, ELSEWHERE_NONCACHEABLE, ELSEWHERE_TCM };

/* A key per row of machine.def, in its order. */
enum machine_key {
#define NUMBER(section, key, low, high, power_of_two, meaning) KEY_##section##_##key,
#define CHOICE(section, key, type, meaning)                    KEY_##section##_##key,
#include "machine/machine.def"
#undef NUMBER
#undef CHOICE
    MACHINE_KEYS
};

struct armpmu_machine {
    struct armpmu_machine_stub stubs[ARMPMU_MACHINE_STUBS_MAX];
    unsigned n_stubs;
    char name[64];
    char title[128];
    char *settings; /* what differs from its file: "l2.size_kb=512 l2.ways=16" */
    const struct armpmu_core *core;
    const struct cures *cures;      /* borrowed; NULL: none */
    char spelled[MACHINE_KEYS][16]; /* each value as its file has it */
#define NUMBER(section, key, low, high, power_of_two, meaning) uint32_t section##_##key;
#define CHOICE(section, key, type, meaning)                    enum machine_##type section##_##key;
#include "machine/machine.def"
#undef NUMBER
#undef CHOICE
};

/* Returns whether the branch at an address is predicted right, whatever the predictor says:
 * CHOICE(perfect-branches). */
static inline bool machine_predicts(const struct armpmu_machine *machine, uint64_t address)
{
    return machine->branch_perfect == YESNO_YES || cures_by(machine->cures, CURE_BRANCH, address);
}

/* Returns whether two machines differ in nothing but some of MACHINE_KEYS keys. */
bool machine_differs_only_in(const bool *keys, const struct armpmu_machine *machine,
                             const struct armpmu_machine *other);

/* Reads a machine from an open file; as armpmu_machine_load.
 * path: the file's name for messages, and the folder in which a base is looked for first. */
enum armpmu_status machine_read(FILE *file, const char *path, const char *search,
                                struct armpmu_machine **out, struct armpmu_error *err);

#endif
