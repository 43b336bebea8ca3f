/* The Cortex-R4F's validation signals: an interrupt at an overflow without the
 * monitor's own.
 * Source: Arm DDI 0363G, nVAL IRQ Enable Set Register, nVAL FIQ Enable Set Register. */
#include "armv7_monitor.h"

COPROCESSOR_REGISTER(valirqens, "p15, 0, %0, c15, c1, 0")
COPROCESSOR_REGISTER(valfiqens, "p15, 0, %0, c15, c1, 1")
COPROCESSOR_REGISTER(valirqenc, "p15, 0, %0, c15, c1, 4")
COPROCESSOR_REGISTER(valfiqenc, "p15, 0, %0, c15, c1, 5")

static uint32_t irqs, fiqs;

void on_interrupt(uint32_t address)
{
    (void)address;
    irqs++;
    write_flag(1);
}

void on_fast_interrupt(uint32_t address)
{
    (void)address;
    fiqs++;
    write_flag(2);
}

int main(void)
{
    install_vectors();
    VIC_INTSELECT = LINE_VALFIQ;
    VIC_INTENABLE = LINE_VALIRQ | LINE_VALFIQ;
    monitor_reset();
    counter_set_up(0, EVENT_SOFTWARE, -3u);
    counter_set_up(1, EVENT_SOFTWARE, -5u);
    write_valirqens(1);
    write_valfiqens(2);
    write_pmnc(PMNC_E);
    unmask_interrupts();
    write_swincr(3);
    write_swincr(3);
    check("nothing before the third increment", irqs + fiqs, 0);
    write_swincr(3);
    check("nVALIRQ at the third", irqs, 1);
    write_swincr(3);
    check("no nVALFIQ at the fourth", fiqs, 0);
    write_swincr(3);
    check("nVALFIQ at the fifth", fiqs, 1);
    check("nVALIRQ once", irqs, 1);
    mask_interrupts();
    write_valirqenc(1);
    write_valfiqenc(2);
    return n_wrong != 0;
}
