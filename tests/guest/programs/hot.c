/* Two functions for perf to find: work_hot executes nine tenths of the instructions. */
#include "work.h"

#define TURNS  20000u
#define ROUNDS 100u

int main(void)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        work_hot(9 * TURNS / 10);
        work_cold(TURNS / 10);
    }
    return 0;
}
