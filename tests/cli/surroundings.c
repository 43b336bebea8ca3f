/* What a program finds around it, printed: where its arguments lie, its path, its name, its
 * variables; with an argument also where a thread's stack lies. "lines": 2000 lines, in turns to
 * standard output and standard error. "sizes" and paths: the size of each file that
 * open() finds, and no more. */
#include <pthread.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

extern char **environ;

static void *thread(void *where)
{
    int local;

    printf("thread %p\n", (void *)&local);
    return where;
}

static int print_sizes(int n, char **paths)
{
    for (int i = 0; i < n; i++)
        printf("%ld\n", (long)lseek(open(paths[i], O_RDONLY), 0, SEEK_END));
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "sizes") == 0)
        return print_sizes(argc - 2, argv + 2);
    pthread_t id;
    const unsigned char *const random = (const unsigned char *)getauxval(AT_RANDOM);
    const char *const path = (const char *)getauxval(AT_EXECFN);

    const bool has_lines = argc > 1 && strcmp(argv[1], "lines") == 0;

    for (int i = 0; has_lines && i < 2000; i++)
        fprintf(i % 10 == 9 ? stderr : stdout, "line %d\n", i);
    printf("%s\n", path);
    printf("%d arguments, %s at %p, from %p on\n", argc, argv[0], (void *)argv[0], (void *)argv);
    printf("AT_EXECFN at %p, random %02x%02x\n", (const void *)path, random[0], random[15]);
    for (char **variable = environ; *variable != NULL; variable++)
        printf("%.15s\n", *variable);
    if (argc > 1 && !has_lines && pthread_create(&id, NULL, thread, NULL) == 0)
        pthread_join(id, NULL);
    return 0;
}
