/* A tap on the Cortex-R4F's event bus: what a logic analyser on EVNTBUS sees, and what an
 * error-signalling module makes of it.
 *
 *     cc event_bus_tap.c $(pkg-config --cflags --libs libarmpmu)
 *
 * A model of the core posts what happens in a clock, then the clock itself; the device raises the
 * bits of that clock while PMNC.X is one. Here a script stands for the model: a fetch misses, pairs
 * issue, a load meets a TCM word with a wrong bit. The program exits 0 if the bus, a counter and
 * the fault location register tell the same story. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "armpmu/pmu.h"

#define BITS(high, low) (((UINT64_C(2) << ((high) - (low))) - 1) << (low))
#define INSTRUCTION     BITS(5, 5)
#define PAIR            BITS(6, 6) /* beside INSTRUCTION: there were two */
#define CORRECTED       (BITS(25, 22) | BITS(44, 40) | BITS(46, 46))
#define FATAL           (BITS(27, 26) | BITS(34, 33) | BITS(39, 37) | BITS(45, 45))

/* One clock of the script: what happens, ended by NONE. */
#define NONE  ARMPMU_SIGNAL_COUNT
#define S(id) ARMPMU_SIGNAL_##id
static const enum armpmu_signal script[][6] = {
    {S(L1I_ACCESS), S(L1I_REFILL), S(EXTERNAL_REQUEST), S(ISSUE_EMPTY), NONE},
    {S(ISSUE_EMPTY), NONE},
    {NONE}, /* nothing at all */
    {S(INST_RETIRED), NONE},
    {S(INST_RETIRED), S(INST_RETIRED), S(PAIR_RETIRED), S(PAIR_WITH_ACCESS), S(LOAD_RETIRED), NONE},
    {S(ATCM_CORRECTABLE), S(TCM_CORRECTABLE_DATA), NONE}, /* the load */
    {S(INST_RETIRED), S(INST_RETIRED), S(PAIR_RETIRED), S(PAIR_WITH_BRANCH), NONE},
    {S(BRANCH_FLUSH), S(ISSUE_EMPTY), NONE},
    {S(B0TCM_FATAL), NONE}, /* of a speculative read: the port alone sees it */
    {S(INST_RETIRED), S(EXCEPTION_TAKEN), NONE},
};

struct tap {
    uint64_t bits; /* of this clock */
    unsigned instructions, warnings, alarms;
};

static void on_bus(void *user, uint64_t bits)
{
    struct tap *const tap = user;

    tap->bits = bits;
    tap->instructions += ((bits & INSTRUCTION) != 0) + ((bits & PAIR) != 0);
    tap->warnings += (bits & CORRECTED) != 0;
    tap->alarms += (bits & FATAL) != 0;
}

static void print_clock(const struct armpmu_core *core, size_t clock, uint64_t bits)
{
    printf("%5zu  %012" PRIx64 " %c", clock, bits,
           bits & FATAL       ? '!'
           : bits & CORRECTED ? '?'
                              : ' ');
    for (size_t i = 0; i < core->n_events; i++)
        if (core->events[i].bus_bit < 64 && (bits >> core->events[i].bus_bit & 1))
            printf(" %s", core->events[i].name);
    putchar('\n');
}

static void run_clock(struct armpmu *pmu, const enum armpmu_signal *signals)
{
    for (; *signals != NONE; signals++) {
        const struct armpmu_fault fault = {*signals, false, ARMPMU_SIDE_ATCM, 0, 0x1238};
        if (*signals == S(TCM_CORRECTABLE_DATA))
            armpmu_post_fault(pmu, &fault);
        else
            armpmu_post(pmu, *signals, 1);
    }
    armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
}

static int wrong(const char *what, uint32_t got, uint32_t want)
{
    printf("%-27s %#10" PRIx32 "%s\n", what, got, got == want ? "" : "  WRONG");
    return got != want;
}

int main(void)
{
    static union armpmu_memory memory;
    struct tap tap = {0};
    const struct armpmu_config config = {.core = "cortex-r4f", .event_bus = on_bus, .user = &tap};
    struct armpmu *pmu = NULL;
    struct armpmu_error error;
    uint32_t counted = 0, place = 0;

    if (armpmu_create(&memory, sizeof memory, &config, &pmu, &error) != ARMPMU_OK) {
        fprintf(stderr, "event_bus_tap: %s\n", error.message);
        return 1;
    }
    armpmu_mcr(pmu, 15, 0, 9, 13, 1, 0x08); /* EVTSEL0: instructions executed   */
    armpmu_mcr(pmu, 15, 0, 9, 12, 1, 1);    /* CNTENS: event counter 0          */
    armpmu_mcr(pmu, 15, 0, 9, 12, 0, 0x11); /* PMNC: X puts events out, E counts */
    for (size_t clock = 0; clock < sizeof script / sizeof script[0]; clock++) {
        tap.bits = 0;
        run_clock(pmu, script[clock]);
        print_clock(armpmu_core_of(pmu), clock, tap.bits);
    }
    armpmu_mrc(pmu, 15, 0, 9, 13, 2, &counted); /* PMC0 */
    armpmu_mrc(pmu, 15, 0, 15, 3, 0, &place);   /* CFLR */

    int n_wrong = wrong("instructions on the bus", tap.instructions, 6);
    n_wrong += wrong("instructions counted", counted, 6);
    n_wrong += wrong("clocks with warnings (?)", tap.warnings, 1);
    n_wrong += wrong("clocks with alarms (!)", tap.alarms, 1);
    n_wrong += wrong("CFLR: ATCM, 0x1238, data", place, 0x01001239);
    return n_wrong == 0 ? 0 : 1;
}
