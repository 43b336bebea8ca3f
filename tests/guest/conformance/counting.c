/* What counts: software increments with their overflows, cycles, and events around code that is
 * counted by hand. */
#include "conformance.h"
#include "registers.h"

#define TURNS 1000u

static const char *const digits[] = {"0", "1", "2", "3"};

static uint32_t counter(uint32_t n)
{
    write_pmnxsel(n);
    return read_pmcnt();
}

static void set_counter(uint32_t n, uint32_t event, uint32_t value)
{
    write_pmnxsel(n);
    write_evtsel(event);
    write_pmcnt(value);
}

static void check_increments(void)
{
    clear_all();
    write_cntens(0x7);
    set_counter(2, 0x13, 0);
    write_swincr(0xf);
    check("no increment while E is zero:", digits[0], counter(0), 0);
    write_pmnc(PMNC_E);
    write_swincr(0x1);
    write_swincr(0x3);
    write_swincr(0xfffffff2);
    write_swincr(0x8);
    write_swincr(0x4);
    write_pmnc(0);
    check("increments of counter", digits[0], counter(0), 2);
    check("increments of counter", digits[1], counter(1), 2);
    check("none of a counter with another event:", digits[2], counter(2), 0);
    check("none of a counter that is disabled:", digits[3], counter(3), 0);
}

static void check_overflow(uint32_t n)
{
    const uint32_t bit = 1u << n;

    clear_all();
    set_counter(n, 0, 0xfffffffe);
    write_cntens(bit);
    write_pmnc(PMNC_E);
    write_swincr(0xf);
    check("no flag before the wrap of", digits[n], read_flag(), 0);
    write_swincr(0xf);
    check("the wrap sets the flag of", digits[n], read_flag(), bit);
    check("and leaves zero in", digits[n], counter(n), 0);
    write_swincr(0xf);
    check("counting goes on in", digits[n], counter(n), 1);
    write_pmnc(PMNC_P | PMNC_C);
    write_cntenc(0xffffffff);
    check("P, C and disabling keep the flag of", digits[n], read_flag(), bit);
    write_flag(COUNTER_BITS & ~bit);
    check("ones for others keep the flag of", digits[n], read_flag(), bit);
    write_flag(bit);
    check("a one clears the flag of", digits[n], read_flag(), 0);
}

/* How many cycles a turn takes is the core's business; that turns are alike is not, nor that a
 * taken branch takes one at least. */
static void check_cycles(void)
{
    uint32_t one = 0, two = 0, three = 0;

    clear_all();
    /* The last time caches and predictor have seen it all, and in this order. */
    for (unsigned pass = 0; pass < 4; pass++) {
        one = count_cycles(PMNC_E, TURNS);
        two = count_cycles(PMNC_E, 2 * TURNS);
        three = count_cycles(PMNC_E, 3 * TURNS);
    }
    check("CCNT: turns 1001 to 2000 cost as", "turns 2001 to 3000", two - one, three - two);
    check("CCNT: a turn costs", "a cycle or more", two - one >= TURNS, 1);
    check("CCNT: a turn costs", "four cycles or fewer", two - one <= 4 * TURNS, 1);
    const uint32_t blocks = count_cycles(PMNC_E | PMNC_D, 3 * TURNS);
    check("CCNT counts every 64th cycle with D:", "to one", blocks - three / 64 + 1 <= 2, 1);
    clear_all();
    check("CCNT holds while E is zero:", "twice the same", read_ccnt(), read_ccnt());
    write_ccnt(0xffffff00);
    write_cntens(CYCLE_BIT);
    write_pmnc(PMNC_E);
    for (uint32_t turn = 0; turn < TURNS; turn++)
        __asm__ volatile("nop");
    write_pmnc(0);
    check("the wrap sets the flag of", "CCNT", read_flag(), CYCLE_BIT);
    check("and goes on from zero in", "CCNT", read_ccnt() < 0x10000, 1);
}

static void check_pieces(void)
{
    for (uint32_t i = 0; i < n_pieces; i++) {
        clear_all();
        const uint32_t empty = count_event(pieces[i].event, empty_piece);
        const uint32_t whole = count_event(pieces[i].event, pieces[i].code);
        const char number[] = {"0123456789abcdef"[pieces[i].event >> 4],
                               "0123456789abcdef"[pieces[i].event & 15], '\0'};
        check_words((const char *const[CHECK_WORDS]){"event", number, "of", pieces[i].name},
                    whole - empty, pieces[i].count);
    }
}

#ifdef CORTEX_R4F
#define EVENT_CYCLES     0x11u
#define EVENT_FIQ_MASKED 0x46u
#define EVENT_IRQ_MASKED 0x47u

/* The last of a few runs: everything is in its cache. */
static uint32_t count_steadily(uint32_t event, void (*piece)(void))
{
    uint32_t count = 0;

    for (unsigned pass = 0; pass < 4; pass++)
        count = count_event(event, piece);
    return count;
}

static void check_masks(void)
{
    clear_all();
    const uint32_t cycles = count_steadily(EVENT_CYCLES, counted_loop);
    check("cycles with IRQ masked:", "all", count_steadily(EVENT_IRQ_MASKED, counted_loop), cycles);
    check("cycles with FIQ masked:", "all", count_steadily(EVENT_FIQ_MASKED, counted_loop), cycles);
    const uint32_t irq = count_steadily(EVENT_IRQ_MASKED, unmasked_loop);
    const uint32_t fiq = count_steadily(EVENT_FIQ_MASKED, unmasked_loop);
    check("cycles with IRQ masked:", "few of an unmasked loop's", irq < cycles / 10, 1);
    check("cycles with FIQ masked:", "few of an unmasked loop's", fiq < cycles / 10, 1);
}
#endif

void check_counting(void)
{
    check_increments();
    for (uint32_t n = 0; n < N_COUNTERS; n++)
        check_overflow(n);
    check_cycles();
    check_pieces();
#ifdef CORTEX_R4F
    check_masks();
#endif
    clear_all();
}
