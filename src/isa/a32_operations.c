/* What A32 and T32 instructions do beyond reading and writing their registers: accesses, branches,
 * effects. One function an operation of the rows. */
#include "isa/a32.h"

enum { SP = 13, LR = 14, PC = 15 };

static uint8_t count_registers(uint64_t set)
{
    uint8_t n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

static int32_t signed_field(uint32_t value, unsigned width)
{
    const uint32_t sign = UINT32_C(1) << (width - 1);
    return (int32_t)((value ^ sign) - sign);
}

bool complete_undefined(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    (void)insn;
    return false;
}

bool complete_plain(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    (void)insn;
    return true;
}

/* ---- data processing ---------------------------------------------------------------------------
 */

static void return_from_exception(struct insn *insn)
{
    insn->branch = BRANCH_EXCEPTION_RETURN;
    insn->effect = EFFECT_SYSTEM;
    insn->writes |= REG_PC | REGS_APSR;
}

bool complete_alu(const struct operands *operands, struct insn *insn)
{
    if ((insn->writes & REG_PC) == 0)
        return true;
    if (operands->sets_flags)
        return_from_exception(insn);
    else
        insn->branch = BRANCH_INDIRECT;
    return true;
}

static uint32_t rotated(uint32_t value, unsigned by)
{
    return by == 0 ? value : value >> by | value << (32 - by);
}

/* Source: Arm DDI 0406C, ThumbExpandImm(). */
static uint32_t expand_t32(uint32_t code)
{
    const uint32_t byte = code & 0xff;

    switch (code >> 8) {
    case 0:
        return byte;
    case 1:
        return byte << 16 | byte;
    case 2:
        return byte << 24 | byte << 8;
    case 3:
        return byte * 0x01010101u;
    }
    return rotated(0x80 | (code & 0x7f), code >> 7);
}

/* A number as it stands in the fields k, h and i. */
static uint32_t plain_number(const struct operands *operands)
{
    return a32_field(operands, 'k') << 12 | a32_field(operands, 'h') << 11 |
           a32_field(operands, 'i');
}

/* Of data processing: a modified immediate. Source: Arm DDI 0406C, ARMExpandImm(). */
static uint32_t number_of(const struct operands *operands)
{
    const uint32_t code = plain_number(operands);

    return operands->t32 ? expand_t32(code) : rotated(code & 0xff, code >> 8 << 1);
}

/* Two registers, the second shifted by the fields s and j. The PC is not aligned here in T32. */
static void add_registers(const struct operands *operands, uint64_t base, struct insn *insn)
{
    const uint64_t index = REG_R(a32_field(operands, 'm'));

    insn->sum = (struct insn_sum){.known = !operands->t32 || ((base | index) & REG_PC) == 0,
                                  .base = base,
                                  .index = index,
                                  .shift_by = (uint8_t)a32_field(operands, 's'),
                                  .shift = (uint8_t)a32_field(operands, 'j')};
}

/* The only register that is read, if any, and a number. */
static void add_number(uint32_t number, struct insn *insn)
{
    insn->sum = (struct insn_sum){
        .known = true, .base = insn->reads & (REG_R(16) - 1), .number = (int32_t)number};
}

bool complete_add(const struct operands *operands, struct insn *insn)
{
    const char first = a32_has_field(operands, 'n') ? 'n' : 'd';

    if (a32_has_field(operands, 'm'))
        add_registers(operands, REG_R(a32_field(operands, first)), insn);
    else
        add_number(number_of(operands), insn);
    return complete_alu(operands, insn);
}

bool complete_subtract(const struct operands *operands, struct insn *insn)
{
    if (!a32_has_field(operands, 'm'))
        add_number(-number_of(operands), insn);
    return complete_alu(operands, insn);
}

bool complete_add_plain(const struct operands *operands, struct insn *insn)
{
    add_number(plain_number(operands), insn);
    return complete_alu(operands, insn);
}

bool complete_subtract_plain(const struct operands *operands, struct insn *insn)
{
    add_number(-plain_number(operands), insn);
    return complete_alu(operands, insn);
}

bool complete_add_words(const struct operands *operands, struct insn *insn)
{
    add_number(plain_number(operands) * 4, insn);
    return true;
}

bool complete_subtract_words(const struct operands *operands, struct insn *insn)
{
    add_number(-plain_number(operands) * 4, insn);
    return true;
}

/* MOVT */
bool complete_move_top(const struct operands *operands, struct insn *insn)
{
    add_number(plain_number(operands) << 16, insn);
    insn->sum.keeps_low_half = true;
    return true;
}

/* MOV of a shifted register: LSL and its like. */
bool complete_shift(const struct operands *operands, struct insn *insn)
{
    add_registers(operands, 0, insn);
    return complete_alu(operands, insn);
}

/* MOV PC,Rm is a branch and nothing else. */
bool complete_move(const struct operands *operands, struct insn *insn)
{
    if (a32_has_field(operands, 'm'))
        add_registers(operands, 0, insn);
    else
        add_number(number_of(operands), insn);
    complete_alu(operands, insn);
    if (insn->branch != BRANCH_INDIRECT || insn->reads == 0)
        return true;
    insn->klass = CLASS_BRANCH;
    if ((insn->reads & REG_LR) != 0)
        insn->branch = BRANCH_RETURN;
    return true;
}

bool complete_multiply_long(const struct operands *operands, struct insn *insn)
{
    const unsigned high = a32_field(operands, 'h');

    if (high != a32_field(operands, 'l'))
        insn->writes_high = REG_R(high);
    return true;
}

bool complete_multiply_by_half(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    insn->word_by_half = true;
    return true;
}

bool complete_divide_signed(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    insn->divides_signed = true;
    return true;
}

/* T32 has the source of REV, RBIT and CLZ twice. */
bool complete_same_source(const struct operands *operands, struct insn *insn)
{
    (void)insn;
    return a32_field(operands, 'n') == a32_field(operands, 'm');
}

/* ---- loads and stores --------------------------------------------------------------------------
 */

/* A loaded value wins over the updated base where both go to one register; the PC, UNPREDICTABLE as
 * such a base, stays. */
static void write_back(const struct operands *operands, struct insn *insn)
{
    if (operands->base == REG_PC)
        return;
    insn->writes |= operands->base;
    insn->writes_back = operands->base & ~(insn->memory.load ? operands->data : UINT64_C(0));
}

static bool loads(const struct operands *operands)
{
    const enum insn_class klass = operands->form->klass;

    return klass == CLASS_LOAD || klass == CLASS_LOAD_MULTIPLE || klass == CLASS_NEON_LOAD;
}

static void access_memory(const struct operands *operands, unsigned bytes, unsigned align,
                          struct insn *insn)
{
    insn->memory.load = loads(operands);
    insn->memory.store = !insn->memory.load;
    insn->memory.bytes = (uint16_t)bytes;
    insn->memory.align = (uint8_t)align;
    insn->memory.multiple = operands->n_data > 1;
    insn->operations = (uint8_t)operands->n_data;
}

/* Whether the base is the address, and the offset is added after the access. */
static bool is_post_indexed(const struct operands *operands)
{
    return a32_has_field(operands, 'P') && a32_field(operands, 'P') == 0;
}

/* The address and the write-back, by the fields P, U, i, s and j; RRX by its role. */
static void locate(const struct operands *operands, unsigned scale, struct insn *insn)
{
    const bool down = a32_has_field(operands, 'U') && a32_field(operands, 'U') == 0;
    const int32_t offset = (int32_t)(a32_field(operands, 'i') * scale);
    const bool after = is_post_indexed(operands);

    insn->sum = (struct insn_sum){
        .known = true,
        .subtracts = down,
        .indexed_after = after,
        .shift_by = insn->shifts_by_register ? SHIFT_ROR : (uint8_t)a32_field(operands, 's'),
        .shift = (uint8_t)a32_field(operands, 'j'),
        .base = operands->base,
        .index = operands->index,
        .number = after  ? 0
                  : down ? -offset
                         : offset,
        .step = down ? -offset : offset};
}

static bool transfer(const struct operands *operands, unsigned scale, struct insn *insn)
{
    const unsigned bytes = operands->form->bytes;
    const bool post = is_post_indexed(operands);

    access_memory(operands, bytes * operands->n_data, bytes, insn);
    locate(operands, scale, insn);
    if (post || a32_field(operands, 'W') != 0)
        write_back(operands, insn);
    if (insn->memory.load && (operands->data & REG_PC) != 0)
        insn->branch = operands->base == REG_SP && post && operands->index == 0 ? BRANCH_RETURN
                                                                                : BRANCH_INDIRECT;
    return true;
}

bool complete_transfer(const struct operands *operands, struct insn *insn)
{
    return transfer(operands, 1, insn);
}

bool complete_transfer_scaled(const struct operands *operands, struct insn *insn)
{
    return transfer(operands, operands->form->bytes, insn);
}

bool complete_preload(const struct operands *operands, struct insn *insn)
{
    locate(operands, 1, insn);
    return true;
}

bool complete_preload_below(const struct operands *operands, struct insn *insn)
{
    complete_preload(operands, insn);
    insn->sum.number = -insn->sum.number;
    return true;
}

/* Exclusive doublewords must be aligned as a whole. */
bool complete_exclusive(const struct operands *operands, struct insn *insn)
{
    transfer(operands, operands->form->bytes, insn);
    insn->memory.exclusive = true;
    insn->memory.align = (uint8_t)insn->memory.bytes;
    return true;
}

bool complete_swap(const struct operands *operands, struct insn *insn)
{
    const uint8_t bytes = bit(operands->word, 22) ? 1 : 4;

    insn->memory =
        (struct insn_memory){.load = true, .store = true, .bytes = bytes, .align = bytes};
    insn->operations = 2;
    return true;
}

bool complete_table_branch(const struct operands *operands, struct insn *insn)
{
    access_memory(operands, operands->form->bytes, operands->form->bytes, insn);
    insn->branch = BRANCH_TABLE;
    return true;
}

/* A list of core registers: where it lies, counted from its base, and how the base moves. */
struct register_list {
    uint32_t registers;
    bool down, before; /* the addresses fall from the base; the base is not the first of them */
    bool writes_back, user;
};

static bool transfer_list(const struct operands *operands, const struct register_list *list,
                          struct insn *insn)
{
    struct operands all = *operands;
    const bool loads_pc = loads(operands) && bit(list->registers, PC);

    all.data = list->registers;
    all.n_data = count_registers(list->registers);
    access_memory(&all, 4 * all.n_data, 4, insn);
    if (insn->memory.load) {
        insn->writes |= all.data;
    } else {
        insn->reads |= all.data;
        insn->reads_late |= all.data;
    }
    insn->sum = (struct insn_sum){.known = true,
                                  .base = all.base,
                                  .number = (list->down ? -insn->memory.bytes : 0) +
                                            (list->before != list->down ? 4 : 0),
                                  .step = list->down ? -insn->memory.bytes : insn->memory.bytes};
    if (list->writes_back)
        write_back(&all, insn);
    if (list->user)
        insn->effect = EFFECT_SYSTEM;
    if (loads_pc && list->user)
        return_from_exception(insn);
    else if (loads_pc)
        insn->branch = all.base == REG_SP && !list->down && !list->before && list->writes_back
                           ? BRANCH_RETURN
                           : BRANCH_INDIRECT;
    return list->registers != 0;
}

bool complete_multiple(const struct operands *operands, struct insn *insn)
{
    const struct register_list list = {.registers = a32_field(operands, 'r'),
                                       .down = a32_field(operands, 'U') == 0,
                                       .before = a32_field(operands, 'P') != 0,
                                       .writes_back = a32_field(operands, 'W') != 0,
                                       .user = a32_field(operands, 'V') != 0};
    return transfer_list(operands, &list, insn);
}

/* The base of a 16-bit LDM moves unless it is loaded. */
bool complete_multiple_low(const struct operands *operands, struct insn *insn)
{
    const uint32_t registers = a32_field(operands, 'r');
    const struct register_list list = {.registers = registers,
                                       .writes_back =
                                           !loads(operands) || (operands->base & registers) == 0};

    return transfer_list(operands, &list, insn);
}

bool complete_push(const struct operands *operands, struct insn *insn)
{
    const struct register_list list = {.registers = a32_field(operands, 'r') |
                                                    a32_field(operands, 'M') << LR,
                                       .down = true,
                                       .before = true,
                                       .writes_back = true};
    return transfer_list(operands, &list, insn);
}

bool complete_pop(const struct operands *operands, struct insn *insn)
{
    const struct register_list list = {.registers = a32_field(operands, 'r') |
                                                    a32_field(operands, 'M') << PC,
                                       .writes_back = true};
    return transfer_list(operands, &list, insn);
}

/* ---- branches ----------------------------------------------------------------------------------
 */

/* offset: from the PC as instructions read it. */
static bool branch_to(const struct operands *operands, int32_t offset, struct insn *insn)
{
    insn->branch = BRANCH_IMMEDIATE;
    insn->links = (insn->writes & REG_LR) != 0;
    insn->target = (uint32_t)(operands->address + (operands->t32 ? 4 : 8) + (uint32_t)offset);
    return true;
}

bool complete_branch(const struct operands *operands, struct insn *insn)
{
    return branch_to(operands, signed_field(a32_field(operands, 'i'), 24) * 4, insn);
}

/* BLX: of two halfwords, H tells which. */
bool complete_branch_link_exchange(const struct operands *operands, struct insn *insn)
{
    insn->other_isa = true;
    return branch_to(operands,
                     signed_field(a32_field(operands, 'i'), 24) * 4 +
                         (a32_field(operands, 'H') != 0 ? 2 : 0),
                     insn);
}

bool complete_branch_short(const struct operands *operands, struct insn *insn)
{
    const bool conditional = a32_has_field(operands, 'c');

    if (conditional)
        insn->condition = (uint8_t)a32_field(operands, 'c');
    return branch_to(operands, signed_field(a32_field(operands, 'i'), conditional ? 8 : 11) * 2,
                     insn);
}

bool complete_branch_conditional(const struct operands *operands, struct insn *insn)
{
    const uint32_t word = operands->word;
    const uint32_t magnitude = field(word, 10, 0) | field(word, 21, 16) << 11 |
                               (uint32_t)bit(word, 13) << 17 | (uint32_t)bit(word, 11) << 18 |
                               (uint32_t)bit(word, 26) << 19;

    insn->condition = (uint8_t)a32_field(operands, 'c');
    return branch_to(operands, signed_field(magnitude, 20) * 2, insn);
}

/* B, BL and BLX reach 16 MB: two bits of the offset are stored against its sign. BLX counts from
 * the word that the PC is in. */
bool complete_branch_wide(const struct operands *operands, struct insn *insn)
{
    const uint32_t word = operands->word;
    const bool sign = bit(word, 26), stays = bit(word, 12);
    const uint32_t i1 = bit(word, 13) == sign, i2 = bit(word, 11) == sign;
    const uint32_t magnitude =
        field(word, 10, 0) | field(word, 25, 16) << 11 | i2 << 21 | i1 << 22 | (uint32_t)sign << 23;

    insn->other_isa = !stays;
    branch_to(operands, signed_field(magnitude, 24) * 2, insn);
    if (!stays)
        insn->target &= ~UINT64_C(3);
    return true;
}

bool complete_compare_and_branch(const struct operands *operands, struct insn *insn)
{
    insn->compares_zero = true;
    return branch_to(operands, (int32_t)a32_field(operands, 'i') * 2, insn);
}

/* BX */
bool complete_exchange(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    insn->exchanges = true;
    insn->branch = insn->reads == REG_LR ? BRANCH_RETURN : BRANCH_INDIRECT;
    return true;
}

bool complete_call_register(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    insn->links = true;
    insn->branch = BRANCH_INDIRECT;
    return true;
}

/* ---- the system --------------------------------------------------------------------------------
 */

bool complete_exception_return(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    return_from_exception(insn);
    return true;
}

bool complete_supervisor_call(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    insn->effect = EFFECT_SYSCALL;
    return true;
}

bool complete_breakpoint(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    insn->effect = EFFECT_BREAKPOINT;
    return true;
}

bool complete_privileged(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    insn->effect = EFFECT_SYSTEM;
    return true;
}

bool complete_wait_for_interrupt(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    insn->waits_for_interrupt = true;
    return true;
}

bool complete_order_stores(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    insn->orders_stores = true;
    return true;
}

/* MSR of the fields k (8: flags, 4: GE, the rest not for User mode) of the CPSR, or of the SPSR. */
bool complete_write_status(const struct operands *operands, struct insn *insn)
{
    const unsigned fields = a32_field(operands, 'k');
    const bool saved = a32_field(operands, 'R') != 0;

    if (saved || (fields & 3) != 0)
        insn->effect = EFFECT_SYSTEM;
    if (!saved)
        insn->writes |=
            ((fields & 8) != 0 ? REG_FLAGS | REG_Q : 0) | ((fields & 4) != 0 ? REG_GE : 0);
    return true;
}

/* A system register of CP15 by opc1, CRn, CRm, opc2. */
#define CP15(opc1, crn, crm, opc2) ((opc1) << 11 | (crn) << 7 | (crm) << 3 | (opc2))

/* CRm of the cache operations of c7: caches to a point, invalidation, cleaning, both. */
static bool maintains_cache(unsigned crm)
{
    return crm == 1 || crm == 5 || crm == 6 || crm == 7 || crm == 10 || crm == 11 || crm == 14;
}

/* MCR */
bool complete_to_coprocessor(const struct operands *operands, struct insn *insn)
{
    const unsigned crn = a32_field(operands, 'n'), crm = a32_field(operands, 'm');

    insn->effect = EFFECT_SYSTEM;
    if (a32_field(operands, 'p') != 15)
        return true;
    switch (CP15(a32_field(operands, 'o'), crn, crm, a32_field(operands, 'k'))) {
    case CP15(0, 13, 0, 1):
        insn->effect = EFFECT_CONTEXTIDR_WRITE;
        break;
    case CP15(0, 9, 12, 4):
        insn->effect = EFFECT_SW_INCREMENT;
        break;
    case CP15(0, 7, 0, 4): /* WFI before Armv7 */
        insn->waits_for_interrupt = true;
        break;
    case CP15(0, 7, 10, 4):         /* DSB */
    case CP15(0, 7, 10, 5):         /* DMB, as ARMv6 wrote them: allowed in User mode */
        insn->orders_stores = true; /* fall through */
    case CP15(0, 7, 5, 4):          /* ISB */
        insn->klass = CLASS_BARRIER;
        insn->effect = EFFECT_NONE;
        return true;
    }
    if (crn == 7 && maintains_cache(crm))
        insn->orders_stores = true;
    return true;
}

/* LDC, STC: how much they transfer is the coprocessor's affair; a word at least. */
bool complete_coprocessor_transfer(const struct operands *operands, struct insn *insn)
{
    access_memory(operands, 4, 4, insn);
    locate(operands, 4, insn);
    if (a32_field(operands, 'W') != 0)
        write_back(operands, insn);
    insn->effect = EFFECT_SYSTEM;
    return true;
}

static void transfer_return_state(const struct operands *operands, struct insn *insn)
{
    access_memory(operands, 8, 4, insn);
    insn->memory.multiple = true;
    insn->operations = 2;
    insn->effect = EFFECT_SYSTEM;
    if (a32_field(operands, 'W') != 0)
        write_back(operands, insn);
}

/* RFE */
bool complete_load_return_state(const struct operands *operands, struct insn *insn)
{
    struct operands state = *operands;

    state.data = REG_PC;
    transfer_return_state(&state, insn);
    return_from_exception(insn);
    return true;
}

/* SRS stores LR and SPSR; the flags stand for the latter. */
bool complete_store_return_state(const struct operands *operands, struct insn *insn)
{
    transfer_return_state(operands, insn);
    insn->reads |= REG_LR | REGS_APSR;
    insn->reads_late |= REG_LR | REGS_APSR;
    return true;
}

/* ---- VFP and NEON ------------------------------------------------------------------------------
 */

bool complete_vfp(const struct operands *operands, struct insn *insn)
{
    insn->doubles = bit(operands->word, 8);
    return true;
}

bool complete_vfp_add(const struct operands *operands, struct insn *insn)
{
    insn->adds = true;
    return complete_vfp(operands, insn);
}

bool complete_vfp_multiply(const struct operands *operands, struct insn *insn)
{
    insn->multiplies = true;
    return complete_vfp(operands, insn);
}

bool complete_vfp_convert(const struct operands *operands, struct insn *insn)
{
    insn->converts = true;
    return complete_vfp(operands, insn);
}

bool complete_vfp_convert_double(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    insn->converts = true;
    insn->doubles = true;
    return true;
}

static void access_vector(const struct operands *operands, unsigned bytes, unsigned align,
                          struct insn *insn)
{
    access_memory(operands, bytes, align, insn);
    insn->memory.neon = true;
    insn->operations = count_registers(operands->data); /* two S registers are one D register */
    insn->vector.kind = insn->memory.load ? VECTOR_LOAD : VECTOR_STORE;
}

/* VLDR, VSTR */
bool complete_vector_transfer(const struct operands *operands, struct insn *insn)
{
    access_vector(operands, bit(operands->word, 8) ? 8 : 4, 4, insn);
    locate(operands, 4, insn);
    return true;
}

/* Adds the registers loaded or stored. */
static void add_data(struct operands *operands, uint64_t set, unsigned n, struct insn *insn)
{
    operands->data |= set;
    operands->n_data += n;
    if (loads(operands)) {
        insn->writes |= set;
    } else {
        insn->reads |= set;
        insn->reads_late |= set;
    }
}

/* VLDM, VSTM: registers that there are, at most 16 of two words. FLDMX has an odd word after. */
bool complete_vector_multiple(const struct operands *operands, struct insn *insn)
{
    struct operands list = *operands;
    const bool doubles = bit(operands->word, 8);
    const unsigned vector = a32_field(operands, 'd'), extra = a32_field(operands, 'D');
    const unsigned first = doubles ? extra << 4 | vector : vector << 1 | extra;
    const unsigned count = a32_field(operands, 'i') >> (doubles ? 1 : 0);

    if (count == 0 || first + count > 32 || (doubles && count > 16))
        return false;
    for (unsigned n = first; n < first + count; n++)
        add_data(&list, REG_D(doubles ? n : n / 2), 1, insn);
    access_vector(&list, (doubles ? 8 : 4) * count, 4, insn);
    const int32_t bytes = (int32_t)a32_field(operands, 'i') * 4;
    const bool down = !bit(operands->word, 23);
    insn->sum = (struct insn_sum){.known = true,
                                  .base = operands->base,
                                  .number = down ? -bytes : 0,
                                  .step = down ? -bytes : bytes};
    if (a32_field(operands, 'W') != 0)
        write_back(&list, insn);
    return true;
}

static unsigned double_number(const struct operands *operands, char letter, char upper)
{
    return a32_field(operands, upper) << 4 | a32_field(operands, letter);
}

/* VTBL, VTBX: the table's registers have to exist. */
bool complete_table_lookup(const struct operands *operands, struct insn *insn)
{
    const unsigned first = double_number(operands, 'n', 'N');
    const unsigned count = a32_field(operands, 'l') + 1;

    if (first + count > 32)
        return false;
    for (unsigned n = first; n < first + count; n++) {
        insn->reads |= REG_D(n);
        insn->vector.n |= UINT32_C(1) << n;
    }
    if (count > 2)
        insn->vector.kind = VECTOR_TABLE_LARGE;
    return true;
}

/* Bits 21:20 have the size in all multiplications of integers. */
bool complete_vector_multiply(const struct operands *operands, struct insn *insn)
{
    insn->vector.element_bytes = (uint8_t)(1u << field(operands->word, 21, 20));
    return true;
}

bool complete_by_element(const struct operands *operands, struct insn *insn)
{
    (void)operands;
    insn->vector.by_element = true;
    return true;
}

bool complete_multiply_by_element(const struct operands *operands, struct insn *insn)
{
    complete_by_element(operands, insn);
    return complete_vector_multiply(operands, insn);
}

/* VLDn, VSTn: `count` D registers, `step` apart. */
struct structure {
    unsigned count, step;
    unsigned bytes, align;
    bool multiple; /* several elements */
    bool aligned;  /* as insn_memory has it */
};

static bool transfer_structure(const struct operands *operands, const struct structure *structure,
                               struct insn *insn)
{
    struct operands list = *operands;
    const unsigned first = double_number(operands, 'd', 'D');
    const unsigned rm = a32_field(operands, 'm');

    if (first + (structure->count - 1) * structure->step > 31)
        return false;
    for (unsigned i = 0; i < structure->count; i++)
        add_data(&list, REG_D(first + i * structure->step), 1, insn);
    access_vector(&list, structure->bytes, structure->align, insn);
    insn->memory.multiple = structure->multiple;
    insn->memory.aligned = structure->aligned;
    insn->sum = (struct insn_sum){.known = true, .indexed_after = true, .base = operands->base};
    if (rm != PC)
        write_back(&list, insn);
    if (rm == SP)
        insn->sum.step = (int32_t)structure->bytes;
    if (rm != PC && rm != SP) {
        insn->sum.index = REG_R(rm);
        insn->reads |= REG_R(rm);
        insn->reads_early |= REG_R(rm);
    }
    return true;
}

/* Whole registers: of VLD4, VLD1 of four, VLD2 of four, ... in the order of their codes. */
bool complete_structures(const struct operands *operands, struct insn *insn)
{
    static const struct {
        uint8_t count, step, elements; /* elements: n of VLDn */
    } types[16] = {{4, 1, 4}, {4, 2, 4}, {4, 1, 1}, {4, 1, 2}, {3, 1, 3}, {3, 2, 3},
                   {3, 1, 1}, {1, 1, 1}, {2, 1, 2}, {2, 2, 2}, {2, 1, 1}};
    const unsigned type = a32_field(operands, 'k');
    const unsigned size = a32_field(operands, 'z'), align = a32_field(operands, 'a');
    const unsigned count = types[type].count;

    if (count == 0 || (types[type].elements != 1 && size == 3) || ((count & 1) != 0 && align > 1) ||
        (count == 2 && align == 3))
        return false;
    const struct structure structure = {.count = count,
                                        .step = types[type].step,
                                        .bytes = 8 * count,
                                        .align = align == 0 ? 1u << size : 4u << align,
                                        .multiple = count > 1 || size < 3,
                                        .aligned = align != 0};
    if (!transfer_structure(operands, &structure, insn))
        return false;
    const unsigned elements = types[type].elements;
    if (elements > 2)
        insn->vector.kind = insn->memory.load ? VECTOR_LOAD_FOUR : VECTOR_STORE_FOUR;
    else if (elements == 2 && insn->memory.load)
        insn->vector.kind = VECTOR_LOAD_TWO;
    else if (elements == 2 && count == 4)
        insn->vector.kind = VECTOR_STORE_FOUR;
    return true;
}

/* How the element's number and the alignment share the field x, by the element's size and by how
 * many elements there are. Returns the alignment, 0 for no instruction. */
static unsigned lane_align(unsigned size, unsigned elements, unsigned x)
{
    const unsigned bytes = 1u << size, all = elements * bytes;
    const unsigned low = x & (size == 2 ? 3 : 1);

    switch (elements) {
    case 1:
        if (size == 0)
            return low == 0 ? 1 : 0;
        if (size == 1)
            return (x & 2) == 0 ? bytes : 0;
        return (x & 4) == 0 && (low == 0 || low == 3) ? bytes : 0;
    case 2:
        return low > 1 ? 0 : low == 1 ? all : bytes;
    case 3:
        return low == 0 ? bytes : 0;
    }
    if (size == 2)
        return low == 0 ? bytes : low < 3 ? 4u << low : 0;
    return low == 0 ? bytes : all;
}

/* One element of each register; the others stay. */
bool complete_lane(const struct operands *operands, struct insn *insn)
{
    const unsigned size = a32_field(operands, 'z'), x = a32_field(operands, 'x');
    const unsigned elements = a32_field(operands, 'k') + 1;
    const unsigned align = lane_align(size, elements, x);
    const bool spaced = size != 0 && elements != 1 && (x >> size & 1) != 0;
    const struct structure structure = {.count = elements,
                                        .step = spaced ? 2 : 1,
                                        .bytes = elements << size,
                                        .align = align,
                                        .multiple = elements > 1,
                                        .aligned = (x & (size == 2 ? 3 : 1)) != 0};

    if (align == 0 || !transfer_structure(operands, &structure, insn))
        return false;
    if (insn->memory.load) {
        insn->reads |= insn->writes & REGS_NEON;
        insn->reads_late |= insn->writes & REGS_NEON;
        insn->vector.kind = elements > 2 ? VECTOR_LOAD_LANES : VECTOR_LOAD_LANE;
    } else if (elements > 2) {
        insn->vector.kind = VECTOR_STORE_LANES;
    }
    return true;
}

/* One structure to all elements. */
bool complete_all_lanes(const struct operands *operands, struct insn *insn)
{
    const unsigned size = a32_field(operands, 'z'), elements = a32_field(operands, 'k') + 1;
    const bool wide = a32_field(operands, 'Q') != 0, aligned = a32_field(operands, 'a') != 0;
    const unsigned bytes = size == 3 ? 4 : 1u << size;

    if (size == 3 && !(elements == 4 && aligned))
        return false;
    if (aligned && (elements == 3 || (elements == 1 && size == 0)))
        return false;
    const unsigned together = size == 3 ? 16 : elements == 4 && size == 2 ? 8 : elements * bytes;
    const struct structure structure = {.count = elements == 1 && wide ? 2 : elements,
                                        .step = elements > 1 && wide ? 2 : 1,
                                        .bytes = elements * bytes,
                                        .align = aligned ? together : bytes,
                                        .multiple = elements > 1,
                                        .aligned = aligned};
    if (!transfer_structure(operands, &structure, insn))
        return false;
    insn->vector.kind = elements > 2 ? VECTOR_LOAD_ALLS : VECTOR_LOAD_ALL;
    return true;
}
