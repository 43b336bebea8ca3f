/* What a program finds around it, printed: where its arguments lie, its path, its name, its
 * variables; with an argument also where a thread's stack lies. */
#include <pthread.h>
#include <stdio.h>
#include <sys/auxv.h>

extern char **environ;

static void *thread(void *where)
{
    int local;

    printf("thread %p\n", (void *)&local);
    return where;
}

int main(int argc, char **argv)
{
    pthread_t id;
    const unsigned char *const random = (const unsigned char *)getauxval(AT_RANDOM);
    const char *const path = (const char *)getauxval(AT_EXECFN);

    printf("%s\n", path);
    printf("%d arguments, %s at %p, from %p on\n", argc, argv[0], (void *)argv[0], (void *)argv);
    printf("AT_EXECFN at %p, random %02x%02x\n", (const void *)path, random[0], random[15]);
    for (char **variable = environ; *variable != NULL; variable++)
        printf("%.15s\n", *variable);
    if (argc > 1 && pthread_create(&id, NULL, thread, NULL) == 0)
        pthread_join(id, NULL);
    return 0;
}
