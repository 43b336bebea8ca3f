/* The machine of armpmu guest: its overflow interrupts, its activity monitors, and QEMU's clock. */
#ifndef CLI_RUN_GUEST_DEVICES_H
#define CLI_RUN_GUEST_DEVICES_H

#include "armpmu/status.h"

/* Enough for what guest_irq_translate writes. */
#define GUEST_IRQ_BYTES 96

/* "spi:100,spi:101" and the like, as a person writes them, into what the plugin takes:
 * "gic:132+133" or "none". out: GUEST_IRQ_BYTES of them. As option_set_fn. */
enum armpmu_status guest_irq_translate(void *out, const char *option, const char *spec,
                                       struct armpmu_error *err);

#define GUEST_AMU_BYTES 40

/* Turns "enabled,group1:5" into the plugin's words, GUEST_AMU_BYTES of them. As option_set_fn. */
enum armpmu_status guest_amu_parse(void *words, const char *option, const char *list,
                                   struct armpmu_error *err);

/* Takes "ADDRESS" or "ADDRESS:DISTANCE", which must name pages of memory. As option_set_fn. */
enum armpmu_status guest_frame_set(void *frame, const char *option, const char *spec,
                                   struct armpmu_error *err);

/* Warns of -icount without what makes two runs the same. argv: QEMU and its arguments, NULL last.
 */
void guest_icount_warn(const char *const *argv);

#endif
