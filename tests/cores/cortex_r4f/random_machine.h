/* Random machines of the Cortex-R4F's kind: other sizes and latencies. What one of them leaves
 * alone stays as it was. */
#ifndef TESTS_CORES_CORTEX_R4F_RANDOM_MACHINE_H
#define TESTS_CORES_CORTEX_R4F_RANDOM_MACHINE_H

#include <stdint.h>

#include "machine/machine.h"

/* Where random programs lie, so that some regions and TCMs are in their way. */
enum { VARY_DATA = 0x100000, VARY_CODE = 0x40000, VARY_BYTES = 0x8000 };

/* Caches replace the least recently used line, or have one way. */
void vary_memory(struct armpmu_machine *machine, uint64_t *random);
void vary_issue(struct armpmu_machine *machine, uint64_t *random);
void vary_prediction(struct armpmu_machine *machine, uint64_t *random);

#endif
