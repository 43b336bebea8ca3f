/* The registers of the monitor, from privileged code: of a Cortex-A8, or with CORTEX_R4F of that.
 */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

#define REGISTER(name, crn, crm, op2)                                                              \
    static inline uint32_t read_##name(void)                                                       \
    {                                                                                              \
        uint32_t value;                                                                            \
        __asm__ volatile("mrc p15, 0, %0, " #crn ", " #crm ", " #op2 : "=r"(value)::"memory");     \
        return value;                                                                              \
    }                                                                                              \
    static inline void write_##name(uint32_t value)                                                \
    {                                                                                              \
        __asm__ volatile("mcr p15, 0, %0, " #crn ", " #crm ", " #op2 "\n isb" ::"r"(value)         \
                         : "memory");                                                              \
    }

REGISTER(pmnc, c9, c12, 0)
REGISTER(cntens, c9, c12, 1)
REGISTER(cntenc, c9, c12, 2)
REGISTER(flag, c9, c12, 3)
REGISTER(swincr, c9, c12, 4)
REGISTER(pmnxsel, c9, c12, 5)
REGISTER(ccnt, c9, c13, 0)
REGISTER(evtsel, c9, c13, 1)
REGISTER(pmcnt, c9, c13, 2)
REGISTER(useren, c9, c14, 0)
REGISTER(intens, c9, c14, 1)
REGISTER(intenc, c9, c14, 2)

#ifdef CORTEX_R4F
REGISTER(valirqens, c15, c1, 0)
REGISTER(valfiqens, c15, c1, 1)
REGISTER(valresetens, c15, c1, 2)
REGISTER(valedbgrqens, c15, c1, 3)
REGISTER(valirqenc, c15, c1, 4)
REGISTER(valfiqenc, c15, c1, 5)
REGISTER(valresetenc, c15, c1, 6)
REGISTER(valedbgrqenc, c15, c1, 7)
REGISTER(cflr, c15, c3, 0)
#endif

#define PMNC_E 0x01u
#define PMNC_P 0x02u
#define PMNC_C 0x04u
#define PMNC_D 0x08u

#ifdef CORTEX_R4F
#define PMNC_CONSTANT 0x41141800u /* implementer Arm, Cortex-R4, three event counters */
#define N_COUNTERS    3u
#else
#define PMNC_CONSTANT 0x41002000u /* implementer Arm, four event counters */
#define N_COUNTERS    4u
#endif
#define CYCLE_BIT    0x80000000u
#define EVENT_BITS   ((1u << N_COUNTERS) - 1)
#define COUNTER_BITS (CYCLE_BIT | EVENT_BITS)

/* Everything off and zero. */
static inline void clear_all(void)
{
    write_pmnc(PMNC_P | PMNC_C);
    write_cntenc(0xffffffff);
    write_intenc(0xffffffff);
    write_flag(0xffffffff);
    write_useren(0);
#ifdef CORTEX_R4F
    write_valirqenc(0xffffffff);
    write_valfiqenc(0xffffffff);
    write_valresetenc(0xffffffff);
    write_valedbgrqenc(0xffffffff);
    write_cflr(0);
#endif
    for (uint32_t n = 0; n < N_COUNTERS; n++) {
        write_pmnxsel(n);
        write_evtsel(0);
    }
    write_pmnxsel(0);
}

#endif
