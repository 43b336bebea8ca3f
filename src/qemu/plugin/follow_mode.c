/* The plugin in a process that is not counted: in a program that was executed when armpmu was
 * gone, or by a child that is not to be counted. It only lets Arm programs execute Arm programs. */
#include <string.h>

#include "qemu/plugin/abi.h"
#include "qemu/plugin/exec_follow.h"
#include "qemu/plugin/plugin_mode.h"

static bool is_a64;

static const char *start(const struct qemu_info *info, int argc, char **argv)
{
    (void)argc, (void)argv;
    is_a64 = strcmp(info->target_name, "aarch64") == 0;
    exec_follow_start(is_a64);
    return NULL;
}

static void refuse(const char *problem)
{
    (void)problem;
}

static void ready(void)
{
}

static void translate(struct qemu_plugin_tb *tb)
{
    const struct qemu_plugin_insn *const first = qemu_plugin_tb_get_insn(tb, 0);

    exec_follow_code(qemu_plugin_insn_vaddr(first), qemu_plugin_insn_haddr(first));
}

static void flush(void)
{
}

static void vcpu(unsigned number)
{
    (void)number;
}

static void syscall_starts(unsigned number, int64_t call, const uint64_t *arguments)
{
    (void)number;
    if (exec_follow_is_exec(call, is_a64))
        exec_follow(arguments, -1, 0);
}

static void syscall_returns(unsigned number, int64_t call, int64_t result)
{
    (void)number, (void)call, (void)result;
}

const struct plugin_mode mode_follow = {
    .start = start,
    .refuse = refuse,
    .ready = ready,
    .translate = translate,
    .flush = flush,
    .vcpu_starts = vcpu,
    .vcpu_ends = vcpu,
    .syscall_starts = syscall_starts,
    .syscall_returns = syscall_returns,
};
