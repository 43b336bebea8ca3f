/* A loop of a known length: two instructions for each of so many thousand rounds. */
#include <stdint.h>
#include <stdlib.h>

__attribute__((noinline, noclone)) static void spin(uint32_t rounds)
{
    __asm__ volatile("1: subs %0, %0, #1\n"
                     "   bne 1b"
                     : "+r"(rounds)
                     :
                     : "cc");
}

int main(int argc, char **argv)
{
    spin(1000 * (uint32_t)(argc > 1 ? atoi(argv[1]) : 1));
    return 0;
}
