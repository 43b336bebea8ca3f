/* A driver in small, for the monitors of the Cortex-A8 and the Cortex-R4F: probe, program, start,
 * stop, read. What runs between is counted by hand. */
#include "armv7_monitor.h"

/* 1000 turns of four instructions, one of them a load and one a branch; and the return. */
__attribute__((naked, aligned(64))) static void work(void)
{
    __asm__("mov r0, #1000\n"
            "mov r2, sp\n"
            "1: ldr r1, [r2, #-8]\n"
            "nop\n"
            "subs r0, r0, #1\n"
            "bne 1b\n"
            "bx lr");
}

static void measure(void (*function)(void))
{
    write_pmnc(PMNC_E);
    function();
    write_pmnc(0);
}

__attribute__((naked)) static void nothing(void)
{
    __asm__("bx lr");
}

static uint32_t count(uint32_t event, void (*function)(void))
{
    monitor_reset();
    counter_set_up(0, event, 0);
    measure(function);
    return counter_read(0);
}

int main(void)
{
    check("event counters", N_COUNTERS, COUNTERS);
    check("instructions", count(EVENT_INSTRUCTION, work) - count(EVENT_INSTRUCTION, nothing), 4002);
    check("loads", count(EVENT_LOAD, work) - count(EVENT_LOAD, nothing), 1000);
#ifdef CORE_CORTEX_A8
    check("branches", count(EVENT_BRANCH, work) - count(EVENT_BRANCH, nothing), 1000);
#endif
    monitor_reset();
    write_cntens(CYCLE_BIT);
    measure(work);
    printf("   cycles of 4002 instructions: %lu\n", (unsigned long)read_ccnt());
    check("at least one cycle in two instructions", read_ccnt() >= 2001, 1);
    check("no overflow", read_flag(), 0);
    return n_wrong != 0;
}
