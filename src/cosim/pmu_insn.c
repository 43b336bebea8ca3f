#include "cosim/pmu_insn.h"

#include "base/arm.h"
#include "isa/system_insn.h"

/* An access on its way. */
struct access {
    const struct emulated_cpu *cpu;
    const struct cosim_insn *insn;
    struct sysreg_insn sysreg;
    struct armpmu *pmu; /* that claims it */
    bool in_memory;     /* LDC, STC: */
    struct memory_transfer memory;
    uint32_t base;
    struct cosim_data data;
    uint64_t value;
};

/* ---- traps of AArch64 ---- */

/* Source: ARM DDI 0487, ESR_ELx, ISS encoding for an exception from MSR or MRS. */
#define ISS_OP0_LSB 20
#define ISS_OP2_LSB 17
#define ISS_OP1_LSB 14
#define ISS_CRN_LSB 10
#define ISS_RT_LSB  5
#define ISS_CRM_LSB 1
#define ISS_READ    UINT64_C(1)

unsigned pmu_insn_trap_level(enum armpmu_outcome outcome)
{
    return outcome == ARMPMU_TRAP_EL1   ? 1
           : outcome == ARMPMU_TRAP_EL2 ? 2
           : outcome == ARMPMU_TRAP_EL3 ? 3
                                        : 0;
}

uint64_t pmu_insn_syndrome(const struct sysreg_insn *sysreg, enum armpmu_outcome outcome)
{
    const struct armpmu_encoding *const at = &sysreg->at;

    return (uint64_t)armpmu_exception_class(outcome, at->access) << ESR_EC_LSB | ESR_IL |
           (uint64_t)at->coproc << ISS_OP0_LSB | (uint64_t)at->op2 << ISS_OP2_LSB |
           (uint64_t)at->op1 << ISS_OP1_LSB | (uint64_t)at->crn << ISS_CRN_LSB |
           (uint64_t)sysreg->rt << ISS_RT_LSB | (uint64_t)at->crm << ISS_CRM_LSB |
           (sysreg->read ? ISS_READ : 0);
}

/* ---- HAFGRTR_EL2 ---- */

/* Its fields are a pin of the device: it controls traps to the activity monitors, and is none of
 * their registers. Source: ARM DDI 0487, HAFGRTR_EL2. */
static const struct armpmu_encoding fine_traps = {
    .access = ARMPMU_ACCESS_MSR, .coproc = 3, .op1 = 4, .crn = 3, .crm = 1, .op2 = 6};

#define HAFGRTR_FIELDS UINT64_C(0x3fffffffe001f)

static bool is_fine_traps(const struct armpmu_encoding *at)
{
    return sysreg_insn_same(at, &fine_traps);
}

/* There with FEAT_FGT. CHOICE(guest-nested-fine-traps): to a guest hypervisor in EL1 it is
 * Undefined. */
static enum armpmu_outcome try_fine_traps(const struct emulated_cpu *cpu)
{
    const uint64_t level = armpmu_pin(monitors_own(cpu->monitors), ARMPMU_PIN_EL);

    if (!cpu->has_fine_traps || level < 2)
        return ARMPMU_UNDEFINED;
    if (level == 2 && cpu->has_el3 &&
        !armpmu_pin(monitors_own(cpu->monitors), ARMPMU_PIN_SCR_FGTEN))
        return ARMPMU_TRAP_EL3;
    return ARMPMU_DONE;
}

/* ---- the device ---- */

static enum armpmu_outcome try_device(const struct access *access)
{
    if (is_fine_traps(&access->sysreg.at))
        return try_fine_traps(access->cpu);
    return armpmu_try(access->pmu, access->sysreg.at, !access->sysreg.read);
}

static void read_device(struct access *access)
{
    if (is_fine_traps(&access->sysreg.at))
        access->value = armpmu_pin(access->pmu, ARMPMU_PIN_HAFGRTR);
    else
        (void)armpmu_read(access->pmu, access->sysreg.at, &access->value);
}

static void write_device(const struct access *access)
{
    if (is_fine_traps(&access->sysreg.at))
        monitors_set_pin(access->cpu->monitors, ARMPMU_PIN_HAFGRTR, access->value & HAFGRTR_FIELDS);
    else
        (void)armpmu_write(access->pmu, access->sysreg.at, access->value);
    monitors_changed(access->cpu->monitors);
}

/* ---- the CPU ---- */

static uint64_t read_reg(const struct access *access, unsigned reg)
{
    if (access->insn->isa == ARMPMU_A64 && reg == ZERO_REGISTER)
        return 0;
    return access->cpu->ops->read_reg(access->cpu->cpu, reg);
}

