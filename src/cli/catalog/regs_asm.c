/* `armpmu regs asm`: the instructions that read and write a register. */
#include "cli/catalog/regs.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"

static bool is_memory_mapped(enum armpmu_access access)
{
    return access == ARMPMU_ACCESS_EXT32 || access == ARMPMU_ACCESS_EXT64;
}

static bool has_access(const struct armpmu_register *reg, enum armpmu_access access)
{
    for (size_t i = 0; i < reg->n_encodings; i++)
        if (reg->encodings[i].first.access == access)
            return true;
    return false;
}

static bool has_aarch32(const struct armpmu_register *reg)
{
    return has_access(reg, ARMPMU_ACCESS_MCR) || has_access(reg, ARMPMU_ACCESS_MCRR) ||
           has_access(reg, ARMPMU_ACCESS_LDC);
}

/* SP and PC are no operands; MRRC and MCRR take the next register too. */
static bool aarch32_can_use(const struct armpmu_register *reg, unsigned number)
{
    if (has_access(reg, ARMPMU_ACCESS_MCRR))
        return number < 12;
    return number < 13 || number == 14;
}

/* Lists the registers to choose from. */
static const char *operands_of(const struct armpmu_register *reg)
{
    const bool pair = has_access(reg, ARMPMU_ACCESS_MCRR);

    if (!has_aarch32(reg))
        return "x0 to x30";
    if (!has_access(reg, ARMPMU_ACCESS_MSR))
        return pair ? "r0 to r11" : "r0 to r12 and r14";
    return pair ? "r0 to r11, and x0 to x30" : "r0 to r12, r14, and x0 to x30";
}

bool regs_parse_operand(const struct regs_target *target, const char *word,
                        struct regs_operand *operand)
{
    const struct armpmu_register *const reg = target->reg;
    const bool r = *word == 'r' || *word == 'R', x = *word == 'x' || *word == 'X';
    const char *const digits = r || x ? word + 1 : word;
    const size_t length = strspn(digits, "0123456789");

    *operand = (struct regs_operand){has_aarch32(reg), has_access(reg, ARMPMU_ACCESS_MSR), 0};
    if (*word == '\0')
        return true;
    if (r)
        operand->aarch64 = false;
    if (x)
        operand->aarch32 = false;
    operand->number = (unsigned)strtoul(digits, NULL, 10);
    if (length > 0 && length <= 2 && digits[length] == '\0' && operand->number < 31 &&
        (operand->aarch32 || operand->aarch64) &&
        (!operand->aarch32 || aarch32_can_use(reg, operand->number)))
        return true;
    if (has_aarch32(reg) || has_access(reg, ARMPMU_ACCESS_MSR))
        return print_error("'%.40s' cannot be the operand of an access to %s of %s; choose from %s",
                           word, reg->name, target->core->name, operands_of(reg));
    return print_error("'%.40s': %s of %s is in memory only and takes no register; leave it out",
                       word, reg->name, target->core->name);
}

static void write_assembly(struct regs_line *line, unsigned n)
{
    const struct armpmu_encoding *const at = &line->at;
    const bool write = line->write;
    const size_t size = sizeof line->assembly;
    char name[32];

    switch (line->access) {
    case ARMPMU_ACCESS_MCR:
        snprintf(line->assembly, size, "%s p%u, %u, r%u, c%u, c%u, %u", write ? "mcr" : "mrc",
                 at->coproc, at->op1, n, at->crn, at->crm, at->op2);
        break;
    case ARMPMU_ACCESS_MCRR:
        snprintf(line->assembly, size, "%s p%u, %u, r%u, r%u, c%u", write ? "mcrr" : "mrrc",
                 at->coproc, at->op1, n, n + 1, at->crm);
        break;
    case ARMPMU_ACCESS_LDC: /* memory to register is a write of the register */
        snprintf(line->assembly, size, "%s p%u, c%u, [r%u]", write ? "ldc" : "stc", at->coproc,
                 at->crn, n);
        break;
    case ARMPMU_ACCESS_MSR:
        regs_encoding(at, name, sizeof name);
        if (write)
            snprintf(line->assembly, size, "msr %s, x%u", name, n);
        else
            snprintf(line->assembly, size, "mrs x%u, %s", n, name);
        break;
    case ARMPMU_ACCESS_EXT32:
    case ARMPMU_ACCESS_EXT64:
        break;
    }
}

size_t regs_lines(const struct regs_target *target, const struct regs_operand *operand,
                  struct regs_line lines[REGS_LINES_MAX])
{
    const struct armpmu_register *const reg = target->reg;
    size_t n = 0;

    for (size_t i = 0; i < reg->n_encodings && n + 2 <= REGS_LINES_MAX; i++) {
        const struct armpmu_encodings *const encodings = &reg->encodings[i];
        const enum armpmu_access access = encodings->first.access;
        const bool wanted = access == ARMPMU_ACCESS_MSR ? operand->aarch64
                            : is_memory_mapped(access)  ? true
                                                        : operand->aarch32;
        for (int write = 0; write < 2 && wanted; write++) {
            if (!(write ? regs_can_write(reg, access) : reg->readable))
                continue;
            lines[n] = (struct regs_line){access, armpmu_encoding_of(encodings, target->element),
                                          write != 0, encodings->bytes, ""};
            write_assembly(&lines[n++], operand->number);
        }
    }
    return n;
}

/* Comments are such that an assembler takes the text as it is, for Arm and for AArch64. */
void regs_print_assembly(const struct regs_target *target, const struct regs_operand *operand,
                         FILE *stream)
{
    const struct armpmu_register *const selector = regs_selector(target->core, target->reg);
    struct regs_line lines[REGS_LINES_MAX];
    const size_t n = regs_lines(target, operand, lines);
    char name[REGS_TEXT_MAX];

    regs_target_name(target, name, sizeof name);
    if (selector != NULL && target->element_is_named)
        fprintf(stream, "/* %s while %s is %u */\n", name, selector->name, target->element);
    else if (selector != NULL)
        fprintf(stream, "/* %s of the counter that %s names */\n", name, selector->name);
    for (size_t i = 0; i < n; i++) {
        const char *const verb = lines[i].write ? "write" : "read";
        if (lines[i].bytes > 0)
            fprintf(stream, "/* %s %s: %s, frame + 0x%03x, %u bytes */\n", verb, name,
                    armpmu_access_name(lines[i].access), lines[i].at.offset, lines[i].bytes);
        else
            fprintf(stream, "%-32s /* %s %s */\n", lines[i].assembly, verb, name);
    }
}
