/* Values after reset, bits that do not exist, registers that stand for the selected counter. */
#include "conformance.h"
#include "registers.h"

static const char *const digits[] = {"0", "1", "2", "3"};

void check_reset(void)
{
    check("after reset", "PMNC", read_pmnc(), PMNC_CONSTANT);
    check("after reset", "CNTENS", read_cntens(), 0);
    check("after reset", "FLAG", read_flag(), 0);
    check("after reset", "PMNXSEL", read_pmnxsel(), 0);
    check("after reset", "CCNT", read_ccnt(), 0);
    check("after reset", "USEREN", read_useren(), 0);
    check("after reset", "INTENS", read_intens(), 0);
    for (uint32_t n = 0; n < N_COUNTERS; n++) {
        write_pmnxsel(n);
        check("after reset, EVTSEL", digits[n], read_evtsel(), 0);
        check("after reset, PMCNT", digits[n], read_pmcnt(), 0);
    }
}

static void check_all_ones(void)
{
    clear_all();
    write_pmnc(0xfffffffe); /* E stays off: nothing moves */
    check("all ones but E in", "PMNC", read_pmnc(), PMNC_CONSTANT | 0x38);
    write_pmnc(0xffffffff);
    check("all ones in", "PMNC", read_pmnc(), PMNC_CONSTANT | 0x39);
    write_pmnc(0);
    check("zero in", "PMNC", read_pmnc(), PMNC_CONSTANT);
    write_cntens(0xffffffff);
    check("all ones in", "CNTENS", read_cntens(), COUNTER_BITS);
    check("CNTENC reads as", "CNTENS", read_cntenc(), COUNTER_BITS);
    write_cntens(0);
    check("zeros leave alone", "CNTENS", read_cntens(), COUNTER_BITS);
    write_cntenc(2);
    check("bit 1 cleared in", "CNTENS", read_cntens(), COUNTER_BITS & ~2u);
    write_cntenc(0xffffffff);
    check("all ones clear", "CNTENS", read_cntens(), 0);
    write_intens(0xffffffff);
    check("all ones in", "INTENS", read_intens(), COUNTER_BITS);
    check("INTENC reads as", "INTENS", read_intenc(), COUNTER_BITS);
    write_intenc(CYCLE_BIT);
    check("bit 31 cleared in", "INTENS", read_intens(), EVENT_BITS);
    write_intenc(0xffffffff);
    check("all ones clear", "INTENS", read_intens(), 0);
    write_flag(0xffffffff);
    check("no write sets", "FLAG", read_flag(), 0);
    write_pmnxsel(0xffffffe0 | 2);
    check("all ones in what is reserved of", "PMNXSEL", read_pmnxsel(), 2);
    write_evtsel(0xffffffff);
    check("all ones in", "EVTSEL", read_evtsel(), 0xff);
    write_pmcnt(0xffffffff);
    check("all ones in", "PMCNT", read_pmcnt(), 0xffffffff);
    write_ccnt(0xffffffff);
    check("all ones in", "CCNT", read_ccnt(), 0xffffffff);
    check("written counters do not set", "FLAG", read_flag(), 0);
    write_useren(0xffffffff);
    check("all ones in", "USEREN", read_useren(), 1);
    write_pmnc(PMNC_P);
    check("P zeroes", "PMCNT", read_pmcnt(), 0);
    check("P leaves alone", "CCNT", read_ccnt(), 0xffffffff);
    write_pmcnt(77);
    write_pmnc(PMNC_C);
    check("C zeroes", "CCNT", read_ccnt(), 0);
    check("C leaves alone", "PMCNT", read_pmcnt(), 77);
    check("P and C leave alone", "EVTSEL", read_evtsel(), 0xff);
}

static void check_select(void)
{
    clear_all();
    for (uint32_t n = 0; n < N_COUNTERS; n++) {
        write_pmnxsel(n);
        write_evtsel(0x13 + n); /* reserved events: the counters rest */
        write_pmcnt(0x11110000 * (n + 1));
    }
    for (uint32_t n = N_COUNTERS; n-- > 0;) {
        write_pmnxsel(n);
        check("selected PMNXSEL", digits[n], read_pmnxsel(), n);
        check("selected EVTSEL", digits[n], read_evtsel(), 0x13 + n);
        check("selected PMCNT", digits[n], read_pmcnt(), 0x11110000 * (n + 1));
    }
}

/* What the manual leaves open is a choice of armpmu's: see docs/choices.md. */
static void check_no_counter(void)
{
    static const uint32_t numbers[] = {N_COUNTERS, 5, 30, 31};

    clear_all();
    for (uint32_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        write_pmnxsel(numbers[i]);
        write_evtsel(0x11);
        write_pmcnt(0x12345678);
        check("no counter selected:", "PMNXSEL", read_pmnxsel(), numbers[i]);
        check("no counter selected:", "EVTSEL", read_evtsel(), 0);
        check("no counter selected:", "PMCNT", read_pmcnt(), 0);
    }
}

#ifdef CORTEX_R4F
/* The enables have no effect here: their lines have no pin. */
static void check_validation(void)
{
    clear_all();
    write_valirqens(0xffffffff);
    check("all ones in", "nVALIRQENS", read_valirqens(), COUNTER_BITS);
    check("nVALIRQENC reads as", "nVALIRQENS", read_valirqenc(), COUNTER_BITS);
    write_valirqenc(2);
    check("bit 1 cleared in", "nVALIRQENS", read_valirqens(), COUNTER_BITS & ~2u);
    write_valfiqens(1);
    write_valresetens(2);
    write_valedbgrqens(4);
    check("kinds are apart:", "nVALFIQENS", read_valfiqenc(), 1);
    check("kinds are apart:", "nVALRESETENS", read_valresetenc(), 2);
    check("kinds are apart:", "VALEDBGRQENS", read_valedbgrqenc(), 4);
    write_cflr(0xffffffff);
    check("all ones in", "CFLR", read_cflr(), 0x3f7fffff & ~4u);
}
#endif

void check_bits(void)
{
    check_all_ones();
#ifdef CORTEX_R4F
    check_validation();
#endif
    check_select();
    check_no_counter();
    clear_all();
}