/* MRC to R15 sets the flags. */
static void write_reg(const struct access *access, unsigned reg, uint64_t value)
{
    const struct emulated_cpu_ops *const ops = access->cpu->ops;

    if (access->insn->isa == ARMPMU_A64 && reg == ZERO_REGISTER)
        return;
    if (access->insn->isa == ARMPMU_A64 || reg < 15)
        ops->write_reg(access->cpu->cpu, reg, value);
    else
        ops->write_cpsr(access->cpu->cpu,
                        (access->insn->status & ~CPSR_NZCV) | ((uint32_t)value & CPSR_NZCV));
}

static bool has_two(const struct access *access)
{
    return access->sysreg.at.access == ARMPMU_ACCESS_MCRR;
}

/* The value to write comes from registers or from memory. False when there is no memory. */
static bool take_value(struct access *access)
{
    uint32_t word;

    if (access->in_memory) {
        if (!access->cpu->ops->read_mem(access->cpu->cpu, access->data.address, &word))
            return false;
        access->value = word;
        return true;
    }
    access->value = read_reg(access, access->sysreg.rt);
    if (has_two(access))
        access->value = (uint32_t)access->value | read_reg(access, access->sysreg.rt2) << 32;
    return true;
}

static bool give_value(const struct access *access)
{
    const struct emulated_cpu_ops *const ops = access->cpu->ops;
    const uint32_t low = (uint32_t)access->value;
    uint32_t old;

    if (access->in_memory)
        return ops->read_mem(access->cpu->cpu, access->data.address, &old) &&
               ops->write_mem(access->cpu->cpu, access->data.address, low);
    write_reg(access, access->sysreg.rt, access->insn->isa == ARMPMU_A64 ? access->value : low);
    if (has_two(access))
        write_reg(access, access->sysreg.rt2, access->value >> 32);
    return true;
}

static void retire(const struct access *access)
{
    access->cpu->ops->retire(access->cpu->cpu, access->insn,
                             access->in_memory ? &access->data : NULL);
}

/* ---- the access ---- */

/* AMCNTENCLR0_EL0 and AMCNTENCLR1_EL0. */
static bool is_amu_enable_clear(const struct armpmu_encoding *at)
{
    return at->crn == 13 && ((at->crm == 2 && at->op2 == 4) || (at->crm == 3 && at->op2 == 0));
}

/* PMCR_EL0 without E, or PMCNTENCLR_EL0. */
static bool stops_pmuv3(const struct armpmu_encoding *at, uint32_t value)
{
    return at->op1 == 3 && at->crn == 9 && at->crm == 12 &&
           (at->op2 == 0 ? !(value & 1) : at->op2 == 2);
}

/* Returns whether a write of value stops a counter: PMNC without E, or an enable clear register. */
static bool stops_counting(const struct sysreg_insn *sysreg, uint32_t value)
{
    const struct armpmu_encoding *const at = &sysreg->at;
    if (at->access == ARMPMU_ACCESS_MSR)
        return is_amu_enable_clear(at) || stops_pmuv3(at, value);
    const bool armv7 = at->coproc == 15 && at->crn == 9 && at->crm == 12;
    const bool cp14 = at->coproc == 14 && at->crn == 0 && at->crm <= 1; /* after it PMN0 */

    return ((armv7 && at->op2 == 0) || cp14) ? !(value & 1) : armv7 && at->op2 == 2;
}

static bool read_monitor(struct access *access)
{
    read_device(access);
    if (!give_value(access))
        return false;
    retire(access);
    return true;
}

/* The instruction's own counts go to counters that run before it, or after one that stops them. */
static bool write_monitor(struct access *access)
{
    const struct emulated_cpu_ops *const ops = access->cpu->ops;

    if (!take_value(access))
        return false;
    const bool late = stops_counting(&access->sysreg, (uint32_t)access->value);
    if (!late) {
        retire(access);
        ops->sync(access->cpu->cpu);
    }
    if (ops->before_write != NULL)
        ops->before_write(access->cpu->cpu, &access->sysreg.at);
    write_device(access);
    if (late)
        retire(access);
    ops->changed(access->cpu->cpu);
    return true;
}

static void decode(struct access *access)
{
    const struct cosim_insn *const insn = access->insn;
    struct memory_transfer *const memory = &access->memory;

    access->in_memory = !sysreg_insn_decode(insn->isa, insn->word, &access->sysreg);
    if (!access->in_memory)
        return;
    (void)memory_sysreg_insn_decode(insn->isa, insn->word, memory);
    access->sysreg = (struct sysreg_insn){.at = memory->at, .read = !memory->load};
    access->data.write = !memory->load;
    access->base =
        memory->rn == 15 ? (uint32_t)insn->address + 8 : (uint32_t)read_reg(access, memory->rn);
    access->data.address = (access->base + (memory->before ? (uint32_t)memory->offset : 0)) & ~3u;
}

