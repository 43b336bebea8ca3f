/* The guest's own accesses to its performance monitor: taken over from QEMU, answered by the
 * device.
 *
 * Counts are exact at the instruction: everything before it has been counted when the device is
 * read or written.
 *
 * CHOICE(guest-own-count): the instruction itself counts as if a write took effect when it has
 * retired and a read before. */
#include "qemu/plugin/guest.h"
#include "cosim/sysreg_insn.h"

unsigned guest_condition(const struct pmu_access *access)
{
    const uint8_t it_state = access->own->it_state;

    if (access->own->isa == ARMPMU_A32)
        return access->word >> 28;
    return it_is_inside(it_state) ? it_state >> 4 : CONDITION_ALWAYS;
}

/* Execution goes on elsewhere. QEMU's own ITSTATE is that of where its block began. */
static void go_to(struct guest_cpu *cpu, enum armpmu_isa isa, uint32_t address, uint8_t it_state)
{
    const uint32_t cpsr = qemu_api_register_read(cpu->cpsr);

    if (isa == ARMPMU_T32 && it_of_cpsr(cpsr) != it_state)
        qemu_api_register_write(cpu->cpsr, (cpsr & ~CPSR_IT) | it_in_cpsr(it_state));
    qemu_api_qemu_plugin_set_pc(isa == ARMPMU_T32 ? address | 1 : address);
}

static void go_behind(struct guest_cpu *cpu, const struct code_block *own)
{
    go_to(cpu, own->isa, own->address + own->n_bytes, it_advance(own->it_state));
}

/* MRC to R15 sets the flags. */
static void write_core(struct guest_cpu *cpu, unsigned reg, uint32_t value)
{
    if (reg < 15)
        qemu_api_register_write(cpu->reg[reg], value);
    else
        qemu_api_register_write(cpu->cpsr, (qemu_api_register_read(cpu->cpsr) & ~CPSR_NZCV) |
                                               (value & CPSR_NZCV));
}

static void read_device(struct guest_cpu *cpu, const struct sysreg_insn *sysreg)
{
    uint64_t value = 0;

    if (armpmu_read(cpu->pmu, sysreg->at, &value) != ARMPMU_DONE)
        return;
    write_core(cpu, sysreg->rt, (uint32_t)value);
    if (sysreg->at.access == ARMPMU_ACCESS_MCRR)
        write_core(cpu, sysreg->rt2, (uint32_t)(value >> 32));
}

/* An instruction that accesses the unit, on its way. */
struct passage {
    struct guest_cpu *cpu;
    const struct code_block *own;
    bool has_data; /* it accesses memory, too */
    uint32_t address;
};

/* The instruction itself, for the model. */
static void execute(const struct passage *passage)
{
    guest_enter(passage->cpu, passage->own);
    if (passage->has_data)
        guest_memory_accessed(passage->cpu, passage->address);
}

/* The instruction's own counts: to counters that run before a write, or after one that stops them.
 */
static void write_device(const struct passage *passage, const struct sysreg_insn *sysreg,
                         uint64_t value)
{
    struct guest_cpu *const cpu = passage->cpu;
    const bool late = sysreg_insn_stops_counting(sysreg, (uint32_t)value);

    if (!late) {
        execute(passage);
        guest_run(cpu);
    }
    guest_report_mark(&sysreg->at);
    (void)armpmu_write(cpu->pmu, sysreg->at, value);
    guest_set_limit(cpu);
    if (late)
        execute(passage);
    guest_irq_follow(cpu);
}

static uint64_t read_core(struct guest_cpu *cpu, const struct sysreg_insn *sysreg)
{
    uint64_t value = qemu_api_register_read(cpu->reg[sysreg->rt]);

    if (sysreg->at.access == ARMPMU_ACCESS_MCRR)
        value |= (uint64_t)qemu_api_register_read(cpu->reg[sysreg->rt2]) << 32;
    return value;
}

/* Another instruction stands in the place of one, until the exception that it causes is taken. */
static void stand_in(struct guest_cpu *cpu, const struct code_block *own, const uint8_t *code)
{
    if (!qemu_api_code_write(own->address, code, own->n_bytes))
        return; /* QEMU answers: nothing can stand there */
    cpu->refused = own;
    go_to(cpu, own->isa, own->address, own->it_state);
}

/* The guest takes the Undefined Instruction exception of its own processor, with all that belongs
 * to it: by an undefined instruction. */
static void refuse(struct guest_cpu *cpu, const struct code_block *own)
{
    static const uint8_t undefined[2][4] = {
        [ARMPMU_A32] = {0xf0, 0x00, 0xf0, 0xe7}, [ARMPMU_T32] = {0xf0, 0xf7, 0x00, 0xa0}};

    stand_in(cpu, own, undefined[own->isa]);
}

void guest_undo_refusal(struct guest_cpu *cpu)
{
    const struct code_block *const own = cpu->refused;

    cpu->refused = NULL;
    if (own != NULL)
        qemu_api_code_write(own->address, own->bytes, own->n_bytes);
}

