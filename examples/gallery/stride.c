/* Adds up the columns of a narrow picture. docs/examples.md has its counts; -DCURED is the cure. */
#include <stdio.h>

enum { WIDTH = 512, HEIGHT = 64, TURNS = 8 };

#ifdef CURED
enum { ROW = WIDTH + 16 };
#else
enum { ROW = WIDTH };
#endif

static int pixels[HEIGHT][ROW], sums[WIDTH];

__attribute__((noinline)) static void add_columns(void)
{
    for (int x = 0; x < WIDTH; x++)
        for (int y = 0; y < HEIGHT; y++)
            sums[x] += pixels[y][x];
}

int main(void)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            pixels[y][x] = x ^ y;
    for (int turn = 0; turn < TURNS; turn++)
        add_columns();
    printf("%d\n", sums[WIDTH - 1]);
    return 0;
}
