/* Intel XScale, both generations.
 *
 * Source: Intel XScale Core Developer's Manual (273473-002), chapter 8. */
#include "reference.h"

#include <string.h>

enum { CYCLES = 4 };

static bool runs(const struct reference *r)
{
    return r->xscale.e && !r->pin[ARMPMU_PIN_STANDBY];
}

/* Counts are made of whole increments; those of one moment overflow together. */
static void add_one(struct reference *r, const bool *moves)
{
    struct reference_xscale *const u = &r->xscale;
    bool wraps[5] = {false}, any = false;

    for (unsigned n = 0; n < 5; n++) {
        wraps[n] = moves[n] && ++u->count[n] == 0;
        any = any || wraps[n];
    }
    if (any && r->config.flag_erratum)
        memset(u->flag, 0, sizeof u->flag);
    for (unsigned n = 0; n < 5; n++) {
        u->flag[n] = u->flag[n] || wraps[n];
        r->told.overflows[n == CYCLES ? 0 : n + 1] += wraps[n];
    }
}

/* The signal of an event number of table 8-12; none for reserved numbers and 0xff. */
static enum armpmu_signal signal_of(unsigned event)
{
    static const enum armpmu_signal signals[] = {
        [0x00] = ARMPMU_SIGNAL_L1I_REFILL,
        [0x01] = ARMPMU_SIGNAL_FETCH_STALL,
        [0x02] = ARMPMU_SIGNAL_DATA_DEPENDENCY_STALL,
        [0x03] = ARMPMU_SIGNAL_ITLB_WALK,
        [0x04] = ARMPMU_SIGNAL_DTLB_WALK,
        [0x05] = ARMPMU_SIGNAL_DIRECT_BRANCH,
        [0x06] = ARMPMU_SIGNAL_DIRECT_BRANCH_MISPREDICT,
        [0x07] = ARMPMU_SIGNAL_INST_RETIRED,
        [0x08] = ARMPMU_SIGNAL_DATA_BUFFER_STALL,
        [0x09] = ARMPMU_SIGNAL_DATA_BUFFER_STALL_RUN,
        [0x0a] = ARMPMU_SIGNAL_L1D_WORD_ACCESS,
        [0x0b] = ARMPMU_SIGNAL_L1D_WORD_MISS,
        [0x0c] = ARMPMU_SIGNAL_L1D_HALF_LINE_WRITE_BACK,
        [0x0d] = ARMPMU_SIGNAL_PC_WRITE,
    };

    if (event >= 0x10 && event <= 0x17)
        return (enum armpmu_signal)(ARMPMU_SIGNAL_PRODUCT_INPUT0 + (event - 0x10));
    return event <= 0x0d ? signals[event] : ARMPMU_SIGNAL_COUNT;
}

static bool clock_moves_cycles(struct reference_xscale *u)
{
    if (u->d && ++u->clocks < 64)
        return false;
    u->clocks = 0;
    return true;
}

static void increment(struct reference *r, enum armpmu_signal signal)
{
    struct reference_xscale *const u = &r->xscale;
    bool moves[5] = {false};

    if (!runs(r))
        return;
    for (unsigned n = 0; n < u->counters; n++)
        moves[n] = signal_of(u->event[n]) == signal;
    moves[CYCLES] = signal == ARMPMU_SIGNAL_CPU_CYCLES && clock_moves_cycles(u);
    add_one(r, moves);
}

/* The pins and the signals of the eight product events stand in the same order. */
static void pin_moves(struct reference *r, enum armpmu_pin pin, bool rises)
{
    if (rises && pin >= ARMPMU_PIN_PRODUCT0 && pin <= ARMPMU_PIN_PRODUCT7)
        increment(r, (enum armpmu_signal)(ARMPMU_SIGNAL_PRODUCT_INPUT0 +
                                          (unsigned)(pin - ARMPMU_PIN_PRODUCT0)));
}

/* --- Registers ------------------------------------------------------------------------------ */

static void control(struct reference_xscale *u, uint32_t value)
{
    const bool divided_before = u->d;

    u->e = value & 1;
    u->d = value >> 3 & 1;
    if (value & 2)
        for (unsigned n = 0; n < u->counters; n++)
            u->count[n] = 0;
    if (value & 4)
        u->count[CYCLES] = 0;
    if (value & 4 || (u->d && !divided_before))
        u->clocks = 0;
}

