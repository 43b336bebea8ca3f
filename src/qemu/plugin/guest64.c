#include "qemu/plugin/guest64.h"

#include <stdio.h>
#include <stdlib.h>

/* HAFGRTR_EL2, which QEMU's processor does not have, for it has no activity monitors.
 * Source: ARM DDI 0487, HAFGRTR_EL2. */
static const struct armpmu_encoding fine_traps = {
    .access = ARMPMU_ACCESS_MSR, .coproc = 3, .op1 = 4, .crn = 3, .crm = 1, .op2 = 6};

#define HAFGRTR_FIELDS UINT64_C(0x3fffffffe001f)

/* ---- registers ---- */

static const char *const state_names[STATE_COUNT] = {
#define STATE(name) [STATE_##name] = #name,
#define PIN_BIT(pin, state, lsb)
#define LACKS(op1, crn, crm, op2, lsb, bits, what)
#include "cosim/aarch64.def"
#undef STATE
#undef PIN_BIT
#undef LACKS
};

uint64_t guest64_state_of(const struct guest_cpu *cpu, enum guest64_state state)
{
    struct qemu_plugin_register *const reg = cpu->a64->state[state];

    return reg != NULL ? qemu_api_register_read(reg) : 0;
}

/* Where EL3 is there without EL2, QEMU shows EL2's registers all the same: but not those that came
 * with Armv8.1, and the others as zero. */
static bool has_el2(const struct guest64 *a64, const struct qemu_api_array *registers)
{
    struct qemu_plugin_register *const timers = qemu_api_register_find(registers, "CNTHCTL_EL2");

    if (a64->state[STATE_HCR_EL2] == NULL || !a64->has_el3)
        return a64->state[STATE_HCR_EL2] != NULL;
    return qemu_api_register_find(registers, "TTBR1_EL2") != NULL ||
           (timers != NULL && qemu_api_register_read(timers) != 0);
}

static void find_core(struct guest_cpu *cpu, const struct qemu_api_array *registers)
{
    for (unsigned i = 0; i < 31; i++) {
        char name[4];
        snprintf(name, sizeof name, "x%u", i);
        cpu->reg[i] = qemu_api_register_find(registers, name);
    }
    cpu->pc = qemu_api_register_find(registers, "pc");
    cpu->sp = qemu_api_register_find(registers, "sp");
    cpu->cpsr = qemu_api_register_find(registers, "cpsr");
    if (cpu->reg[0] == NULL || cpu->reg[30] == NULL || cpu->sp == NULL || cpu->cpsr == NULL)
        guest_die("the machine's processor is none of AArch64, which has the activity monitors; "
                  "choose one with -cpu, neoverse-n2 for example");
}

void guest64_find(struct guest_cpu *cpu, const struct qemu_api_array *registers)
{
    struct guest64 *const a64 = calloc(1, sizeof *a64);

    if (a64 == NULL)
        guest_die("out of memory for a processor");
    cpu->a64 = a64;
    find_core(cpu, registers);
    for (unsigned i = 0; i < STATE_COUNT; i++)
        a64->state[i] = qemu_api_register_find(registers, state_names[i]);
    a64->has_el3 = a64->state[STATE_SCR_EL3] != NULL;
    a64->has_el2 = has_el2(a64, registers);
}

/* ---- where an access comes from ---- */

static bool el2_is_enabled(const struct guest_cpu *cpu)
{
    return cpu->a64->has_el2 && (!cpu->a64->has_el3 ||
                                 (guest64_state_of(cpu, STATE_SCR_EL3) & (SCR_NS | SCR_EEL2)) != 0);
}

/* Tells the device. */
static void look(struct guest_cpu *cpu, uint32_t pstate)
{
    static const struct {
        enum armpmu_pin pin;
        enum guest64_state state;
        unsigned lsb;
    } bits[] = {
#define STATE(name)
#define PIN_BIT(pin, state, lsb) {ARMPMU_PIN_##pin, STATE_##state, lsb},
#define LACKS(op1, crn, crm, op2, lsb, bits, what)
#include "cosim/aarch64.def"
#undef STATE
#undef PIN_BIT
#undef LACKS
    };
    const struct guest64 *const a64 = cpu->a64;

    armpmu_set_pin(cpu->pmu, ARMPMU_PIN_EL, pstate_level(pstate));
    armpmu_set_pin(cpu->pmu, ARMPMU_PIN_EL2_ENABLED, el2_is_enabled(cpu));
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        armpmu_set_pin(cpu->pmu, bits[i].pin,
                       guest64_state_of(cpu, bits[i].state) >> bits[i].lsb & 1);
    armpmu_set_pin(cpu->pmu, ARMPMU_PIN_SCR_AMVOFFEN, a64->kept[KEPT_SCR_AMVOFFEN]);
    armpmu_set_pin(cpu->pmu, ARMPMU_PIN_HCR_AMVOFFEN, a64->kept[KEPT_HCR_AMVOFFEN]);
}

