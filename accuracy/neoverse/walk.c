/* A walk round 16 MB in steps of seven lines, where each step needs what the one before it has
 * loaded, as in the benchmark "stride" of DynamoRIO's cache simulator that Arm's learning path
 * top-down-n1 measures. With a second loop that preloads the line of 100 steps later.
 *
 * walk plain|preload PASSES: PASSES times a million steps, of five or seven instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES (16 << 20)
#define LINE  64
#define LINES 7
#define AHEAD (100 * LINES * LINE)

#define STEPS 1000000 /* constant, so that GCC makes loops of five and seven instructions */

static unsigned char *bytes;

static int walk(int at)
{
    for (int i = 0; i < STEPS; i++)
        at = (at + bytes[at] * LINE) & (BYTES - 1);
    return at;
}

static int walk_with_preloads(int at)
{
    for (int i = 0; i < STEPS; i++) {
        __builtin_prefetch(&bytes[at + AHEAD], 0, 0);
        at = (at + bytes[at] * LINE) & (BYTES - 1);
    }
    return at;
}

int main(int argc, char **argv)
{
    const int passes = argc == 3 ? atoi(argv[2]) : 0;
    int at = 0;

    bytes = malloc(BYTES + AHEAD);
    if (passes <= 0 || bytes == NULL)
        return 2;
    memset(bytes, LINES, BYTES);
    for (int i = 0; i < passes; i++)
        at = strcmp(argv[1], "plain") == 0 ? walk(at) : walk_with_preloads(at);
    printf("%d\n", at);
    return 0;
}
