/* The performance monitor of CP15 c9: Cortex-A8 and Cortex-R4F.
 * Source: Arm DDI 0344K, System control coprocessor registers. */
#ifndef EXAMPLES_ARMV7_MONITOR_H
#define EXAMPLES_ARMV7_MONITOR_H

#include "firmware.h"

COPROCESSOR_REGISTER(pmnc, "p15, 0, %0, c9, c12, 0")
COPROCESSOR_REGISTER(cntens, "p15, 0, %0, c9, c12, 1")
COPROCESSOR_REGISTER(cntenc, "p15, 0, %0, c9, c12, 2")
COPROCESSOR_REGISTER(flag, "p15, 0, %0, c9, c12, 3")
COPROCESSOR_REGISTER(swincr, "p15, 0, %0, c9, c12, 4")
COPROCESSOR_REGISTER(pmnxsel, "p15, 0, %0, c9, c12, 5")
COPROCESSOR_REGISTER(ccnt, "p15, 0, %0, c9, c13, 0")
COPROCESSOR_REGISTER(evtsel, "p15, 0, %0, c9, c13, 1")
COPROCESSOR_REGISTER(pmcnt, "p15, 0, %0, c9, c13, 2")
COPROCESSOR_REGISTER(useren, "p15, 0, %0, c9, c14, 0")
COPROCESSOR_REGISTER(intens, "p15, 0, %0, c9, c14, 1")
COPROCESSOR_REGISTER(intenc, "p15, 0, %0, c9, c14, 2")

#define PMNC_E     1u
#define PMNC_P     2u
#define PMNC_C     4u
#define CYCLE_BIT  0x80000000u
#define N_COUNTERS (read_pmnc() >> 11 & 31)

#define EVENT_SOFTWARE    0x00
#define EVENT_LOAD        0x06
#define EVENT_INSTRUCTION 0x08
#define EVENT_BRANCH      0x0d

static inline void counter_set_up(uint32_t counter, uint32_t event, uint32_t value)
{
    write_cntenc(1u << counter);
    write_pmnxsel(counter);
    write_evtsel(event);
    write_pmcnt(value);
    write_cntens(1u << counter);
}

static inline uint32_t counter_read(uint32_t counter)
{
    write_pmnxsel(counter);
    return read_pmcnt();
}

static inline void monitor_reset(void)
{
    write_pmnc(PMNC_P | PMNC_C);
    write_cntenc(0xffffffff);
    write_intenc(0xffffffff);
    write_flag(0xffffffff);
}

#endif
