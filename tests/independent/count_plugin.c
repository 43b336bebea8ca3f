/* Counts instructions the slow way: one callback before each one.
 *
 * Argument out=FILE. At the end of a process FILE.P holds a line "thread count" per guest thread,
 * in order of creation; P numbers the processes from 1. An instruction that faults was about to
 * execute, so it is in the count: who compares must know how many there were. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "plugin_abi.h"

#define MAX_THREADS 256

static const char *out_path;
static atomic_uint *processes; /* shared by all processes of the guest */
static unsigned process = 1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Calls of the kernel's helpers, which programs for old cores make, QEMU answers itself: there are
 * no instructions at these addresses. */
#define HELPERS_PAGE 0xffff

static uint64_t counts[MAX_THREADS];
static unsigned n_threads;
static uint64_t
    *of_vcpu[MAX_THREADS]; /* QEMU gives a vcpu number out again after its thread ended */

static uint64_t *new_thread(unsigned vcpu)
{
    pthread_mutex_lock(&lock);
    if (vcpu >= MAX_THREADS || n_threads == MAX_THREADS) {
        fprintf(stderr, "count_plugin: more than %d threads\n", MAX_THREADS);
        abort();
    }
    uint64_t *count = &counts[n_threads++];
    of_vcpu[vcpu] = count;
    pthread_mutex_unlock(&lock);
    return count;
}

static void thread_starts(unsigned vcpu)
{
    new_thread(vcpu);
}

static void instruction(unsigned vcpu, void *user)
{
    (void)user;
    uint64_t *count = of_vcpu[vcpu];
    if (!count) /* the first instruction of a forked process */
        count = new_thread(vcpu);
    ++*count;
}

static void translate(struct qemu_plugin_tb *tb)
{
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        if (qemu_plugin_insn_vaddr(insn) >> 16 != HELPERS_PAGE)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, instruction, CALL_NO_REGISTERS, NULL);
    }
}

static void write_counts(void)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s.%u", out_path, process);
    FILE *out = fopen(path, "w");
    if (!out) {
        perror(path);
        return;
    }
    for (unsigned i = 0; i < n_threads; i++)
        fprintf(out, "%u %llu\n", i + 1, (unsigned long long)counts[i]);
    fclose(out);
}

/* A thread's end writes too: a process that is killed later has left what it counted. */
static void thread_ends(unsigned vcpu)
{
    (void)vcpu;
    pthread_mutex_lock(&lock);
    write_counts();
    pthread_mutex_unlock(&lock);
}

static void process_ends(void)
{
    pthread_mutex_lock(&lock);
    write_counts();
    pthread_mutex_unlock(&lock);
}

static void forked(void)
{
    process = atomic_fetch_add(processes, 1) + 1;
    pthread_mutex_init(&lock, NULL);
    memset(counts, 0, sizeof(counts));
    memset(of_vcpu, 0, sizeof(of_vcpu));
    n_threads = 0;
}

int qemu_plugin_install(plugin_id id, const struct plugin_host *host, int argc, char **argv)
{
    (void)host;
    if (argc != 1 || strncmp(argv[0], "out=", 4) != 0) {
        fprintf(stderr, "count_plugin: needs out=FILE\n");
        return -1;
    }
    out_path = strdup(argv[0] + 4);
    processes =
        mmap(NULL, sizeof(*processes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!out_path || processes == MAP_FAILED)
        return -1;
    atomic_init(processes, 1);
    pthread_atfork(NULL, NULL, forked);
    abi_on_thread_start(id, thread_starts);
    abi_on_thread_end(id, thread_ends);
    abi_on_translation(id, translate);
    abi_on_end(id, process_ends);
    return 0;
}
