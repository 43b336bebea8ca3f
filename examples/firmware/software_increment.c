/* Software increments, and their overflow at exactly the right one. */
#include "armv7_monitor.h"

static uint32_t interrupts, flags;

void on_interrupt(uint32_t address)
{
    (void)address;
    interrupts++;
    flags = read_flag();
    write_flag(flags);
}

int main(void)
{
    install_vectors();
    VIC_INTENABLE = LINE_PMU;
    monitor_reset();
    counter_set_up(0, EVENT_SOFTWARE, 0);
    counter_set_up(1, EVENT_SOFTWARE, -10u);
    write_intens(2);
    write_pmnc(PMNC_E);
    unmask_interrupts();
    for (unsigned i = 0; i < 9; i++)
        write_swincr(3);
    check("no interrupt after 9 of 10", interrupts, 0);
    write_swincr(3);
    check("the interrupt after 10", interrupts, 1);
    check("its flag", flags, 2);
    check("the line has dropped", VIC_RAWINTR & LINE_PMU, 0);
    write_swincr(1);
    mask_interrupts();
    check("increments of the other counter", counter_read(0), 11);
    check("and of this one since", counter_read(1), 0);
    return n_wrong != 0;
}
