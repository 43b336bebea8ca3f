/* A sampling profiler in small: an overflow interrupt at every 1000th instruction says where the
 * program is. Two functions, one of which executes three times as many instructions. */
#include "armv7_monitor.h"

#define PERIOD 1000u

static uint32_t samples[3]; /* of each function, and of all else */

#define LOOP(name, turns)                                                                          \
    __attribute__((naked, aligned(64), noinline)) static void name(void)                           \
    {                                                                                              \
        __asm__("ldr r0, =" turns "\n"                                                             \
                "1: subs r0, r0, #1\n"                                                             \
                "bne 1b\n"                                                                         \
                "bx lr\n"                                                                          \
                ".ltorg");                                                                         \
    }

LOOP(small, "50000")
LOOP(large, "150000")

/* The counter goes on from minus the period, as of the event that made it wrap. */
void on_interrupt(uint32_t address)
{
    write_pmnc(0);
    if (address - (uint32_t)small < 16)
        samples[0]++;
    else if (address - (uint32_t)large < 16)
        samples[1]++;
    else
        samples[2]++;
    write_flag(1);
    write_pmnxsel(0);
    write_pmcnt(-PERIOD);
    write_pmnc(PMNC_E);
}

int main(void)
{
    install_vectors();
    VIC_INTENABLE = LINE_PMU;
    monitor_reset();
    counter_set_up(0, EVENT_INSTRUCTION, -PERIOD);
    write_intens(1);
    write_pmnc(PMNC_E);
    unmask_interrupts();
    small();
    large();
    mask_interrupts();
    write_pmnc(0);
    write_intenc(1);
    for (unsigned i = 0; i < 3; i++) {
        static const char *const names[] = {"small", "large", "else"};
        printf("%-6s %4lu ", names[i], (unsigned long)samples[i]);
        for (uint32_t n = 0; n < samples[i]; n += 10)
            putchar('#');
        putchar('\n');
    }
    check("samples of small: 1 in 1000 of 100001", samples[0], 100);
    check("samples of large: 1 in 1000 of 300001", samples[1], 300);
    check("samples elsewhere, at most 2", samples[2] <= 2, 1);
    return n_wrong != 0;
}
