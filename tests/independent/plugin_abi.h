/* What the independent plugins need of QEMU's plugin ABI, version 1 (QEMU 4.2 to 8.x).
 *
 * Written from the ABI's facts and used by the tests only: the recorder under test has its own
 * declarations, so a mistake in one is not a mistake in both. */
#ifndef INDEPENDENT_PLUGIN_ABI_H
#define INDEPENDENT_PLUGIN_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_id;

struct qemu_plugin_tb;
struct qemu_plugin_insn;

struct plugin_host {
    const char *target_name;
    struct {
        int min, cur;
    } version;
    bool system_emulation;
};

enum { CALL_NO_REGISTERS = 0 };
enum { MEMORY_READ_AND_WRITE = 3 };

/* Provided by QEMU. */
void qemu_plugin_register_vcpu_init_cb(plugin_id id, void (*call)(plugin_id, unsigned vcpu));
void qemu_plugin_register_vcpu_exit_cb(plugin_id id, void (*call)(plugin_id, unsigned vcpu));
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id,
                                           void (*call)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_atexit_cb(plugin_id id, void (*call)(plugin_id, void *user), void *user);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
                                            void (*call)(unsigned vcpu, void *user), int flags,
                                            void *user);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
                                      void (*call)(unsigned vcpu, uint32_t info, uint64_t address,
                                                   void *user),
                                      int flags, int direction, void *user);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
unsigned qemu_plugin_mem_size_shift(uint32_t info);
bool qemu_plugin_mem_is_store(uint32_t info);

/* Looked up by QEMU. */
extern EXPORT int qemu_plugin_version;
EXPORT int qemu_plugin_install(plugin_id id, const struct plugin_host *host, int argc, char **argv);

#endif
