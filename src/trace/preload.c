#include "trace/preload.h"

/* Returns whether an access tells the address of a preload: the same base register, which nothing
 * between them writes. */
static bool tells_address(const struct block *code, unsigned preload, unsigned access)
{
    const struct insn *insn = &code->insns[access];
    const uint64_t base = insn_plain_base(&code->insns[preload]);

    if (insn->memory.bytes == 0 || insn_plain_base(insn) != base || insn_is_conditional(insn) ||
        insn->memory.exclusive)
        return false;
    for (unsigned i = preload + 1; i < access; i++)
        if ((code->insns[i].writes & base) != 0)
            return false;
    for (unsigned i = access; i < preload; i++)
        if ((code->insns[i].writes & base) != 0)
            return false;
    return true;
}

bool preload_find(const struct block *code, unsigned index, struct preload *out)
{
    const struct insn *insn = &code->insns[index];

    if (insn->klass != CLASS_PRELOAD || insn_plain_base(insn) == 0 || insn_is_conditional(insn) ||
        index + 1u == code->n_insns)
        return false;
    for (unsigned i = 0; i < code->n_insns; i++) {
        if (!tells_address(code, index, i))
            continue;
        *out = (struct preload){
            .index = (uint16_t)index,
            .beside = (uint16_t)i,
            .distance = insn->sum.number - code->insns[i].sum.number,
        };
        return true;
    }
    return false;
}
