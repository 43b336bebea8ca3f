/* The interrupts that `armpmu guest --irq` names. */
#ifndef CLI_CMD_GUEST_IRQ_H
#define CLI_CMD_GUEST_IRQ_H

#include <stddef.h>

#include "armpmu/status.h"

/* Enough for what guest_irq_translate writes. */
#define GUEST_IRQ_BYTES 96

/* "spi:100,spi:101" and the like, as a person writes them, into what the plugin takes:
 * "gic:132+133" or "none". out: GUEST_IRQ_BYTES of them. As option_set_fn. */
enum armpmu_status guest_irq_translate(void *out, const char *option, const char *spec,
                                       struct armpmu_error *err);

#endif
