/* The part of QEMU's TCG plugin interface that the plugin uses, declared here in our own words:
 * names, argument lists and numbers are the interface; the rest of QEMU's header is not needed.
 *
 * The interface has versions. What differs between them and matters here:
 *   1  QEMU 7.x, 8.x    insn_data returns a pointer
 *   2  QEMU 9.0         no difference for us
 *   3  QEMU 9.1         insn_data copies into a buffer
 *   4, 5, 6             no difference for us
 *   7  QEMU 11.1        every callback and registration carries user data instead of the plugin's
 * id QEMU looks for the symbol qemu_plugin_version and refuses versions it does not serve. */
#ifndef QEMU_PLUGIN_ABI_H
#define QEMU_PLUGIN_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QEMU_EXPORT __attribute__((visibility("default")))

enum {
    QEMU_ABI_FIRST = 1,
    QEMU_ABI_REGISTERS = 2,    /* qemu_plugin_get_registers appears         */
    QEMU_ABI_INSN_COPIES = 3,  /* qemu_plugin_insn_data fills a buffer; conditional callbacks */
    QEMU_ABI_READ_MEMORY = 4,  /* qemu_plugin_read_memory_vaddr appears     */
    QEMU_ABI_WRITE_MEMORY = 5, /* qemu_plugin_write_memory_vaddr appears    */
    QEMU_ABI_DISCON = 6,       /* qemu_plugin_register_vcpu_discon_cb       */
    QEMU_ABI_USERDATA = 7,     /* user data in place of the plugin's id     */
};

struct qemu_plugin_tb;
struct qemu_plugin_insn;

struct qemu_info {
    const char *target_name; /* "arm", "aarch64" ... */
    struct {
        int min, cur;
    } version;
    bool system_emulation;
    struct {
        int smp_vcpus, max_vcpus;
    } system;
};

enum qemu_cb_flags { QEMU_CB_NO_REGS = 0, QEMU_CB_R_REGS = 1, QEMU_CB_RW_REGS_PC = 3 };
enum qemu_discon_type { QEMU_DISCON_INTERRUPT = 1, QEMU_DISCON_EXCEPTION = 2 };
enum qemu_mem_rw { QEMU_MEM_READ = 1, QEMU_MEM_WRITE = 2, QEMU_MEM_READ_WRITE = 3 };

/* Callbacks whose shape never changed. */
typedef void (*qemu_vcpu_udata_cb)(unsigned vcpu, void *user);
typedef void (*qemu_mem_cb)(unsigned vcpu, uint32_t info, uint64_t address, void *user);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);
char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *insn);
unsigned qemu_plugin_mem_size_shift(uint32_t info);
void qemu_plugin_outs(const char *text);

void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, qemu_vcpu_udata_cb call,
                                          enum qemu_cb_flags flags, void *user);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_vcpu_udata_cb call,
                                            enum qemu_cb_flags flags, void *user);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_mem_cb call,
                                      enum qemu_cb_flags flags, enum qemu_mem_rw rw, void *user);

/* Functions whose arguments changed are looked up by name and called through these. */
typedef const void *(*qemu_insn_data_v1)(const struct qemu_plugin_insn *insn);
typedef size_t (*qemu_insn_data_v3)(const struct qemu_plugin_insn *insn, void *to, size_t size);

typedef void (*qemu_register_v1)(uint64_t id, void (*call)(void));
typedef void (*qemu_register_v7)(uint64_t id, void (*call)(void), void *user);

typedef void (*qemu_register_discon_v6)(uint64_t id, int types,
                                        void (*call)(uint64_t id, unsigned vcpu, int type,
                                                     uint64_t from, uint64_t to));
typedef void (*qemu_register_discon_v7)(uint64_t id, int types,
                                        void (*call)(unsigned vcpu, int type, uint64_t from,
                                                     uint64_t to, void *user),
                                        void *user);

#endif
