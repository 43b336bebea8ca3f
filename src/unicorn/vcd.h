/* Waves of the monitor: counters, flags, enables, lines, the event bus; in core cycles. */
#ifndef UNICORN_VCD_H
#define UNICORN_VCD_H

#include <stdint.h>

#include "armpmu/status.h"

struct firmware;

/* Begins the waves of the job. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status vcd_open(struct firmware *fw, struct armpmu_error *err);

/* Ends it; nothing without one. */
void vcd_close(struct firmware *fw);

/* The event bus was so in one clock. */
void vcd_bus(struct firmware *fw, uint64_t bits);

#endif
