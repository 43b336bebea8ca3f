/* Instructions as capstone decodes them: its number of the instruction chooses a row of
 * instructions.def, the row says what is done with each operand.
 *
 * Not taken from capstone, because 4.0.2 is not to be relied on there: which registers are read and
 * written implicitly, the access of an operand (but for the destination of two-operand forms), and
 * the IT block an instruction is in. docs/decode.md lists what else it gets wrong. */
#include "isa/operands.h"

#include <stdlib.h>

#include "base/error.h"
#include "isa/a64.h"

struct decoder {
    csh handles[2];   /* of A32 and T32 */
    cs_insn *insn;    /* written anew by each disassembly */
    bool in_it_block; /* the T32 handle believes so */
    struct a64 *a64;  /* the instructions of A64: rows of our own, not capstone's */
};

static const struct facts facts_of[ARM_INS_ENDING] = {
#define ROW(id, klass, shape, roles, bytes, reads, writes, effect)                                 \
    [ARM_INS_##id] = {CLASS_##klass, SHAPE_##shape, bytes, EFFECT_##effect, roles, reads, writes},
#include "isa/instructions.def"
#undef ROW
};

static bool open_handle(csh *handle, cs_mode mode)
{
    return cs_open(CS_ARCH_ARM, mode, handle) == CS_ERR_OK &&
           cs_option(*handle, CS_OPT_DETAIL, CS_OPT_ON) == CS_ERR_OK;
}

enum armpmu_status decoder_new(struct decoder **out, struct armpmu_error *err)
{
    struct decoder *decoder = calloc(1, sizeof *decoder);

    *out = NULL;
    if (decoder == NULL)
        goto no_memory;
    if (!open_handle(&decoder->handles[ARMPMU_A32], CS_MODE_ARM) ||
        !open_handle(&decoder->handles[ARMPMU_T32], CS_MODE_THUMB))
        goto no_memory;
    decoder->insn = cs_malloc(decoder->handles[ARMPMU_A32]);
    decoder->a64 = a64_new();
    if (decoder->insn == NULL || decoder->a64 == NULL)
        goto no_memory;
    *out = decoder;
    return ARMPMU_OK;

no_memory:
    decoder_free(decoder);
    return fail(err, ARMPMU_NO_MEMORY, "no memory for the instruction decoder");
}

void decoder_free(struct decoder *decoder)
{
    if (decoder == NULL)
        return;
    if (decoder->insn != NULL)
        cs_free(decoder->insn, 1);
    for (unsigned isa = 0; isa < 2; isa++) {
        if (decoder->handles[isa] != 0)
            cs_close(&decoder->handles[isa]);
    }
    a64_free(decoder->a64);
    free(decoder);
}

const struct a64 *decoder_a64(const struct decoder *decoder)
{
    return decoder->a64;
}

static bool is_it(const uint8_t *bytes)
{
    return bytes[1] == 0xbf && (bytes[0] & 0xf) != 0;
}

/* Capstone keeps an IT instruction's block for the calls that follow: four NOPs end it. */
static void forget_it_block(struct decoder *decoder)
{
    static const uint8_t nops[] = {0x00, 0xbf, 0x00, 0xbf, 0x00, 0xbf, 0x00, 0xbf};
    const uint8_t *bytes = nops;
    size_t size = sizeof nops;
    uint64_t address = 0;

    while (cs_disasm_iter(decoder->handles[ARMPMU_T32], &bytes, &size, &address, decoder->insn))
        continue;
    decoder->in_it_block = false;
}

static bool disassemble(struct decoder *decoder, enum armpmu_isa isa, const uint8_t *bytes,
                        size_t size, uint64_t address)
{
    if (decoder->in_it_block)
        forget_it_block(decoder);
    decoder->in_it_block = isa == ARMPMU_T32 && is_it(bytes);
    return cs_disasm_iter(decoder->handles[isa], &bytes, &size, &address, decoder->insn);
}

bool capstone_text(struct decoder *decoder, enum armpmu_isa isa, const uint8_t *bytes,
                   uint64_t address, const char **mnemonic, const char **operands)
{
    if (!disassemble(decoder, isa, bytes, 4, address))
        return false;
    *mnemonic = decoder->insn->mnemonic;
    *operands = decoder->insn->op_str;
    return true;
}

uint64_t registers_of(int reg)
{
    if (reg >= ARM_REG_R0 && reg <= ARM_REG_R12)
        return REG_R(reg - ARM_REG_R0);
    if (reg >= ARM_REG_S0 && reg <= ARM_REG_S31)
        return REG_D((reg - ARM_REG_S0) / 2);
    if (reg >= ARM_REG_D0 && reg <= ARM_REG_D31)
        return REG_D(reg - ARM_REG_D0);
    if (reg >= ARM_REG_Q0 && reg <= ARM_REG_Q15)
        return UINT64_C(3) << (32 + 2 * (reg - ARM_REG_Q0));
    switch (reg) {
    case ARM_REG_SP:
        return REG_SP;
    case ARM_REG_LR:
        return REG_LR;
    case ARM_REG_PC:
        return REG_PC;
    case ARM_REG_APSR_NZCV:
        return REG_FLAGS;
    case ARM_REG_FPSCR:
        return REG_FPSCR;
    }
    return 0;
}

bool is_single(const cs_arm_op *operand)
{
    return operand->type == ARM_OP_REG && operand->reg >= ARM_REG_S0 && operand->reg <= ARM_REG_S31;
}

bool is_core(const cs_arm_op *operand)
{
    return operand->type == ARM_OP_REG &&
           ((operand->reg >= ARM_REG_R0 && operand->reg <= ARM_REG_R12) ||
            operand->reg == ARM_REG_SP || operand->reg == ARM_REG_LR || operand->reg == ARM_REG_PC);
}

static void read_register(struct insn *insn, uint64_t set, bool early)
{
    insn->reads |= set;
    if (early)
        insn->reads_early |= set;
}

static void read_late(struct insn *insn, uint64_t set)
{
    insn->reads |= set;
    insn->reads_late |= set;
}

/* Shift types from ASR_REG on are by a register, whose number is the shift's value. */
static void read_shift(const cs_arm_op *operand, struct operands *operands, struct insn *insn)
{
    if (operand->shift.type == ARM_SFT_INVALID)
        return;
    operands->shifted = true;
    if (operand->shift.type == ARM_SFT_RRX)
        insn->reads |= REG_FLAGS;
    if (operand->shift.type >= ARM_SFT_ASR_REG)
        read_register(insn, registers_of((int)operand->shift.value), true);
    insn->shifts_by_register |=
        operand->shift.type == ARM_SFT_RRX || operand->shift.type >= ARM_SFT_ASR_REG;
}

static void play_role(char role, const cs_arm_op *operand, struct operands *operands,
                      struct insn *insn)
{
    const uint64_t set = registers_of(operand->reg);

    switch (role) {
    case 'd': /* the shifts' first operand is early in their two-operand form, too */
        insn->writes |= set;
        if ((operand->access & CS_AC_READ) != 0)
            read_register(insn, set, operands->facts->klass == CLASS_ALU_SHIFT);
        break;
    case 'w':
        insn->writes |= set;
        break;
    case 'r':
        read_register(insn, set, operand->shift.type != ARM_SFT_INVALID);
        break;
    case 'q':
        insn->reads |= set;
        insn->reads_twice |= set;
        break;
    case 'e':
        read_register(insn, set, true);
        break;
    case 'l':
        read_late(insn, set);
        break;
    case 'u':
        insn->reads |= set;
        insn->writes |= set;
        break;
    case 'a':
        read_late(insn, set);
        insn->writes |= set;
        break;
    case 'b':
        read_register(insn, set, true);
        operands->base = set;
        break;
    case 't':
        insn->writes |= set;
        operands->data |= set;
        operands->n_data++;
        break;
    case 's':
        read_late(insn, set);
        operands->data |= set;
        operands->n_data++;
        break;
    }
}

static void take_memory(const cs_arm_op *operand, struct operands *operands, struct insn *insn)
{
    operands->memory = operand;
    operands->base = registers_of(operand->mem.base);
    operands->index = registers_of(operand->mem.index);
    read_register(insn, operands->base | operands->index, true);
    if (operands->index == 0 && operands->from->id != ARM_INS_PLI) {
        insn->memory.base = operands->base & ~REG_PC;
        insn->memory.offset = operands->base == REG_PC ? 0 : operand->mem.disp;
    }
}

/* What follows a memory operand is the offset that its base moves by after the access. */
static void take_operand(const cs_arm_op *operand, const char **role, struct operands *operands,
                         struct insn *insn)
{
    if (operand->type == ARM_OP_MEM) {
        take_memory(operand, operands, insn);
        read_shift(operand, operands, insn);
    } else if (operands->memory != NULL) {
        operands->post = true;
        if (operand->type == ARM_OP_REG)
            operands->index = registers_of(operand->reg);
        read_register(insn, operands->index, true);
        read_shift(operand, operands, insn);
    } else if (operand->type == ARM_OP_REG) {
        play_role(**role, operand, operands, insn);
        read_shift(operand, operands, insn);
        if ((*role)[0] != '\0' && (*role)[1] != '\0')
            (*role)++;
    }
}

/* Capstone says that ADC, SBC and RSC set the flags whatever they do, that UADD8 does, and does not
 * know that 16-bit instructions leave them alone in an IT block. */
static bool sets_flags(const struct operands *operands)
{
    const struct encoding *code = operands->code;

    if (code->size == 2)
        return operands->arm->update_flags && !code->in_it;
    switch (operands->from->id) {
    case ARM_INS_ADC:
    case ARM_INS_SBC:
    case ARM_INS_RSC:
        return bit(code->word, 20);
    case ARM_INS_UADD8:
        return false;
    }
    return operands->arm->update_flags;
}

/* T32 has conditions in its branches alone; all others have that of their IT block, which the
 * caller knows. Capstone does not know that A32's HVC has one. */
static void take_condition(const struct operands *operands, struct insn *insn)
{
    const arm_cc cc = operands->arm->cc;

    if (operands->from->id == ARM_INS_HVC && operands->code->isa == ARMPMU_A32)
        insn->condition = (uint8_t)field(operands->code->word, 31, 28);
    if (cc == ARM_CC_INVALID || cc == ARM_CC_AL)
        return;
    if (operands->code->isa == ARMPMU_A32 || operands->from->id == ARM_INS_B)
        insn->condition = (uint8_t)(cc - ARM_CC_EQ);
}

/* The bytes as they lie in memory. */
static void store_word(const struct encoding *code, uint8_t bytes[4])
{
    const bool halves = code->isa == ARMPMU_T32 && code->size == 4;
    const uint32_t word = halves ? code->word << 16 | code->word >> 16 : code->word;

    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
}

bool capstone_decode(struct decoder *decoder, const struct encoding *code, struct insn *insn)
{
    uint8_t bytes[4];

    store_word(code, bytes);
    if (!disassemble(decoder, code->isa, bytes, code->size, code->address))
        return false;

    const cs_arm *arm = &decoder->insn->detail->arm;
    const struct facts *facts = &facts_of[decoder->insn->id];
    const char *role = facts->roles;
    struct operands operands = {.code = code, .from = decoder->insn, .arm = arm, .facts = facts};

    insn->klass = (enum insn_class)facts->klass;
    insn->effect = (enum insn_effect)facts->effect;
    insn->reads = facts->reads;
    insn->writes = facts->writes;
    take_condition(&operands, insn);
    for (unsigned i = 0; i < arm->op_count; i++)
        take_operand(&arm->operands[i], &role, &operands, insn);
    operands.writes_back = arm->writeback || operands.post;
    operands.sets_flags = sets_flags(&operands);
    if (operands.sets_flags)
        insn->writes |= REG_FLAGS;
    return shape_complete(&operands, insn);
}
