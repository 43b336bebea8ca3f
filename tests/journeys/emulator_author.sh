#!/bin/sh
# The author of an emulator: the device library in a program of one's own.
. "$(dirname "$0")/journey.sh"
needs cc

# The example as its head says, with nothing but the headers and the library.
try 0 cc -Wall -Wextra -Werror -I "$SOURCE/include" "$SOURCE/examples/emulator_loop.c" "$LIBRARY" -o emulator
try 0 ./emulator

# Which encodings are to be decoded, and what a value means.
try 0 armpmu regs asm cortex-a8 PMNC r3
says 'mrc +p15, (#)?0, r3, c9, c12, (#)?0'
try 0 armpmu regs cortex-r4f
says 'PMCR|PMNC'
try 0 armpmu list event --machine cortex-r4f
says 'INST_RETIRED|INSTRUCTION'

# A device of one's own: the wrong core is a sentence, not a crash.
cat >own.c <<'END'
#include <stdio.h>
#include "armpmu/pmu.h"
int main(void)
{
    static union armpmu_memory memory;
    const struct armpmu_config config = {.core = "cortex-a88"};
    struct armpmu_error error;
    struct armpmu *pmu;
    if (armpmu_create(&memory, sizeof memory, &config, &pmu, &error) == ARMPMU_OK)
        return 1;
    puts(error.message);
    return 0;
}
END
try 0 cc -Wall -Wextra -Werror -I "$SOURCE/include" own.c "$LIBRARY" -o own
try 0 ./own
says 'cortex-a88'
