/* Calls functions of region.S, from two threads; with an argument from one. */
#include <pthread.h>

void calls(void);
void down(long levels);
void rounds(void);

static void *beside(void *unused)
{
    (void)unused;
    calls();
    down(5);
    rounds();
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    (void)argv;
    if (argc == 1 && pthread_create(&thread, 0, beside, 0) != 0)
        return 1;
    beside(0);
    if (argc == 1)
        pthread_join(thread, 0);
    return 0;
}
