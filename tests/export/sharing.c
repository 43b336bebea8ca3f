/* Two threads that use a line's bytes apart (false sharing), together (true sharing), and lines of
 * their own. */
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

#define TURNS 20000

struct counters {
    volatile uint64_t first, second;
} apart __attribute__((aligned(64)));

volatile uint64_t together __attribute__((aligned(64)));

struct own {
    volatile uint64_t n;
    char padding[56];
} alone[2] __attribute__((aligned(64)));

static __attribute__((noinline)) void count_apart(volatile uint64_t *word)
{
    for (int i = 0; i < TURNS; i++)
        ++*word;
}

static __attribute__((noinline)) void count_together(void)
{
    for (int i = 0; i < TURNS; i++)
        together++;
}

static __attribute__((noinline)) void count_alone(struct own *own)
{
    for (int i = 0; i < TURNS; i++)
        own->n++;
}

static void *work(void *user)
{
    count_apart(user != NULL ? &apart.second : &apart.first);
    count_together();
    count_alone(&alone[user != NULL]);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, work, i != 0 ? (void *)threads : NULL) != 0)
            return 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
