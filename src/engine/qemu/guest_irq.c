/* The overflow interrupt: pending in the distributor of a generic interrupt controller while the
 * line is asserted.
 *
 * Assumes: the interrupt is this processor's own or shared (an SPI). The line's rise makes it
 * pending and its fall takes that back, so a handler that clears the overflow flag sees a level.
 * Does not model: a line that stays asserted past the end of its handler does not interrupt again;
 * drivers clear all flags they were interrupted for. */
#include "engine/qemu/guest.h"

#include <stdlib.h>
#include <string.h>

/* Source: Arm IHI 0048B, Generic Interrupt Controller, distributor register map. */
#define GICD_ISPENDR 0x200
#define GICD_ICPENDR 0x280
#define GIC_IDS_MAX  1020u

/* Interrupt controllers of boards, so that "gic:NUMBER" is enough for them. */
#define VIRT_DISTRIBUTOR 0x08000000

const char *guest_irq_parse(const char *text, struct guest_irq *irq)
{
    char *end = NULL;

    *irq = (struct guest_irq){.distributor = VIRT_DISTRIBUTOR};
    if (strcmp(text, "none") == 0)
        return NULL;
    if (strncmp(text, "gic", 3) != 0)
        return "irq: neither none, gic:NUMBER nor gic@ADDRESS:NUMBER";
    const char *at = text + 3;
    if (*at == '@') {
        irq->distributor = strtoull(at + 1, &end, 0);
        at = end > at + 1 ? end : "";
    }
    if (*at != ':' || at[1] < '0' || at[1] > '9')
        return "irq: the interrupt number is missing; write gic:NUMBER or gic@ADDRESS:NUMBER";
    const unsigned long number = strtoul(at + 1, &end, 0);
    if (*end != '\0' || number < 16 || number >= GIC_IDS_MAX)
        return "irq: a GIC's interrupt numbers go from 16 to 1019; SPI n is 32 + n, PPI n is 16 + "
               "n";
    irq->number = (unsigned)number;
    irq->present = true;
    return NULL;
}

void guest_irq_follow(struct guest_cpu *cpu)
{
    if (!cpu->line_changed)
        return;
    cpu->line_changed = false;
    if (!guest.irq.present)
        return;
    const bool asserted = armpmu_output(cpu->pmu, ARMPMU_OUTPUT_PMUIRQ) ||
                          armpmu_output(cpu->pmu, ARMPMU_OUTPUT_PMU_REQUEST);
    const uint64_t bank = asserted ? GICD_ISPENDR : GICD_ICPENDR;
    const unsigned number = guest.irq.number;
    if (!host_word_write(guest.irq.distributor + bank + number / 32 * 4, 1u << number % 32))
        guest_die("irq: nothing answers at the distributor's address; name it: irq=gic@ADDRESS:"
                  "NUMBER");
}