static void write_cycles(struct reference_xscale *u, uint32_t value)
{
    u->count[CYCLES] = value;
    u->clocks = 0;
}

/* The first generation keeps everything in PMNC. */
static uint32_t read_first(const struct reference_xscale *u, unsigned crn)
{
    switch (crn) {
    case 0:
        return u->e | (uint32_t)u->d << 3 | (uint32_t)u->interrupt[0] << 4 |
               (uint32_t)u->interrupt[1] << 5 | (uint32_t)u->interrupt[CYCLES] << 6 |
               (uint32_t)u->flag[0] << 8 | (uint32_t)u->flag[1] << 9 |
               (uint32_t)u->flag[CYCLES] << 10 | u->event[0] << 12 | u->event[1] << 20;
    case 1:
        return u->count[CYCLES];
    default:
        return u->count[crn - 2];
    }
}

static void write_first(struct reference_xscale *u, unsigned crn, uint32_t value)
{
    switch (crn) {
    case 0:
        control(u, value);
        u->interrupt[0] = value >> 4 & 1;
        u->interrupt[1] = value >> 5 & 1;
        u->interrupt[CYCLES] = value >> 6 & 1;
        u->flag[0] = u->flag[0] && !(value >> 8 & 1);
        u->flag[1] = u->flag[1] && !(value >> 9 & 1);
        u->flag[CYCLES] = u->flag[CYCLES] && !(value >> 10 & 1);
        u->event[0] = value >> 12 & 0xff;
        u->event[1] = value >> 20 & 0xff;
        break;
    case 1:
        write_cycles(u, value);
        break;
    default:
        u->count[crn - 2] = value;
        break;
    }
}

/* Bit 0 is CCNT, bit n + 1 is PMNn. */
static uint32_t pack(const bool *column)
{
    return column[CYCLES] | (uint32_t)column[0] << 1 | (uint32_t)column[1] << 2 |
           (uint32_t)column[2] << 3 | (uint32_t)column[3] << 4;
}

static unsigned counter_of_bit(unsigned bit)
{
    return bit == 0 ? CYCLES : bit - 1;
}

/* CRn and CRm as one number: 0x01 is PMNC. */
static uint32_t read_second(const struct reference_xscale *u, unsigned crn_crm)
{
    switch (crn_crm) {
    case 0x01:
        return 0x14000000U | (uint32_t)u->d << 3 | u->e;
    case 0x11:
        return u->count[CYCLES];
    case 0x41:
        return pack(u->interrupt);
    case 0x51:
        return pack(u->flag);
    case 0x81:
        return u->event[0] | u->event[1] << 8 | u->event[2] << 16 | u->event[3] << 24;
    default: /* PMN0 to PMN3 */
        return u->count[crn_crm >> 4];
    }
}

static void write_second(struct reference_xscale *u, unsigned crn_crm, uint32_t value)
{
    switch (crn_crm) {
    case 0x01:
        control(u, value);
        break;
    case 0x11:
        write_cycles(u, value);
        break;
    case 0x41:
        for (unsigned bit = 0; bit < 5; bit++)
            u->interrupt[counter_of_bit(bit)] = value >> bit & 1;
        break;
    case 0x51:
        for (unsigned bit = 0; bit < 5; bit++)
            if (value >> bit & 1)
                u->flag[counter_of_bit(bit)] = false;
        break;
    case 0x81:
        for (unsigned n = 0; n < 4; n++)
            u->event[n] = value >> (8 * n) & 0xff;
        break;
    default:
        u->count[crn_crm >> 4] = value;
        break;
    }
}

static bool is_register(const struct reference_xscale *u, struct armpmu_encoding at)
{
    if (!u->is_second)
        return true; /* all of the claimed space */
    if (at.crm == 2)
        return at.crn <= 3;
    return at.crn <= 1 || at.crn == 4 || at.crn == 5 || at.crn == 8;
}

/* Whether CP14 belongs to the unit there. */
static bool is_ours(const struct reference_xscale *u, struct armpmu_encoding at)
{
    if (at.coproc != 14 || at.op1 > 15)
        return false;
    switch ((int)at.access) {
    case ARMPMU_ACCESS_MCRR:
        return true;
    case ARMPMU_ACCESS_LDC:
        return !u->is_second && at.crn <= 3;
    case ARMPMU_ACCESS_MCR:
        if (at.op1 > 7 || at.op2 > 7)
            return false;
        return u->is_second ? at.crm == 1 || at.crm == 2 : at.crm == 0 && at.crn <= 3;
    default:
        return false;
    }
}

