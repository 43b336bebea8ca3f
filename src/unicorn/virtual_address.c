#include "unicorn/virtual_address.h"

#include <inttypes.h>

#include "cosim/insn_address.h"
#include "unicorn/aarch64.h"
#include "unicorn/code_block.h"
#include "unicorn/page_records.h"

/* Register 31 is the stack pointer of A64. */
static uint64_t read_register(void *user, unsigned n)
{
    const struct firmware *const fw = user;
    uint64_t value = 0;

    if (n < 31)
        return processor_read(fw, n);
    (void)fw->lib->reg_read(fw->uc, UC_ARM64_REG_SP, &value);
    return value;
}

static struct insn_registers registers_at(const struct firmware *fw, const struct hook *insn)
{
    return (struct insn_registers){read_register, (void *)(uintptr_t)fw, insn->address};
}

uint32_t virtual_address_of_sum(const struct firmware *fw, const struct hook *insn, uint32_t cpsr)
{
    const struct insn_registers registers = registers_at(fw, insn);

    return insn_address_of_sum(&registers, insn->isa, &insn->sum, (cpsr & CPSR_C) != 0);
}

uint64_t virtual_address64(const struct firmware *fw, const struct hook *insn)
{
    const struct insn_registers registers = registers_at(fw, insn);

    return insn_address64(&registers, insn->word);
}

static bool translates(const struct firmware *fw)
{
    return fw->a64 != NULL ? (el_switch_sctlr(fw, el_switch_now(fw)) & SCTLR_M) != 0
                           : (processor_cp15(fw, 1, 0, 0) & SCTLR_M) != 0;
}

/* It stays as it is while a code block executes. */
static bool is_translated(struct firmware *fw)
{
    if (!fw->shows_physical)
        return false;
    if (fw->translation_asked_at != fw->insns) {
        fw->translation_asked_at = fw->insns;
        fw->translates = translates(fw);
    }
    return fw->translates;
}

static bool same_place_in_page(const struct firmware *fw, uint64_t address, uint64_t other)
{
    return (address ^ other) % fw->page_bytes == 0;
}

/* Other cores' tables are not walked: CHOICE(firmware-frames). */
static uint64_t without_sum(struct firmware *fw, const struct hook *insn, uint64_t physical)
{
    if (!page_records_moves(fw, (uint32_t)physical))
        return physical;
    firmware_stop(fw, ENGINE_FIRMWARE_FAULT,
                  "PC 0x%08" PRIx64 ", instruction 0x%08x, accesses a page that translation has "
                  "moved to 0x%08" PRIx64 ", and this version of the Unicorn library does not say "
                  "from where: use version 2.0.1, or leave that page at its own address",
                  insn->address, insn->word, physical);
    return physical;
}

uint64_t virtual_address(struct firmware *fw, unsigned index, uint64_t physical)
{
    if (!is_translated(fw))
        return physical;
    const struct hook insn = code_blocks_insn(fw, fw->code_block, index);
    uint64_t address = ~physical;
    if (insn.isa == ARMPMU_A64)
        address = virtual_address64(fw, &insn);
    else if (insn.sum.known)
        address = virtual_address_of_sum(fw, &insn, processor_status(fw));
    return same_place_in_page(fw, address, physical) ? address : without_sum(fw, &insn, physical);
}

bool virtual_address_is(struct firmware *fw, uint64_t physical, uint64_t due)
{
    return physical == due ||
           (fw->shows_physical && same_place_in_page(fw, physical, due) && is_translated(fw));
}
