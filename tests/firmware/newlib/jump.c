/* setjmp and longjmp through several calls. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

static void down(int depth)
{
    if (depth == 0)
        longjmp(back, 42);
    down(depth - 1);
}

int main(void)
{
    volatile int turns = 0;

    for (int depth = 1; depth < 20; depth++) {
        const int got = setjmp(back);
        if (got == 0)
            down(depth);
        turns += got;
    }
    printf("%d\n", turns);
    return turns == 19 * 42 ? 0 : 1;
}
