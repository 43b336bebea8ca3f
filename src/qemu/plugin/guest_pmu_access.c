/* The guest's own accesses to its performance monitor: QEMU's processor as pmu_insn.c sees it. */
#include "qemu/plugin/guest_translation.h"

#include <string.h>

#include "cosim/pmu_insn.h"
#include "isa/system_insn.h"
#include "qemu/plugin/guest_irq.h"
#include "qemu/plugin/guest_memory.h"
#include "qemu/plugin/guest_report.h"

/* By processor: the code block that an undefined instruction replaces. */
static struct refusal {
    const struct code_block *own; /* NULL: none */
    uint64_t physical;            /* where it is; UINT64_MAX: not known */
} refusals[GUEST_CPUS_MAX];

unsigned guest_condition(const struct pmu_access *access)
{
    const uint8_t it_state = access->own->it_state;

    if (access->own->isa == ARMPMU_A32)
        return access->word >> 28;
    return it_is_inside(it_state) ? it_state >> 4 : CONDITION_ALWAYS;
}

/* Execution continues elsewhere. QEMU's own ITSTATE is that of where its block began. */
static void go_to(struct guest_cpu *cpu, enum armpmu_isa isa, uint64_t address, uint8_t it_state)
{
    const uint32_t cpsr = (uint32_t)qemu_api_register_read(cpu->cpsr);

    if (isa == ARMPMU_T32 && it_of_cpsr(cpsr) != it_state)
        qemu_api_register_write(cpu->cpsr, (cpsr & ~CPSR_IT) | it_in_cpsr(it_state));
    qemu_api_qemu_plugin_set_pc(isa == ARMPMU_T32 ? address | 1 : address);
}

/* Another instruction replaces one, until the exception that it causes is taken. */
static void stand_in(struct guest_cpu *cpu, const struct code_block *own, const uint8_t *code)
{
    if (!qemu_api_code_write(own->address, code, own->n_bytes))
        return; /* QEMU answers: nothing can be put there */
    struct refusal *const refusal = &refusals[cpu->number];
    refusal->own = own;
    if (!qemu_api_qemu_plugin_translate_vaddr(own->address, &refusal->physical))
        refusal->physical = UINT64_MAX;
    go_to(cpu, own->isa, own->address, own->it_state);
}

/* The guest takes the Undefined Instruction exception of its own processor, with all that belongs
 * to it: by an undefined instruction. */
static void refuse(struct guest_cpu *cpu, const struct code_block *own)
{
    static const uint8_t undefined[3][4] = {/* A64: UDF #0 */
                                            [ARMPMU_A32] = {0xf0, 0x00, 0xf0, 0xe7},
                                            [ARMPMU_T32] = {0xf0, 0xf7, 0x00, 0xa0}};

    stand_in(cpu, own, undefined[own->isa]);
}

/* An exception to EL2 or EL3 has come to where other addresses are translated. */
static bool is_elsewhere(const struct refusal *refusal)
{
    const struct code_block *const own = refusal->own;
    uint64_t now;

    return refusal->physical != UINT64_MAX && own->n_bytes == sizeof(uint32_t) &&
           !(qemu_api_qemu_plugin_translate_vaddr(own->address, &now) && now == refusal->physical);
}

static uint32_t insn_word_of(const struct code_block *own)
{
    uint32_t word;

    memcpy(&word, own->bytes, sizeof word);
    return word;
}

void guest_undo_refusal(struct guest_cpu *cpu)
{
    const struct refusal refusal = refusals[cpu->number];
    const struct code_block *const own = refusal.own;

    guest_forget_refusal(cpu);
    if (own != NULL && !is_elsewhere(&refusal))
        qemu_api_code_write(own->address, own->bytes, own->n_bytes);
    else if (own != NULL)
        qemu_api_word_write(refusal.physical, insn_word_of(own));
}

void guest_forget_refusal(const struct guest_cpu *cpu)
{
    refusals[cpu->number].own = NULL;
}

