/* The activity monitors' registers as functions, and a check. */
#ifndef EXAMPLES_FIRMWARE_AMU_MONITORS_H
#define EXAMPLES_FIRMWARE_AMU_MONITORS_H

#include <stdbool.h>
#include <stdint.h>

/* ---- start.S ---- */

void print(const char *text);

/* Runs a function in EL0 or EL1 and returns what it returned. */
uint64_t call_in_level(uint64_t level, uint64_t (*function)(void));

/* What ended it: ESR_ELx, and the Exception level that had it. */
extern struct {
    uint64_t syndrome, level;
} trap;

/* ---- registers. Source: ARM DDI 0487, the registers named ---- */

#define READ(name, encoding)                                                                       \
    static inline uint64_t read_##name(void)                                                       \
    {                                                                                              \
        uint64_t value;                                                                            \
        __asm__ volatile("mrs %0, " encoding : "=r"(value)::"memory");                             \
        return value;                                                                              \
    }
#define WRITE(name, encoding)                                                                      \
    static inline void write_##name(uint64_t value)                                                \
    {                                                                                              \
        __asm__ volatile("msr " encoding ", %0\n isb" ::"r"(value) : "memory");                    \
    }
#define REGISTER(name, encoding) READ(name, encoding) WRITE(name, encoding)

READ(pfr0, "id_aa64pfr0_el1")
READ(frequency, "cntfrq_el0")
READ(amcfgr, "S3_3_C13_C2_1")
READ(amcgcr, "S3_3_C13_C2_2")
REGISTER(amuserenr, "S3_3_C13_C2_3")
REGISTER(amcntenclr0, "S3_3_C13_C2_4")
REGISTER(amcntenset0, "S3_3_C13_C2_5")
REGISTER(cycles, "S3_3_C13_C4_0")   /* AMEVCNTR00: processor cycles            */
REGISTER(constant, "S3_3_C13_C4_1") /* AMEVCNTR01: ticks of the system counter */
REGISTER(retired, "S3_3_C13_C4_2")  /* AMEVCNTR02: instructions                */
REGISTER(stalls, "S3_3_C13_C4_3")   /* AMEVCNTR03: cycles stalled on memory    */
READ(type0, "S3_3_C13_C6_0")
READ(type1, "S3_3_C13_C6_1")
READ(type2, "S3_3_C13_C6_2")
READ(type3, "S3_3_C13_C6_3")

#define ALL_COUNTERS 0xf

struct counts {
    uint64_t cycles, constant, retired, stalls;
};

/* What a function counts. */
static inline struct counts measure(void (*function)(void))
{
    write_amcntenclr0(ALL_COUNTERS);
    write_cycles(0);
    write_constant(0);
    write_retired(0);
    write_stalls(0);
    write_amcntenset0(ALL_COUNTERS);
    function();
    write_amcntenclr0(ALL_COUNTERS);
    return (struct counts){read_cycles(), read_constant(), read_retired(), read_stalls()};
}

/* ---- checks ---- */

static unsigned n_wrong;

static inline void print_number(uint64_t number)
{
    char text[21];
    unsigned at = sizeof text - 1;

    text[at] = '\0';
    do {
        text[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    print(text + at);
}

static inline void print_value(const char *what, uint64_t value)
{
    print("   ");
    print(what);
    print(": ");
    print_number(value);
    print("\n");
}

static inline void check(const char *what, uint64_t got, uint64_t right)
{
    print(got == right ? "ok " : "WRONG ");
    print(what);
    print(": ");
    print_number(got);
    if (got != right) {
        n_wrong++;
        print(", right is ");
        print_number(right);
    }
    print("\n");
}

#endif
