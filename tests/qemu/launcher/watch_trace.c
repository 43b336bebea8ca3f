/* Runs an Arm program under the recorder and shows what the traces say, without a core model.
 *
 *   [KEEP_RUNNING=1] watch_trace [-q | -n] PROGRAM [ARGS]
 *
 * On the file descriptor 9 if it is open, else stderr: every word of every trace (not with -q),
 * then a line with the totals of each trace, in order of process and thread (-n throws the records
 * away unread: what recording alone costs): trace P.T blocks N insns N accesses N end
 * exit|fault|exec n_insns is added up as if every block ran to its end. Exits as the program did
 * (128 + signal). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <pthread.h>

#include "armpmu/trace.h"
#include "qemu/ring/ring.h"
#include "qemu/launcher/find.h"
#include "qemu/launcher/launch.h"
#include "qemu/launcher/program.h"

struct watched {
    struct watcher *watcher;
    uint32_t process, thread;
    uint64_t blocks, insns, accesses, bytes;
    const char *end;
    char *text;
    size_t text_size;
    FILE *out;
};

struct watcher {
    void *ring;
    bool quiet, unread;
    pthread_mutex_t lock;
    struct watched *traces[RING_TRACES_MAX];
    size_t n_traces;
};

static void *open_trace(void *user, uint32_t process, uint32_t thread)
{
    struct watcher *watcher = user;
    struct watched *trace = calloc(1, sizeof *trace);
    if (trace == NULL)
        return NULL;
    trace->watcher = watcher;
    trace->process = process;
    trace->thread = thread;
    trace->out = open_memstream(&trace->text, &trace->text_size);
    pthread_mutex_lock(&watcher->lock);
    watcher->traces[watcher->n_traces++] = trace;
    pthread_mutex_unlock(&watcher->lock);
    return trace;
}

static void show(struct watched *trace, uint64_t word)
{
    FILE *out = trace->out;
    unsigned index = armpmu_record_index(word);
    uint64_t address = armpmu_record_address(word);
    switch (armpmu_record_kind(word)) {
    case ARMPMU_RECORD_BYTES:
        fprintf(out, "bytes %" PRIu64 "\n", word);
        break;
    case ARMPMU_RECORD_BLOCK: {
        const struct ring_block *block = ring_block(trace->watcher->ring, (uint32_t)word);
        fprintf(out, "block 0x%" PRIx64 " insns %u bytes %u isa %u\n", block->address,
                block->n_insns, block->n_bytes, block->isa);
        break;
    }
    case ARMPMU_RECORD_ACCESS:
        fprintf(out, "access %u 0x%" PRIx64 "\n", index, address);
        break;
    case ARMPMU_RECORD_BURST:
        fprintf(out, "run %u 0x%" PRIx64 "\n", index, address);
        break;
    case ARMPMU_RECORD_PROGRESS:
        fprintf(out, "mark %u\n", index);
        break;
    case ARMPMU_RECORD_SYSCALL:
        fprintf(out, "syscall %u\n", (unsigned)word);
        break;
    case ARMPMU_RECORD_SYSRET:
        fprintf(out, "sysret\n");
        break;
    case ARMPMU_RECORD_GAP:
        fprintf(out, "lost\n");
        break;
    case ARMPMU_RECORD_EXCEPTION: /* of a system's trace */
    case ARMPMU_RECORD_MAP:
    case ARMPMU_RECORD_DEVICE:
    case ARMPMU_RECORD_TLB_FLUSH:
    case ARMPMU_RECORD_MMU:
    case ARMPMU_RECORD_MAP64:
    case ARMPMU_RECORD_TLBI64:
    case ARMPMU_RECORD_SYSTEM:
        fprintf(out, "word 0x%" PRIx64 "\n", word);
        break;
    }
}

static void count(struct watched *trace, uint64_t word)
{
    switch (armpmu_record_kind(word)) {
    case ARMPMU_RECORD_BLOCK: {
        const struct ring_block *block = ring_block(trace->watcher->ring, (uint32_t)word);
        trace->blocks++;
        trace->insns += block->n_insns;
        break;
    }
    case ARMPMU_RECORD_ACCESS:
    case ARMPMU_RECORD_BURST:
        trace->accesses++;
        break;
    default:
        break;
    }
}

