/* What counts, beside arithmetic. */
#include "amu.h"

#define TURNS 1000u

static uint64_t word; /* for pieces that access memory */

static const struct {
    const char *name;
    uint64_t (*run)(uint64_t turns, uint64_t *word);
    uint64_t insns; /* of a turn */
} pieces[] = {
    {"a loop of two instructions", count_loop, 2},
    {"calls and branches that are taken", count_calls, 7},
    {"conditions that fail and branches that go nowhere", count_failed, 5},
    {"loads, stores and atomic operations", count_memory, 5},
};

/* The first of the two reads is behind its own value, and before the other's. */
static void check_retired(void)
{
    check("instructions between two reads beside each other:", "one", count_nothing(0, &word), 1);
    for (unsigned i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        check(pieces[i].name, "once", pieces[i].run(1, &word), pieces[i].insns + 1);
        check(pieces[i].name, "a thousand times", pieces[i].run(TURNS, &word),
              pieces[i].insns * TURNS + 1);
    }
}

static void check_enables(void)
{
    write_amcntenclr0(0xf);
    const uint64_t before = read_retired();
    (void)count_loop(TURNS, &word);
    check("a counter that is disabled", "stands", read_retired(), before);
    write_amcntenset0(4);
    check("a counter that is enabled again", "goes on", read_retired() - before < 8, true);
    check("and", "moves", read_retired() > before, true);
    write_amcntenclr0(0xf);
    write_retired(UINT64_MAX - 1);
    write_amcntenset0(4);
    const uint64_t first = read_retired();
    const uint64_t second = count_nothing(0, &word) + read_retired();
    check("a counter wraps", "at 64 bits", first > second && second < 64, true);
}

/* The clocks are the machine's; that there are some, in order, is not. */
static void check_cycles(void)
{
    write_amcntenset0(0xf);
    const uint64_t cycles = read_cycles(), constant = read_constant(), retired = read_retired(),
                   stalls = read_stalls();
    (void)count_memory(100 * TURNS, &word);
    const uint64_t more_cycles = read_cycles() - cycles, more_constant = read_constant() - constant;

    check("cycles", "pass", more_cycles > 0, true);
    check("time", "passes", more_constant > 0, true);
    check("instructions", "retire", read_retired() - retired >= 500 * TURNS, true);
    check("stalls are", "cycles", read_stalls() - stalls <= more_cycles, true);
}

void check_counting(void)
{
    write_amcntenset0(0xf);
    check_retired();
    check_enables();
    check_cycles();
    write_amcntenclr0(0xf);
}

/* Far apart: lines that no cache of a core holds all of. */
#define SPREAD_BYTES (16u << 20)
#define LINE_BYTES   64u

static void touch(uint64_t step)
{
    volatile uint64_t *const memory = (volatile uint64_t *)0x42000000;

    for (uint64_t at = 0; at < SPREAD_BYTES; at += step)
        memory[at / sizeof *memory] += at;
}

static void count_window(unsigned number)
{
    write_amcntenclr0(0xf);
    write_cycles(0);
    write_constant(0);
    write_retired(0);
    write_stalls(0);
    write_amcntenset0(0xf);
    (void)count_calls(TURNS << number, &word);
    touch(LINE_BYTES << number);
    write_amcntenclr0(0xf);
    const uint64_t shown[4] = {read_cycles(), read_constant(), read_retired(), read_stalls()};
    board_write("window");
    for (unsigned n = 0; n < 4; n++) {
        board_write(" ");
        write_hex(shown[n]);
    }
    board_write("\n");
}

void show_windows(void)
{
    for (unsigned number = 0; number < 3; number++)
        count_window(number);
}
