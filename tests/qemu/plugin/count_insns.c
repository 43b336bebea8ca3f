/* A QEMU plugin that counts instructions one by one, and nothing else: the independent measure for
 * the recorder, with which it shares no code.
 *
 * Argument out=FILE: a file of COUNTERS 64-bit numbers, one a guest thread. Memory mapped, so that
 * the counts survive whatever ends the program. */
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plugin_abi.h"

#define COUNTERS 1024

static uint64_t *counters;
static atomic_uint n_threads;         /* QEMU 10 tells of each thread in that thread */
static unsigned counter_of[COUNTERS]; /* by vCPU index */

static void on_insn(unsigned vcpu, void *user)
{
    (void)user;
    counters[counter_of[vcpu % COUNTERS]]++;
}

static void on_vcpu(unsigned vcpu)
{
    counter_of[vcpu % COUNTERS] = n_threads++ % COUNTERS;
}

static void on_translate(struct qemu_plugin_tb *tb)
{
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++)
        qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, i), on_insn,
                                               CALL_NO_REGISTERS, NULL);
}

int qemu_plugin_install(plugin_id id, const struct plugin_host *host, int argc, char **argv)
{
    (void)host;
    if (argc != 1 || strncmp(argv[0], "out=", 4) != 0)
        return 1;
    int fd = open(argv[0] + 4, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, COUNTERS * sizeof *counters) != 0)
        return 1;
    counters = mmap(NULL, COUNTERS * sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (counters == MAP_FAILED)
        return 1;
    abi_on_thread_start(id, on_vcpu);
    abi_on_translation(id, on_translate);
    return 0;
}
