/* Values after reset, and bits that do not exist. Where the manual is open, docs/choices.md has
 * armpmu's choice. */
#include "unit.h"
#include "xscale.h"

static const char *const digits[] = {"0", "1", "2", "3"};

void check_reset(void)
{
    check("after reset", "PMNC", read_pmnc(), PMNC_ID);
    check("after reset", "CCNT", read_ccnt(), 0);
    for (uint32_t n = 0; n < N_COUNTERS; n++)
        check("after reset, PMN", digits[n], counter(n), 0);
#if GENERATION == 2
    check("after reset", "INTEN", read_inten(), 0);
    check("after reset", "FLAG", read_flag(), 0);
    check("after reset", "EVTSEL", read_evtsel(), 0);
#endif
}

#if GENERATION == 1
static void check_layout(void)
{
    write_pmnc(0xfffffffe); /* E stays off: nothing moves */
    check("all ones but E in", "PMNC", read_pmnc(), 0x0ffff078);
    write_pmnc(0xffffffff);
    check("all ones in", "PMNC", read_pmnc(), 0x0ffff079);
    write_pmnc(0);
    check("zero in", "PMNC", read_pmnc(), 0);
    write_pmnc(0x07008000 | 0x50);
    check("events and enables stay in", "PMNC", read_pmnc(), 0x07008050);
    write_pmnc(0);
}
#else
static void check_layout(void)
{
    write_pmnc(0xfffffffe);
    check("all ones but E in", "PMNC", read_pmnc(), PMNC_ID | 0x8);
    write_pmnc(0xffffffff);
    check("all ones in", "PMNC", read_pmnc(), PMNC_ID | 0x9);
    write_pmnc(0);
    check("zero in", "PMNC", read_pmnc(), PMNC_ID);
    write_inten(0xffffffff);
    check("all ones in", "INTEN", read_inten(), 0x1f);
    write_inten(0);
    check("zero in", "INTEN", read_inten(), 0);
    write_evtsel(0xffffffff);
    check("all ones in", "EVTSEL", read_evtsel(), 0xffffffff);
    write_evtsel(0x07050a00);
    check("any event in", "EVTSEL", read_evtsel(), 0x07050a00);
    write_flag(0xffffffff);
    check("no write sets", "FLAG", read_flag(), 0);
}
#endif

static void check_counters(void)
{
    clear_all();
    for (uint32_t n = 0; n < N_COUNTERS; n++)
        set_counter(n, 0xffff0000 + n);
    write_ccnt(0xffffffff);
    for (uint32_t n = 0; n < N_COUNTERS; n++)
        check("written into PMN", digits[n], counter(n), 0xffff0000 + n);
    check("written into", "CCNT", read_ccnt(), 0xffffffff);
    check("no counter that is written", "has a flag", flags(), 0);
    write_pmnc(control(PMNC_P));
    for (uint32_t n = 0; n < N_COUNTERS; n++)
        check("P zeroes PMN", digits[n], counter(n), 0);
    check("P leaves alone", "CCNT", read_ccnt(), 0xffffffff);
    set_counter(1, 77);
    write_pmnc(control(PMNC_C));
    check("C zeroes", "CCNT", read_ccnt(), 0);
    check("C leaves alone", "PMN1", counter(1), 77);
}

void check_bits(void)
{
    check_layout();
    check_counters();
    clear_all();
}
