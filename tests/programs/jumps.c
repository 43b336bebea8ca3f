/* Non-local jumps from several depths, and a computed goto. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

static int descend(int depth)
{
    if (depth > 0)
        return descend(depth - 1) + 1;
    longjmp(back, 1);
}

static int interpret(const unsigned char *code)
{
    static const void *const labels[] = {&&add, &&subtract, &&shift, &&stop};
    int value = 1;
    goto *labels[*code];
add:
    value += *++code;
    goto *labels[*++code];
subtract:
    value -= *++code;
    goto *labels[*++code];
shift:
    value <<= 1;
    goto *labels[*++code];
stop:
    return value;
}

int main(void)
{
    static const unsigned char code[] = {0, 5, 2, 1, 3, 2, 0, 100, 2, 3};
    volatile int jumps = 0, total = 0;
    for (volatile int i = 0; i < 40; i++) {
        if (setjmp(back) == 0)
            descend(i);
        jumps++;
        total += interpret(code);
    }
    printf("%d %d\n", jumps, total);
    return 0;
}
