/* The program's accesses to its performance monitor: the library's processor as pmu_insn.c sees it.
 */
#include "cosim/el_state.h"
#include "cosim/pmu_insn.h"
#include "unicorn/aarch64.h"
#include "unicorn/code_block.h"
#include "unicorn/trace_writer.h"

static uint64_t read_reg(void *fw, unsigned reg)
{
    return processor_read(fw, reg);
}

static void write_reg(void *fw, unsigned reg, uint64_t value)
{
    processor_write(fw, reg, value);
}

static void write_cpsr(void *fw, uint32_t value)
{
    processor_set_cpsr(fw, value);
}

static bool read_mem(void *user, uint32_t address, uint32_t *word)
{
    const struct firmware *const fw = user;

    return fw->lib->mem_read(fw->uc, address, word, sizeof *word) == UC_ERR_OK;
}

static bool write_mem(void *user, uint32_t address, uint32_t word)
{
    const struct firmware *const fw = user;

    return fw->lib->mem_write(fw->uc, address, &word, sizeof word) == UC_ERR_OK;
}

static void skip(void *fw, const struct cosim_insn *insn)
{
    intercept_skip(fw, insn->origin);
}

static void retire(void *user, const struct cosim_insn *insn, const struct cosim_data *data)
{
    struct firmware *const fw = user;

    intercept_enter(fw, insn->origin, insn->status);
    if (data != NULL)
        access_memory(fw->uc, data->write ? UC_MEM_WRITE : UC_MEM_READ, data->address, 4, 0, fw);
}

static void sync_counts(void *fw)
{
    trace_writer_run(fw);
}

static void changed(void *user)
{
    struct firmware *const fw = user;

    trace_writer_adjust(fw);
    if (fw->vcd != NULL)
        vcd_follow(fw);
}

static void accessed(void *user, const struct cosim_insn *insn, const struct sysreg_insn *sysreg,
                     enum armpmu_outcome outcome, uint64_t value)
{
    struct firmware *const fw = user;

    if (fw->setup->trace != NULL)
        trace_access(fw, insn->address, sysreg, value, insn->status, outcome);
}

static void show_world(void *fw, uint32_t cpsr)
{
    trace_writer_show_world(fw, cpsr);
}

/* The library's processor has no fine-grained traps. */
static void show_level(void *user, uint32_t pstate)
{
    struct firmware *const fw = user;
    const struct el_state state = {
        .pstate = pstate,
        .el2_enabled = el_switch_has_el2(fw),
        .hcr_el2 = system64_read(fw, SYSTEM_HCR_EL2),
        .scr_el3 = system64_read(fw, SYSTEM_SCR_EL3),
        .cptr_el2 = system64_read(fw, SYSTEM_CPTR_EL2),
        .cptr_el3 = system64_read(fw, SYSTEM_CPTR_EL3),
        .hcr_amvoffen = fw->a64->hcr_amvoffen,
        .scr_amvoffen = fw->a64->scr_amvoffen,
        .mdcr_el2 = system64_read(fw, SYSTEM_MDCR_EL2),
        .mdcr_el3 = system64_read(fw, SYSTEM_MDCR_EL3),
    };

    el_state_show(&fw->monitors, &state);
}

static void raise_exception(void *user, const struct cosim_insn *insn,
                            const struct cosim_exception *what)
{
    struct firmware *const fw = user;

    intercept_enter(fw, insn->origin, insn->status);
    fw->bad = (struct bad_access){.present = what->kind == COSIM_DATA_ABORT,
                                  .write = what->data.write,
                                  .address = what->data.address};
    if (what->kind == COSIM_TRAP)
        exception64_raise(fw, what->syndrome, what->level, insn->address, 0);
    else
        firmware_raise(fw,
                       what->kind == COSIM_DATA_ABORT ? EXCEPTION_DATA_ABORT : EXCEPTION_UNDEFINED,
                       insn->address, 0);
}

#define SAME_IN_BOTH                                                                               \
    .read_reg = read_reg, .write_reg = write_reg, .write_cpsr = write_cpsr, .read_mem = read_mem,  \
    .write_mem = write_mem, .skip = skip, .raise = raise_exception, .retire = retire,              \
    .sync = sync_counts, .changed = changed, .accessed = accessed

static const struct emulated_cpu_ops aarch32 = {SAME_IN_BOTH, .show_state = show_world};
static const struct emulated_cpu_ops aarch64 = {SAME_IN_BOTH, .show_state = show_level};

void intercept_access(struct firmware *fw, const struct hook *hook, uint32_t status)
{
    const struct emulated_cpu cpu = {
        .ops = fw->a64 != NULL ? &aarch64 : &aarch32, .cpu = fw, .monitors = &fw->monitors};
    const struct cosim_insn insn = {hook->isa, hook->word, hook->address, status, hook};

    fw->trace_insns = fw->insns;
    pmu_insn_execute(&cpu, &insn);
}
