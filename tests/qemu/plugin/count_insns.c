/* A QEMU plugin that counts instructions one by one, and nothing else: the independent measure for
 * the recorder. It shares no code with it but the declarations of QEMU's interface (version 1).
 *
 * Argument out=FILE: a file of COUNTERS 64-bit numbers, one a guest thread in order of creation.
 * Memory mapped, so that the counts survive whatever ends the program. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "qemu/plugin/abi.h"

#define COUNTERS 1024

QEMU_EXPORT int qemu_plugin_version = QEMU_ABI_FIRST;
QEMU_EXPORT int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc,
                                    char **argv);

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
                                           void (*call)(uint64_t id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_init_cb(uint64_t id, void (*call)(uint64_t id, unsigned vcpu));

static uint64_t *counters;
static unsigned n_threads;
static unsigned counter_of[COUNTERS]; /* by vCPU index */

static void on_insn(unsigned vcpu, void *user)
{
    (void)user;
    counters[counter_of[vcpu % COUNTERS]]++;
}

static void on_vcpu(uint64_t id, unsigned vcpu)
{
    (void)id;
    counter_of[vcpu % COUNTERS] = n_threads++ % COUNTERS;
}

static void on_translate(uint64_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++)
        qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, i), on_insn,
                                               QEMU_CB_NO_REGS, NULL);
}

int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
    (void)info;
    if (argc != 1 || strncmp(argv[0], "out=", 4) != 0)
        return 1;
    int fd = open(argv[0] + 4, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, COUNTERS * sizeof *counters) != 0)
        return 1;
    counters = mmap(NULL, COUNTERS * sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (counters == MAP_FAILED)
        return 1;
    qemu_plugin_register_vcpu_init_cb(id, on_vcpu);
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    return 0;
}
