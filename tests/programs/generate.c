/* Code without end: writes small functions, flushes the instruction cache and calls them, as a
 * just-in-time compiler does. No two are the same.
 *
 *   generate N again   N functions, in the same 256 KB over and over
 *   generate N new     N functions, each at addresses of its own
 *   generate N again|new thread|processes   in another thread; the second half in three processes
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 16, BATCH = 256, AGAIN = 4096 }; /* of a function, functions at a time, places */

typedef unsigned (*function)(void);

/* Returns `value`. Loads in between, which QEMU translates into much code. */
static void write_function(uint32_t *code, uint32_t value)
{
    unsigned n = 0;
#ifdef __aarch64__
    code[n++] = 0x52800000 | (value & 0xffff) << 5; /* movz w0, #low */
    code[n++] = 0x72a00000 | (value >> 16) << 5;    /* movk w0, #high, lsl #16 */
    while (n < WORDS - 1)
        code[n++] = 0xf94003e1; /* ldr x1, [sp] */
    code[n] = 0xd65f03c0;       /* ret */
#else
    code[n++] = 0xe3a00000 | (value & 0xff);       /* mov r0, #byte 0 */
    code[n++] = 0xe3800c00 | (value >> 8 & 0xff);  /* orr r0, r0, #byte 1 << 8 */
    code[n++] = 0xe3800800 | (value >> 16 & 0xff); /* orr r0, r0, #byte 2 << 16 */
    code[n++] = 0xe3800400 | value >> 24;          /* orr r0, r0, #byte 3 << 24 */
    while (n < WORDS - 1)
        code[n++] = 0xe59d1000; /* ldr r1, [sp] */
    code[n] = 0xe12fff1e;       /* bx lr */
#endif
}

struct job {
    uint32_t *code;
    unsigned places, from, to;
    unsigned sum;
};

static void generate(struct job *job)
{
    for (unsigned i = job->from; i < job->to; i += BATCH) {
        uint32_t *const batch = job->code + (size_t)(i % job->places) * WORDS;
        for (unsigned j = 0; j < BATCH; j++)
            write_function(batch + j * WORDS, i + j);
        __builtin___clear_cache((char *)batch, (char *)(batch + BATCH * WORDS));
        for (unsigned j = 0; j < BATCH && i + j < job->to; j++)
            job->sum += ((function)(uintptr_t)(batch + j * WORDS))();
    }
}

static void *generate_in_thread(void *job)
{
    generate(job);
    return NULL;
}

/* Everything in a thread, while the first one waits. */
static void in_thread(struct job *job)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, generate_in_thread, job) != 0)
        exit(1);
    pthread_join(thread, NULL);
}

/* Half before a fork, the other half behind it in the parent, in the child and in its child. */
static void in_processes(struct job *job)
{
    const unsigned end = job->to;
    int status = 0;
    job->to = end / 2;
    generate(job);
    job->from = end / 2 / BATCH * BATCH;
    job->to = end;
    const pid_t child = fork();
    const pid_t grandchild = child == 0 ? fork() : 0;
    generate(job);
    if (grandchild != 0)
        waitpid(grandchild, &status, 0);
    if (child == 0)
        exit(status == 0 && job->sum != 0 ? 0 : 1);
    waitpid(child, &status, 0);
    if (status != 0)
        exit(1);
}

int main(int argc, char **argv)
{
    const unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 2000;
    const int is_new = argc > 2 && strcmp(argv[2], "new") == 0;
    const char *how = argc > 3 ? argv[3] : "alone";
    struct job job = {.places = is_new ? (n / BATCH + 1) * BATCH : AGAIN, .to = n};

    job.code = mmap(NULL, (size_t)job.places * WORDS * sizeof *job.code,
                    PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (job.code == MAP_FAILED) {
        perror("generate");
        return 1;
    }
    if (strcmp(how, "thread") == 0)
        in_thread(&job);
    else if (strcmp(how, "processes") == 0)
        in_processes(&job);
    else
        generate(&job);
    printf("%u\n", job.sum);
    return 0;
}
