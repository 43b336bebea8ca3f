/* What counts: events around code that is counted by hand, cycles, overflow flags. */
#include "unit.h"
#include "xscale.h"

#define TURNS 1000u /* of thousand_turns */

static const char *const digits[] = {"0", "1", "2", "3"};

static uint32_t count_event(uint32_t n, uint32_t event, void (*piece)(void))
{
    select_event(n, event);
    set_counter(n, 0);
    run_counted(control(PMNC_E), control(0), piece);
    return counter(n);
}

static void check_pieces(void)
{
    clear_all();
    for (uint32_t i = 0; i < n_pieces; i++) {
        const uint32_t n = i % N_COUNTERS; /* any counter counts any event */
        const uint32_t event = pieces[i].event;
        const uint32_t empty = count_event(n, event, empty_piece);
        const uint32_t whole = count_event(n, event, pieces[i].code);
        const char number[] = {"0123456789abcdef"[event >> 4], "0123456789abcdef"[event & 15],
                               '\0'};
        check_words((const char *const[CHECK_WORDS]){"event", number, "of", pieces[i].name},
                    whole - empty, pieces[i].count);
        select_event(n, EVENT_NONE);
    }
}

/* Single issue: an instruction takes a cycle or more. D makes 64 cycles one. */
static void check_cycles(void)
{
    uint32_t cycles = 0, blocks = 0;

    clear_all();
    for (unsigned pass = 0; pass < 4; pass++) { /* the last time everything is in its cache */
        write_ccnt(0);
        run_counted(control(PMNC_E), control(0), thousand_turns);
        cycles = read_ccnt();
    }
    check("CCNT: a turn of two instructions takes", "two cycles or more", cycles >= 2 * TURNS, 1);
    check("CCNT: a turn of two instructions takes", "eight cycles or fewer", cycles <= 8 * TURNS,
          1);
    write_ccnt(0);
    run_counted(control(PMNC_E | PMNC_D), control(0), thousand_turns);
    blocks = read_ccnt();
    check("CCNT counts every 64th cycle with D:", "to one", blocks - cycles / 64 + 1 <= 2, 1);
    check("CCNT holds while E is zero:", "twice the same", read_ccnt(), read_ccnt());
    const uint32_t instructions = count_event(0, EVENT_INSTRUCTION, thousand_turns);
    check("no more instructions than cycles:", "0x07 and CCNT", instructions <= cycles, 1);
}

static void check_overflow(uint32_t n)
{
    const uint32_t flag = OF_COUNTER(n);

    clear_all();
    select_event(n, EVENT_INSTRUCTION);
    set_counter(n, -500u);
    check("no flag before the wrap of PMN", digits[n], flags(), 0);
    run_counted(control(PMNC_E), control(0), thousand_turns);
    check("the wrap sets the flag of PMN", digits[n], flags(), flag);
    check("and counting goes on from zero in PMN", digits[n], counter(n) - 1500 < 100, 1);
    write_pmnc(control(PMNC_P | PMNC_C));
    set_counter(n, 0);
    check("neither P nor a write clears the flag of PMN", digits[n], flags(), flag);
    clear_flags(0x1f & ~flag);
    check("ones for others keep the flag of PMN", digits[n], flags(), flag);
    clear_flags(flag);
    check("a one clears the flag of PMN", digits[n], flags(), 0);
}

static void check_cycle_overflow(void)
{
    clear_all();
    write_ccnt(-500u);
    run_counted(control(PMNC_E), control(0), thousand_turns);
    check("the wrap sets the flag of", "CCNT", flags(), OF_CYCLES);
    clear_flags(OF_CYCLES);
    check("a one clears the flag of", "CCNT", flags(), 0);
}

/* A counter whose event is 0xFF keeps its value while others count. */
static void check_switched_off(void)
{
    clear_all();
    set_counter(0, 0xfffffff0);
    set_counter(1, 0);
    select_event(1, EVENT_INSTRUCTION);
    run_counted(control(PMNC_E), control(0), thousand_turns);
    check("event ff holds its counter:", "PMN0", counter(0), 0xfffffff0);
    check("while another counts:", "PMN1", counter(1) >= 2 * TURNS, 1);
    select_event(0, EVENT_INSTRUCTION);
    run_counted(control(PMNC_E), control(0), thousand_turns);
    check("and another event lets it go on:", "PMN0", counter(0) - 0xfffffff0 >= 2 * TURNS, 1);
}

#if GENERATION == 1
/* Writing back what was read clears the flags that were set. */
static void check_written_back(void)
{
    clear_all();
    write_ccnt(-500u);
    run_counted(control(PMNC_E), control(0), thousand_turns);
    write_pmnc(read_pmnc());
    check("PMNC written back as it was read", "has no flags", flags(), 0);
}
#endif

void check_counting(void)
{
    check_pieces();
    check_cycles();
    for (uint32_t n = 0; n < N_COUNTERS; n++)
        check_overflow(n);
    check_cycle_overflow();
    check_switched_off();
#if GENERATION == 1
    check_written_back();
#endif
    clear_all();
}
