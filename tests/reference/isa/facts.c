#include "facts.h"

void fact_system(struct insn *insn, enum insn_effect effect)
{
    insn->klass = CLASS_SYSTEM;
    insn->effect = effect;
}

void fact_return_from_exception(struct insn *insn)
{
    insn->branch = BRANCH_EXCEPTION_RETURN;
    insn->effect = EFFECT_SYSTEM;
    fact_writes(insn, REG_PC | REGS_APSR);
}

static void branch_to_result(struct insn *insn, enum alu op, bool sets_flags, struct operand last)
{
    const bool plain_move = op == ALU_MOV && !last.shifted && last.registers != 0;

    if (plain_move && !sets_flags)
        insn->klass = CLASS_BRANCH;
    if (sets_flags)
        fact_return_from_exception(insn);
    else if (plain_move && last.registers == REG_LR)
        insn->branch = BRANCH_RETURN;
    else
        insn->branch = BRANCH_INDIRECT;
}

void fact_alu(struct insn *insn, enum alu op, bool sets_flags, unsigned rd, unsigned rn,
              struct operand last)
{
    const bool tests = op >= ALU_TST && op <= ALU_CMN;
    const bool unary = op == ALU_MOV || op == ALU_MVN;

    insn->klass = last.shifted ? CLASS_ALU_SHIFT : unary ? CLASS_MOVE : CLASS_ALU;
    if (!unary)
        fact_reads(insn, REG_R(rn));
    if (last.shifted)
        fact_reads_early(insn, last.registers);
    else
        fact_reads(insn, last.registers);
    if (last.carry || (op >= ALU_ADC && op <= ALU_RSC))
        fact_reads(insn, REG_FLAGS);
    if (sets_flags || tests)
        fact_writes(insn, REG_FLAGS);
    if (tests)
        return;
    fact_writes(insn, REG_R(rd));
    if (rd == PC)
        branch_to_result(insn, op, sets_flags, last);
}

void fact_operation(struct insn *insn, unsigned rd, uint64_t plain, uint64_t shifted)
{
    insn->klass = shifted != 0 ? CLASS_ALU_SHIFT : CLASS_ALU;
    fact_reads(insn, plain);
    fact_reads_early(insn, shifted);
    fact_writes(insn, REG_R(rd));
}

void fact_parallel(struct insn *insn, unsigned kind, unsigned rd, unsigned rn, unsigned rm)
{
    fact_operation(insn, rd, REG_R(rn) | REG_R(rm), 0);
    if (kind == 1)
        fact_writes(insn, REG_GE);
}

void fact_multiply(struct insn *insn, enum insn_class klass, uint64_t result, uint64_t factors,
                   uint64_t accumulators)
{
    insn->klass = klass;
    fact_reads_early(insn, factors);
    fact_reads_late(insn, accumulators);
    fact_writes(insn, result);
}

