/* The general registers of the program, as QEMU from version 9 on shows them in callbacks that ask
 * for it (QEMU_CB_R_REGS). */
#include "qemu/plugin/recorder_internal.h"

#include <stdio.h>

#include "qemu/plugin/qemu_api.h"

/* The same for all processors. */
static struct qemu_plugin_register *registers[RECORDER_SP + 1];

static struct qemu_plugin_register *find(unsigned n)
{
    char name[4];

    if (n == RECORDER_SP)
        return qemu_api_register_of_all("sp");
    if (!recorder.is_a64 && n == RECORDER_LR)
        return qemu_api_register_of_all("lr");
    snprintf(name, sizeof name, "%c%u", recorder.is_a64 ? 'x' : 'r', n);
    return qemu_api_register_of_all(name);
}

bool recorder_sees_registers(void)
{
    const unsigned n = recorder.is_a64 ? RECORDER_SP : RECORDER_LR + 1;

    if (registers[RECORDER_SP] != NULL)
        return true;
    if (!qemu_api_shows_registers())
        return false;
    for (unsigned i = 0; i < n; i++)
        if ((recorder.is_a64 || i != RECORDER_SP_AARCH32) && (registers[i] = find(i)) == NULL)
            return false;
    registers[RECORDER_SP] = find(RECORDER_SP);
    if (!recorder.is_a64)
        registers[RECORDER_SP_AARCH32] = registers[RECORDER_SP];
    return registers[RECORDER_SP] != NULL;
}

uint64_t recorder_register(unsigned n)
{
    return qemu_api_register_read(registers[n]);
}
