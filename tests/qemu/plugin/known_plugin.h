/* Replaces the rest of the plugin, for tests of the parts that serve an AArch64 guest's processors.
 * An instruction is its address, a block has eight, and no memory beside the vectors can be
 * reached. */
#ifndef KNOWN_PLUGIN_H
#define KNOWN_PLUGIN_H

#include "armpmu/catalog.h"

extern const struct armpmu_core *known_core; /* of every machine */

#endif
