/* What the independent plugins need of QEMU's plugin interface, in whichever version the running
 * QEMU has: callbacks and bytes of instructions changed their shape (plugin_abi.c), the rest did
 * not.
 *
 * Written from the interface's facts and used by tests and benches only: the recorder under test
 * has its own declarations, so a mistake in one is not a mistake in both. */
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

/* ---- of any version ---- */

/* A plugin registers each once at most. */
void abi_on_thread_start(plugin_id id, void (*call)(unsigned vcpu));
void abi_on_translation(plugin_id id, void (*call)(struct qemu_plugin_tb *tb));
void abi_on_end(plugin_id id, void (*call)(void));

/* n: at most the instruction's size. */
void abi_copy_bytes(const struct qemu_plugin_insn *insn, void *to, size_t n);

/* ---- provided by QEMU ---- */

void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
                                          void (*call)(unsigned vcpu, void *user), int flags,
                                          void *user);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
                                            void (*call)(unsigned vcpu, void *user), int flags,
                                            void *user);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
                                      void (*call)(unsigned vcpu, uint32_t info, uint64_t address,
                                                   void *user),
                                      int flags, int direction, void *user);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
unsigned qemu_plugin_mem_size_shift(uint32_t info);
bool qemu_plugin_mem_is_store(uint32_t info);

/* ---- looked up by QEMU ---- */

extern EXPORT int qemu_plugin_version; /* plugin_abi.c */
EXPORT int qemu_plugin_install(plugin_id id, const struct plugin_host *host, int argc, char **argv);

#endif