/* ---- the access ---- */

static bool is_fine_traps(const struct armpmu_encoding *at)
{
    return at->coproc == fine_traps.coproc && at->op1 == fine_traps.op1 &&
           at->crn == fine_traps.crn && at->crm == fine_traps.crm && at->op2 == fine_traps.op2;
}

bool guest64_claims(uint32_t word)
{
    struct sysreg_insn sysreg;

    return sysreg_insn_decode(ARMPMU_A64, word, &sysreg) &&
           (is_fine_traps(&sysreg.at) ||
            armpmu_claims(armpmu_machine_core(guest.machine), sysreg.at));
}

/* A register of EL2, there with FEAT_FGT. CHOICE(guest-nested-fine-traps): to a guest hypervisor in
 * EL1 it is Undefined. */
static enum armpmu_outcome try_fine_traps(const struct guest_cpu *cpu)
{
    const struct guest64 *const a64 = cpu->a64;
    const uint64_t level = armpmu_pin(cpu->pmu, ARMPMU_PIN_EL);

    if (a64->state[STATE_HFGRTR_EL2] == NULL || level < 2)
        return ARMPMU_UNDEFINED;
    if (level == 2 && a64->has_el3 && !armpmu_pin(cpu->pmu, ARMPMU_PIN_SCR_FGTEN))
        return ARMPMU_TRAP_EL3;
    return ARMPMU_DONE;
}

static enum armpmu_outcome try_access(const struct guest_cpu *cpu, const struct sysreg_insn *sysreg)
{
    return is_fine_traps(&sysreg->at) ? try_fine_traps(cpu)
                                      : armpmu_try(cpu->pmu, sysreg->at, !sysreg->read);
}

static void read_unit(struct guest_cpu *cpu, const struct sysreg_insn *sysreg)
{
    uint64_t value = armpmu_pin(cpu->pmu, ARMPMU_PIN_HAFGRTR);

    if (!is_fine_traps(&sysreg->at))
        (void)armpmu_read(cpu->pmu, sysreg->at, &value);
    if (sysreg->rt != ZERO_REGISTER)
        qemu_api_register_write(cpu->reg[sysreg->rt], value);
    guest64_accesses_note(cpu, sysreg, ARMPMU_DONE, value);
}

/* The instruction's own counts: as in guest_pmu_access.c. */
static void write_unit(struct guest_cpu *cpu, const struct sysreg_insn *sysreg,
                       const struct code_block *own)
{
    const uint64_t value = guest64_register(cpu, sysreg->rt);
    const bool late = sysreg_insn_stops_counting(sysreg, (uint32_t)value);

    if (!late) {
        guest_enter(cpu, own);
        guest_run(cpu);
    }
    guest_report_mark(&sysreg->at);
    if (is_fine_traps(&sysreg->at))
        armpmu_set_pin(cpu->pmu, ARMPMU_PIN_HAFGRTR, value & HAFGRTR_FIELDS);
    else
        (void)armpmu_write(cpu->pmu, sysreg->at, value);
    guest_set_limit(cpu);
    guest64_accesses_note(cpu, sysreg, ARMPMU_DONE, value);
    if (late)
        guest_enter(cpu, own);
}

void guest64_access(unsigned vcpu, void *user)
{
    const struct pmu_access *const access = user;
    const struct code_block *const own = access->own;
    struct guest_cpu *const cpu = guest.cpus[vcpu];
    struct sysreg_insn sysreg;

    guest_enter(cpu, access->before);
    guest_run(cpu);
    look(cpu, (uint32_t)qemu_api_register_read(cpu->cpsr));
    (void)sysreg_insn_decode(ARMPMU_A64, access->word, &sysreg);
    const enum armpmu_outcome outcome = try_access(cpu, &sysreg);
    if (outcome != ARMPMU_DONE) {
        guest64_accesses_note(cpu, &sysreg, outcome, 0);
        guest64_refuse(cpu, &sysreg, own->address, outcome);
        guest_enter(cpu, own);
        return;
    }
    if (sysreg.read) {
        read_unit(cpu, &sysreg);
        guest_enter(cpu, own);
    } else
        write_unit(cpu, &sysreg, own);
    qemu_api_qemu_plugin_set_pc(own->address + own->n_bytes);
}