bool guest_is_refused(const struct guest_cpu *cpu, uint64_t address)
{
    const struct code_block *const own = refusals[cpu->number].own;

    return own != NULL && own->address == address;
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

/* LDR or STR of r0 with the same address and no write-back: the guest takes the Data Abort that the
 * access causes, and comes again. */
static void abort_data(struct guest_cpu *cpu, const struct pmu_access *access)
{
    struct memory_transfer memory;

    (void)memory_sysreg_insn_decode(access->own->isa, access->word, &memory);
    const uint32_t offset = memory.before ? (access->word & 0xff) * 4 : 0;
    const uint32_t up = access->word & 1u << 23;
    const uint32_t word = 0xe5000000u | up | (uint32_t)memory.load << 20 | memory.rn << 16 | offset;
    const uint8_t code[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                             (uint8_t)(word >> 24)};

    stand_in(cpu, access->own, code);
}

/* ---- the CPU, as cosim sees it ---- */

static uint64_t read_reg(void *cpu, unsigned reg)
{
    return qemu_api_register_read(((struct guest_cpu *)cpu)->reg[reg]);
}

static void write_reg(void *cpu, unsigned reg, uint64_t value)
{
    qemu_api_register_write(((struct guest_cpu *)cpu)->reg[reg], value);
}

static void write_cpsr(void *cpu, uint32_t value)
{
    qemu_api_register_write(((struct guest_cpu *)cpu)->cpsr, value);
}

static bool read_mem(void *cpu, uint32_t address, uint32_t *word)
{
    (void)cpu;
    return qemu_api_data_read(address, word);
}

static bool write_mem(void *cpu, uint32_t address, uint32_t word)
{
    (void)cpu;
    return qemu_api_data_write(address, word);
}

static const struct code_block *own_block(const struct cosim_insn *insn)
{
    return ((const struct pmu_access *)insn->origin)->own;
}

static void retire(void *cpu, const struct cosim_insn *insn, const struct cosim_data *data)
{
    guest_enter(cpu, own_block(insn));
    if (data != NULL)
        guest_memory_accessed(cpu, data->address);
}

static void sync_counts(void *cpu)
{
    guest_run(cpu);
}

static void before_write(void *cpu, const struct armpmu_encoding *at)
{
    (void)cpu;
    guest_report_mark(at);
}

static void changed(void *cpu)
{
    guest_set_limit(cpu);
    guest_irq_follow(cpu);
}

static void accessed(void *cpu, const struct cosim_insn *insn, const struct sysreg_insn *sysreg,
                     enum armpmu_outcome outcome, uint64_t value)
{
    if (guest.state->accessed != NULL)
        guest.state->accessed(cpu, insn, sysreg, outcome, value);
}

/* The pin USER_MODE is that of accesses: what counts in which mode is posted so. */
static void show_state(void *user, uint32_t status)
{
    struct guest_cpu *const cpu = user;

    if (guest.state->show_state != NULL)
        guest.state->show_state(cpu, status);
    else
        monitors_set_pin(&cpu->monitors, ARMPMU_PIN_USER_MODE, (status & CPSR_MODE) == MODE_USR);
}

static void skip(void *user, const struct cosim_insn *insn)
{
    struct guest_cpu *const cpu = user;
    const struct code_block *const own = own_block(insn);

    monitors_set_pin(&cpu->monitors, ARMPMU_PIN_USER_MODE, 0);
    go_to(cpu, own->isa, own->address + own->n_bytes, it_advance(own->it_state));
}

static void raise_exception(void *user, const struct cosim_insn *insn,
                            const struct cosim_exception *what)
{
    struct guest_cpu *const cpu = user;

    monitors_set_pin(&cpu->monitors, ARMPMU_PIN_USER_MODE, 0);
    const bool answers = guest.state->qemu_has == NULL || guest.state->qemu_has(insn->word);
    if (what->kind == COSIM_DATA_ABORT)
        abort_data(cpu, insn->origin);
    else if (what->kind == COSIM_TRAP && !answers)
        guest.state->trap(cpu, insn->address, what);
    else if (what->kind == COSIM_TRAP)
        guest.state->defer_trap(cpu, what);
    if (what->kind != COSIM_DATA_ABORT && answers) /* else QEMU's processor takes its own */
        refuse(cpu, own_block(insn));
    guest_enter(cpu, own_block(insn));
}

void guest_pmu_connect(struct guest_cpu *cpu)
{
    static const struct emulated_cpu_ops ops = {.read_reg = read_reg,
                                                .write_reg = write_reg,
                                                .write_cpsr = write_cpsr,
                                                .read_mem = read_mem,
                                                .write_mem = write_mem,
                                                .skip = skip,
                                                .raise = raise_exception,
                                                .retire = retire,
                                                .sync = sync_counts,
                                                .show_state = show_state,
                                                .before_write = before_write,
                                                .changed = changed,
                                                .accessed = accessed};

    cpu->emulated = (struct emulated_cpu){.ops = &ops, .cpu = cpu, .monitors = &cpu->monitors};
}

void guest_access(unsigned vcpu, void *user)
{
    const struct pmu_access *const access = user;
    struct guest_cpu *const cpu = guest.cpus[vcpu];
    uint32_t cpsr;

    if (!arrive(cpu, access, &cpsr))
        return;
    const struct cosim_insn insn = {access->own->isa, access->word, access->own->address, cpsr,
                                    access};
    pmu_insn_execute(&cpu->emulated, &insn);
}