static void raise(const struct access *access, enum armpmu_outcome outcome)
{
    struct cosim_exception what = {.kind = COSIM_UNDEFINED};

    if (outcome == ARMPMU_DONE) {
        what.kind = COSIM_DATA_ABORT;
        what.data = access->data;
    } else if (pmu_insn_trap_level(outcome) > 0) {
        what.kind = COSIM_TRAP;
        what.level = pmu_insn_trap_level(outcome);
        what.syndrome = pmu_insn_syndrome(&access->sysreg, outcome);
    }
    access->cpu->ops->raise(access->cpu->cpu, access->insn, &what);
}

/* One of the core's own registers: it counts nothing but itself. False: it is none. */
static bool access_core(struct access *access)
{
    const struct emulated_cpu *const cpu = access->cpu;
    const struct armpmu *const own = monitors_own(cpu->monitors);
    const int row =
        access->in_memory ? -1 : core_registers_find(armpmu_core_of(own), &access->sysreg.at);

    if (row < 0)
        return false;
    cpu->ops->show_state(cpu->cpu, access->insn->status);
    const unsigned level = access->insn->isa == ARMPMU_A64
                               ? (unsigned)armpmu_pin(own, ARMPMU_PIN_EL)
                               : !armpmu_pin(own, ARMPMU_PIN_USER_MODE);
    if (!access->sysreg.read)
        (void)take_value(access);
    if (!core_registers_access(&cpu->monitors->registers, row, access->sysreg.read, level,
                               armpmu_pin(own, ARMPMU_PIN_NONSECURE) != 0, &access->value)) {
        raise(access, ARMPMU_UNDEFINED);
        return true;
    }
    if (access->sysreg.read)
        (void)give_value(access);
    retire(access);
    cpu->ops->skip(cpu->cpu, access->insn);
    return true;
}

void pmu_insn_execute(const struct emulated_cpu *cpu, const struct cosim_insn *insn)
{
    const struct emulated_cpu_ops *const ops = cpu->ops;
    struct access access = {.cpu = cpu, .insn = insn};

    decode(&access);
    if (access_core(&access))
        return;
    access.pmu = monitors_at(cpu->monitors, &access.sysreg.at);
    ops->show_state(cpu->cpu, insn->status);
    const enum armpmu_outcome outcome = try_device(&access);
    const bool done = outcome == ARMPMU_DONE &&
                      (access.sysreg.read ? read_monitor(&access) : write_monitor(&access));
    if (done && access.in_memory && access.memory.write_back)
        ops->write_reg(cpu->cpu, access.memory.rn, access.base + (uint32_t)access.memory.offset);
    if (ops->accessed != NULL && (done || outcome != ARMPMU_DONE))
        ops->accessed(cpu->cpu, insn, &access.sysreg, outcome, access.value);
    if (done)
        ops->skip(cpu->cpu, insn);
    else
        raise(&access, outcome);
}

/* ---- which they are ---- */

const struct armpmu_register *pmu_insn_register(const struct armpmu_core *core,
                                                const struct armpmu_encoding *at, unsigned *element)
{
    for (size_t i = 0; i < core->n_registers; i++) {
        const struct armpmu_register *const reg = &core->registers[i];
        for (size_t j = 0; j < reg->n_encodings; j++)
            for (*element = 0; *element < reg->count; (*element)++) {
                const struct armpmu_encoding own = armpmu_encoding_of(&reg->encodings[j], *element);
                if (sysreg_insn_same(&own, at))
                    return reg;
            }
    }
    return NULL;
}

/* Registers may lie outside of the ranges, alone among those of other units. */
static bool is_register(const struct armpmu_core *core, enum armpmu_isa isa, uint32_t word)
{
    struct sysreg_insn sysreg;
    unsigned element;

    return sysreg_insn_decode(isa, word, &sysreg) &&
           (armpmu_claims(core, sysreg.at) ||
            pmu_insn_register(core, &sysreg.at, &element) != NULL);
}

static bool is_memory_transfer(const struct armpmu_core *core, enum armpmu_isa isa, uint32_t word)
{
    struct memory_transfer sysreg;

    return memory_sysreg_insn_decode(isa, word, &sysreg) && armpmu_claims(core, sysreg.at);
}

bool pmu_insn_is(const struct armpmu_core *core, enum armpmu_isa isa, uint32_t word)
{
    struct sysreg_insn sysreg;

    if (isa == ARMPMU_A64 && sysreg_insn_decode(isa, word, &sysreg) && is_fine_traps(&sysreg.at))
        return true;
    return is_register(core, isa, word) || is_memory_transfer(core, isa, word);
}

static bool is_of_core(const struct armpmu_core *core, enum armpmu_isa isa, uint32_t word)
{
    struct sysreg_insn sysreg;

    return sysreg_insn_decode(isa, word, &sysreg) && core_registers_find(core, &sysreg.at) >= 0;
}

bool pmu_insn_is_of(const struct monitor_cores *cores, enum armpmu_isa isa, uint32_t word)
{
    if (is_of_core(cores->core[0], isa, word))
        return true;
    for (unsigned i = 0; i < cores->n; i++)
        if (pmu_insn_is(cores->core[i], isa, word))
            return true;
    return false;
}
