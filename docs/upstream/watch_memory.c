/* A plugin for QEMU that watches every access to memory and prints how many there were: for the
 * reports in this folder. With the interface of version 7 (QEMU 11.1), or with -DVERSION=4 of
 * version 4 (QEMU 10.0).
 *
 *     gcc -shared -fPIC watch_memory.c -o watch_memory.so */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#ifndef VERSION
#define VERSION 7
#endif
#define EXPORT    __attribute__((visibility("default")))
#define NO_REGS   0
#define READWRITE 3

struct qemu_plugin_tb;
struct qemu_plugin_insn;

/* The part of qemu-plugin.h that is used. */
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *,
                                      void (*)(unsigned, uint32_t, uint64_t, void *), int, int,
                                      void *);
#if VERSION < 7
#define FIRST uint64_t id,
#define LAST
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t, void (*)(uint64_t, struct qemu_plugin_tb *));
void qemu_plugin_register_atexit_cb(uint64_t, void (*)(uint64_t, void *), void *);
#else
#define FIRST
#define LAST , void *user
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t, void (*)(struct qemu_plugin_tb *, void *),
                                           void *);
void qemu_plugin_register_atexit_cb(uint64_t, void (*)(void *), void *);
#endif

EXPORT int qemu_plugin_version = VERSION;
static unsigned long accesses;

static void access(unsigned vcpu, uint32_t info, uint64_t address, void *user)
{
    (void)vcpu, (void)info, (void)address, (void)user;
    accesses++;
}

static void translate(FIRST struct qemu_plugin_tb *tb LAST)
{
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++)
        qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), access, NO_REGS, READWRITE,
                                         NULL);
}

static void at_exit(FIRST void *user)
{
    (void)user;
    fprintf(stderr, "%lu accesses\n", accesses);
}

EXPORT int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
    (void)info, (void)argc, (void)argv;
#if VERSION < 7
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
#else
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate, NULL);
#endif
    qemu_plugin_register_atexit_cb(id, at_exit, NULL);
    return 0;
}
