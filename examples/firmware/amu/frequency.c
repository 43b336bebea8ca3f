/* How fast does the processor run? Counter 0 counts its cycles, counter 1 the ticks of the system
 * counter, whose frequency CNTFRQ_EL0 has: their ratio is what an operating system's scheduler asks
 * the activity monitors for. */
#include "monitors.h"

#define PROCESSOR_HZ UINT64_C(3000000000) /* of the machine */

static void spin(void)
{
    for (unsigned i = 0; i < 1000000; i++)
        __asm__ volatile("nop");
}

int main(void)
{
    const struct counts counts = measure(spin);
    const uint64_t hz = counts.cycles * read_frequency() / counts.constant;
    const uint64_t ratio = PROCESSOR_HZ / read_frequency();

    print_value("cycles", counts.cycles);
    print_value("ticks", counts.constant);
    print_value("MHz", hz / 1000000);
    check("within a tick of the machine's clock ratio",
          counts.cycles / ratio - counts.constant + 1 <= 2, 1);
    check("MHz of the machine, rounded", (hz + 500000) / 1000000, PROCESSOR_HZ / 1000000);
    return n_wrong != 0;
}
