/* The performance monitor of an XScale, of the generation that GENERATION says, from privileged
 * code: two layouts behind the same names. */
#ifndef UNIT_H
#define UNIT_H

#include <stdint.h>

#define REGISTER(name, crn, crm)                                                                   \
    static inline uint32_t read_##name(void)                                                       \
    {                                                                                              \
        uint32_t value;                                                                            \
        __asm__ volatile("mrc p14, 0, %0, " #crn ", " #crm ", 0" : "=r"(value)::"memory");         \
        return value;                                                                              \
    }                                                                                              \
    static inline void write_##name(uint32_t value)                                                \
    {                                                                                              \
        __asm__ volatile("mcr p14, 0, %0, " #crn ", " #crm ", 0" ::"r"(value) : "memory");         \
    }

#define PMNC_E 0x1u
#define PMNC_P 0x2u
#define PMNC_C 0x4u
#define PMNC_D 0x8u

#define EVENT_INSTRUCTION 0x07u
#define EVENT_NONE        0xffu

/* Bits of flags and interrupt enables, in the order of the second generation. */
#define OF_CYCLES     1u
#define OF_COUNTER(n) (2u << (n))

#if GENERATION == 1
#define N_COUNTERS 2u
REGISTER(pmnc, c0, c0)
REGISTER(ccnt, c1, c0)
REGISTER(pmn0, c2, c0)
REGISTER(pmn1, c3, c0)

#define PMNC_ID 0u

/* Flags lie in the order PMN0, PMN1, CCNT from bit 8, enables from bit 4. */
static inline uint32_t as_pmnc(uint32_t bits)
{
    return bits >> 1 | (bits & 1) << 2;
}

static inline uint32_t from_pmnc(uint32_t bits)
{
    return (bits & 3) << 1 | (bits >> 2 & 1);
}

static inline uint32_t flags(void)
{
    return from_pmnc(read_pmnc() >> 8 & 7);
}

/* A read flag that is written back is cleared: only these are. */
static inline uint32_t settings(void)
{
    return read_pmnc() & ~0x700u;
}

static inline void clear_flags(uint32_t bits)
{
    write_pmnc(settings() | as_pmnc(bits) << 8);
}

static inline void enable_interrupts(uint32_t bits)
{
    write_pmnc((settings() & ~0x70u) | as_pmnc(bits) << 4);
}

static inline void select_event(uint32_t n, uint32_t event)
{
    const uint32_t at = 12 + 8 * n;
    write_pmnc((settings() & ~(0xffu << at)) | event << at);
}

/* PMNC with what stays and these control bits. */
static inline uint32_t control(uint32_t bits)
{
    return (settings() & ~0xfu) | bits;
}
#else
#define N_COUNTERS 4u
REGISTER(pmnc, c0, c1)
REGISTER(ccnt, c1, c1)
REGISTER(inten, c4, c1)
REGISTER(flag, c5, c1)
REGISTER(evtsel, c8, c1)
REGISTER(pmn0, c0, c2)
REGISTER(pmn1, c1, c2)
REGISTER(pmn2, c2, c2)
REGISTER(pmn3, c3, c2)

#define PMNC_ID 0x14000000u

static inline uint32_t flags(void)
{
    return read_flag();
}

static inline void clear_flags(uint32_t bits)
{
    write_flag(bits);
}

static inline void enable_interrupts(uint32_t bits)
{
    write_inten(bits);
}

static inline void select_event(uint32_t n, uint32_t event)
{
    write_evtsel((read_evtsel() & ~(0xffu << 8 * n)) | event << 8 * n);
}

static inline uint32_t control(uint32_t bits)
{
    return bits;
}
#endif

static inline uint32_t counter(uint32_t n)
{
    switch (n) {
    case 0:
        return read_pmn0();
#if GENERATION == 2
    case 2:
        return read_pmn2();
    case 3:
        return read_pmn3();
#endif
    default:
        return read_pmn1();
    }
}

static inline void set_counter(uint32_t n, uint32_t value)
{
    switch (n) {
    case 0:
        write_pmn0(value);
        break;
#if GENERATION == 2
    case 2:
        write_pmn2(value);
        break;
    case 3:
        write_pmn3(value);
        break;
#endif
    default:
        write_pmn1(value);
    }
}

static inline void stop(void)
{
    write_pmnc(control(0));
}

static inline void start(uint32_t bits)
{
    write_pmnc(control(PMNC_E | bits));
}

/* Everything off and zero, all counters on the event that none counts. */
static inline void clear_all(void)
{
    stop();
    enable_interrupts(0);
    clear_flags(0x1f);
    for (uint32_t n = 0; n < N_COUNTERS; n++)
        select_event(n, EVENT_NONE);
    write_pmnc(control(PMNC_P | PMNC_C));
}

#endif