/* Everything before an access is counted. Returns whether its condition passes; if not, it is
 * counted as one that failed. */
static bool arrive(struct guest_cpu *cpu, const struct pmu_access *access, uint32_t *cpsr)
{
    guest_enter(cpu, access->before);
    guest_run(cpu);
    *cpsr = qemu_api_register_read(cpu->cpsr);
    if (condition_passes(guest_condition(access), *cpsr))
        return true;
    guest_enter(cpu, access->failed);
    return false;
}

static enum armpmu_outcome ask(struct guest_cpu *cpu, struct armpmu_encoding at, bool write,
                               uint32_t cpsr)
{
    armpmu_set_pin(cpu->pmu, ARMPMU_PIN_USER_MODE, guest_is_user(cpsr));
    return armpmu_try(cpu->pmu, at, write);
}

static void leave(struct guest_cpu *cpu, const struct code_block *own, enum armpmu_outcome outcome)
{
    armpmu_set_pin(cpu->pmu, ARMPMU_PIN_USER_MODE, 0);
    if (outcome == ARMPMU_UNDEFINED)
        refuse(cpu, own);
    if (outcome != ARMPMU_DONE)
        guest_enter(cpu, own);
    else
        go_behind(cpu, own);
}

void guest_access(unsigned vcpu, void *user)
{
    const struct pmu_access *const access = user;
    const struct passage passage = {.cpu = guest.cpus[vcpu], .own = access->own};
    struct guest_cpu *const cpu = passage.cpu;
    struct sysreg_insn sysreg;
    uint32_t cpsr;

    if (!arrive(cpu, access, &cpsr))
        return;
    (void)sysreg_insn_decode(access->own->isa, access->word, &sysreg);
    const enum armpmu_outcome outcome = ask(cpu, sysreg.at, !sysreg.read, cpsr);
    if (outcome == ARMPMU_DONE && !sysreg.read)
        write_device(&passage, &sysreg, read_core(cpu, &sysreg));
    else if (outcome == ARMPMU_DONE)
        read_device(cpu, &sysreg);
    if (outcome == ARMPMU_DONE && sysreg.read)
        execute(&passage);
    leave(cpu, access->own, outcome);
}

/* ---- LDC and STC ---- */

/* LDR or STR of r0 with the same address and no write-back: the guest takes the Data Abort that the
 * access causes, and comes again. */
static void abort_data(struct guest_cpu *cpu, const struct pmu_access *access,
                       const struct memory_transfer *memory)
{
    const uint32_t offset = memory->before ? (access->word & 0xff) * 4 : 0;
    const uint32_t up = access->word & 1u << 23;
    const uint32_t word =
        0xe5000000u | up | (uint32_t)memory->load << 20 | memory->rn << 16 | offset;
    const uint8_t code[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                             (uint8_t)(word >> 24)};

    stand_in(cpu, access->own, code);
    guest_enter(cpu, access->own);
}

/* The word between memory and the device. False when there is no memory. */
static bool move_word(const struct passage *passage, const struct memory_transfer *memory)
{
    const struct sysreg_insn sysreg = {.at = memory->at};
    struct guest_cpu *const cpu = passage->cpu;
    uint32_t word = 0;

    if (memory->load) {
        if (!qemu_api_data_read(passage->address, &word))
            return false;
        write_device(passage, &sysreg, word);
        return true;
    }
    uint64_t value = 0;
    (void)armpmu_read(cpu->pmu, memory->at, &value);
    if (!qemu_api_data_read(passage->address, &word) ||
        !qemu_api_data_write(passage->address, (uint32_t)value))
        return false;
    execute(passage);
    return true;
}

void guest_memory_access(unsigned vcpu, void *user)
{
    const struct pmu_access *const access = user;
    const struct code_block *const own = access->own;
    struct guest_cpu *const cpu = guest.cpus[vcpu];
    struct memory_transfer memory;
    uint32_t cpsr;

    if (!arrive(cpu, access, &cpsr))
        return;
    (void)memory_sysreg_insn_decode(own->isa, access->word, &memory);
    const enum armpmu_outcome outcome = ask(cpu, memory.at, memory.load, cpsr);
    const uint32_t base =
        memory.rn == 15 ? own->address + 8 : qemu_api_register_read(cpu->reg[memory.rn]);
    const uint32_t moved = base + (uint32_t)memory.offset;
    const struct passage passage = {cpu, own, true, (memory.before ? moved : base) & ~3u};
    if (outcome == ARMPMU_DONE && !move_word(&passage, &memory)) {
        armpmu_set_pin(cpu->pmu, ARMPMU_PIN_USER_MODE, 0);
        abort_data(cpu, access, &memory);
        return;
    }
    if (outcome == ARMPMU_DONE && memory.write_back)
        qemu_api_register_write(cpu->reg[memory.rn], moved);
    leave(cpu, own, outcome);
}
