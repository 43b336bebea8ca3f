/* The tables of the cores, each in a file of its name. */
#ifndef CATALOG_CORES_H
#define CATALOG_CORES_H

#include "armpmu/catalog.h"

#define CORE(name, id, ...) extern const struct armpmu_core catalog_core_##id;
#include "catalog/cores.def"
#undef CORE

#endif
