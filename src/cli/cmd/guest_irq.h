/* The interrupts that `armpmu guest --irq` names. */
#ifndef CLI_CMD_GUEST_IRQ_H
#define CLI_CMD_GUEST_IRQ_H

#include <stddef.h>

#include "armpmu/status.h"

/* Enough for what guest_irq_translate writes. */
#define GUEST_IRQ_BYTES 96

/* "spi:100,spi:101" and the like, as a person writes them, into what the plugin takes:
 * "gic:132+133"; "" for "none". Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status guest_irq_translate(const char *spec, char out[GUEST_IRQ_BYTES],
                                                       struct armpmu_error *err);

#endif
