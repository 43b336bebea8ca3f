/* Two threads of one process, without a C library and without waiting for each other, so that every
 * run executes the same instructions: sharing line|apart|arrays|fork|alone|twice.
 *
 * line: each adds to a word, of the same line. apart: of lines of their own. arrays: each reads 2
 * MB of its own four times, a word of each line. fork: as line, in a child. alone: no thread.
 * twice: as alone, in a child as well. */
typedef unsigned long word;

#define ROUNDS       10000
#define ARRAY_BYTES  (2 << 20)
#define LINE         64
#define THREAD_FLAGS 0x50f00 /* VM, FS, FILES, SIGHAND, THREAD, SYSVSEM */

static word words[2 * LINE] __attribute__((aligned(4096)));
static char arrays[2][ARRAY_BYTES] __attribute__((aligned(4096)));
static char stack[4096] __attribute__((aligned(16)));

static long call(long number, long a, long b, long c, long d, long e)
{
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b,
                     x2 __asm__("x2") = c, x3 __asm__("x3") = d, x4 __asm__("x4") = e;

    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
    return x0;
}

/* The thread's part; n: its number. */
static void work(char how, unsigned n)
{
    volatile word *const counter = how == 'p' ? &words[n * LINE] : &words[n];

    if (how != 'r')
        for (unsigned i = 0; i < ROUNDS; i++)
            ++*counter;
    for (unsigned round = 0; how == 'r' && round < 4; round++)
        for (unsigned i = 0; i < ARRAY_BYTES; i += LINE)
            (void)*(volatile char *)&arrays[n][i];
}

static __attribute__((noreturn)) void end(void)
{
    for (;;)
        call(93 /* exit: of the thread */, 0, 0, 0, 0, 0);
}

/* The new thread has the stack that the call names, so it keeps what it needs in a register. */
static void start(char how)
{
    register long x8 __asm__("x8") = 220 /* clone */, x0 __asm__("x0") = THREAD_FLAGS,
                     x1 __asm__("x1") = (long)(stack + sizeof stack), x2 __asm__("x2") = 0,
                     x3 __asm__("x3") = 0, x4 __asm__("x4") = 0;
    register long kept __asm__("x19") = how;

    __asm__ volatile("svc   #0\n"
                     "cbnz  x0, 1f\n"
                     "mov   x0, x19\n"
                     "b     other\n"
                     "1:"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(kept)
                     : "memory");
}

__attribute__((noreturn, used)) void other(long how)
{
    work((char)how, 1);
    end();
}

__attribute__((noreturn, used)) void begin(char **stack_at_start)
{
    char how = stack_at_start[2][1]; /* i, p, r, o, l, w */

    if (how == 'w') {
        const long child = call(220, 17, 0, 0, 0, 0);
        work(how, 0);
        if (child != 0)
            call(260, child, 0, 0, 0, 0);
        end();
    }
    if (how == 'o') {
        const long child = call(220, 17 /* SIGCHLD */, 0, 0, 0, 0);
        if (child != 0) {
            call(260 /* wait4 */, child, 0, 0, 0, 0);
            end();
        }
        how = 'i';
    }
    if (how != 'l')
        start(how);
    work(how, 0);
    end();
}

__asm__(".globl _start\n_start: mov x0, sp\n b begin\n");
