/* Runs single instructions and reports what they did: a guest program (A32 or A64, statically
 * linked).
 *
 * Reads lines "A32|T32|A64 ENCODING BASE INDEX": an instruction that does not branch, and the
 * numbers of the registers that have to hold an address and a small number for it, -1 for none. For
 * each it prints "undefined", "fault", or "w:REGISTERS r:REGISTERS s:BYTES": the registers that
 * changed in any run, those whose value mattered to anything else, and the extent of what was
 * stored. Names are those of render.h. Runs start from seeded random states; a register matters
 * when changing it alone changes another register, its own result, or memory.
 *
 * The instruction stands in a page of code that loads all registers, runs it, and stores them all.
 * What that code writes is on the page behind it: an emulator translates a page again when it
 * changes.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, ARENA = 16384, SEEDS = 2 };

static uint8_t arena[ARENA] __attribute__((aligned(64))), master[ARENA];
static sigjmp_buf caught;

static uint64_t random_state = 0x1ea5;

static uint64_t random_next(void)
{
    uint64_t z = (random_state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The state of the processor, item by item, and the page of code. */
#ifdef __aarch64__
#include "observer_a64.h"
#else
#include "observer_a32.h"
#endif

static void on_signal(int number)
{
    siglongjmp(caught, number);
}

/* The signal that ended the run, 0 for none. */
static int run(bool restores_memory)
{
    const int number = sigsetjmp(caught, 1);

    if (number != 0) {
        restore_machine();
        return number;
    }
    if (restores_memory)
        memcpy(arena, master, ARENA);
    ((void (*)(void))page)();
    return 0;
}

struct seen {
    bool written[N_ITEMS], read[N_ITEMS];
    unsigned stored; /* bytes from the first changed one to the last, the most of all runs */
};

static void note_writes(struct seen *seen, const struct state *before, bool memory)
{
    unsigned first = 0, last = ARENA;

    for (unsigned i = 0; i < N_ITEMS; i++)
        seen->written[i] |= get(&out, i) != get(before, i);
    if (!memory)
        return;
    while (first < ARENA && arena[first] == master[first])
        first++;
    while (last > first && arena[last - 1] == master[last - 1])
        last--;
    if (last - first > seen->stored)
        seen->stored = last - first;
}

/* Whether the run that started with one item changed ended otherwise than the one that did not. */
static bool mattered(unsigned changed, const struct state *plain, const uint8_t *plain_memory,
                     bool written, bool memory)
{
    if (memcmp(&out, plain, sizeof out) != 0) {
        for (unsigned i = 0; i < N_ITEMS; i++) {
            if ((i != changed || written) && get(&out, i) != get(plain, i))
                return true;
        }
    }
    return memory && memcmp(arena, plain_memory, ARENA) != 0;
}

static void note_reads(struct seen *seen, int base, int index, bool memory)
{
    static uint8_t plain_memory[ARENA];
    const struct state start = in, plain = out;

    if (memory)
        memcpy(plain_memory, arena, ARENA);
    for (unsigned i = 0; i < N_ITEMS; i++) {
        const bool addresses = (int)i == base || (int)i == index;
        in = start;
        flip(&in, i, addresses ? 0x40 : random_next() | 1);
        if (run(memory) != 0 || mattered(i, &plain, plain_memory, seen->written[i], memory))
            seen->read[i] = true;
    }
    in = start;
}

static void print_set(const char *label, const bool *set)
{
    const char *before = label;

    for (unsigned i = 0; i < N_ITEMS; i++) {
        if (!set[i])
            continue;
        printf("%s%s", before, name_of(i));
        before = ",";
    }
}

static void observe(int base, int index)
{
    const bool memory = base >= 0;
    struct seen seen = {0};

    for (unsigned seed = 0; seed < SEEDS; seed++) {
        random_input(base, index);
        const struct state before = in;
        const int number = run(memory);
        if (number != 0) {
            puts(number == SIGILL ? "undefined" : "fault");
            return;
        }
        note_writes(&seen, &before, memory);
    }
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        random_input(base, index);
        if (run(memory) == 0)
            note_reads(&seen, base, index, memory);
    }
    printf("ran");
    print_set(" w:", seen.written);
    print_set(" r:", seen.read);
    printf(" s:%u\n", seen.stored);
}

int main(void)
{
    static uint8_t stack[65536];
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_NODEFER};
    char isa[8], encoding[16];
    int base, index;

    sigaltstack(&alternate, NULL);
    sigaction(SIGILL, &action, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGTRAP, &action, NULL);
    make_page();
    for (unsigned i = 0; i < ARENA; i++)
        master[i] = (uint8_t)(random_next() >> 8);
    while (scanf("%7s %15s %d %d", isa, encoding, &base, &index) == 4) {
        place(isa, (uint32_t)strtoul(encoding, NULL, 16), strlen(encoding) == 8);
        observe(base, index);
    }
    return 0;
}
