/* Calls of known number: what tests/record/calls.py expects of each path. */
#include <setjmp.h>
#include <signal.h>

#define CALLED __attribute__((noinline, noclone))

static volatile unsigned work;

CALLED static void leaf(unsigned n)
{
    while (n-- > 0)
        work++;
}

CALLED static void thrice(void)
{
    leaf(1);
    leaf(2);
    leaf(3);
    work++;
}

/* Its last act is a jump. */
CALLED __attribute__((optimize("O2"))) static void tail(void)
{
    work++;
    leaf(5);
}

CALLED static unsigned deep(unsigned n)
{
    work++;
    return n == 0 ? 1 : deep(n - 1) + 1;
}

CALLED static unsigned odd(unsigned n);

CALLED static unsigned even(unsigned n)
{
    work++;
    return n == 0 ? 1 : odd(n - 1) + 1;
}

CALLED static unsigned odd(unsigned n)
{
    work++;
    return n == 0 ? 1 : even(n - 1) + 1;
}

/* It loops to its first instruction. */
void countdown(unsigned n);

#ifdef __aarch64__
__asm__(".type countdown, %function\n"
        "countdown: subs w0, w0, #1\n"
        "b.ne countdown\n"
        "ret\n");
#else
#ifdef __thumb__
__asm__(".syntax unified\n.thumb\n.thumb_func");
#else
__asm__(".syntax unified\n.arm");
#endif
__asm__(".type countdown, %function\n"
        "countdown: subs r0, r0, #1\n"
        "bne countdown\n"
        "bx lr\n");
#endif

static jmp_buf back;

CALLED static void jumps_out(unsigned n)
{
    if (n > 0)
        jumps_out(n - 1);
    work++;
    longjmp(back, 1);
}

CALLED static void catches(void)
{
    if (setjmp(back) == 0)
        jumps_out(7);
    leaf(4);
}

CALLED static void handler(int number)
{
    (void)number;
    leaf(6);
}

CALLED static void through(void (*function)(void))
{
    function();
    work++;
}

int main(void)
{
    for (unsigned i = 0; i < 10; i++)
        thrice();
    tail();
    leaf(deep(10000) & 1);
    leaf(even(1000) & 1);
    for (unsigned i = 1; i <= 4; i++)
        countdown(i * 10);
    for (unsigned i = 0; i < 3; i++)
        catches();
    signal(SIGUSR1, handler);
    for (unsigned i = 0; i < 4; i++)
        raise(SIGUSR1);
    through(thrice);
    through(tail);
    return 0;
}
