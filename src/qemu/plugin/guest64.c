#include "qemu/plugin/guest64.h"

#include <stdio.h>
#include <stdlib.h>

#include "cosim/el_state.h"

/* ---- registers ---- */

static const char *const state_names[STATE_COUNT] = {
#define STATE(name) [STATE_##name] = #name,
#define LACKS(op1, crn, crm, op2, lsb, bits, what)
#include "cosim/aarch64.def"
#undef STATE
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

static void find(struct guest_cpu *cpu, const struct qemu_api_array *registers)
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

static void show_state(struct guest_cpu *cpu, uint32_t pstate)
{
    const struct el_state state = {
        .pstate = pstate,
        .el2_enabled = el2_is_enabled(cpu),
        .hcr_el2 = guest64_state_of(cpu, STATE_HCR_EL2),
        .scr_el3 = guest64_state_of(cpu, STATE_SCR_EL3),
        .cptr_el2 = guest64_state_of(cpu, STATE_CPTR_EL2),
        .cptr_el3 = guest64_state_of(cpu, STATE_CPTR_EL3),
        .hcr_amvoffen = cpu->a64->kept[KEPT_HCR_AMVOFFEN],
        .scr_amvoffen = cpu->a64->kept[KEPT_SCR_AMVOFFEN],
        .mdcr_el2 = guest64_state_of(cpu, STATE_MDCR_EL2),
        .mdcr_el3 = guest64_state_of(cpu, STATE_MDCR_EL3),
        .hdfgrtr_el2 = guest64_state_of(cpu, STATE_HDFGRTR_EL2),
        .hdfgwtr_el2 = guest64_state_of(cpu, STATE_HDFGWTR_EL2),
    };

    el_state_show(&cpu->monitors, &state);
    guest_set_limit(cpu);
}

/* ---- the row ---- */

static const char *parse(const char *amu, const char *frame, const char *accesses)
{
    const char *problem = amu != NULL ? guest64_amu_config_parse(amu) : NULL;

    if (problem == NULL && frame != NULL)
        problem = guest64_memory_view_parse(frame);
    return problem != NULL ? problem : guest64_accesses_open(accesses);
}

static void configure(const struct guest_cpu *cpu, struct armpmu_config *config)
{
    guest64_amu_config_configure(cpu, &config->amu);
    guest64_pmuv3_config_configure(cpu, &config->pmuv3);
}

static void begin(struct guest_cpu *cpu)
{
    cpu->emulated.has_fine_traps = cpu->a64->state[STATE_HFGRTR_EL2] != NULL;
    cpu->emulated.has_el3 = cpu->a64->has_el3;
    guest64_begin(cpu);
}

static void watch(struct qemu_plugin_insn *insn, uint64_t address, uint32_t previous, uint32_t word)
{
    if (guest64_returns(word))
        qemu_plugin_register_vcpu_insn_exec_cb(insn, guest64_return, QEMU_CB_RW_REGS_PC, NULL);
    if (word == GUEST64_UNDEFINED)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, guest64_at_undefined, QEMU_CB_RW_REGS_PC,
                                               (void *)(uintptr_t)address);
    guest64_watch_controls(insn, previous);
    guest64_watch_fields(insn, address, previous, word);
}

const struct execution_state guest_aarch64 = {
    .n_regs = GUEST_CORE_REGS,
    .frames = ARMPMU_RECORD_WIDE_PAGE,
    .parse = parse,
    .find = find,
    .configure = configure,
    .begin = begin,
    .end = guest64_accesses_end,
    .mode_of = guest64_mode_of,
    .except = guest64_except,
    .change_regime = guest64_change_regime,
    .counting_changes = guest64_counting_changes,
    .change_counting = guest64_change_counting,
    .is_sysop = guest64_is_sysop,
    .sysop = guest64_sysop,
    .may_move_pages = guest64_may_move_pages,
    .is_foreign = guest64_is_stub,
    .watch = watch,
    .watch_view = guest64_memory_view_watch,
    .view_access = guest64_memory_view_access,
    .show_state = show_state,
    .trap = guest64_trap,
    .qemu_has = guest64_qemu_has,
    .defer_trap = guest64_defer_trap,
    .accessed = guest64_accesses_note,
};
