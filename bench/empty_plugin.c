/* A QEMU plugin of the recorder's shape that does nothing: one callback a block, one a memory
 * access. What it costs is the floor under every plugin that sees as much.
 *
 * Speaks plugin interface 1 (QEMU 7 and 8), or with INTERFACE 7 that of QEMU 11.1; declared here in
 * our own records. */
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

enum { NO_REGS = 0, READ_WRITE = 3 };

struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef void (*block_cb)(unsigned vcpu, void *user);
typedef void (*memory_cb)(unsigned vcpu, uint32_t info, uint64_t address, void *user);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, block_cb call, int flags,
                                          void *user);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, memory_cb call, int flags,
                                      int read_write, void *user);
#if INTERFACE == 7
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
                                           void (*call)(struct qemu_plugin_tb *tb, void *user),
                                           void *user);
#else
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
                                           void (*call)(uint64_t id, struct qemu_plugin_tb *tb));
#endif

EXPORT extern const int qemu_plugin_version;
EXPORT int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv);

const int qemu_plugin_version = INTERFACE;

static void on_block(unsigned vcpu, void *user)
{
    (void)vcpu, (void)user;
}

static void on_access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
    (void)vcpu, (void)info, (void)address, (void)user;
}

static void watch(struct qemu_plugin_tb *tb)
{
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, NO_REGS, NULL);
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++)
        qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), on_access, NO_REGS,
                                         READ_WRITE, NULL);
}

#if INTERFACE == 7
static void on_translate(struct qemu_plugin_tb *tb, void *user)
{
    (void)user;
    watch(tb);
}
#else
static void on_translate(uint64_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    watch(tb);
}
#endif

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
    (void)info, (void)argc, (void)argv;
#if INTERFACE == 7
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate, NULL);
#else
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
#endif
    return 0;
}
