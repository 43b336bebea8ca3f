/* What the examples share: vectors.S, the interrupt controller of 'armpmu run', a check. */
#ifndef EXAMPLES_FIRMWARE_H
#define EXAMPLES_FIRMWARE_H

#include <stdint.h>
#include <stdio.h>

/* ---- vectors.S ---- */

void install_vectors(void);
void unmask_interrupts(void);
void mask_interrupts(void);
uint32_t call_as_user(uint32_t (*function)(void));
extern volatile uint32_t undefined_count; /* exceptions so far */

void on_interrupt(uint32_t address);      /* of the instruction that waits */
void on_fast_interrupt(uint32_t address); /* the same */

/* ---- interrupt controller: a PrimeCell VIC (Arm DDI 0181); the monitor's line is 20 ---- */

#define VIC_RAWINTR   (*(volatile uint32_t *)0xff000008)
#define VIC_INTSELECT (*(volatile uint32_t *)0xff00000c)
#define VIC_INTENABLE (*(volatile uint32_t *)0xff000010)
#define LINE_PMU      (1u << 20)
#define LINE_VALIRQ   (1u << 21)
#define LINE_VALFIQ   (1u << 22)

/* ---- checks ---- */

static unsigned n_wrong;

static inline void check(const char *what, uint32_t got, uint32_t right)
{
    if (got == right) {
        printf("ok %s: %lu\n", what, (unsigned long)got);
        return;
    }
    n_wrong++;
    printf("WRONG %s: %lu, right is %lu\n", what, (unsigned long)got, (unsigned long)right);
}

/* A coprocessor's register as a pair of functions. */
#define COPROCESSOR_REGISTER(name, where)                                                          \
    static inline uint32_t read_##name(void)                                                       \
    {                                                                                              \
        uint32_t value;                                                                            \
        __asm__ volatile("mrc " where : "=r"(value)::"memory");                                    \
        return value;                                                                              \
    }                                                                                              \
    static inline void write_##name(uint32_t value)                                                \
    {                                                                                              \
        __asm__ volatile("mcr " where ::"r"(value) : "memory");                                    \
    }

#endif
