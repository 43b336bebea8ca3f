/* What does a program wait for? The share of cycles that memory stalls it tells one that computes
 * from one that follows pointers. */
#include "monitors.h"

#define LINE_BYTES 64u
#define N_LINES    (1u << 17) /* 8 MiB */
#define N_TURNS    20000u

static struct line {
    struct line *next;
    char rest[LINE_BYTES - sizeof(struct line *)];
} lines[N_LINES];

/* A ring through all lines, in an order that no prefetcher guesses. */
static void make_ring(void)
{
    for (unsigned i = 0; i < N_LINES; i++)
        lines[i].next = &lines[(i * 5u + 12345u) % N_LINES];
}

static void chase(void)
{
    const struct line *volatile start = lines;
    const struct line *line = start;

    for (unsigned i = 0; i < N_TURNS; i++)
        line = line->next;
    start = line;
}

static void compute(void)
{
    uint64_t value = 1;

    for (unsigned i = 0; i < N_TURNS; i++)
        value = value * 6364136223846793005u + 1442695040888963407u;
    __asm__ volatile("" ::"r"(value));
}

static uint64_t percent(const struct counts *counts)
{
    return counts->stalls * 100 / counts->cycles;
}

int main(void)
{
    make_ring();
    const struct counts chased = measure(chase), computed = measure(compute);

    print_value("chase: cycles", chased.cycles);
    print_value("chase: percent stalled on memory", percent(&chased));
    print_value("compute: cycles", computed.cycles);
    print_value("compute: percent stalled on memory", percent(&computed));
    check("the chase waits for memory most of the time", percent(&chased) > 50, 1);
    check("the arithmetic does not", percent(&computed) < 10, 1);
    return n_wrong != 0;
}
