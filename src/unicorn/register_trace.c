/* --trace-regs: a line for every access to the monitor.
 *
 *     INSTRUCTIONS PC SYMBOL  read|write|stc|ldc REGISTER VALUE FIELD=VALUE,...  MODE  OUTCOME
 *
 * INSTRUCTIONS have executed before it. Fields are those that are not zero. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cosim/pmu_insn.h"
#include "isa/system_insn.h"
#include "unicorn/firmware.h"

#define FIELDS_BYTES 256u

static const char *mode_name(uint32_t cpsr)
{
    static const char *const levels[4] = {"el0", "el1", "el2", "el3"};
    static const char *const modes[CPSR_MODE + 1] = {
        [MODE_USR] = "usr", [MODE_FIQ] = "fiq", [MODE_IRQ] = "irq", [MODE_SVC] = "svc",
        [MODE_MON] = "mon", [MODE_ABT] = "abt", [MODE_UND] = "und", [MODE_SYS] = "sys",
    };
    const char *const mode = modes[cpsr & CPSR_MODE];

    if (cpsr_isa(cpsr) == ARMPMU_A64)
        return levels[pstate_level(cpsr)];
    return mode != NULL ? mode : "?";
}

/* "svc", in Nonsecure state "svc-ns"; of AArch64 the level alone. */
static const char *state_name(const struct firmware *fw)
{
    return fw->a64 == NULL && armpmu_pin(monitors_own(&fw->monitors), ARMPMU_PIN_NONSECURE) ? "-ns"
                                                                                            : "";
}

/* From and to memory, by the instruction. */
static const char *kind_name(const struct sysreg_insn *sysreg)
{
    if (sysreg->at.access == ARMPMU_ACCESS_LDC)
        return sysreg->read ? "stc" : "ldc";
    return sysreg->read ? "read" : "write";
}

static void list_fields(const struct armpmu_register *reg, uint64_t value, char *text)
{
    text[0] = '\0';
    for (size_t i = 0; i < reg->n_fields; i++) {
        const struct armpmu_field *const field = &reg->fields[i];
        const uint64_t part = armpmu_field_get(field, value);
        if (field->name != NULL && field->name[0] != '-' && part != 0)
            text_join(text, FIELDS_BYTES, ",", "%s=0x%" PRIx64, field->name, part);
    }
}

/* "PMNC", "PMN3"; "p15,0,c9,c12,7" where no register is. */
static void name_register(const struct armpmu_register *reg, unsigned element,
                          const struct armpmu_encoding *at, char *text, size_t size)
{
    if (reg == NULL) {
        snprintf(text, size, "p%u,%u,c%u,c%u,%u", at->coproc, at->op1, at->crn, at->crm, at->op2);
        return;
    }
    const char *const star = strstr(reg->name, "<n>");
    if (star != NULL)
        snprintf(text, size, "%.*s%u%s", (int)(star - reg->name), reg->name, element, star + 3);
    else
        snprintf(text, size, "%s", reg->name);
}

static const char *outcome_name(enum armpmu_outcome outcome)
{
    static const char *const traps[4] = {"Undefined", "trap to EL1", "trap to EL2", "trap to EL3"};

    return traps[pmu_insn_trap_level(outcome)];
}

void trace_access(struct firmware *fw, uint64_t pc, const struct sysreg_insn *sysreg,
                  uint64_t value, uint32_t cpsr, enum armpmu_outcome outcome)
{
    char symbol[128], name[48], fields[FIELDS_BYTES] = "";
    unsigned element = 0;
    const struct armpmu_register *const reg =
        pmu_insn_register(monitor_cores_at(&fw->cores, &sysreg->at), &sysreg->at, &element);

    image_symbol_at(&fw->image, pc, symbol, sizeof symbol);
    name_register(reg, element, &sysreg->at, name, sizeof name);
    if (reg != NULL && outcome == ARMPMU_DONE)
        list_fields(reg, value, fields);
    fprintf(fw->setup->trace, "%12" PRIu64 " %08" PRIx64 " %-24s %-5s %-8s ", fw->trace_insns, pc,
            symbol, kind_name(sysreg), name);
    if (outcome == ARMPMU_DONE)
        fprintf(fw->setup->trace, "0x%08" PRIx64 " %s %s%s done\n", value, fields, mode_name(cpsr),
                state_name(fw));
    else
        fprintf(fw->setup->trace, "- %s%s %s\n", mode_name(cpsr), state_name(fw),
                outcome_name(outcome));
    if (ferror(fw->setup->trace) != 0)
        firmware_abandon(fw);
}
