/* Table 6-1 of the Cortex-R4F's manual for the tests of its device. */
#ifndef TESTS_PMU_CORTEX_R4F_EVENTS_H
#define TESTS_PMU_CORTEX_R4F_EVENTS_H

#include "armpmu/catalog.h"

#define NO_BIT (-1) /* N/A in the column of bits */

/* The event, its bit of EVNTBUS and the wire that it counts. The first is 0x00, which only SWINCR
 * moves. */
static const struct event_row {
    unsigned event;
    int bit;
    enum armpmu_signal signal;
} event_rows[] = {
#define NO NO_BIT
#define EVENT(number, bit, located, name, customary, unit, input, signal)                          \
    {number, bit, ARMPMU_SIGNAL_##signal},
#include "../manual/cortex_r4f_events.def"
#undef EVENT
#undef NO
};

#define N_EVENT_ROWS (sizeof event_rows / sizeof event_rows[0])

#endif
