/* Two functions for perf to find: work_hot executes nine tenths of the instructions.
 *
 * usage: hot [TIMES]     default 1, of 4 million instructions each */
#include <stdlib.h>

#include "work.h"

#define TURNS  20000u
#define ROUNDS 100u

int main(int argc, char **argv)
{
    const unsigned times = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;

    for (unsigned round = 0; round < times * ROUNDS; round++) {
        work_hot(9 * TURNS / 10);
        work_cold(TURNS / 10);
    }
    return 0;
}
