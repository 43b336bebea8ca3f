#include "cli/commands.h"

#include <limits.h>

static const struct exit_code codes[] = {
#define EXIT_CODE(name, status, text, meaning) {ENDS_##name, text, meaning},
#include "cli/exit_codes.def"
#undef EXIT_CODE
};

void exit_codes_of(const struct command *command, exit_code_fn call, FILE *out)
{
    const unsigned ends = command != NULL ? command->ends | ENDS_ARMPMU : UINT_MAX;

    if (command != NULL)
        call(command->runs_program
                 ? &(struct exit_code){0, "its own", "the program (of guest: QEMU) ended by itself"}
                 : &(struct exit_code){0, "0", "armpmu did what was asked"},
             out);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (ends & codes[i].bit)
            call(&codes[i], out);
}
