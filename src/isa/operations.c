/* What instructions do beyond reading and writing their operands: accesses, branches, effects, and
 * the class where the operands decide it. One function a shape. */
#include "isa/operands.h"

/* A system register of CP15 by opc1, CRn, CRm, opc2. */
#define CP15(opc1, crn, crm, opc2) ((opc1) << 11 | (crn) << 7 | (crm) << 3 | (opc2))

static uint8_t count_registers(uint64_t set)
{
    uint8_t n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

static void return_from_exception(struct insn *insn)
{
    insn->branch = BRANCH_EXCEPTION_RETURN;
    insn->effect = EFFECT_SYSTEM;
    insn->writes |= REG_PC | REGS_APSR;
}

/* MOV PC and its like. */
static void branch_to_result(const struct operands *operands, struct insn *insn)
{
    const bool plain_move =
        operands->from->id == ARM_INS_MOV && !operands->shifted && insn->reads != 0;

    if (operands->sets_flags) {
        return_from_exception(insn);
        return;
    }
    insn->branch = BRANCH_INDIRECT;
    if (!plain_move)
        return;
    insn->klass = CLASS_BRANCH;
    if ((insn->reads & REG_LR) != 0)
        insn->branch = BRANCH_RETURN;
}

/* A shift that is an instruction: capstone's LSL and its like, which end with the amount, or
 * with a register that it is put to. */
static bool is_register_shift(const struct operands *operands)
{
    const cs_arm *arm = operands->arm;
    const cs_arm_op *last = arm->op_count != 0 ? &arm->operands[arm->op_count - 1] : NULL;
    switch (operands->from->id) {
    case ARM_INS_LSL:
    case ARM_INS_LSR:
    case ARM_INS_ASR:
    case ARM_INS_ROR:
        return last != NULL && last->type == ARM_OP_REG && last->shift.type == ARM_SFT_INVALID;
    case ARM_INS_RRX:
        return true;
    default:
        return false;
    }
}

static void complete_alu(const struct operands *operands, struct insn *insn)
{
    insn->shifts_by_register |= is_register_shift(operands);
    if (operands->shifted)
        insn->klass = CLASS_ALU_SHIFT;
    if ((insn->writes & REG_PC) != 0)
        branch_to_result(operands, insn);
}

/* What the timing of a multiply or a divide depends on. */
static void complete_plain(const struct operands *operands, struct insn *insn)
{
    switch (operands->from->id) {
    case ARM_INS_SMULWB:
    case ARM_INS_SMULWT:
    case ARM_INS_SMLAWB:
    case ARM_INS_SMLAWT:
        insn->word_by_half = true;
        return;
    case ARM_INS_SDIV:
        insn->divides_signed = true;
        return;
    default:
        break;
    }
    const bool multiplies =
        insn->klass == CLASS_MULTIPLY_LONG || insn->klass == CLASS_MULTIPLY_HALF;
    const uint64_t second = multiplies ? registers_of(operands->arm->operands[1].reg) : 0;
    if (count_registers(insn->writes & ~(REGS_APSR | second)) == 1)
        insn->writes_high = insn->writes & second;
}

/* A loaded value wins over the updated base where both go to one register; the PC, UNPREDICTABLE as
 * such a base, stays. */
static void write_back(const struct operands *operands, struct insn *insn)
{
    if (!operands->writes_back || operands->base == REG_PC)
        return;
    insn->writes |= operands->base;
    insn->writes_back = operands->base & ~(insn->memory.load ? operands->data : UINT64_C(0));
}

static void access_memory(const struct operands *operands, unsigned bytes, unsigned align,
                          struct insn *insn)
{
    const bool load = operands->facts->klass == CLASS_LOAD ||
                      operands->facts->klass == CLASS_LOAD_MULTIPLE ||
                      operands->facts->klass == CLASS_NEON_LOAD;

    insn->memory.load = load;
    insn->memory.store = !load;
    insn->memory.bytes = (uint16_t)bytes;
    insn->memory.align = (uint8_t)align;
    insn->memory.multiple = operands->n_data > 1;
    insn->operations = (uint8_t)operands->n_data;
    write_back(operands, insn);
}

static void complete_transfer(const struct operands *operands, struct insn *insn)
{
    const unsigned bytes = operands->facts->bytes;

    access_memory(operands, bytes * operands->n_data, bytes, insn);
    if (insn->memory.load && (operands->data & REG_PC) != 0)
        insn->branch = operands->base == REG_SP && operands->post && operands->index == 0
                           ? BRANCH_RETURN
                           : BRANCH_INDIRECT;
}

/* Exclusive doublewords must be aligned as a whole. */
static void complete_exclusive(const struct operands *operands, struct insn *insn)
{
    complete_transfer(operands, insn);
    insn->memory.exclusive = true;
    insn->memory.align = (uint8_t)insn->memory.bytes;
}

static void complete_swap(const struct operands *operands, struct insn *insn)
{
    const uint8_t bytes = operands->facts->bytes;

    insn->memory =
        (struct insn_memory){.load = true, .store = true, .bytes = bytes, .align = bytes};
    insn->operations = 2;
}

static void complete_table(const struct operands *operands, struct insn *insn)
{
    access_memory(operands, operands->facts->bytes, operands->facts->bytes, insn);
    insn->branch = BRANCH_TABLE;
}

/* Where a list begins, counted from its base. */
static void locate_list(const struct operands *operands, struct insn *insn)
{
    const int bytes = insn->memory.bytes;

    insn->memory.base = operands->base & ~REG_PC;
    switch (operands->from->id) {
    case ARM_INS_LDMDB:
    case ARM_INS_STMDB:
    case ARM_INS_PUSH:
        insn->memory.offset = -bytes;
        break;
    case ARM_INS_LDMDA:
    case ARM_INS_STMDA:
        insn->memory.offset = operands->facts->bytes - bytes;
        break;
    case ARM_INS_LDMIB:
    case ARM_INS_STMIB:
        insn->memory.offset = operands->facts->bytes;
        break;
    }
}

static void complete_multiple(const struct operands *operands, struct insn *insn)
{
    const bool after = operands->from->id == ARM_INS_LDM || operands->from->id == ARM_INS_POP;

    access_memory(operands, operands->facts->bytes * operands->n_data, operands->facts->bytes,
                  insn);
    locate_list(operands, insn);
    if (operands->arm->usermode)
        insn->effect = EFFECT_SYSTEM;
    if (!insn->memory.load || (operands->data & REG_PC) == 0)
        return;
    if (operands->arm->usermode)
        return_from_exception(insn);
    else
        insn->branch = after && operands->base == REG_SP && operands->writes_back ? BRANCH_RETURN
                                                                                  : BRANCH_INDIRECT;
}

static struct operands on_stack(const struct operands *operands, struct insn *insn)
{
    struct operands stacked = *operands;

    stacked.base = REG_SP;
    stacked.writes_back = true;
    insn->reads |= REG_SP;
    insn->reads_early |= REG_SP;
    return stacked;
}

/* A32's POP of one register is LDR by another name. */
static void complete_stack(const struct operands *operands, struct insn *insn)
{
    const struct operands stacked = on_stack(operands, insn);
    const bool single =
        operands->code->isa == ARMPMU_A32 && field(operands->code->word, 27, 25) == 2;

    complete_multiple(&stacked, insn);
    if (single)
        insn->klass = insn->memory.load ? CLASS_LOAD : CLASS_STORE;
}

static void branch_to(const struct operands *operands, struct insn *insn)
{
    const cs_arm_op *last = &operands->arm->operands[operands->arm->op_count - 1];

    if (last->type != ARM_OP_IMM) {
        insn->branch = BRANCH_INDIRECT;
        return;
    }
    insn->branch = BRANCH_IMMEDIATE;
    insn->target = (uint32_t)last->imm;
}

/* Capstone has the target of MSR as fields of the APSR, as a sum of bytes of the CPSR, or as a
 * register that User mode has not. */
static void complete_write_status(const struct operands *operands, struct insn *insn)
{
    const int target = operands->arm->operands[0].reg;
    const bool flags = target == ARM_SYSREG_APSR_NZCVQ || target == ARM_SYSREG_APSR_NZCVQG ||
                       (target < ARM_SYSREG_APSR && (target & ARM_SYSREG_CPSR_F) != 0);
    const bool ge = target == ARM_SYSREG_APSR_G || target == ARM_SYSREG_APSR_NZCVQG ||
                    (target < ARM_SYSREG_APSR && (target & ARM_SYSREG_CPSR_S) != 0);
    const bool user = (target >= ARM_SYSREG_APSR && target <= ARM_SYSREG_APSR_NZCVQG) ||
                      (target != 0 && (target & ~(ARM_SYSREG_CPSR_F | ARM_SYSREG_CPSR_S)) == 0);

    insn->writes |= (flags ? REG_FLAGS | REG_Q : 0) | (ge ? REG_GE : 0);
    if (!user)
        insn->effect = EFFECT_SYSTEM;
}

/* User mode reads the whole CPSR but the mode's own bits; it has no SPSR and no banks. */
static void complete_read_status(const struct operands *operands, struct insn *insn)
{
    const cs_arm_op *source = &operands->arm->operands[1];

    if (source->type == ARM_OP_REG && (source->reg == ARM_REG_APSR || source->reg == ARM_REG_CPSR))
        insn->reads |= REGS_APSR;
    else
        insn->effect = EFFECT_SYSTEM;
}

/* CRm of the cache operations of c7: caches to a point, invalidation, cleaning, both. */
static bool maintains_cache(unsigned crm)
{
    return crm == 1 || crm == 5 || crm == 6 || crm == 7 || crm == 10 || crm == 11 || crm == 14;
}

static void complete_to_coprocessor(const struct operands *operands, struct insn *insn)
{
    const cs_arm_op *operand = operands->arm->operands; /* p, opc1, Rt, CRn, CRm, opc2 */

    if (operand[0].imm != 15)
        return;
    switch (CP15(operand[1].imm, operand[3].imm, operand[4].imm, operand[5].imm)) {
    case CP15(0, 13, 0, 1):
        insn->effect = EFFECT_CONTEXTIDR_WRITE;
        break;
    case CP15(0, 9, 12, 4):
        insn->effect = EFFECT_SW_INCREMENT;
        break;
    case CP15(0, 7, 10, 4):         /* DSB */
    case CP15(0, 7, 10, 5):         /* DMB, as ARMv6 wrote them: allowed in User mode */
        insn->orders_stores = true; /* fall through */
    case CP15(0, 7, 5, 4):          /* ISB */
        insn->klass = CLASS_BARRIER;
        insn->effect = EFFECT_NONE;
        return;
    }
    if (operand[3].imm == 7 && maintains_cache((unsigned)operand[4].imm))
        insn->orders_stores = true;
}

/* How much they transfer is the coprocessor's affair; a word at least. An operand after the memory
 * one may be an option for the coprocessor instead of an offset. */
static void complete_coprocessor_transfer(const struct operands *operands, struct insn *insn)
{
    struct operands plain = *operands;

    plain.writes_back = operands->arm->writeback;
    access_memory(&plain, operands->facts->bytes, operands->facts->bytes, insn);
}

static void complete_return_state(const struct operands *operands, struct insn *insn)
{
    access_memory(operands, 2u * operands->facts->bytes, operands->facts->bytes, insn);
    insn->memory.multiple = true;
    insn->operations = 2;
}

/* RFE: capstone 4.0.2 takes the number of A32's base for another register. */
static void complete_load_return_state(const struct operands *operands, struct insn *insn)
{
    struct operands based = *operands;

    based.base = REG_R(field(operands->code->word, 19, 16));
    based.data = REG_PC;
    insn->reads = insn->reads_early = based.base;
    complete_return_state(&based, insn);
    return_from_exception(insn);
}

/* T32's is SUBS PC,LR,#0. */
static void complete_exception_return(const struct operands *operands, struct insn *insn)
{
    if (operands->code->isa == ARMPMU_T32) {
        insn->klass = CLASS_ALU;
        insn->reads |= REG_LR;
    }
    return_from_exception(insn);
}

/* SRS stores LR and SPSR; the flags stand for the latter. */
static void complete_store_return_state(const struct operands *operands, struct insn *insn)
{
    struct operands stacked = on_stack(operands, insn);

    stacked.writes_back = operands->arm->writeback;
    insn->reads |= REG_LR | REGS_APSR;
    insn->reads_late |= REG_LR | REGS_APSR;
    complete_return_state(&stacked, insn);
}

static bool has_single(const cs_arm *arm)
{
    for (unsigned i = 0; i < arm->op_count; i++) {
        if (is_single(&arm->operands[i]))
            return true;
    }
    return false;
}

static bool has_core(const cs_arm *arm)
{
    for (unsigned i = 0; i < arm->op_count; i++) {
        if (is_core(&arm->operands[i]))
            return true;
    }
    return false;
}

static bool is_double(const cs_arm *arm)
{
    switch (arm->vector_data) {
    case ARM_VECTORDATA_F64:
    case ARM_VECTORDATA_F64F32:
    case ARM_VECTORDATA_F32F64:
    case ARM_VECTORDATA_F64S16:
    case ARM_VECTORDATA_F64S32:
    case ARM_VECTORDATA_F64U16:
    case ARM_VECTORDATA_F64U32:
    case ARM_VECTORDATA_S16F64:
    case ARM_VECTORDATA_S32F64:
    case ARM_VECTORDATA_U16F64:
    case ARM_VECTORDATA_U32F64:
        return true;
    default:
        return false;
    }
}

/* NEON has no double precision, VFP no whole registers of single precision. */
static bool is_vfp(const cs_arm *arm)
{
    return is_double(arm) || has_single(arm);
}

/* Past D31 a list goes on with registers that are none: VTBL d0, {d31, fpinst2}, d1. */
static bool registers_exist(const cs_arm *arm)
{
    for (unsigned i = 0; i < arm->op_count; i++) {
        if (arm->operands[i].type == ARM_OP_REG && registers_of(arm->operands[i].reg) == 0)
            return false;
    }
    return true;
}

static bool complete_vector(const struct operands *operands, struct insn *insn)
{
    insn->doubles = is_double(operands->arm);
    if (is_vfp(operands->arm)) {
        insn->adds = operands->from->id == ARM_INS_VADD || operands->from->id == ARM_INS_VSUB;
        insn->multiplies = insn->klass == CLASS_NEON_MULTIPLY;
        insn->klass = CLASS_VFP;
    } else if (operands->arm->vector_data >= ARM_VECTORDATA_F32) {
        insn->klass = CLASS_NEON_FLOAT;
    }
    return registers_exist(operands->arm);
}

/* Of NEON's conversions there is no more to know. */
static bool complete_conversion(const struct operands *operands, struct insn *insn)
{
    const bool exists = complete_vector(operands, insn);

    insn->converts = insn->klass == CLASS_VFP;
    return exists;
}

/* A result of half precision goes to half a register, whose other half stays. Double precision
 * came with Armv8. */
static bool complete_half_precision(const struct operands *operands, struct insn *insn)
{
    insn->converts = true;
    if (operands->arm->vector_data == ARM_VECTORDATA_F16F32)
        insn->reads |= insn->writes;
    return operands->arm->vector_data == ARM_VECTORDATA_F16F32 ||
           operands->arm->vector_data == ARM_VECTORDATA_F32F16;
}

/* VMOV: up to two registers of each kind; the first kind is written. */
static void move(const cs_arm *arm, struct insn *insn)
{
    const bool both_kinds = has_core(arm);

    for (unsigned i = 0; i < arm->op_count; i++) {
        const cs_arm_op *operand = &arm->operands[i];
        const uint64_t set = operand->type == ARM_OP_REG ? registers_of(operand->reg) : 0;
        const bool first_kind =
            i == 0 || (both_kinds && is_core(operand) == is_core(&arm->operands[0]));
        if (first_kind)
            insn->writes |= set;
        else
            insn->reads |= set;
    }
    if (!is_core(&arm->operands[0]) && arm->operands[0].vector_index >= 0)
        insn->reads |= insn->writes; /* the other elements stay */
}

static void complete_vector_move(const struct operands *operands, struct insn *insn)
{
    if (operands->from->id == ARM_INS_VMOV)
        move(operands->arm, insn);
    if (has_core(operands->arm))
        insn->klass =
            is_core(&operands->arm->operands[0]) ? CLASS_NEON_TO_CORE : CLASS_CORE_TO_NEON;
    else if (is_vfp(operands->arm))
        insn->klass = CLASS_VFP;
}

/* Of the system registers only FPSCR is there for User mode. */
static void complete_vector_status(const struct operands *operands, struct insn *insn)
{
    const bool status = ((insn->reads | insn->writes) & REG_FPSCR) != 0;

    (void)operands;
    if (!status)
        insn->effect = EFFECT_SYSTEM;
}

static void complete_vector_transfer(const struct operands *operands, struct insn *insn)
{
    const unsigned bytes = has_single(operands->arm) ? 4 : 8;

    access_memory(operands, bytes * operands->n_data, 4, insn);
    insn->memory.neon = true;
    insn->operations = count_registers(operands->data); /* two S registers are one D register */
}

static void complete_vector_stack(const struct operands *operands, struct insn *insn)
{
    const struct operands stacked = on_stack(operands, insn);

    complete_vector_transfer(&stacked, insn);
}

/* Past D31 capstone goes on with D0 or with registers that are none; there are no such lists. */
static bool list_fits(const struct operands *operands)
{
    const cs_arm_op *first = &operands->arm->operands[0];

    return first[operands->n_data - 1].reg >= first->reg &&
           count_registers(operands->data) == operands->n_data;
}

/* VLDn, VSTn: whole registers, one lane of each, or one structure to all lanes. Capstone's details
 * do not tell the last of these; bits 23, 11 and 10 do in both instruction sets. */
static bool complete_structure(const struct operands *operands, struct insn *insn)
{
    const unsigned elements = operands->facts->bytes;
    const unsigned element_bytes = (unsigned)operands->arm->vector_size / 8;
    const unsigned align_bits = (unsigned)operands->memory->mem.disp;
    const bool lane = operands->arm->operands[0].neon_lane >= 0;
    const bool replicates = !lane && (operands->code->word & 0x00800c00) == 0x00800c00;
    const bool one = lane || replicates;

    access_memory(operands, one ? elements * element_bytes : 8 * operands->n_data,
                  align_bits != 0 ? align_bits / 8 : element_bytes, insn);
    insn->memory.neon = true;
    insn->memory.multiple = one ? elements > 1 : operands->n_data > 1 || element_bytes < 8;
    if (lane && insn->memory.load) {
        insn->reads |= operands->data; /* the other lanes stay */
        insn->reads_late |= operands->data;
    }
    return list_fits(operands);
}

bool shape_complete(const struct operands *operands, struct insn *insn)
{
    switch ((enum shape)operands->facts->shape) {
    case SHAPE_NONE:
        return false;
    case SHAPE_PLAIN:
        complete_plain(operands, insn);
        break;
    case SHAPE_ORDERING:
        insn->orders_stores = true;
        break;
    case SHAPE_ALU:
        complete_alu(operands, insn);
        break;
    case SHAPE_TRANSFER:
        complete_transfer(operands, insn);
        break;
    case SHAPE_EXCLUSIVE:
        complete_exclusive(operands, insn);
        break;
    case SHAPE_SWAP:
        complete_swap(operands, insn);
        break;
    case SHAPE_TABLE:
        complete_table(operands, insn);
        break;
    case SHAPE_MULTIPLE:
        complete_multiple(operands, insn);
        break;
    case SHAPE_STACK:
        complete_stack(operands, insn);
        break;
    case SHAPE_CALL:
        insn->links = true;
        branch_to(operands, insn);
        insn->other_isa = operands->from->id == ARM_INS_BLX && insn->branch == BRANCH_IMMEDIATE;
        break;
    case SHAPE_BRANCH:
        branch_to(operands, insn);
        break;
    case SHAPE_COMPARE_AND_BRANCH:
        insn->compares_zero = true;
        branch_to(operands, insn);
        break;
    case SHAPE_EXCHANGE:
        insn->exchanges = true;
        insn->branch = insn->reads == REG_LR ? BRANCH_RETURN : BRANCH_INDIRECT;
        break;
    case SHAPE_EXCEPTION_RETURN:
        complete_exception_return(operands, insn);
        break;
    case SHAPE_READ_STATUS:
        complete_read_status(operands, insn);
        break;
    case SHAPE_WRITE_STATUS:
        complete_write_status(operands, insn);
        break;
    case SHAPE_TO_COPROCESSOR:
        complete_to_coprocessor(operands, insn);
        break;
    case SHAPE_COPROCESSOR_TRANSFER:
        complete_coprocessor_transfer(operands, insn);
        break;
    case SHAPE_LOAD_RETURN_STATE:
        complete_load_return_state(operands, insn);
        break;
    case SHAPE_STORE_RETURN_STATE:
        complete_store_return_state(operands, insn);
        break;
    case SHAPE_VECTOR:
        return complete_vector(operands, insn);
    case SHAPE_CONVERT:
        return complete_conversion(operands, insn);
    case SHAPE_VFP:
        insn->doubles = is_double(operands->arm);
        insn->multiplies = insn->klass == CLASS_VFP && insn->writes != REG_FPSCR;
        break;
    case SHAPE_HALF_PRECISION:
        return complete_half_precision(operands, insn);
    case SHAPE_VECTOR_MOVE:
        complete_vector_move(operands, insn);
        break;
    case SHAPE_VECTOR_STATUS:
        complete_vector_status(operands, insn);
        break;
    case SHAPE_VECTOR_TRANSFER:
    case SHAPE_VECTOR_MULTIPLE:
        complete_vector_transfer(operands, insn);
        break;
    case SHAPE_VECTOR_STACK:
        complete_vector_stack(operands, insn);
        break;
    case SHAPE_STRUCTURE:
        return complete_structure(operands, insn);
    }
    return true;
}
