/* The parsed machine, as the core models read it: a field per row of machine.def. */
#ifndef CATALOG_MACHINE_H
#define CATALOG_MACHINE_H

#include <stdint.h>

#include "armpmu/machine.h"

enum machine_replacement { REPLACEMENT_RANDOM, REPLACEMENT_ROUND_ROBIN, REPLACEMENT_LRU };
enum machine_yesno { YESNO_NO, YESNO_YES };
enum machine_page_map { PAGE_MAP_IDENTITY, PAGE_MAP_SCATTERED };

struct armpmu_machine {
    char name[64];
    char title[128];
    const struct armpmu_core *core;
#define NUMBER(section, key, low, high, power_of_two, meaning) uint32_t section##_##key;
#define CHOICE(section, key, type, meaning)                    enum machine_##type section##_##key;
#include "catalog/machine.def"
#undef NUMBER
#undef CHOICE
};

#endif
