/* The overflow interrupt of a machine's processors: its line, and where it is connected. */
#ifndef QEMU_PLUGIN_GUEST_IRQ_H
#define QEMU_PLUGIN_GUEST_IRQ_H

#include "qemu/plugin/guest_cpu.h"

/* The line of a processor. */
struct guest_line {
    bool changed;         /* since it was last passed on */
    bool repeats;         /* it is asserted, and must be passed on again */
    bool at_block_end;    /* the last instruction of QEMU's block is about to execute */
    unsigned clears_seen; /* see guest_irq.c */
};

/* How overflow interrupts reach the guest: controller NULL: not at all. */
struct guest_irq {
    const struct irq_controller *controller;
    uint64_t base; /* physical address of its registers */
    uint64_t own;  /* of the first processor's private ones, from GIC version 3 on; 0: not known */
    _Atomic unsigned version; /* of the GIC; 0: not looked up yet */
    uint16_t number[GUEST_CPUS_MAX];
    unsigned n_numbers; /* 1: of all processors, else each processor's own */
    struct guest_line line[GUEST_CPUS_MAX];
};

/* Parses "none", "gic:NUMBER", "gic@ADDRESS:NUMBER+NUMBER", "vic:NUMBER". board: QEMU's machine, ""
 * when it is not known. Returns NULL, or what is wrong. */
const char *guest_irq_parse(const char *text, const char *board, struct guest_irq *irq);

/* The interrupt that a board's device tree gives the core's monitor, or "none". */
const char *guest_irq_usual(const struct armpmu_core *core, const char *board);

/* Checks whether there is an interrupt for a processor. Returns NULL, or what is wrong. */
const char *guest_irq_check(const struct guest_irq *irq, unsigned cpu);

/* The line of a processor's monitor has changed. */
void guest_irq_line_changes(struct guest_cpu *cpu);

/* Passes a change of the line on. */
void guest_irq_follow(struct guest_cpu *cpu);

/* The callback before the last instruction of QEMU's block, of a machine that needs it. */
bool guest_irq_waits_for_block_end(void);
void guest_irq_at_block_end(unsigned vcpu, void *unused);

/* The guest has accessed a device, perhaps the interrupt controller. */
void guest_irq_device_accessed(struct guest_cpu *cpu);

#endif
