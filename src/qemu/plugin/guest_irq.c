/* The overflow interrupt: the line is driven by what an interrupt controller of the machine lets
 * software do to an interrupt.
 *
 * A generic interrupt controller has pending bits. The line's rise sets one, its fall takes it
 * back. A handler that acknowledges the interrupt takes it too, so whenever the guest has accessed
 * a device while the line is asserted it is set again: the interrupt is active and pending then, as
 * one is whose line is still high, and comes again when the handler ends. A vectored interrupt
 * controller has soft interrupts, which are levels.
 *
 * From version 3 on a GIC has private interrupts in registers of each processor's own, and is
 * acknowledged by system registers, which count as a device's here. Where these are is known of
 * virt.
 *
 * With -icount QEMU takes no interrupt between two instructions of a block; there the line waits
 * for the last one. */
#include "qemu/plugin/guest_irq.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIC_PRIVATE 32u /* interrupts below are each processor's own */

/* set, clear: offsets of the registers, 32 interrupts in each. */
struct irq_controller {
    const char *name;
    unsigned set, clear, first, last;
    bool holds;   /* what is set stays until it is cleared */
    bool has_own; /* private interrupts */
};

static const struct irq_controller controllers[] = {
    /* Source: Arm IHI 0048B, distributor register map: GICD_ISPENDR, GICD_ICPENDR. */
    {"gic", 0x200, 0x280, 16, 1019, false, true},
    /* Source: Arm DDI 0181, PrimeCell Vectored Interrupt Controller (PL190): VICSOFTINT,
     * VICSOFTINTCLEAR. */
    {"vic", 0x018, 0x01c, 0, 31, true, false},
};

/* Where machines of QEMU have them, so that a number is enough; own: the first processor's
 * redistributor, where the GIC may be of version 3; pmuv3: the interrupt of the monitor in the
 * board's device tree, as --irq has it.
 * Source: QEMU hw/arm: the boards' memory maps; of virt fdt_add_pmu_nodes(). */
static const struct {
    const char *board, *controller;
    uint64_t base, own;
    const char *pmuv3;
} boards[] = {
    {"virt", "gic", 0x08000000, 0x080a0000, "gic:23"},
    {"realview-pb-a8", "gic", 0x1e001000, 0, NULL},
    {"realview-pbx-a9", "gic", 0x1f001000, 0, NULL},
    {"vexpress-a9", "gic", 0x1e001000, 0, NULL},
    {"vexpress-a15", "gic", 0x2c001000, 0, NULL},
    {"versatilepb", "vic", 0x10140000, 0, NULL},
    {"versatileab", "vic", 0x10140000, 0, NULL},
};

/* Source: Arm IHI 0069, GICD_PIDR2.ArchRev; each processor's redistributor has two frames of 64
 * KiB, with version 4 four; GICR_ISPENDR0 and GICR_ICPENDR0 have the offsets in the second that
 * they have in the distributor. */
#define GICD_PIDR2         0xffe8u
#define PIDR2_REVISION_LSB 4
#define GICV3              3u
#define GICR_FRAME         0x10000u

/* Processors whose line is asserted, where all share one interrupt. */
static _Atomic uint64_t asserting;

/* QEMU's controller takes a private interrupt's pending bit from all processors when one clears it.
 * The others, whose line is asserted, set theirs again: they look at each block whether that has
 * happened. */
static _Atomic unsigned private_clears;

static const struct irq_controller *controller_of(const char *text)
{
    for (size_t i = 0; i < sizeof controllers / sizeof controllers[0]; i++)
        if (strncmp(text, controllers[i].name, 3) == 0)
            return &controllers[i];
    return NULL;
}

/* "@ADDRESS", or nothing for a board that is known. Returns what follows, NULL and *problem. */
static const char *take_base(const char *text, const char *board, struct guest_irq *irq,
                             const char **problem)
{
    static char message[160];
    char *end = NULL;

    if (*text == '@') {
        irq->base = strtoull(text + 1, &end, 0);
        if (end > text + 1 && text[1] >= '0' && text[1] <= '9')
            return end;
        *problem = "irq: the controller's address is missing after '@', like gic@0x1e001000:36";
        return NULL;
    }
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        if (strcmp(boards[i].board, board) != 0 ||
            strcmp(boards[i].controller, irq->controller->name) != 0)
            continue;
        irq->base = boards[i].base;
        irq->own = boards[i].own;
        return text;
    }
    snprintf(message, sizeof message,
             "irq: where a machine '%.40s' has a %s is not known: write %s@ADDRESS:NUMBER", board,
             irq->controller->name, irq->controller->name);
    *problem = message;
    return NULL;
}

/* "NUMBER" or "NUMBER+NUMBER...", one for each processor. */
static const char *take_numbers(const char *text, struct guest_irq *irq)
{
    static char message[160];

    do {
        char *end = NULL;
        text++;
        if (*text < '0' || *text > '9')
            return "irq: the interrupt number is missing; write gic:NUMBER, or gic:NUMBER+NUMBER "
                   "with one for each processor";
        const unsigned long number = strtoul(text, &end, 0);
        if ((*end != '\0' && *end != '+') || number < irq->controller->first ||
            number > irq->controller->last || irq->n_numbers == GUEST_CPUS_MAX) {
            snprintf(message, sizeof message,
                     "irq: '%.24s': a %s's interrupt numbers go from %u to %u%s", text,
                     irq->controller->name, irq->controller->first, irq->controller->last,
                     irq->controller->has_own ? "; SPI n is 32 + n, PPI n is 16 + n" : "");
            return message;
        }
        irq->number[irq->n_numbers++] = (uint16_t)number;
        text = end;
    } while (*text == '+');
    return NULL;
}

