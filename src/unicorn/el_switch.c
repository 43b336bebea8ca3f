#include "unicorn/aarch64.h"
#include "unicorn/board.h"
#include "unicorn/trace_writer.h"

#include <stdlib.h>

#include "cosim/maintenance_insn64.h"

#define TRAMPOLINE_END (FIRMWARE_TRAMPOLINE + 4)
#define KHZ            UINT64_C(1000)

/* ---- registers ---- */

static uc_arm64_cp_reg library_register(enum system64 reg)
{
    return (uc_arm64_cp_reg){.op0 = 3,
                             .op1 = (unsigned)reg >> 11,
                             .crn = (unsigned)reg >> 7 & 15,
                             .crm = (unsigned)reg >> 3 & 15,
                             .op2 = (unsigned)reg & 7};
}

uint64_t system64_read(const struct firmware *fw, enum system64 reg)
{
    uc_arm64_cp_reg at = library_register(reg);

    return fw->lib->reg_read(fw->uc, UC_ARM64_REG_CP_REG, &at) == UC_ERR_OK ? at.val : 0;
}

void system64_write(struct firmware *fw, enum system64 reg, uint64_t value)
{
    uc_arm64_cp_reg at = library_register(reg);

    at.val = value;
    (void)fw->lib->reg_write(fw->uc, UC_ARM64_REG_CP_REG, &at);
}

uint32_t el_switch_pstate(const struct firmware *fw)
{
    uint32_t value = 0;

    (void)fw->lib->reg_read(fw->uc, UC_ARM64_REG_PSTATE, &value);
    return value;
}

unsigned el_switch_now(const struct firmware *fw)
{
    return pstate_level(el_switch_pstate(fw));
}

/* ---- what executes ---- */

bool el_switch_has_el2(const struct firmware *fw)
{
    return fw->a64->highest == 2 ||
           (fw->a64->highest == 3 && (system64_read(fw, SYSTEM_SCR_EL3) & SCR_NS));
}

/* Returns true if EL0 is that of a host in EL2. */
static bool is_host(const struct firmware *fw)
{
    const uint64_t both = HCR_TGE | HCR_E2H;

    return el_switch_has_el2(fw) && (system64_read(fw, SYSTEM_HCR_EL2) & both) == both;
}

uint64_t el_switch_sctlr(const struct firmware *fw, unsigned level)
{
    const unsigned regime = level > 0 ? level : is_host(fw) ? 2 : 1;

    return system64_read(fw, SYSTEM_OF_LEVEL(SCTLR, regime));
}

/* ---- the way from EL0 ---- */

/* Registers that EL0 has changed: X0 to X30, V0 to V31, the control and the thread registers. */
struct user_state {
    uint64_t x[31], sp, v[32][2], thread;
    uint32_t fpcr, fpsr;
};

static void save_user(const struct firmware *fw, struct user_state *user)
{
    for (unsigned i = 0; i < 31; i++)
        user->x[i] = processor_read(fw, i);
    for (int i = 0; i < 32; i++)
        (void)fw->lib->reg_read(fw->uc, UC_ARM64_REG_Q0 + i, user->v[i]);
    (void)fw->lib->reg_read(fw->uc, UC_ARM64_REG_SP, &user->sp);
    (void)fw->lib->reg_read(fw->uc, UC_ARM64_REG_FPCR, &user->fpcr);
    (void)fw->lib->reg_read(fw->uc, UC_ARM64_REG_FPSR, &user->fpsr);
    user->thread = system64_read(fw, SYSTEM_TPIDR_EL0);
}

static void restore_user(struct firmware *fw, const struct user_state *user)
{
    for (unsigned i = 0; i < 31; i++)
        processor_write(fw, i, user->x[i]);
    for (int i = 0; i < 32; i++)
        (void)fw->lib->reg_write(fw->uc, UC_ARM64_REG_Q0 + i, user->v[i]);
    (void)fw->lib->reg_write(fw->uc, UC_ARM64_REG_FPCR, &user->fpcr);
    (void)fw->lib->reg_write(fw->uc, UC_ARM64_REG_FPSR, &user->fpsr);
    system64_write(fw, SYSTEM_TPIDR_EL0, user->thread);
}