static enum armpmu_outcome permit(const struct reference *r, struct armpmu_encoding at)
{
    if (!is_ours(&r->xscale, at))
        return ARMPMU_NOT_HERE;
    if (at.access == ARMPMU_ACCESS_MCRR || r->pin[ARMPMU_PIN_USER_MODE])
        return ARMPMU_UNDEFINED;
    if (at.op1 != 0 || at.op2 != 0 || !is_register(&r->xscale, at))
        return ARMPMU_UNDEFINED;
    return ARMPMU_DONE;
}

static enum armpmu_outcome read(struct reference *r, struct armpmu_encoding at, uint64_t *value)
{
    const enum armpmu_outcome outcome = permit(r, at);

    if (outcome == ARMPMU_DONE)
        *value = r->xscale.is_second ? read_second(&r->xscale, at.crn * 16U + at.crm)
                                     : read_first(&r->xscale, at.crn);
    return outcome;
}

static enum armpmu_outcome write(struct reference *r, struct armpmu_encoding at, uint64_t value)
{
    const enum armpmu_outcome outcome = permit(r, at);

    if (outcome != ARMPMU_DONE)
        return outcome;
    if (r->xscale.is_second)
        write_second(&r->xscale, at.crn * 16U + at.crm, (uint32_t)value);
    else
        write_first(&r->xscale, at.crn, (uint32_t)value);
    return outcome;
}

static const struct {
    const char *name;
    unsigned first, second; /* CRn of the first generation, CRn and CRm of the second */
} names[] = {
    {"PMNC", 0, 0x01}, {"CCNT", 1, 0x11},   {"INTEN", 0, 0x41},
    {"FLAG", 0, 0x51}, {"EVTSEL", 0, 0x81}, {"PMN<n>", 2, 0x02},
};

static unsigned place_of(const struct reference_xscale *u, const char *name, unsigned element)
{
    unsigned i = 0;

    while (strcmp(names[i].name, name) != 0)
        i++;
    return u->is_second ? names[i].second + 16 * element : names[i].first + element;
}

static uint64_t peek(struct reference *r, const char *name, unsigned element)
{
    const unsigned place = place_of(&r->xscale, name, element);

    return r->xscale.is_second ? read_second(&r->xscale, place) : read_first(&r->xscale, place);
}

static void poke(struct reference *r, const char *name, unsigned element, uint64_t value)
{
    const unsigned place = place_of(&r->xscale, name, element);

    if (r->xscale.is_second)
        write_second(&r->xscale, place, (uint32_t)value);
    else
        write_first(&r->xscale, place, (uint32_t)value);
}

/* --- The line, and reset ---------------------------------------------------------------------- */

static bool output(const struct reference *r, enum armpmu_output line)
{
    const struct reference_xscale *const u = &r->xscale;
    bool asks = false;

    for (unsigned n = 0; n < 5; n++)
        asks = asks || (u->flag[n] && u->interrupt[n]);
    return line == ARMPMU_OUTPUT_PMU_REQUEST && asks;
}

static void start(struct reference *r, bool is_second)
{
    memset(&r->xscale, 0, sizeof r->xscale);
    r->xscale.is_second = is_second;
    r->xscale.counters = is_second ? 4 : 2;
}

static void reset_first(struct reference *r, enum armpmu_reset kind)
{
    (void)kind;
    start(r, false);
}

static void reset_second(struct reference *r, enum armpmu_reset kind)
{
    (void)kind;
    start(r, true);
}

const struct reference_kind reference_xscale1 = {
    .core = "xscale1",
    .reset = reset_first,
    .increment = increment,
    .pin_moves = pin_moves,
    .read = read,
    .write = write,
    .peek = peek,
    .poke = poke,
    .output = output,
};

const struct reference_kind reference_xscale2 = {
    .core = "xscale2",
    .reset = reset_second,
    .increment = increment,
    .pin_moves = pin_moves,
    .read = read,
    .write = write,
    .peek = peek,
    .poke = poke,
    .output = output,
};
