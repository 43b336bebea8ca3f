/* Works for ever, or for a while and then in threads or a child as well: live
 * for-ever|threads|in-turn|fork|abort|alone. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(unsigned turns)
{
    for (volatile unsigned i = 0; i < turns; i++)
        ;
}

static void *thread(void *none)
{
    work(300000);
    return none;
}

static void in_threads(void)
{
    pthread_t ids[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&ids[i], NULL, thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(ids[i], NULL);
}

/* Each has long ended when the next begins: whatever the host does, they execute the same. */
static void in_turn(void)
{
    pthread_t id;

    for (int i = 0; i < 2; i++) {
        pthread_create(&id, NULL, thread, NULL);
        usleep(600000);
    }
}

int main(int argc, char **argv)
{
    const char *const how = argc > 1 ? argv[1] : "";

    if (strcmp(how, "stubborn") == 0)
        signal(SIGTERM, SIG_IGN);
    while (strcmp(how, "for-ever") == 0 || strcmp(how, "stubborn") == 0)
        work(1000000);
    work(400000);
    if (strcmp(how, "threads") == 0)
        in_threads();
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "in-turn") == 0)
        in_turn();
    if (strcmp(how, "fork") == 0) {
        if (fork() == 0) {
            work(300000);
            _exit(0);
        }
        wait(NULL);
    }
    work(200000);
    return 0;
}