/* ---- going to a level ---- */

/* Translation, of all levels, is off while the page of the trampoline executes. */
struct regimes {
    uint64_t sctlr[4], hcr;
};

static void switch_off(struct firmware *fw, struct regimes *saved)
{
    for (unsigned level = 1; level < 4; level++) {
        saved->sctlr[level] = system64_read(fw, SYSTEM_OF_LEVEL(SCTLR, level));
        if (saved->sctlr[level] & SCTLR_M)
            system64_write(fw, SYSTEM_OF_LEVEL(SCTLR, level), saved->sctlr[level] & ~SCTLR_M);
    }
    saved->hcr = system64_read(fw, SYSTEM_HCR_EL2);
    if (saved->hcr & HCR_VM)
        system64_write(fw, SYSTEM_HCR_EL2, saved->hcr & ~HCR_VM);
}

static void switch_on(struct firmware *fw, const struct regimes *saved)
{
    for (unsigned level = 1; level < 4; level++)
        if (saved->sctlr[level] & SCTLR_M)
            system64_write(fw, SYSTEM_OF_LEVEL(SCTLR, level), saved->sctlr[level]);
    if (saved->hcr & HCR_VM)
        system64_write(fw, SYSTEM_HCR_EL2, saved->hcr);
}

/* An ERET takes the ELR of the level that it is translated for and the SPSR of PSTATE.EL. Both
 * differ in Unicorn 2.0.x, which translates for the level of the last return; 2.1.x looks at PSTATE
 * again at each write of a system register. The ELR of both levels gets the address, so that it
 * does not matter which of them an ERET takes. */
static void trampoline(struct firmware *fw, unsigned returned_to, uint32_t pstate)
{
    const unsigned now = el_switch_now(fw);
    const enum system64 at[] = {SYSTEM_OF_LEVEL(ELR, returned_to), SYSTEM_OF_LEVEL(ELR, now),
                                SYSTEM_OF_LEVEL(SPSR, now)};
    const uint64_t wanted[] = {TRAMPOLINE_END, TRAMPOLINE_END, pstate};
    uint64_t before[3];

    for (unsigned i = 0; i < 3; i++)
        before[i] = system64_read(fw, at[i]);
    for (unsigned i = 0; i < 3; i++)
        system64_write(fw, at[i], wanted[i]);
    (void)library_run_to(fw->lib, fw->uc, FIRMWARE_TRAMPOLINE, TRAMPOLINE_END);
    for (unsigned i = 0; i < 3; i++)
        system64_write(fw, at[i], before[i]);
}

/* Afterwards the stack pointer is that of EL0, where every level may have it; returns for which
 * level the library translates. */
static unsigned select_user_stack(struct firmware *fw, const uint64_t *sp)
{
    const uint32_t pstate = el_switch_pstate(fw);

    if (pstate & PSTATE_SP)
        trampoline(fw, pstate_level(pstate), pstate & ~PSTATE_SP);
    if (sp != NULL)
        (void)fw->lib->reg_write(fw->uc, UC_ARM64_REG_SP, sp);
    return pstate_level(pstate);
}

void el_switch_go(struct firmware *fw, uint32_t pstate, uint64_t pc)
{
    const unsigned from = el_switch_now(fw), to = pstate_level(pstate);
    const uint64_t before = el_switch_sctlr(fw, from);
    struct regimes regimes;
    struct user_state user;

    if (from == 0) {
        save_user(fw, &user);
        (void)fw->lib->context_restore(fw->uc, fw->a64->above);
        restore_user(fw, &user);
    }
    switch_off(fw, &regimes);
    const unsigned at = select_user_stack(fw, from == 0 ? &user.sp : NULL);
    const uint32_t raised = (el_switch_pstate(fw) & ~PSTATE_MODE) | to << 2;
    (void)fw->lib->reg_write(fw->uc, UC_ARM64_REG_PSTATE, &raised);
    trampoline(fw, at, pstate);
    switch_on(fw, &regimes);
    processor_set_pc(fw, pc, ARMPMU_A64);
    maintenance_insn64_change(before, el_switch_sctlr(fw, to), fw->announced);
}

