/* A program that reads an activity monitor: the kernel shuts them to EL0, and hides them from the
 * ID register that it emulates. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

static sigjmp_buf back;

static void caught(int signal)
{
    siglongjmp(back, signal);
}

int main(void)
{
    uint64_t count = 0, features;

    signal(SIGILL, caught);
    const int signal_number = sigsetjmp(back, 1);
    if (signal_number == 0)
        __asm__ volatile("mrs %0, S3_3_C13_C4_0" : "=r"(count));
    __asm__ volatile("mrs %0, id_aa64pfr0_el1" : "=r"(features));
    if (signal_number == 0)
        printf("read %llu", (unsigned long long)count);
    else
        printf("signal %d at the first read", signal_number);
    printf(", AMU field %u\n", (unsigned)(features >> 44 & 15));
    return 0;
}
