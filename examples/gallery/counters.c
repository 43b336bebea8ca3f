/* Two threads count for themselves. docs/examples.md has its counts; -DCURED is the cure. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 2, TURNS = 100000 };

#ifdef CURED
#define ALONE _Alignas(64)
#else
#define ALONE
#endif

static struct {
    ALONE atomic_long n;
} counters[THREADS];

static void *count(void *which)
{
    atomic_long *const n = which;

    for (int i = 0; i < TURNS; i++)
        atomic_store_explicit(n, atomic_load_explicit(n, memory_order_relaxed) + 1,
                              memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    long sum = 0;

    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, count, &counters[i].n);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum += counters[i].n;
    }
    printf("%ld\n", sum);
    return 0;
}
