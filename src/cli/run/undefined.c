#include "cli/run/ended.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "isa/decoder.h"

void undefined_warn(const char *sentence)
{
    print_error("warning: %s", sentence);
}

/* True for the scalable vector extension, of which capstone has no text. */
static bool is_scalable(enum armpmu_isa isa, uint32_t word)
{
    return isa == ARMPMU_A64 && (word >> 25 & 0xf) == 2;
}

static void disassemble(const struct engine_undefined *undefined, char *text, size_t size)
{
    struct capstone *const capstone = capstone_new();
    struct insn_text insn;
    uint32_t word = 0;

    memcpy(&word, undefined->bytes, undefined->n_bytes);
    if (capstone != NULL &&
        capstone_text(capstone, undefined->isa, undefined->bytes, undefined->address, &insn))
        snprintf(text, size, "%s %s", insn.mnemonic, insn.operands);
    else
        snprintf(text, size, ".inst 0x%0*" PRIx32 "%s", (int)(2 * undefined->n_bytes), word,
                 is_scalable(undefined->isa, word) ? " (SVE)" : "");
    capstone_free(capstone);
}

void undefined_explain(const struct run_result *result, const struct armpmu_machine *machine,
                       const char *program)
{
    const struct engine_undefined *const undefined = &result->undefined;
    char text[256];

    if (undefined->n_bytes == 0)
        return;
    disassemble(undefined, text, sizeof text);
    if (undefined->is_refused) {
        print_error("'%s' ended by SIGILL at 0x%08" PRIx64
                    ": '%s' is refused to programs, as by Linux; 'armpmu stat' counts without it; "
                    "firmware under 'armpmu run' can read the monitor, and under 'armpmu guest' "
                    "programs whose kernel allows it",
                    program, undefined->address, text);
        return;
    }
    print_error("'%s' ended by SIGILL at 0x%08" PRIx64
                ": '%s' is undefined on the %s of machine %s; "
                "build it for that core, or choose a later one with --machine",
                program, undefined->address, text, armpmu_machine_core(machine)->name,
                armpmu_machine_name(machine));
}
