/* Some of everything, for some million instructions: sliced [fork]. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 1 << 15, CALLS = 64 };

static unsigned random_state = 1, items[ITEMS];
static float vector[1024];

static unsigned random_number(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}

/* Misses, and branches that nobody foresees. */
static unsigned chase(unsigned turns)
{
    unsigned at = 0, odd = 0;

    while (turns-- > 0) {
        at = items[at];
        odd += at & 1 ? at : 1;
    }
    return odd;
}

/* Streams of stores, and active instructions of power mitigation. */
static void stream(float factor)
{
    static char copy[1 << 16];

    for (unsigned i = 0; i < 1024; i++)
        vector[i] = vector[i] * factor + 1;
    memset(copy, (int)factor, sizeof copy);
}

static unsigned work(unsigned rounds)
{
    unsigned sum = 0;

    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned i = 0; i < ITEMS / 16; i++)
            items[random_number() % ITEMS] = random_number() % ITEMS;
        sum += chase(4000);
        stream((float)round);
        if (round % (rounds / CALLS + 1) == 0)
            (void)getppid();
    }
    return sum;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "fork") == 0) {
        if (fork() == 0)
            _exit(work(20) == 1);
        wait(NULL);
    }
    return work(60) == 1;
}
