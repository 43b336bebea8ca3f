/* Who may use the monitor: User mode with USEREN.EN 0 and 1. */
#include "armv7_monitor.h"

static uint32_t read_cycles(void)
{
    return read_ccnt();
}

static uint32_t select_counter(void)
{
    write_pmnxsel(1);
    return 0;
}

static uint32_t enable_interrupt(void)
{
    write_intens(1);
    return 0;
}

static uint32_t exceptions_of(uint32_t (*function)(void))
{
    const uint32_t before = undefined_count;

    (void)call_as_user(function);
    return undefined_count - before;
}

int main(void)
{
    install_vectors();
    monitor_reset();
    write_useren(0);
    check("EN 0: a read of CCNT raises Undefined", exceptions_of(read_cycles), 1);
    check("EN 0: a write of PMNXSEL raises Undefined", exceptions_of(select_counter), 1);
    check("EN 0: and changes nothing", read_pmnxsel(), 0);
    write_useren(1);
    check("EN 1: a read of CCNT does not", exceptions_of(read_cycles), 0);
    check("EN 1: a write of PMNXSEL does not", exceptions_of(select_counter), 0);
    check("EN 1: and has its effect", read_pmnxsel(), 1);
    check("EN 1: INTENS stays privileged", exceptions_of(enable_interrupt), 1);
    check("EN 1: and as it was", read_intens(), 0);
    return n_wrong != 0;
}
