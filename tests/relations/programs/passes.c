/* Two threads read arrays in order, whose lines come before they are asked for, and write them. */
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

enum { WORDS = 1 << 14 };
static uint64_t arrays[2][WORDS];

static void *pass_over(void *user)
{
    volatile uint64_t *const words = user;
    for (unsigned pass = 0; pass < 3; pass++)
        for (size_t i = 0; i < WORDS; i++)
            words[i] = words[i] * 3 + pass;
    return NULL;
}

int main(void)
{
    pthread_t other;
    if (pthread_create(&other, NULL, pass_over, arrays[0]) != 0)
        return 1;
    pass_over(arrays[1]);
    pthread_join(other, NULL);
    return arrays[0][7] != arrays[1][7];
}
