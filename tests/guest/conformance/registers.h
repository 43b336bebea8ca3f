/* The registers of the monitor, from privileged code. */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

#define REGISTER(name, crm, op2)                                                                   \
    static inline uint32_t read_##name(void)                                                       \
    {                                                                                              \
        uint32_t value;                                                                            \
        __asm__ volatile("mrc p15, 0, %0, c9, " #crm ", " #op2 : "=r"(value)::"memory");           \
        return value;                                                                              \
    }                                                                                              \
    static inline void write_##name(uint32_t value)                                                \
    {                                                                                              \
        __asm__ volatile("mcr p15, 0, %0, c9, " #crm ", " #op2 "\n isb" ::"r"(value) : "memory");  \
    }

REGISTER(pmnc, c12, 0)
REGISTER(cntens, c12, 1)
REGISTER(cntenc, c12, 2)
REGISTER(flag, c12, 3)
REGISTER(swincr, c12, 4)
REGISTER(pmnxsel, c12, 5)
REGISTER(ccnt, c13, 0)
REGISTER(evtsel, c13, 1)
REGISTER(pmcnt, c13, 2)
REGISTER(useren, c14, 0)
REGISTER(intens, c14, 1)
REGISTER(intenc, c14, 2)

#define PMNC_E 0x01u
#define PMNC_P 0x02u
#define PMNC_C 0x04u
#define PMNC_D 0x08u

#define PMNC_CONSTANT 0x41002000u /* implementer Arm, four event counters */
#define CYCLE_BIT     0x80000000u
#define COUNTER_BITS  0x8000000fu

/* Everything off and zero. */
static inline void clear_all(void)
{
    write_pmnc(PMNC_P | PMNC_C);
    write_cntenc(0xffffffff);
    write_intenc(0xffffffff);
    write_flag(0xffffffff);
    write_useren(0);
    for (uint32_t n = 0; n < 4; n++) {
        write_pmnxsel(n);
        write_evtsel(0);
    }
    write_pmnxsel(0);
}

#endif
