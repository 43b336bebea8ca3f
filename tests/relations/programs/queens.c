/* Ways to place queens, and an interpreter of a small stack machine: branches that depend on data.
 */
#include <stdio.h>

enum { PUSH, ADD, SUB, DUP, JUMP_IF, DROP, STOP };

static int place(unsigned all, unsigned columns, unsigned left, unsigned right)
{
    int ways = columns == all;
    for (unsigned free = all & ~(columns | left | right); free != 0; free &= free - 1) {
        const unsigned queen = free & (0u - free);
        ways += place(all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return ways;
}

static long run(const int *code)
{
    long stack[16], *top = stack, done = 0;
    for (const int *at = code;; done++) {
        switch (*at++) {
        case PUSH:
            *top++ = *at++;
            break;
        case ADD:
            top--, top[-1] += *top;
            break;
        case SUB:
            top--, top[-1] -= *top;
            break;
        case DUP:
            *top = top[-1], top++;
            break;
        case JUMP_IF:
            at = *--top != 0 ? code + *at : at + 1;
            break;
        case DROP:
            top--;
            break;
        default:
            return done;
        }
    }
}

int main(void)
{
    static const int code[] = {PUSH, 3000, PUSH, 1, SUB, DUP, JUMP_IF, 2, DROP, STOP};
    printf("%d ways, %ld steps\n", place(0x7f, 0, 0, 0), run(code));
    return 0;
}
