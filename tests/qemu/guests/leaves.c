/* Ways in which execution leaves a block before its end, or a thread or process begins and ends;
 * argv[1] names one. Each shall have the same number of instructions however they are counted.
 * Status 0: it went as meant; 2: there is no such way. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __arm__
#define UNDEFINED "udf #0"
#else
#define UNDEFINED ".inst 0" /* UDF */
#endif

#define TIMES 10

static sigjmp_buf back;
static volatile int n_begun, n_handled;
static int *volatile nowhere = (int *)16;

static void jump_back(int number)
{
    (void)number;
    n_handled++;
    siglongjmp(back, 1);
}

/* Some times, what ends in a handler that does not return. */
static int survive(int number, void (*fault)(void))
{
    struct sigaction action = {.sa_handler = jump_back, .sa_flags = SA_NODEFER};

    sigaction(number, &action, NULL);
    (void)sigsetjmp(back, 1);
    if (n_begun++ < TIMES)
        fault();
    return n_handled != TIMES;
}

static void load_nowhere(void)
{
    *(volatile int *)nowhere;
}

static int fault_inside(void)
{
    return survive(SIGSEGV, load_nowhere);
}

/* The load of a return address faults. */
static void return_from_nowhere(void)
{
#ifdef __arm__
    __asm__ volatile("mov r3, #16\n ldmia r3, {r2, pc}" ::: "r2", "r3", "memory");
#else
    load_nowhere();
#endif
}

static int fault_in_return(void)
{
    return survive(SIGSEGV, return_from_nowhere);
}

static uint32_t *new_code(void)
{
    return mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static int (*load_at_end)(const void *);

static void load_nowhere_at_end(void)
{
    load_at_end(nowhere);
}

static int fault_at_page_end(void)
{
#ifdef __arm__
    static const uint32_t load = 0xe5900000, ret = 0xe12fff1e; /* LDR R0, [R0]; BX LR */
#else
    static const uint32_t load = 0xb9400000, ret = 0xd65f03c0; /* LDR W0, [X0]; RET */
#endif
    uint32_t *const code = new_code();
    const int good = 7;

    code[1023] = load;
    code[1024] = ret;
    __builtin___clear_cache((char *)code, (char *)code + 8192);
    load_at_end = (int (*)(const void *))(uintptr_t)&code[1023];
    return load_at_end(&good) != 7 ? 1 : survive(SIGSEGV, load_nowhere_at_end);
}

static void read_monitor(void)
{
#ifdef __arm__
    __asm__ volatile("mrc p15, 0, r0, c9, c13, 0" ::: "r0");
#else
    __asm__ volatile("mrs x0, pmccntr_el0" ::: "x0");
#endif
}

static int be_refused(void)
{
    return survive(SIGILL, read_monitor);
}

static void undefined(void)
{
    __asm__ volatile(UNDEFINED ::: "memory");
}

static int be_undefined(void)
{
    return survive(SIGILL, undefined);
}

/* Code that writes into itself. */
static int rewrite(void)
{
    uint32_t *const code =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#ifdef __arm__
    static const uint32_t body[] = {0xe5801010, 0xe2811001, 0xe3a00001, 0xe12fff1e,
                                    0}; /* str r1,[r0,#16]; add; mov r0,#1; bx lr */
#else
    static const uint32_t body[] = {0xb9001001, 0x11000421, 0x52800020, 0xd65f03c0, 0};
#endif
    memcpy(code, body, sizeof body);
    __builtin___clear_cache((char *)code, (char *)code + 4096);
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += ((int (*)(void *, int))(uintptr_t)code)(code, i);
    return sum != 100;
}

static void *spin(void *user)
{
    volatile int n = 0;
    for (int i = 0; i < 100000; i++)
        n += i;
    return (void *)(uintptr_t)(n == 1 && user != NULL);
}

static int threads(void)
{
    pthread_t of[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&of[i], NULL, spin, NULL);
        pthread_join(of[i], NULL);
    }
    return 0;
}

static int forks(void)
{
    int status = 0;
    for (int i = 0; i < 3; i++) {
        const pid_t child = fork();
        if (child == 0) {
            spin(NULL);
            if (i == 1)
                load_nowhere();
            _exit(0);
        }
        waitpid(child, &status, 0);
    }
    return 0;
}

static int die(void)
{
    spin(NULL);
    load_nowhere();
    return 0;
}

static int die_of_signal(void)
{
    spin(NULL);
    kill(getpid(), SIGTERM);
    return 0;
}

static void *end_all(void *user)
{
    spin(user);
    _exit(0);
    return NULL;
}

static int end_in_thread(void)
{
    pthread_t one;

    pthread_create(&one, NULL, end_all, NULL);
    pause();
    return 1;
}

static int die_refused(void)
{
    spin(NULL);
    read_monitor();
    return 0;
}

static int die_undefined(void)
{
    spin(NULL);
    undefined();
    return 0;
}

static int execute(void)
{
    execl("/proc/self/exe", "leaves", "forks", NULL);
    return 1;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } cases[] = {{"inside", fault_inside},
                 {"return", fault_in_return},
                 {"page", fault_at_page_end},
                 {"refused", be_refused},
                 {"undefined", be_undefined},
                 {"rewrite", rewrite},
                 {"threads", threads},
                 {"forks", forks},
                 {"die", die},
                 {"signal", die_of_signal},
                 {"thread-ends", end_in_thread},
                 {"die-refused", die_refused},
                 {"die-undefined", die_undefined},
                 {"executes", execute}};
    for (unsigned i = 0; argc > 1 && i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            return cases[i].run();
    return 2;
}