const char *guest_irq_parse(const char *text, const char *board, struct guest_irq *irq)
{
    const char *problem = NULL;

    *irq = (struct guest_irq){.controller = NULL};
    if (strcmp(text, "none") == 0)
        return NULL;
    const struct irq_controller *const controller = controller_of(text);
    if (controller == NULL || (text[3] != ':' && text[3] != '@'))
        return "irq: neither none, gic:NUMBER, gic@ADDRESS:NUMBER nor the same of a vic";
    irq->controller = controller;
    const char *const rest = take_base(text + 3, board, irq, &problem);
    if (rest != NULL)
        problem = *rest == ':' ? take_numbers(rest, irq)
                               : "irq: ':' and the interrupt number are missing after the address";
    if (problem != NULL)
        irq->controller = NULL;
    return problem;
}

const char *guest_irq_usual(const struct armpmu_core *core, const char *board)
{
    for (size_t i = 0; core->pmu_version != 0 && i < sizeof boards / sizeof boards[0]; i++)
        if (strcmp(boards[i].board, board) == 0 && boards[i].pmuv3 != NULL)
            return boards[i].pmuv3;
    return "none";
}

const char *guest_irq_check(const struct guest_irq *irq, unsigned cpu)
{
    static char message[128];

    if (irq->controller == NULL || irq->n_numbers == 1 || cpu < irq->n_numbers)
        return NULL;
    snprintf(message, sizeof message,
             "irq: %u interrupts are named, the machine has more processors: name one for each, or "
             "a single one for all",
             irq->n_numbers);
    return message;
}

static bool is_private(void)
{
    return guest.irq->controller->has_own && guest.irq->number[0] < GIC_PRIVATE;
}

static struct guest_line *line_of(const struct guest_cpu *cpu)
{
    return &guest.irq->line[cpu->number];
}

/* Returns whether the interrupt is asserted, of this processor or of one it shares it with. */
static bool is_asserted(const struct guest_cpu *cpu, bool own)
{
    const uint64_t bit = UINT64_C(1) << cpu->number;

    if (guest.irq->n_numbers > 1 || is_private())
        return own;
    if (own)
        return (atomic_fetch_or(&asserting, bit) | bit) != 0;
    return (atomic_fetch_and(&asserting, ~bit) & ~bit) != 0;
}

/* With the next block. */
static void look_soon(struct guest_cpu *cpu)
{
    cpu->due = 0;
    cpu->limit = cpu->records;
}

static void watch_clears(struct guest_cpu *cpu)
{
    struct guest_line *const line = line_of(cpu);
    const unsigned clears = atomic_load(&private_clears);

    line->changed = line->changed || line->clears_seen != clears;
    line->clears_seen = clears;
    look_soon(cpu);
}

/* The version of the GIC; 0 where it need not be known. QEMU's machine does not change it. */
static unsigned gic_version(void)
{
    uint32_t pidr2 = 0;

    if (guest.irq->own == 0)
        return 0;
    if (guest.irq->version == 0 &&
        qemu_api_memory_read(guest.irq->base + GICD_PIDR2, &pidr2, sizeof pidr2))
        guest.irq->version = pidr2 >> PIDR2_REVISION_LSB & 15;
    if (guest.irq->version == 0)
        guest.irq->version = GICV3 - 1;
    return guest.irq->version;
}

/* Where the interrupt's registers are. */
static uint64_t registers_of(const struct guest_cpu *cpu)
{
    const unsigned version = is_private() ? gic_version() : 0;

    if (version < GICV3)
        return guest.irq->base;
    return guest.irq->own + (uint64_t)cpu->number * (version > GICV3 ? 4 : 2) * GICR_FRAME +
           GICR_FRAME;
}

static void pass_on(struct guest_cpu *cpu, bool asserted)
{
    const struct irq_controller *const controller = guest.irq->controller;
    struct guest_line *const line = line_of(cpu);
    const unsigned number = guest.irq->number[guest.irq->n_numbers == 1 ? 0 : cpu->number];
    const unsigned offset = (asserted ? controller->set : controller->clear) + number / 32 * 4;

    line->repeats = asserted && !controller->holds;
    if (is_private())
        line->clears_seen =
            asserted ? atomic_load(&private_clears) : atomic_fetch_add(&private_clears, 1) + 1;
    if (!qemu_api_word_write(registers_of(cpu) + offset, 1u << number % 32))
        guest_die("irq: nothing answers at the interrupt controller's address; name it: "
                  "irq=gic@ADDRESS:NUMBER");
}

void guest_irq_line_changes(struct guest_cpu *cpu)
{
    line_of(cpu)->changed = true;
}

void guest_irq_follow(struct guest_cpu *cpu)
{
    struct guest_line *const line = line_of(cpu);

    if (line->repeats && guest.cpus[1] != NULL && is_private())
        watch_clears(cpu);
    if (!line->changed || (guest.has_icount && !line->at_block_end))
        return;
    line->changed = false;
    if (guest.irq->controller != NULL)
        pass_on(cpu, is_asserted(cpu, monitors_interrupt(&cpu->monitors)));
}

bool guest_irq_waits_for_block_end(void)
{
    return guest.has_icount && guest.irq->controller != NULL;
}

void guest_irq_at_block_end(unsigned vcpu, void *unused)
{
    struct guest_line *const line = line_of(guest.cpus[vcpu]);

    (void)unused;
    line->at_block_end = true;
    guest_irq_follow(guest.cpus[vcpu]);
    line->at_block_end = false;
}

void guest_irq_device_accessed(struct guest_cpu *cpu)
{
    if (!line_of(cpu)->repeats)
        return;
    line_of(cpu)->changed = true;
    look_soon(cpu);
}
