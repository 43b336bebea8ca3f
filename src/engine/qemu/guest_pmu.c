/* The guest's own accesses to its performance monitor: taken over from QEMU, answered by the
 * device.
 *
 * Counts are exact at the instruction: everything before it has been counted when the device is
 * read or written.
 *
 * CHOICE(guest-own-count): the instruction itself counts as if a write took effect when it has
 * retired and a read before. */
#include "engine/qemu/guest.h"
#include "engine/transfer.h"

#define CPSR_NZCV 0xf0000000u

static void go_to(enum armpmu_isa isa, uint32_t address)
{
    host_qemu_plugin_set_pc(isa == ARMPMU_T32 ? address | 1 : address);
}

/* MRC to R15 sets the flags. */
static void write_core(struct guest_cpu *cpu, unsigned reg, uint32_t value)
{
    if (reg < 15)
        host_register_write(cpu->reg[reg], value);
    else
        host_register_write(cpu->cpsr,
                            (host_register_read(cpu->cpsr) & ~CPSR_NZCV) | (value & CPSR_NZCV));
}

static void read_device(struct guest_cpu *cpu, const struct transfer *transfer)
{
    uint64_t value = 0;

    if (armpmu_read(cpu->pmu, transfer->at, &value) != ARMPMU_DONE)
        return;
    write_core(cpu, transfer->rt, (uint32_t)value);
    if (transfer->at.face == ARMPMU_FACE_MCRR)
        write_core(cpu, transfer->rt2, (uint32_t)(value >> 32));
}

/* The instruction's own counts: to counters that run before a write, or after one that stops them.
 */
static void write_device(struct guest_cpu *cpu, const struct transfer *transfer,
                         const struct piece *own)
{
    uint64_t value = host_register_read(cpu->reg[transfer->rt]);

    if (transfer->at.face == ARMPMU_FACE_MCRR)
        value |= (uint64_t)host_register_read(cpu->reg[transfer->rt2]) << 32;
    const bool late = transfer_stops_counting(transfer, (uint32_t)value);
    if (!late) {
        guest_enter(cpu, own);
        guest_run(cpu);
    }
    guest_report_mark(&transfer->at);
    (void)armpmu_write(cpu->pmu, transfer->at, value);
    guest_set_limit(cpu);
    if (late)
        guest_enter(cpu, own);
    guest_irq_follow(cpu);
}

/* The guest takes the Undefined Instruction exception of its own processor, with all that belongs
 * to it: an undefined instruction stands in the place of the refused one until the exception is
 * taken. */
static void refuse(struct guest_cpu *cpu, const struct piece *own)
{
    static const uint8_t undefined[2][4] = {
        [ARMPMU_A32] = {0xf0, 0x00, 0xf0, 0xe7}, [ARMPMU_T32] = {0xf0, 0xf7, 0x00, 0xa0}};

    if (!host_code_write(own->address, undefined[own->isa], own->n_bytes))
        return; /* QEMU answers: nothing can stand there */
    cpu->refused = own;
    go_to(own->isa, own->address);
}

void guest_undo_refusal(struct guest_cpu *cpu)
{
    const struct piece *const own = cpu->refused;

    cpu->refused = NULL;
    if (own != NULL)
        host_code_write(own->address, own->bytes, own->n_bytes);
}

void guest_access(unsigned vcpu, void *user)
{
    const struct pmu_access *const access = user;
    const struct piece *const own = access->own;
    struct guest_cpu *const cpu = guest.cpus[vcpu];
    struct transfer transfer;

    guest_enter(cpu, access->before);
    guest_run(cpu);
    const uint32_t cpsr = host_register_read(cpu->cpsr);
    if (own->isa == ARMPMU_A32 && !condition_passes(access->word >> 28, cpsr)) {
        guest_enter(cpu, access->failed);
        return;
    }
    (void)transfer_decode(own->isa, access->word, &transfer);
    armpmu_set_pin(cpu->pmu, ARMPMU_PIN_USER_MODE, guest_is_user(cpsr));
    const enum armpmu_outcome outcome = armpmu_try(cpu->pmu, transfer.at, !transfer.read);
    if (outcome == ARMPMU_DONE && !transfer.read)
        write_device(cpu, &transfer, own);
    else if (outcome == ARMPMU_DONE)
        read_device(cpu, &transfer);
    armpmu_set_pin(cpu->pmu, ARMPMU_PIN_USER_MODE, 0);
    if (outcome == ARMPMU_UNDEFINED)
        refuse(cpu, own);
    if (outcome != ARMPMU_DONE || transfer.read)
        guest_enter(cpu, own);
    if (outcome == ARMPMU_DONE)
        go_to(own->isa, own->address + own->n_bytes);
}
