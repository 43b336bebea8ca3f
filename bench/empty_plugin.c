/* A QEMU plugin of the recorder's shape that does nothing: one callback a block, one a memory
 * access. What it costs is the floor under every plugin that sees as much. */
#include "plugin_abi.h"

static void on_block(unsigned vcpu, void *user)
{
    (void)vcpu, (void)user;
}

static void on_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
    (void)vcpu, (void)info, (void)address, (void)user;
}

static void on_translation(struct qemu_plugin_tb *tb)
{
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, CALL_NO_REGISTERS, NULL);
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++)
        qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), on_access,
                                         CALL_NO_REGISTERS, MEMORY_READ_AND_WRITE, NULL);
}

int qemu_plugin_install(plugin_id id, const struct plugin_host *host, int argc, char **argv)
{
    (void)host, (void)argc, (void)argv;
    abi_on_translation(id, on_translation);
    return 0;
}
