/* All settings of a machine as text, and a hash of them. */
#ifndef CLI_MACHINE_TEXT_H
#define CLI_MACHINE_TEXT_H

#include "armpmu/machine.h"

#define MACHINE_HASH_SIZE 17

/* "core = NAME" and a "section.key = value" line for each key that its core has, whatever file or
 * default the value is from. The caller frees it; NULL without memory. */
char *machine_text(const struct armpmu_machine *machine);

/* FNV-1a of 64 bits of that text, in hexadecimal: equal machines have equal ones, whatever they are
 * called. */
void machine_hash(const char *text, char hash[MACHINE_HASH_SIZE]);

#endif
