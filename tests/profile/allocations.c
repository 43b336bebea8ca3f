/* Blocks of memory by all functions that return some, and members of structures. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define NODES 300
#define CELLS 512
#define PARTS 1024

struct matrix {
    volatile int rows, columns; /* no compiler stores both at once */
    double *cells;
};

struct node {
    struct node *next;
    volatile long value;
    char text[40];
};

struct part {
    double x, y;
    int kind;
    struct {
        short low, high;
    } in;
    int limits[3];
};

struct part parts[PARTS];
static struct node *head;
static long shared_sum;

static __attribute__((noinline)) struct matrix *matrix_new(int rows, int columns)
{
    struct matrix *const m = malloc(sizeof *m);

    m->rows = rows;
    m->columns = columns;
    m->cells = calloc((size_t)rows * columns, sizeof *m->cells);
    return m;
}

static __attribute__((noinline)) void push(long value)
{
    struct node *const n = malloc(sizeof *n);

    n->value = value;
    n->next = head;
    head = n;
}

static __attribute__((noinline)) long add_values(const struct node *n)
{
    long sum = 0;

    for (; n != NULL; n = n->next)
        sum += n->value;
    return sum;
}

static __attribute__((noinline)) double add_cells(const struct matrix *m)
{
    double sum = 0;

    for (int i = 0; i < m->rows * m->columns; i++)
        sum += m->cells[i];
    return sum;
}

static __attribute__((noinline)) int add_parts(void)
{
    int sum = 0;

    for (int i = 0; i < PARTS; i++)
        sum += parts[i].kind + parts[i].in.high;
    return sum;
}

static __attribute__((noinline)) long others(void)
{
    volatile int *words = malloc(40), *mapped, *part;
    void *aligned = NULL;

    words[3] = 1;
    words = realloc((void *)words, 400);
    words[99] = 2;
    if (posix_memalign(&aligned, 64, 128) != 0)
        return 0;
    part = aligned;
    part[7] = 3;
    mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mapped[100] = 4;
    return words[99] + part[7] + mapped[100];
}

static void *thread(void *first)
{
    shared_sum = add_values(first);
    return NULL;
}

int main(void)
{
    struct matrix *const m = matrix_new(8, CELLS / 8);
    pthread_t other;

    for (int i = 0; i < NODES; i++)
        push(i);
    if (pthread_create(&other, NULL, thread, head) != 0)
        return 1;
    pthread_join(other, NULL);
    printf("%ld %g %d %ld\n", shared_sum, add_cells(m), add_parts(), others());
    return 0;
}