static bool run_words(void *user, const uint64_t *records, size_t n_records)
{
    struct watched *trace = user;
    for (size_t i = 0; i < n_records && !trace->watcher->unread; i++) {
        if (!trace->watcher->quiet)
            show(trace, records[i]);
        count(trace, records[i]);
    }
    return true;
}

static void end_trace(void *user, enum armpmu_end how, bool replaced)
{
    struct watched *trace = user;
    trace->end = replaced ? "exec" : how == ARMPMU_END_FAULT ? "fault" : "exit";
    fclose(trace->out);
}

static int by_identity(const void *a, const void *b)
{
    const struct watched *x = *(struct watched *const *)a, *y = *(struct watched *const *)b;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void report(struct watcher *watcher)
{
    FILE *out = fdopen(9, "w");
    if (out == NULL)
        out = stderr;
    qsort(watcher->traces, watcher->n_traces, sizeof watcher->traces[0], by_identity);
    for (size_t i = 0; i < watcher->n_traces; i++) {
        struct watched *trace = watcher->traces[i];
        fprintf(out,
                "%sstream %u.%u blocks %" PRIu64 " insns %" PRIu64 " accesses %" PRIu64 " end %s\n",
                trace->text, trace->process, trace->thread, trace->blocks, trace->insns,
                trace->accesses, trace->end);
        free(trace->text);
        free(trace);
    }
    fclose(out);
}

/* The exit statuses of env(1). */
static int die(enum armpmu_status status, const struct armpmu_error *err)
{
    fprintf(stderr, "watch_trace: %s\n", err->message);
    if (status == ARMPMU_NOT_FOUND)
        return 127;
    return status == ARMPMU_NOT_ALLOWED || status == ARMPMU_BAD_INPUT ? 126 : 125;
}

int main(int argc, char **argv)
{
    static struct watcher watcher = {.lock = PTHREAD_MUTEX_INITIALIZER};
    watcher.quiet = argc > 1 && strcmp(argv[1], "-q") == 0;
    watcher.unread = argc > 1 && strcmp(argv[1], "-n") == 0;
    argv += watcher.quiet || watcher.unread ? 2 : 1;
    struct armpmu_error err;
    if (argv[0] == NULL) {
        fprintf(stderr, "usage: watch_trace [-q | -n] PROGRAM [ARGS]\n");
        return 125;
    }
    static struct found_qemu qemu;
    static char plugin[FIND_PATH_BYTES], sysroot[FIND_PATH_BYTES];
    static struct program program;
    const char *core = getenv("WATCH_CORE");
    const bool keep_running = getenv("KEEP_RUNNING") != NULL;
    const struct armpmu_core *wanted = armpmu_core_find(core != NULL ? core : "cortex-a8");
    if (wanted == NULL) {
        fprintf(stderr, "watch_trace: no core %s\n", core);
        return 125;
    }
    const struct core_descriptor *descriptor = core_descriptor_of(wanted);
    enum armpmu_status status = program_find(argv[0], descriptor, &program, &err);
    if (status == ARMPMU_OK)
        status = find_qemu(NULL, descriptor, &qemu, &err);
    if (status == ARMPMU_OK)
        status = find_plugin(plugin, &err);
    if (status == ARMPMU_OK)
        status = find_sysroot(NULL, program.interpreter, sysroot, &err);
    if (status != ARMPMU_OK)
        return die(status, &err);
    const struct ring_sink sink = {
        .user = &watcher, .open = open_trace, .run = run_words, .end = end_trace};
    struct ring *ring;
    status = ring_new(&sink, keep_running, &ring, &err);
    if (status != ARMPMU_OK)
        return die(status, &err);
    watcher.ring = ring_memory(ring);
    const struct launch launch = {
        .qemu = qemu.path,
        .cpu = qemu.cpu,
        .plugin = plugin,
        .sysroot = sysroot,
        .core = descriptor,
        .ring = ring,
        .program = program.path,
        .argv = (const char *const *)argv,
        .keep_running = keep_running,
    };
    struct launched launched;
    status = launch_and_wait(&launch, &launched, &err);
    if (status != ARMPMU_OK)
        return die(status, &err);
    const char *const failure = ring_finish(ring, launched.pid, launched.wait_status)->failure;
    report(&watcher);
    if (failure[0] != '\0')
        fprintf(stderr, "watch_trace: %s\n", failure);
    ring_free(ring);
    return WIFSIGNALED(launched.wait_status) ? 128 + WTERMSIG(launched.wait_status)
                                             : WEXITSTATUS(launched.wait_status);
}
