/* Loads and stores of A32 and T32: the access, its address, the write-back, a loaded PC. */
#include "isa/a32.h"

void a32_write_back(const struct operands *operands, struct insn *insn)
{
    if (operands->base == REG_PC)
        return;
    insn->writes |= operands->base;
    insn->writes_back = operands->base & ~(insn->memory.load ? operands->data : UINT64_C(0));
}

bool a32_loads(const struct operands *operands)
{
    const enum insn_class klass = operands->form->klass;

    return klass == CLASS_LOAD || klass == CLASS_LOAD_MULTIPLE || klass == CLASS_NEON_LOAD;
}

void a32_access_memory(const struct operands *operands, unsigned bytes, unsigned align,
                       struct insn *insn)
{
    insn->memory.load = a32_loads(operands);
    insn->memory.store = !insn->memory.load;
    insn->memory.bytes = (uint16_t)bytes;
    insn->memory.align = (uint8_t)align;
    insn->memory.multiple = operands->n_data > 1;
    insn->operations = (uint8_t)operands->n_data;
}

/* Returns whether the base is the address, and the offset is added after the access. */
static bool is_post_indexed(const struct operands *operands)
{
    return a32_has_field(operands, 'P') && a32_field(operands, 'P') == 0;
}

void a32_locate(const struct operands *operands, unsigned scale, struct insn *insn)
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

    a32_access_memory(operands, bytes * operands->n_data, bytes, insn);
    a32_locate(operands, scale, insn);
    if (post || a32_field(operands, 'W') != 0)
        a32_write_back(operands, insn);
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
    a32_locate(operands, 1, insn);
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
    const bool loads_pc = a32_loads(operands) && bit(list->registers, PC);

    all.data = list->registers;
    all.n_data = a32_count_registers(list->registers);
    a32_access_memory(&all, 4 * all.n_data, 4, insn);
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
        a32_write_back(&all, insn);
    if (list->user)
        insn->effect = EFFECT_SYSTEM;
    if (loads_pc && list->user)
        a32_return_from_exception(insn);
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
                                       .writes_back = !a32_loads(operands) ||
                                                      (operands->base & registers) == 0};

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
