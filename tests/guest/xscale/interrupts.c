/* The request to the interrupt unit: a level that flags and their enables make. */
#include "unit.h"
#include "xscale.h"

/* The board's interrupt controller. Source: Arm DDI 0181, PrimeCell Vectored Interrupt Controller.
 */
#define VIC            0x10140000u
#define VIC_RAW_STATUS (*(volatile uint32_t *)(VIC + 0x08))
#define VIC_SELECT     (*(volatile uint32_t *)(VIC + 0x0c))
#define VIC_ENABLE     (*(volatile uint32_t *)(VIC + 0x10))
#define VIC_DISABLE    (*(volatile uint32_t *)(VIC + 0x14))

#define REQUEST (1u << 20) /* SYNC(xscale-vic): where the plugin is told to raise it */
#define PERIOD  1000u
#define TURNS   10000u

static struct {
    uint32_t entries[8]; /* by exception                                    */
    uint32_t leave;      /* so many more entries change nothing             */
    uint32_t repeat;     /* the counter is set for another period           */
    uint32_t high, low;  /* entries with the request high, and low once the flag is cleared */
    uint32_t flags;      /* of the last entry                               */
} seen;

void interrupted(uint32_t exception)
{
    seen.entries[exception]++;
    seen.high += (VIC_RAW_STATUS & REQUEST) != 0;
    seen.flags = flags();
    if (seen.leave > 0) {
        seen.leave--;
        return;
    }
    if (seen.repeat)
        set_counter(0, -PERIOD);
    clear_flags(seen.flags);
    seen.low += (VIC_RAW_STATUS & REQUEST) == 0;
}

static void begin(uint32_t leave, uint32_t repeat)
{
    for (unsigned i = 0; i < sizeof seen.entries / sizeof seen.entries[0]; i++)
        seen.entries[i] = 0;
    seen.high = seen.low = seen.flags = 0;
    seen.leave = leave;
    seen.repeat = repeat;
    clear_all();
    select_event(0, EVENT_INSTRUCTION);
    set_counter(0, -PERIOD);
}

static void check_periods(void)
{
    begin(0, 1);
    enable_interrupts(OF_COUNTER(0));
    start(0);
    run_with_interrupts(TURNS);
    stop();
    /* Of the handler some instructions are counted, too. */
    check("interrupts at every 1000 of 20000 instructions:", "not too few",
          seen.entries[IRQ] >= 2 * TURNS / PERIOD - 1, 1);
    check("interrupts at every 1000 of 20000 instructions:", "not too many",
          seen.entries[IRQ] <= 2 * TURNS / PERIOD + 2, 1);
    check("the request is high at", "each entry", seen.high, seen.entries[IRQ]);
    check("and low when the flag", "is cleared", seen.low, seen.entries[IRQ]);
    check("the flag that the handler saw is of", "PMN0", seen.flags, OF_COUNTER(0));
}

static void check_level(void)
{
    begin(3, 0);
    enable_interrupts(OF_COUNTER(0));
    start(0);
    run_with_interrupts(TURNS);
    check("a handler that leaves the flag", "is entered again", seen.entries[IRQ], 4);

    begin(0, 0);
    start(0);
    run_with_interrupts(TURNS);
    check("no interrupt without an enable:", "entries", seen.entries[IRQ], 0);
    check("but the flag of", "PMN0", flags(), OF_COUNTER(0));
    enable_interrupts(OF_COUNTER(1) | OF_CYCLES);
    run_with_interrupts(10);
    check("none with that of another counter:", "entries", seen.entries[IRQ], 0);
    enable_interrupts(OF_COUNTER(0));
    run_with_interrupts(10);
    check("one when it is enabled later:", "entries", seen.entries[IRQ], 1);

    begin(0, 0);
    enable_interrupts(OF_COUNTER(0));
    run_counted(control(PMNC_E), control(0), thousand_turns);
    check("E zero leaves the request", "high", (VIC_RAW_STATUS & REQUEST) != 0, 1);
    run_with_interrupts(10);
    check("and it interrupts:", "entries", seen.entries[IRQ], 1);
#if GENERATION == 2
    begin(0, 0);
    enable_interrupts(OF_COUNTER(0));
    run_counted(control(PMNC_E), control(0), thousand_turns);
    enable_interrupts(0);
    check("INTEN zero makes the request", "low", (VIC_RAW_STATUS & REQUEST) != 0, 0);
#endif
}

static void check_cycle_counter(void)
{
    begin(0, 0);
    enable_interrupts(OF_CYCLES);
    write_ccnt(-100u);
    start(0);
    run_with_interrupts(TURNS);
    check("interrupts of the cycle counter:", "entries", seen.entries[IRQ], 1);
    check("the flags that the handler saw are of", "CCNT", seen.flags & OF_CYCLES, OF_CYCLES);
}

/* IRQ or FIQ is for the board to say. */
static void check_fast(void)
{
    VIC_SELECT = REQUEST;
    begin(0, 0);
    enable_interrupts(OF_COUNTER(0));
    start(0);
    run_with_interrupts(TURNS);
    check("as FIQ:", "FIQ entries", seen.entries[FIQ], 1);
    check("as FIQ:", "IRQ entries", seen.entries[IRQ], 0);
    VIC_SELECT = 0;
}

void check_interrupts(void)
{
    VIC_ENABLE = REQUEST;
    check_periods();
    check_level();
    check_cycle_counter();
    check_fast();
    VIC_DISABLE = REQUEST;
    clear_all();
}
