/* Fields of system registers that a processor with these monitors has and QEMU's lacks.
 *
 * QEMU answers a read of such a register itself, with its traps; the missing fields are put in when
 * the next instruction is reached. Fields of a write that QEMU does not keep are kept here. */
#include "qemu/plugin/guest64.h"

#include <stdlib.h>

struct lack {
    uint8_t op1, crn, crm, op2, lsb, bits;
    enum guest64_kept what;
};

static const struct lack lacks[] = {
#define STATE(name)
#define LACKS(op1, crn, crm, op2, lsb, bits, what) {op1, crn, crm, op2, lsb, bits, KEPT_##what},
#include "cosim/aarch64.def"
#undef STATE
#undef LACKS
};

/* An instruction that accesses one of them. */
struct guest64_access {
    uint64_t address;
    uint32_t word;
    struct guest64_access *next;
};

static const struct lack *lack_of(uint32_t word, struct sysreg_insn *sysreg)
{
    if (!sysreg_insn_decode(ARMPMU_A64, word, sysreg) || sysreg->at.coproc != 3)
        return NULL;
    for (size_t i = 0; i < sizeof lacks / sizeof lacks[0]; i++)
        if (lacks[i].op1 == sysreg->at.op1 && lacks[i].crn == sysreg->at.crn &&
            lacks[i].crm == sysreg->at.crm && lacks[i].op2 == sysreg->at.op2)
            return &lacks[i];
    return NULL;
}

/* ---- execution ---- */

static void on_read(unsigned vcpu, void *access)
{
    guest.cpus[vcpu]->a64->pending_fixup = access;
}

/* The instruction after a read is reached; an exception in between comes back to it, or never. */
static void behind_read(unsigned vcpu, void *user)
{
    const struct guest64_access *const access = user;
    struct guest_cpu *const cpu = guest.cpus[vcpu];
    struct sysreg_insn sysreg;

    if (cpu->a64->pending_fixup != access)
        return;
    cpu->a64->pending_fixup = NULL;
    const struct lack *const lack = lack_of(access->word, &sysreg);
    if (sysreg.rt == ZERO_REGISTER)
        return;
    const uint64_t bits = cpu->a64->kept[lack->what] << lack->lsb;
    const uint64_t field = ((UINT64_C(1) << lack->bits) - 1) << lack->lsb;
    qemu_api_register_write(cpu->reg[sysreg.rt],
                            (qemu_api_register_read(cpu->reg[sysreg.rt]) & ~field) | bits);
}

void guest64_forget_read(struct guest_cpu *cpu, uint64_t from)
{
    const struct guest64_access *const access = cpu->a64->pending_fixup;

    if (access != NULL && access->address == from)
        cpu->a64->pending_fixup = NULL;
}

/* Registers of EL2 and EL3; constants have op1 0. */
static bool may_write(const struct guest_cpu *cpu, const struct lack *lack)
{
    const unsigned level = pstate_level((uint32_t)qemu_api_register_read(cpu->cpsr));

    return lack->op1 == 6 ? level == 3 : lack->op1 == 4 && level >= 2;
}

static void on_write(unsigned vcpu, void *user)
{
    const struct guest64_access *const access = user;
    struct guest_cpu *const cpu = guest.cpus[vcpu];
    struct sysreg_insn sysreg;
    const struct lack *const lack = lack_of(access->word, &sysreg);
    const uint64_t mask = (UINT64_C(1) << lack->bits) - 1;

    if (guest64_amu_config_is_v1p1() && may_write(cpu, lack))
        cpu->a64->kept[lack->what] = guest64_register(cpu, sysreg.rt) >> lack->lsb & mask;
}

/* ---- translation ---- */

/* Under the lock of the translation. */
static struct guest64_access *access_at(uint64_t address, uint32_t word)
{
    static struct guest64_access *all;

    for (struct guest64_access *access = all; access != NULL; access = access->next)
        if (access->address == address && access->word == word)
            return access;
    struct guest64_access *const access = malloc(sizeof *access);
    if (access == NULL)
        guest_die("out of memory for the guest's code");
    *access = (struct guest64_access){address, word, all};
    all = access;
    return access;
}

void guest64_watch_fields(struct qemu_plugin_insn *insn, uint64_t address, uint32_t previous,
                          uint32_t word)
{
    struct sysreg_insn sysreg;

    if (lack_of(previous, &sysreg) != NULL && sysreg.read)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, behind_read, QEMU_CB_RW_REGS_PC,
                                               access_at(address - 4, previous));
    if (lack_of(word, &sysreg) != NULL)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, sysreg.read ? on_read : on_write,
                                               QEMU_CB_RW_REGS_PC, access_at(address, word));
}
