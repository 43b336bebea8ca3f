/* Faults the program survives: 6 loads and 4 stores of unmapped memory, by siglongjmp. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

static sigjmp_buf back;

static void on_fault(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_fault};
    sigaction(SIGSEGV, &action, NULL);
    volatile uint32_t *const nowhere = (volatile uint32_t *)0xfffe0000u;
    volatile int faults = 0;
    volatile uint32_t sum = 0;
    for (volatile int i = 0; i < 10; i++) {
        if (sigsetjmp(back, 1) != 0) {
            faults++;
            continue;
        }
        if (i < 6)
            sum += nowhere[i];
        else
            nowhere[i] = sum;
    }
    printf("%d faults\n", faults);
    return faults == 10 ? 0 : 1;
}