void el_switch_leave(struct firmware *fw, uint32_t pstate)
{
    const unsigned to = pstate_level(pstate);
    const uint64_t before = el_switch_sctlr(fw, el_switch_now(fw));

    if (to == 0)
        (void)fw->lib->context_save(fw->uc, fw->a64->above);
    maintenance_insn64_change(before, el_switch_sctlr(fw, to), fw->announced);
}

/* ---- what counts ---- */

static const struct {
    enum armpmu_pin pin;
    enum system64 reg;
    uint64_t mask;
} controls[] = {
    {ARMPMU_PIN_NONSECURE, SYSTEM_SCR_EL3, SCR_NS},
    {ARMPMU_PIN_MDCR_EL2, SYSTEM_MDCR_EL2, UINT64_MAX},
    {ARMPMU_PIN_MDCR_EL3, SYSTEM_MDCR_EL3, UINT64_MAX},
};

void el_switch_show_controls(struct firmware *fw)
{
    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++)
        monitors_set_pin(&fw->monitors, controls[i].pin,
                         system64_read(fw, controls[i].reg) & controls[i].mask);
}

void el_switch_follow(struct firmware *fw, uint32_t pstate)
{
    const unsigned level = pstate_level(pstate);

    const uint64_t shown = armpmu_pin(monitors_own(&fw->monitors), ARMPMU_PIN_EL);

    if (shown == level)
        return;
    if (shown == 3) /* which is Secure whatever SCR_EL3 says */
        el_switch_show_controls(fw);
    if (monitors_level_matters(&fw->monitors, level))
        trace_writer_arrive(fw, processor_pc(fw), pstate);
    monitors_set_pin(&fw->monitors, ARMPMU_PIN_EL, level);
    trace_writer_adjust(fw);
}

/* ---- the start ---- */

static uint64_t counter_hz(const struct firmware *fw)
{
    const char *const khz = armpmu_machine_value(fw->run->machine, "clock.counter_khz");

    return khz != NULL ? strtoull(khz, NULL, 10) * KHZ : 0;
}

static bool make_trampoline(struct firmware *fw)
{
    static const uint32_t code[] = {0xd69f03e0, 0xd503201f}; /* ERET, NOP */

    return fw->lib->mem_map(fw->uc, FIRMWARE_TRAMPOLINE, BOARD_PAGE_BYTES,
                            UC_PROT_READ | UC_PROT_EXEC) == UC_ERR_OK &&
           fw->lib->mem_write(fw->uc, FIRMWARE_TRAMPOLINE, code, sizeof code) == UC_ERR_OK &&
           fw->lib->context_alloc(fw->uc, &fw->a64->above) == UC_ERR_OK;
}

/* CHOICE(firmware-start-64): in the highest Exception level, with its own stack pointer, everything
 * masked, translation off, Secure where there is EL3. What a level that is not there would have
 * allowed is allowed. */
bool el_switch_start(struct firmware *fw)
{
    struct aarch64 *const a64 = fw->a64;
    const uint64_t sp = fw->board->ram_end - BOARD_PAGE_BYTES;

    if (!make_trampoline(fw))
        return false;
    a64->counter_hz = counter_hz(fw);
    if (a64->highest < 3)
        system64_write(fw, SYSTEM_SCR_EL3, SCR_NS | SCR_RW | SCR_HCE);
    if (a64->highest < 2)
        system64_write(fw, SYSTEM_HCR_EL2, HCR_RW);
    if (fw->setup->caches_on)
        for (unsigned level = 1; level <= a64->highest; level++)
            system64_write(fw, SYSTEM_OF_LEVEL(SCTLR, level),
                           system64_read(fw, SYSTEM_OF_LEVEL(SCTLR, level)) | SCTLR_C | SCTLR_I);
    el_switch_go(fw, PSTATE_DAIF | a64->highest << 2 | PSTATE_SP, fw->image.entry);
    fw->announced[0] = fw->announced[1] = 0;
    (void)fw->lib->reg_write(fw->uc, UC_ARM64_REG_SP, &sp);
    return el_switch_now(fw) == a64->highest && processor_pc(fw) == fw->image.entry;
}
