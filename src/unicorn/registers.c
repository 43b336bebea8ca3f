/* The library's processor, register by register. */
#include "unicorn/firmware.h"

uint64_t processor_read(const struct firmware *fw, unsigned reg)
{
    uint64_t value = 0; /* the library writes as many bytes as the register has */

    (void)fw->lib->reg_read(fw->uc, fw->processor->registers[reg], &value);
    return value;
}

void processor_write(struct firmware *fw, unsigned reg, uint64_t value)
{
    (void)fw->lib->reg_write(fw->uc, fw->processor->registers[reg], &value);
}

uint64_t processor_pc(const struct firmware *fw)
{
    return processor_read(fw, fw->processor->n_registers - 1);
}

void processor_set_pc(struct firmware *fw, uint64_t address, enum armpmu_isa isa)
{
    processor_write(fw, fw->processor->n_registers - 1, address | (isa == ARMPMU_T32));
}

uint32_t processor_status(const struct firmware *fw)
{
    return fw->processor->status(fw);
}

uint32_t processor_cpsr(const struct firmware *fw)
{
    uint32_t value = 0;

    (void)fw->lib->reg_read(fw->uc, UC_ARM_REG_CPSR, &value);
    return value;
}

void processor_set_cpsr(struct firmware *fw, uint32_t value)
{
    (void)fw->lib->reg_write(fw->uc, UC_ARM_REG_CPSR, &value);
}

void processor_set_spsr(struct firmware *fw, uint32_t value)
{
    (void)fw->lib->reg_write(fw->uc, UC_ARM_REG_SPSR, &value);
}

/* The library has both banks on every core, and on one without the Security Extensions the program
 * writes the one that is not Secure. */
static bool has_secure_bank(const struct firmware *fw)
{
    return fw->core->security;
}

static uc_arm_cp_reg bank_of(const struct firmware *fw, bool secure, unsigned crn, unsigned crm,
                             unsigned op2)
{
    return (uc_arm_cp_reg){
        .cp = 15, .sec = secure && has_secure_bank(fw), .crn = crn, .crm = crm, .opc2 = op2};
}

static uint32_t read_bank(const struct firmware *fw, uc_arm_cp_reg reg)
{
    return fw->lib->reg_read(fw->uc, UC_ARM_REG_CP_REG, &reg) == UC_ERR_OK ? (uint32_t)reg.val : 0;
}

static void write_bank(struct firmware *fw, uc_arm_cp_reg reg, uint32_t value)
{
    reg.val = value;
    (void)fw->lib->reg_write(fw->uc, UC_ARM_REG_CP_REG, &reg);
}

void processor_switch_on(struct firmware *fw, uint32_t bits)
{
    for (unsigned secure = 0; secure < 2; secure++) {
        const uc_arm_cp_reg sctlr = bank_of(fw, secure, 1, 0, 0);
        write_bank(fw, sctlr, read_bank(fw, sctlr) | bits);
    }
}

bool processor_is_secure(const struct firmware *fw, uint32_t cpsr)
{
    return !has_secure_bank(fw) || (cpsr & CPSR_MODE) == MODE_MON ||
           !(read_bank(fw, bank_of(fw, true, 1, 1, 0)) & SCR_NS);
}

uint32_t processor_secure_cp15(const struct firmware *fw, unsigned crn, unsigned crm, unsigned op2)
{
    return read_bank(fw, bank_of(fw, true, crn, crm, op2));
}

void processor_set_secure_cp15(struct firmware *fw, unsigned crn, unsigned crm, unsigned op2,
                               uint32_t value)
{
    write_bank(fw, bank_of(fw, true, crn, crm, op2), value);
}

uint32_t processor_cp15(const struct firmware *fw, unsigned crn, unsigned crm, unsigned op2)
{
    return read_bank(fw, bank_of(fw, processor_is_secure(fw, processor_cpsr(fw)), crn, crm, op2));
}

void processor_set_cp15(struct firmware *fw, unsigned crn, unsigned crm, unsigned op2,
                        uint32_t value)
{
    write_bank(fw, bank_of(fw, processor_is_secure(fw, processor_cpsr(fw)), crn, crm, op2), value);
}
