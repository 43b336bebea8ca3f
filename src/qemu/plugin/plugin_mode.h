/* The two modes of armpmu-qemu.so: what it does with QEMU's callbacks. */
#ifndef QEMU_PLUGIN_PLUGIN_MODE_H
#define QEMU_PLUGIN_PLUGIN_MODE_H

#include <stdint.h>

#include "qemu/plugin/abi.h"

struct plugin_mode {
    /* Looks at the arguments after "-plugin armpmu-qemu.so,". Returns NULL, or why not. */
    const char *(*start)(const struct qemu_info *info, int argc, char **argv);
    void (*refuse)(const char *problem);
    void (*ready)(void); /* all callbacks are registered */

    void (*translate)(struct qemu_plugin_tb *tb);
    /* QEMU throws away all it translated; no vCPU executes anything meanwhile. */
    void (*flush)(void);
    void (*vcpu_starts)(unsigned vcpu);
    void (*vcpu_ends)(unsigned vcpu);
    /* User emulation only. arguments: six of them. */
    void (*syscall_starts)(unsigned vcpu, int64_t number, const uint64_t *arguments);
    void (*syscall_returns)(unsigned vcpu, int64_t number, int64_t result);

    /* System emulation only. type: enum qemu_discon_type; from: where execution would have gone on,
     * or the instruction that caused the exception. */
    void (*exception)(unsigned vcpu, int type, uint64_t from, uint64_t to);
    void (*vcpu_stops)(unsigned vcpu); /* it sleeps, or the machine is stopped */
    void (*vcpu_goes_on)(unsigned vcpu);
    void (*at_exit)(void); /* NULL: nothing is to be done in user emulation */
};

extern const struct plugin_mode mode_recorder, mode_guest, mode_follow;

#endif
