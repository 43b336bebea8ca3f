/* Two threads that share lines or caches, or do not: shared.py has the arithmetic. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define KIB         1024
#define LINE        64
#define INCREMENTS  100000
#define PASSES      4
#define HANDED_OVER 4096 /* lines */

static volatile uint64_t words[2][LINE / sizeof(uint64_t)] __attribute__((aligned(4 * KIB)));
static volatile char bytes[4 * KIB * KIB] __attribute__((aligned(4 * KIB)));

static void increment(volatile uint64_t *word)
{
    for (int i = 0; i < INCREMENTS; i++)
        ++*word;
}

static void walk(volatile char *from, size_t size, int passes)
{
    while (passes-- > 0)
        for (size_t at = 0; at < size; at += LINE)
            (void)from[at];
}

static char mode;

static void *work(void *user)
{
    const int i = user != NULL;

    switch (mode) {
    case 'f': /* false sharing: neighbours in a line */
        increment(&words[0][i]);
        break;
    case 'a': /* apart: a line each */
        increment(&words[i][0]);
        break;
    case '1': /* 1 MB each */
    case '2': /* 2 MB each */
        walk(bytes + (size_t)i * 2 * KIB * KIB, (size_t)(mode - '0') * KIB * KIB, PASSES);
        break;
    case 'r': /* both read the same */
        walk(bytes, 32 * KIB, 10 * PASSES);
        break;
    case 'h': /* one reads what the first thread has written */
        walk(bytes, i * HANDED_OVER * LINE, 1);
        break;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];

    if (argc != 2)
        return 1;
    mode = argv[1][0];
    for (size_t at = 0; mode == 'h' && at < HANDED_OVER * LINE; at += LINE)
        bytes[at] = 1;
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, work, i != 0 ? &mode : NULL) != 0)
            return 1;
    if (mode == 'h') /* counts what is taken from its caches: after its end nothing does */
        increment(&words[0][0]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
