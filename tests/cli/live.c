/* Works for ever, or for a while and then in threads or a child as well: live
 * for-ever|stubborn|threads|in-turn|fork|abort|alone. stubborn: for ever, and says when SIGTERM
 * does not end it. */
#define _GNU_SOURCE /* clone() */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(unsigned turns)
{
    for (volatile unsigned i = 0; i < turns; i++)
        ;
}

static void *thread(void *none)
{
    work(300000);
    return none;
}

static void in_threads(void)
{
    pthread_t ids[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&ids[i], NULL, thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(ids[i], NULL);
}

/* One system call each, whose instructions are the same whether the other thread is early or late:
 * a wrapper of the C library would look at the result. */
static void kernel(long number, const void *first, long second, long third)
{
#ifdef __aarch64__
    register long x8 __asm__("x8") = number;
    register const void *x0 __asm__("x0") = first;
    register long x1 __asm__("x1") = second;
    register long x2 __asm__("x2") = third;
    register long x3 __asm__("x3") = 0;

    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
#else
    register const void *r0 __asm__("r0") = first;
    register long r1 __asm__("r1") = second;
    register long r2 __asm__("r2") = third;
    register long r3 __asm__("r3") = 0;

    /* T32 code of -O0 has its frame pointer in R7. */
    __asm__ volatile("mov r12, r7\n\tmov r7, %1\n\tsvc 0\n\tmov r7, r12"
                     : "+r"(r0)
                     : "r"(number), "r"(r1), "r"(r2), "r"(r3)
                     : "r12", "memory");
#endif
}

/* The kernel writes 0 here and wakes who waits when the thread has ended. */
static int is_running;

static int thread_in_turn(void *none)
{
    work(300000);
    kernel(SYS_exit, none, 0, 0);
    return 0;
}

/* Each has ended when the next begins: whatever the host does, they execute the same.
 * pthread_create() of glibc 2.41 names the stack after the thread's number, in instructions that
 * depend on its digits. */
static void in_turn(void)
{
    static _Alignas(16) char stack[1 << 16];
    const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                      CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;

    for (int i = 0; i < 2; i++) {
        is_running = 1;
        if (clone(thread_in_turn, stack + sizeof stack, flags, NULL, NULL, NULL, &is_running) < 0)
            abort();
        kernel(SYS_futex, &is_running, FUTEX_WAIT, 1);
    }
}

int main(int argc, char **argv)
{
    const char *const how = argc > 1 ? argv[1] : "";

    if (strcmp(how, "stubborn") == 0) {
        signal(SIGTERM, SIG_IGN);
        (void)!write(STDOUT_FILENO, "stubborn\n", 9);
    }
    while (strcmp(how, "for-ever") == 0 || strcmp(how, "stubborn") == 0)
        work(1000000);
    work(400000);
    if (strcmp(how, "threads") == 0)
        in_threads();
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "in-turn") == 0)
        in_turn();
    if (strcmp(how, "fork") == 0) {
        if (fork() == 0) {
            work(300000);
            _exit(0);
        }
        wait(NULL);
    }
    work(200000);
    return 0;
}
