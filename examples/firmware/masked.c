/* How long interrupts are masked: events 0x46 and 0x47 of the Cortex-R4F count the cycles, beside
 * the cycle counter. Source: ARM DDI 0363E, Event bus interface bit functions. */
#include "armv7_monitor.h"

#define EVENT_FIQ_MASKED 0x46
#define EVENT_IRQ_MASKED 0x47

#define VIC_SOFTINT      (*(volatile uint32_t *)0xff000018)
#define VIC_SOFTINTCLEAR (*(volatile uint32_t *)0xff00001c)
#define LINE_IRQ         1u
#define LINE_FIQ         2u

static uint32_t cycles, fiq_masked, irq_masked;

static void work(void)
{
    for (volatile unsigned i = 0; i < 100; i++)
        ;
}

void on_interrupt(uint32_t address)
{
    (void)address;
    VIC_SOFTINTCLEAR = LINE_IRQ;
    work();
}

void on_fast_interrupt(uint32_t address)
{
    (void)address;
    VIC_SOFTINTCLEAR = LINE_FIQ;
    work();
}

static void masks(uint32_t bits)
{
    uint32_t cpsr;

    __asm__ volatile("mrs %0, cpsr\n"
                     "bic %0, %0, #0xc0\n"
                     "orr %0, %0, %1\n"
                     "msr cpsr_c, %0"
                     : "=&r"(cpsr)
                     : "r"(bits)
                     : "memory");
}

static void start(void)
{
    monitor_reset();
    counter_set_up(0, EVENT_FIQ_MASKED, 0);
    counter_set_up(1, EVENT_IRQ_MASKED, 0);
    write_cntens(CYCLE_BIT);
    write_pmnc(PMNC_E);
}

static void stop(void)
{
    write_pmnc(0);
    cycles = read_ccnt();
    fiq_masked = counter_read(0);
    irq_masked = counter_read(1);
}

/* A window of work with these masks, which are then the same all the time. */
static void measure_with(uint32_t bits)
{
    masks(bits);
    start();
    work();
    stop();
}

static void check_parts(void)
{
    masks(0);
    start();
    work();
    __asm__ volatile("cpsid i" ::: "memory");
    work();
    __asm__ volatile("cpsie i" ::: "memory");
    work();
    stop();
    check("IRQ masked for a third", irq_masked > cycles / 4 && irq_masked < cycles / 5 * 2, 1);
    check("FIQ masked meanwhile", fiq_masked, 0);
}

static void check_handlers(void)
{
    uint32_t in_irq;

    VIC_INTSELECT = LINE_FIQ;
    VIC_INTENABLE = LINE_IRQ | LINE_FIQ;
    start();
    VIC_SOFTINT = LINE_IRQ;
    work();
    stop();
    in_irq = irq_masked;
    check("a handler of an IRQ masks IRQ", irq_masked > cycles / 3 && irq_masked < cycles, 1);
    check("and not FIQ", fiq_masked, 0);
    start();
    VIC_SOFTINT = LINE_FIQ;
    work();
    stop();
    check("a handler of an FIQ masks both alike", fiq_masked, irq_masked);
    check("as long as one of an IRQ, within a tenth",
          fiq_masked > in_irq - in_irq / 10 && fiq_masked < in_irq + in_irq / 10, 1);
}

int main(void)
{
    install_vectors();
    measure_with(0xc0);
    check("with both masked, FIQ all the time", fiq_masked, cycles);
    check("IRQ as well", irq_masked, cycles);
    measure_with(0x40);
    check("with FIQ masked, FIQ all the time", fiq_masked, cycles);
    check("IRQ never", irq_masked, 0);
    measure_with(0x80);
    check("with IRQ masked, FIQ never", fiq_masked, 0);
    check("IRQ all the time", irq_masked, cycles);
    measure_with(0);
    check("with none masked, FIQ never", fiq_masked, 0);
    check("IRQ never", irq_masked, 0);
    check("and time passes", cycles > 100, 1);
    check_parts();
    check_handlers();
    return n_wrong != 0;
}