static unsigned count_registers(uint64_t set)
{
    unsigned n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

/* A loaded value wins over the updated base where both go to one register; the PC, UNPREDICTABLE as
 * such a base, stays. */
static void write_back(struct insn *insn, unsigned base, uint64_t loaded)
{
    if (base == PC)
        return;
    fact_writes(insn, REG_R(base));
    insn->writes_back |= REG_R(base) & ~loaded;
}

void fact_transfer(struct insn *insn, const struct transfer *transfer)
{
    insn->klass = transfer->load ? CLASS_LOAD : CLASS_STORE;
    insn->memory.load = transfer->load;
    insn->memory.store = !transfer->load;
    insn->memory.bytes = transfer->bytes;
    insn->memory.align = transfer->align;
    insn->operations = transfer->pair ? 2 : (uint8_t)count_registers(transfer->data);
    insn->memory.multiple = insn->operations > 1;
    fact_reads_early(insn, REG_R(transfer->base) | transfer->index);
    if (transfer->writes_back)
        write_back(insn, transfer->base, transfer->load ? transfer->data : 0);
    if (!transfer->load) {
        fact_reads_late(insn, transfer->data);
        return;
    }
    fact_writes(insn, transfer->data);
    if ((transfer->data & REG_PC) != 0)
        insn->branch = transfer->base == SP && transfer->post && transfer->index == 0
                           ? BRANCH_RETURN
                           : BRANCH_INDIRECT;
}

static void load_pc_of_multiple(struct insn *insn, const struct multiple *multiple)
{
    if (multiple->user)
        fact_return_from_exception(insn);
    else if (multiple->base == SP && multiple->after && multiple->writes_back)
        insn->branch = BRANCH_RETURN;
    else
        insn->branch = BRANCH_INDIRECT;
}

void fact_multiple(struct insn *insn, const struct multiple *multiple)
{
    const unsigned n = count_registers(multiple->list);

    insn->klass = multiple->load ? CLASS_LOAD_MULTIPLE : CLASS_STORE_MULTIPLE;
    insn->memory.load = multiple->load;
    insn->memory.store = !multiple->load;
    insn->memory.bytes = (uint16_t)(4 * n);
    insn->memory.align = 4;
    insn->memory.multiple = n > 1;
    insn->operations = (uint8_t)n;
    if (multiple->user)
        insn->effect = EFFECT_SYSTEM;
    fact_reads_early(insn, REG_R(multiple->base));
    if (multiple->writes_back)
        write_back(insn, multiple->base, multiple->load ? multiple->list : 0);
    if (!multiple->load) {
        fact_reads_late(insn, multiple->list);
        return;
    }
    fact_writes(insn, multiple->list);
    if ((multiple->list & REG_PC) != 0)
        load_pc_of_multiple(insn, multiple);
}

void fact_load_exclusive(struct insn *insn, unsigned bytes, unsigned base, uint64_t data)
{
    const struct transfer transfer = {.load = true,
                                      .bytes = (uint8_t)bytes,
                                      .align = (uint8_t)bytes,
                                      .base = base,
                                      .data = data,
                                      .pair = bytes == 8};
    fact_transfer(insn, &transfer);
    insn->memory.exclusive = true;
}

void fact_store_exclusive(struct insn *insn, unsigned bytes, unsigned base, uint64_t data,
                          unsigned status)
{
    const struct transfer transfer = {.bytes = (uint8_t)bytes,
                                      .align = (uint8_t)bytes,
                                      .base = base,
                                      .data = data,
                                      .pair = bytes == 8};
    fact_transfer(insn, &transfer);
    insn->memory.exclusive = true;
    fact_writes(insn, REG_R(status));
}

void fact_preload(struct insn *insn, uint64_t address)
{
    insn->klass = CLASS_PRELOAD;
    fact_reads_early(insn, address);
}

void fact_branch(struct insn *insn, uint64_t target, bool links)
{
    insn->klass = CLASS_BRANCH;
    insn->branch = BRANCH_IMMEDIATE;
    insn->links = links;
    insn->target = target & UINT32_MAX;
    fact_writes(insn, REG_PC | (links ? REG_LR : 0));
}

void fact_branch_register(struct insn *insn, unsigned rm, bool exchanges, bool links)
{
    insn->klass = CLASS_BRANCH;
    insn->branch = exchanges && rm == LR ? BRANCH_RETURN : BRANCH_INDIRECT;
    insn->links = links;
    insn->exchanges = exchanges && !links;
    fact_reads(insn, REG_R(rm));
    fact_writes(insn, REG_PC | (links ? REG_LR : 0));
}

void fact_store_return_state(struct insn *insn, bool writes_back)
{
    const struct transfer transfer = {
        .writes_back = writes_back, .bytes = 8, .align = 4, .base = SP, .data = REG_LR | REGS_APSR};
    fact_transfer(insn, &transfer);
    insn->klass = CLASS_STORE_MULTIPLE;
    insn->effect = EFFECT_SYSTEM;
    insn->operations = 2;
}

void fact_load_return_state(struct insn *insn, unsigned base, bool writes_back)
{
    const struct transfer transfer = {.load = true,
                                      .writes_back = writes_back,
                                      .bytes = 8,
                                      .align = 4,
                                      .base = base,
                                      .data = REG_PC | REGS_APSR};
    fact_transfer(insn, &transfer);
    fact_return_from_exception(insn);
    insn->klass = CLASS_LOAD_MULTIPLE;
    insn->operations = 2;
}

/* User mode reads the whole CPSR except the mode's own bits; SPSR has no meaning there. */
void fact_read_status(struct insn *insn, unsigned rd, bool saved)
{
    fact_system(insn, saved ? EFFECT_SYSTEM : EFFECT_NONE);
    if (!saved)
        fact_reads(insn, REGS_APSR);
    fact_writes(insn, REG_R(rd));
}

void fact_write_status(struct insn *insn, uint64_t source, unsigned mask, bool saved)
{
    fact_system(insn, saved || (mask & 3) != 0 ? EFFECT_SYSTEM : EFFECT_NONE);
    fact_reads(insn, source);
    if (saved)
        return;
    if ((mask & 8) != 0)
        fact_writes(insn, REG_FLAGS | REG_Q);
    if ((mask & 4) != 0)
        fact_writes(insn, REG_GE);
}

void fact_hint(struct insn *insn, unsigned number)
{
    insn->klass = number == 0 ? CLASS_ALU : CLASS_BARRIER;
}

void fact_clear_exclusive(struct insn *insn)
{
    insn->klass = CLASS_BARRIER;
}

bool fact_barrier(struct insn *insn, unsigned number)
{
    enum { DSB = 4, DMB = 5, ISB = 6 };

    insn->klass = CLASS_BARRIER;
    insn->orders_stores = number == DSB || number == DMB;
    return number == DSB || number == DMB || number == ISB;
}
