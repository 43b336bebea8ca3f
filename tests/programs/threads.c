/* Threads of different lengths; they share nothing but their results, and are joined. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define N_THREADS 5

static void *work(void *argument)
{
    unsigned rounds = 500u * (unsigned)(uintptr_t)argument;
    uint32_t x = 2463534242u;
    for (unsigned i = 0; i < rounds; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return (void *)(uintptr_t)x;
}

int main(void)
{
    uint32_t all = 0;
    for (int round = 0; round < 2;
         round++) { /* the second round reuses the ended threads' places */
        pthread_t threads[N_THREADS];
        for (int i = 0; i < N_THREADS; i++)
            if (pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)(i + 1 + round)) != 0)
                return 1;
        for (int i = 0; i < N_THREADS; i++) {
            void *result;
            pthread_join(threads[i], &result);
            all = all * 31 + (uint32_t)(uintptr_t)result;
        }
    }
    printf("%08x\n", (unsigned)all);
    return 0;
}
