/* Resets of the machine from inside, or of one processor: its monitor starts again.
 *
 * The plugin interface does not report them, but they can be seen. A processor stops for a reset
 * and continues elsewhere; one that slept continues where it was. With -icount QEMU does not
 * report stops either; there a processor that arrives at the machine's first instruction with
 * the registers it had there at first has been reset. CHOICE(guest-reset): a program that puts
 * all registers back and jumps there is taken for a reset. */
#include "qemu/plugin/guest_irq.h"
#include "qemu/plugin/guest_translation.h"

static struct {
    bool known;
    uint64_t address;
} boot;

/* By processor. */
static struct halt {
    uint64_t at;               /* PC */
    const uint64_t *wait_from; /* what was written when it last began to wait */
} halts[GUEST_CPUS_MAX];

static struct first_state {
    bool known;
    uint64_t value[GUEST_CORE_REGS + 1]; /* r0 to r14, or x0 to x30, and CPSR at its first
                                          * instruction */
} first_states[GUEST_CPUS_MAX];

static void reset(struct guest_cpu *cpu)
{
    guest_run(cpu);
    monitors_reset(&cpu->monitors, ARMPMU_RESET_COLD);
    core_registers_reset(&cpu->monitors.registers, guest.machine);
    if (guest.state->begin != NULL)
        guest.state->begin(cpu);
    guest_irq_follow(cpu);
    guest_lose(cpu);
    guest_set_limit(cpu);
}

/* The instructions until then may overflow a counter, whose interrupt is to wake it. */
void guest_waits(unsigned vcpu, void *next)
{
    struct guest_cpu *const cpu = guest.cpus[vcpu];

    if (guest.profile == ARMPMU_PROFILE_OFF)
        guest_run(cpu);
    halts[vcpu] = (struct halt){.at = (uintptr_t)next, .wait_from = cpu->cursor};
}

/* QEMU 11 calls this after it has looked for a reason not to sleep and before it sleeps: an event
 * (SEV) that comes meanwhile is lost, and with it the machine. So nothing is done here where a
 * processor waits; what is to be counted was counted before it did. */
void guest_stops(struct guest_cpu *cpu)
{
    struct halt *const halt = &halts[cpu->number];

    if (halt->wait_from != cpu->cursor)
        halt->at = qemu_api_register_read(cpu->pc);
    halt->wait_from = NULL;
}

void guest_goes_on(struct guest_cpu *cpu)
{
    const bool moved = qemu_api_register_read(cpu->pc) != halts[cpu->number].at;
    const uint32_t masked = CPSR_I | CPSR_F; /* as reset leaves them */

    if (cpu->code_block != NULL && moved && (qemu_api_register_read(cpu->cpsr) & masked) == masked)
        reset(cpu);
}

bool guest_is_boot(uint64_t address)
{
    if (!guest.has_icount)
        return false;
    if (!boot.known)
        boot.address = address;
    boot.known = true;
    return address == boot.address;
}

/* Returns whether a processor's registers are as they were the first time; then remembered. */
static bool is_as_at_first(const struct guest_cpu *cpu)
{
    struct first_state *const first = &first_states[cpu->number];
    const unsigned n = guest.state->n_regs;
    bool same = first->known;

    for (unsigned i = 0; i <= n; i++) {
        const uint64_t value = qemu_api_register_read(i < n ? cpu->reg[i] : cpu->cpsr);
        same = same && first->value[i] == value;
        if (!first->known)
            first->value[i] = value;
    }
    first->known = true;
    return same;
}

void guest_boots(unsigned vcpu, void *unused)
{
    (void)unused;
    if (!is_as_at_first(guest.cpus[vcpu]))
        return;
    reset(guest.cpus[vcpu]);
    for (unsigned i = 1; vcpu == 0 && i < GUEST_CPUS_MAX; i++)
        if (guest.cpus[i] != NULL)
            reset(guest.cpus[i]); /* all are of the same thread here */
}
