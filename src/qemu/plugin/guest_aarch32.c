/* AArch32 processors: their registers, and the system instructions that the core model must be told
 * about: writes of CONTEXTIDR that depend on a condition, switching address translation on and off,
 * maintenance of TLBs, caches and branch prediction.
 *
 * Each is a code block of its own, so that its changes lie between two blocks. Its condition
 * counts, its privilege does not: a refused instruction changes nothing in the guest, and a
 * needless flush costs the model a few walks. CHOICE(guest-broadcast): what an instruction does to
 * other processors as well, it does to the model of its own. */
#include "qemu/plugin/guest_translation.h"

#include <stdio.h>

#include "cosim/maintenance_insn.h"
#include "isa/system_insn.h"
#include "qemu/plugin/guest_memory.h"

static void find(struct guest_cpu *cpu, const struct qemu_api_array *registers)
{
    static const char *const names[] = {"r0", "r1", "r2",  "r3",  "r4",  "r5", "r6", "r7",
                                        "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc"};

    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        cpu->reg[i] = qemu_api_register_find(registers, names[i]);
    for (unsigned i = 13; i < sizeof names / sizeof names[0]; i++) {
        char numbered[4];
        snprintf(numbered, sizeof numbered, "r%u", i);
        if (cpu->reg[i] == NULL)
            cpu->reg[i] = qemu_api_register_find(registers, numbered);
    }
    cpu->pc = cpu->reg[GUEST_PC];
    cpu->cpsr = qemu_api_register_find(registers, "cpsr");
    for (unsigned i = 0; i <= GUEST_PC; i++)
        if (cpu->reg[i] == NULL || cpu->cpsr == NULL)
            guest_die("the machine's processor has no registers of AArch32: name a core of AArch64 "
                      "with machine=NAME, or another processor with -cpu");
    guest_tables_new(cpu, registers);
}

static const char *parse(const char *amu, const char *frame, const char *accesses)
{
    if (amu == NULL && frame == NULL && accesses == NULL)
        return NULL;
    return "amu, accesses, frame: the machine's core has no activity monitors; leave them out";
}

static void sysop(unsigned vcpu, void *user)
{
    const struct pmu_access *const access = user;
    struct guest_cpu *const cpu = guest.cpus[vcpu];
    const enum armpmu_isa isa = access->own->isa;

    if (!condition_passes(guest_condition(access), qemu_api_register_read(cpu->cpsr))) {
        guest_enter(cpu, access->failed);
        return;
    }
    guest_enter(cpu, access->own);
    const unsigned rt = access->word >> 12 & 15;
    if (rt < 15)
        maintenance_insn_records(isa, access->word, (uint32_t)qemu_api_register_read(cpu->reg[rt]),
                                 cpu->announced);
}

/* Registers that QEMU looks at when it translates an address, or makes it forget: everything of
 * CP15 that may be that, without what is written often and is not. A callback too many costs a few
 * look-ups. */
static bool may_move_pages(enum armpmu_isa isa, uint32_t word)
{
    struct sysreg_insn insn;

    if (!sysreg_insn_writes_cp15(isa, word, &insn))
        return false;
    if (insn.at.access == ARMPMU_ACCESS_MCRR) /* all but the timers */
        return insn.at.crm != 14;
    switch (insn.at.crn) {
    case 5:  /* fault status */
    case 7:  /* caches, barriers */
    case 9:  /* the performance monitor */
    case 12: /* vectors */
    case 14: /* timers */
        return false;
    case 13:
        return insn.at.op2 < 2; /* no thread's own registers */
    default:
        return true;
    }
}

/* ---- masked interrupts ---- */

void guest_look_at_masks(unsigned vcpu, void *unused)
{
    struct guest_cpu *const cpu = guest.cpus[vcpu];
    const unsigned masks = maintenance_insn_masks((uint32_t)qemu_api_register_read(cpu->cpsr));

    (void)unused;
    if (masks == cpu->masks)
        return;
    cpu->masks = masks;
    guest_announce(cpu, armpmu_system_record(ARMPMU_SYSTEM_MASKS, masks));
}

static enum guest_mode mode_of(uint32_t cpsr)
{
    switch (cpsr & CPSR_MODE) {
    case MODE_USR:
        return GUEST_USER;
    case MODE_HYP:
        return GUEST_HYP;
    case MODE_MON:
        return GUEST_MONITOR;
    default:
        return GUEST_PRIVILEGED;
    }
}

const struct execution_state guest_aarch32 = {
    .n_regs = GUEST_PC,
    .frames = GUEST_PAGES - 1,
    .parse = parse,
    .find = find,
    .mode_of = mode_of,
    .is_sysop = maintenance_insn_is,
    .sysop = sysop,
    .may_move_pages = may_move_pages,
};
