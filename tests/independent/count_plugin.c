/* Counts instructions the slow way: one callback before each one.
 *
 * Argument out=FILE. FILE.P is the memory in which process P counts, numbered from 1: a struct
 * thread for each guest thread. So nothing is left to write at the end of a thread, when QEMU 10
 * may already free the list of callbacks that it walks, nor of a process, which may be killed. An
 * instruction that faults was about to execute, so it is in the count: who compares must know how
 * many there were. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plugin_abi.h"

#define MAX_THREADS 256

struct thread {
    int64_t id; /* of the host; QEMU 10 tells in no certain order which threads begin */
    uint64_t count;
};

static const char *out_path;
static atomic_uint *processes; /* shared by all processes of the guest */
static unsigned process = 1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Calls of the kernel's helpers, which programs for old cores make, QEMU answers itself: there are
 * no instructions at these addresses. */
#define HELPERS_PAGE 0xffff

static struct thread *threads;
static unsigned n_threads;
static struct thread
    *of_vcpu[MAX_THREADS]; /* QEMU gives a vcpu number out again after its thread ended */

static void die(const char *what)
{
    perror(what);
    abort();
}

static struct thread *new_thread(unsigned vcpu)
{
    pthread_mutex_lock(&lock);
    if (vcpu >= MAX_THREADS || n_threads == MAX_THREADS) {
        fprintf(stderr, "count_plugin: more than %d threads\n", MAX_THREADS);
        abort();
    }
    struct thread *thread = &threads[n_threads++];
    of_vcpu[vcpu] = thread;
    pthread_mutex_unlock(&lock);
    return thread;
}

static void thread_starts(unsigned vcpu)
{
    new_thread(vcpu);
}

static void instruction(unsigned vcpu, void *user)
{
    (void)user;
    struct thread *thread = of_vcpu[vcpu];
    if (!thread) /* the first instruction of a forked process */
        thread = new_thread(vcpu);
    if (thread->count++ == 0)
        thread->id = syscall(SYS_gettid);
}

static void translate(struct qemu_plugin_tb *tb)
{
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        if (qemu_plugin_insn_vaddr(insn) >> 16 != HELPERS_PAGE)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, instruction, CALL_NO_REGISTERS, NULL);
    }
}

static void map_threads(void)
{
    const size_t size = MAX_THREADS * sizeof(struct thread);
    char path[4096];
    snprintf(path, sizeof(path), "%s.%u", out_path, process);
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, size) != 0)
        die(path);
    threads = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (threads == MAP_FAILED)
        die(path);
    close(file);
}

static void forked(void)
{
    process = atomic_fetch_add(processes, 1) + 1;
    pthread_mutex_init(&lock, NULL);
    memset(of_vcpu, 0, sizeof(of_vcpu));
    n_threads = 0;
    map_threads();
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
    map_threads();
    pthread_atfork(NULL, NULL, forked);
    abi_on_thread_start(id, thread_starts);
    abi_on_translation(id, translate);
    return 0;
}
