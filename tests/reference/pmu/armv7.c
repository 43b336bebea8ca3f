/* Cortex-A8 and Cortex-R4F.
 *
 * Sources: ARM DDI 0344K, the c9 performance monitor registers; ARM DDI 0363E, chapter 6, the
 * validation registers and error detection events; ARM DDI 0363G, Correctable Fault Location
 * Register. */
#include "reference.h"

#include <string.h>

enum { CYCLES = 4, COLUMNS = 5 };

struct event_row {
    unsigned number;
    int bus_bit; /* -1: not on the event bus */
    enum armpmu_signal signals[2];
};

#define NONE ARMPMU_SIGNAL_COUNT

/* A counter of 0x00 moves by SWINCR alone. */
static const struct event_row a8_events[] = {
#define EVENT(number, fidelity, name, libpfm4, signal) {number, -1, {ARMPMU_SIGNAL_##signal, NONE}},
#define EVENT2(number, fidelity, name, libpfm4, one, two)                                          \
    {number, -1, {ARMPMU_SIGNAL_##one, ARMPMU_SIGNAL_##two}},
#include "../../manual/cortex_a8_events.def"
#undef EVENT
#undef EVENT2
};

static const struct event_row r4f_events[] = {
#define NO (-1)
#define EVENT(number, bit, located, name, customary, unit, input, signal)                          \
    {number, bit, {ARMPMU_SIGNAL_##signal, NONE}},
#include "../../manual/cortex_r4f_events.def"
#undef EVENT
#undef NO
};

static unsigned has_signal(const struct event_row *row, enum armpmu_signal signal)
{
    return (unsigned)(row->signals[0] == signal) + (unsigned)(row->signals[1] == signal);
}

/* --- When things count ---------------------------------------------------------------------- */

static bool debug_watches(const struct reference *r)
{
    const uint64_t *const pin = r->pin;

    if (!pin[ARMPMU_PIN_DBGEN] && !pin[ARMPMU_PIN_NIDEN])
        return false;
    if (r->armv7.is_r4f || pin[ARMPMU_PIN_NONSECURE])
        return true;
    if (pin[ARMPMU_PIN_SPIDEN] || pin[ARMPMU_PIN_SPNIDEN])
        return true;
    if (!pin[ARMPMU_PIN_USER_MODE])
        return false;
    return pin[ARMPMU_PIN_SUNIDEN] || (pin[ARMPMU_PIN_SUIDEN] && pin[ARMPMU_PIN_DBGEN]);
}

static bool stands_still(const struct reference *r)
{
    return r->pin[ARMPMU_PIN_STANDBY] || r->pin[ARMPMU_PIN_DEBUG_HALTED];
}

static bool counts(const struct reference *r, unsigned counter)
{
    const struct reference_armv7 *const u = &r->armv7;

    if (!u->e || !u->enable[counter] || stands_still(r))
        return false;
    if (counter == CYCLES)
        return !u->dp || debug_watches(r);
    return debug_watches(r);
}

static bool exports(const struct reference *r)
{
    return r->armv7.x && !stands_still(r) && debug_watches(r);
}

/* What waits for the clock is lost when the bus goes quiet. */
static void drop_bus(struct reference *r)
{
    if (!exports(r))
        r->armv7.bus = 0;
}

static void add_one(struct reference *r, unsigned counter)
{
    struct reference_armv7 *const u = &r->armv7;

    u->count[counter]++;
    if (u->count[counter] == 0) {
        u->flag[counter] = true;
        r->told.overflows[counter == CYCLES ? 0 : counter + 1]++;
    }
}

static void clock_ticks(struct reference *r)
{
    struct reference_armv7 *const u = &r->armv7;

    if (u->bus != 0) {
        r->told.bus_clocks++;
        r->told.bus_sum += r->told.bus_clocks * u->bus;
    }
    u->bus = 0;
    u->fault_this_clock = false;
    if (!counts(r, CYCLES))
        return;
    if (u->d && ++u->clocks < 64)
        return;
    u->clocks = 0;
    add_one(r, CYCLES);
}

static const struct event_row *events_of(const struct reference *r, size_t *rows)
{
    *rows = r->armv7.is_r4f ? sizeof r4f_events / sizeof r4f_events[0]
                            : sizeof a8_events / sizeof a8_events[0];
    return r->armv7.is_r4f ? r4f_events : a8_events;
}

static void increment(struct reference *r, enum armpmu_signal signal)
{
    struct reference_armv7 *const u = &r->armv7;
    size_t rows;
    const struct event_row *const events = events_of(r, &rows);

    for (size_t i = 0; i < rows; i++) {
        if (!has_signal(&events[i], signal))
            continue;
        for (unsigned n = 0; n < u->counters; n++)
            if (u->event[n] == events[i].number && u->event[n] != 0 && counts(r, n))
                add_one(r, n);
        if (exports(r)) {
            r->told.exported += events[i].number + 1;
            if (events[i].bus_bit >= 0)
                u->bus |= UINT64_C(1) << events[i].bus_bit;
        }
    }
    if (signal == ARMPMU_SIGNAL_CPU_CYCLES)
        clock_ticks(r);
}

/* --- Registers ------------------------------------------------------------------------------ */

static uint32_t pack(const struct reference_armv7 *u, const bool *column)
{
    uint32_t value = column[CYCLES] ? 0x80000000 : 0;

    for (unsigned n = 0; n < u->counters; n++)
        value |= (uint32_t)column[n] << n;
    return value;
}

static void put_ones(const struct reference_armv7 *u, bool *column, uint32_t written, bool to)
{
    for (unsigned n = 0; n < u->counters; n++)
        if (written >> n & 1)
            column[n] = to;
    if (written >> 31)
        column[CYCLES] = to;
}

static void write_pmnc(struct reference_armv7 *u, uint32_t value)
{
    const bool divided_before = u->d;

    u->e = value & 1;
    u->d = value >> 3 & 1;
    u->x = value >> 4 & 1;
    u->dp = value >> 5 & 1;
    if (value & 2)
        for (unsigned n = 0; n < u->counters; n++)
            u->count[n] = 0;
    if (value & 4)
        u->count[CYCLES] = 0;
    if (value & 4 || (u->d && !divided_before))
        u->clocks = 0;
}

static void write_swincr(struct reference *r, uint32_t value)
{
    for (unsigned n = 0; n < r->armv7.counters; n++)
        if (value >> n & 1 && r->armv7.event[n] == 0 && counts(r, n))
            add_one(r, n);
}

/* CRm and op2 of c9 as one number: 0xc0 is PMNC. */
static uint32_t read_c9(const struct reference *r, unsigned crm_op2)
{
    const struct reference_armv7 *const u = &r->armv7;

    switch (crm_op2) {
    case 0xc0:
        return (u->is_r4f ? 0x41141800U : 0x41002000U) | (uint32_t)u->dp << 5 |
               (uint32_t)u->x << 4 | (uint32_t)u->d << 3 | (uint32_t)u->e;
    case 0xc1:
    case 0xc2:
        return pack(u, u->enable);
    case 0xc3:
        return pack(u, u->flag);
    case 0xc5:
        return u->select;
    case 0xd0:
        return u->count[CYCLES];
    case 0xd1:
        return u->select < u->counters ? u->event[u->select] : 0;
    case 0xd2:
        return u->select < u->counters ? u->count[u->select] : 0;
    case 0xe0:
        return u->user_enable;
    case 0xe1:
    case 0xe2:
        return pack(u, u->interrupt);
    default: /* SWINCR */
        return 0;
    }
}

static void write_c9(struct reference *r, unsigned crm_op2, uint32_t value)
{
    struct reference_armv7 *const u = &r->armv7;

    switch (crm_op2) {
    case 0xc0:
        write_pmnc(u, value);
        drop_bus(r);
        break;
    case 0xc1:
    case 0xc2:
        put_ones(u, u->enable, value, crm_op2 == 0xc1);
        break;
    case 0xc3:
        put_ones(u, u->flag, value, false);
        break;
    case 0xc4:
        write_swincr(r, value);
        break;
    case 0xc5:
        u->select = value & 0x1f;
        break;
    case 0xd0:
        u->count[CYCLES] = value;
        break;
    case 0xd1:
        if (u->select < u->counters)
            u->event[u->select] = value & 0xff;
        break;
    case 0xd2:
        if (u->select < u->counters)
            u->count[u->select] = value;
        break;
    case 0xe0:
        u->user_enable = value & 1;
        break;
    default: /* INTENS, INTENC */
        put_ones(u, u->interrupt, value, crm_op2 == 0xe1);
        break;
    }
}

static bool is_c9_register(unsigned crm, unsigned op2)
{
    return (crm == 12 && op2 <= 5) || (crm == 13 && op2 <= 2) || (crm == 14 && op2 <= 2);
}

static bool c9_permits(const struct reference *r, unsigned crm, unsigned op2, bool write)
{
    if (!r->pin[ARMPMU_PIN_USER_MODE])
        return true;
    if (crm == 14 && op2 == 0)
        return !write;
    if (crm == 14)
        return false;
    return r->armv7.user_enable;
}

static enum armpmu_outcome access_c9(struct reference *r, struct armpmu_encoding at, bool write,
                                     uint32_t *value)
{
    if (at.op1 > 7 || at.op2 > 7)
        return ARMPMU_NOT_HERE;
    if (at.op1 != 0 || !is_c9_register(at.crm, at.op2))
        return ARMPMU_UNDEFINED;
    if (!c9_permits(r, at.crm, at.op2, write))
        return ARMPMU_UNDEFINED;
    if (write)
        write_c9(r, at.crm * 16U + at.op2, *value);
    else
        *value = read_c9(r, at.crm * 16U + at.op2);
    return ARMPMU_DONE;
}

static uint32_t read_c15(const struct reference_armv7 *u, unsigned crm, unsigned op2)
{
    return crm == 3 ? u->fault_location : pack(u, u->val[op2 & 3]);
}

static void write_c15(struct reference_armv7 *u, unsigned crm, unsigned op2, uint32_t value)
{
    if (crm == 3)
        u->fault_location = value & 0x3f7ffffb;
    else
        put_ones(u, u->val[op2 & 3], value, op2 < 4);
}

/* The validation registers and the CFLR of the Cortex-R4F: c15, c1 and c3. */
static enum armpmu_outcome access_c15(struct reference *r, struct armpmu_encoding at, bool write,
                                      uint32_t *value)
{
    const bool is_user = r->pin[ARMPMU_PIN_USER_MODE];

    if (at.op1 != 0 || !((at.crm == 1 && at.op2 <= 7) || (at.crm == 3 && at.op2 == 0)))
        return at.crm == 1 && at.op1 == 0 ? ARMPMU_UNDEFINED : ARMPMU_NOT_HERE;
    if (is_user && (at.crm == 3 || !r->armv7.user_enable))
        return ARMPMU_UNDEFINED;
    if (write)
        write_c15(&r->armv7, at.crm, at.op2, *value);
    else
        *value = read_c15(&r->armv7, at.crm, at.op2);
    return ARMPMU_DONE;
}

static enum armpmu_outcome access(struct reference *r, struct armpmu_encoding at, bool write,
                                  uint32_t *value)
{
    if (at.coproc != 15)
        return ARMPMU_NOT_HERE;
    if (at.access == ARMPMU_ACCESS_MCRR)
        return at.crm == 9 && at.op1 < 16 ? ARMPMU_UNDEFINED : ARMPMU_NOT_HERE;
    if (at.access == ARMPMU_ACCESS_LDC)
        return at.crn == 9 && at.crm == 0 && at.op1 < 8 ? ARMPMU_UNDEFINED : ARMPMU_NOT_HERE;
    if (at.access != ARMPMU_ACCESS_MCR)
        return ARMPMU_NOT_HERE;
    if (at.crn == 9 && at.crm >= 12 && at.crm <= 14)
        return access_c9(r, at, write, value);
    if (at.crn == 15 && r->armv7.is_r4f)
        return access_c15(r, at, write, value);
    return ARMPMU_NOT_HERE;
}

static enum armpmu_outcome read(struct reference *r, struct armpmu_encoding at, uint64_t *value)
{
    uint32_t word = 0;
    const enum armpmu_outcome outcome = access(r, at, false, &word);

    if (outcome == ARMPMU_DONE)
        *value = word;
    return outcome;
}

static enum armpmu_outcome write(struct reference *r, struct armpmu_encoding at, uint64_t value)
{
    uint32_t word = (uint32_t)value;

    return access(r, at, true, &word);
}

static const struct {
    const char *name;
    unsigned crm_op2;
} names[] = {
    {"PMNC", 0xc0},
    {"CNTENS", 0xc1},
    {"CNTENC", 0xc2},
    {"FLAG", 0xc3},
    {"SWINCR", 0xc4},
    {"PMNXSEL", 0xc5},
    {"CCNT", 0xd0},
    {"EVTSEL", 0xd1},
    {"PMCNT", 0xd2},
    {"PMC", 0xd2},
    {"USEREN", 0xe0},
    {"INTENS", 0xe1},
    {"INTENC", 0xe2},
    /* c15: bit 8 set */
    {"nVALIRQENS", 0x110},
    {"nVALFIQENS", 0x111},
    {"nVALRESETENS", 0x112},
    {"VALEDBGRQENS", 0x113},
    {"nVALIRQENC", 0x114},
    {"nVALFIQENC", 0x115},
    {"nVALRESETENC", 0x116},
    {"VALEDBGRQENC", 0x117},
    {"CFLR", 0x130},
};

static unsigned place_of(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].name, name) == 0)
            return names[i].crm_op2;
    return 0;
}

static bool is_banked(unsigned crm_op2)
{
    return crm_op2 == 0xd1 || crm_op2 == 0xd2;
}

static uint64_t peek(struct reference *r, const char *name, unsigned element)
{
    const unsigned crm_op2 = place_of(name), selected = r->armv7.select;

    if (is_banked(crm_op2))
        r->armv7.select = element;
    const uint32_t value = crm_op2 & 0x100 ? read_c15(&r->armv7, crm_op2 >> 4 & 15, crm_op2 & 15)
                                           : read_c9(r, crm_op2);
    r->armv7.select = selected;
    return value;
}

static void poke(struct reference *r, const char *name, unsigned element, uint64_t value)
{
    const unsigned crm_op2 = place_of(name), selected = r->armv7.select;

    if (is_banked(crm_op2))
        r->armv7.select = element;
    if (crm_op2 & 0x100)
        write_c15(&r->armv7, crm_op2 >> 4 & 15, crm_op2 & 15, (uint32_t)value);
    else
        write_c9(r, crm_op2, (uint32_t)value);
    if (is_banked(crm_op2))
        r->armv7.select = selected;
}

/* --- Pins and reset --------------------------------------------------------------------------- */

static bool any_flag(const struct reference_armv7 *u, const bool *enables)
{
    return (pack(u, u->flag) & pack(u, enables)) != 0;
}

static bool output(const struct reference *r, enum armpmu_output line)
{
    const struct reference_armv7 *const u = &r->armv7;

    switch ((int)line) {
    case ARMPMU_OUTPUT_PMUIRQ:
        return u->e && any_flag(u, u->interrupt);
    case ARMPMU_OUTPUT_VALIRQ:
        return u->is_r4f && any_flag(u, u->val[0]);
    case ARMPMU_OUTPUT_VALFIQ:
        return u->is_r4f && any_flag(u, u->val[1]);
    case ARMPMU_OUTPUT_VALRESET:
        return u->is_r4f && any_flag(u, u->val[2]);
    case ARMPMU_OUTPUT_VALEDBGRQ:
        return u->is_r4f && any_flag(u, u->val[3]);
    default:
        return false;
    }
}

static void start(struct reference *r, bool is_r4f, unsigned counters)
{
    memset(&r->armv7, 0, sizeof r->armv7);
    r->armv7.is_r4f = is_r4f;
    r->armv7.counters = counters;
}

static void reset_a8(struct reference *r, enum armpmu_reset kind)
{
    (void)kind;
    start(r, false, 4);
}

static void pin_moves_a8(struct reference *r, enum armpmu_pin pin, bool rises)
{
    if (!rises)
        return;
    if (pin == ARMPMU_PIN_PMUEXTIN0)
        increment(r, ARMPMU_SIGNAL_EXTERNAL_INPUT0);
    if (pin == ARMPMU_PIN_PMUEXTIN1)
        increment(r, ARMPMU_SIGNAL_EXTERNAL_INPUT1);
}

static void reset_r4f(struct reference *r, enum armpmu_reset kind)
{
    (void)kind;
    start(r, true, 3);
}

static void pin_moves_r4f(struct reference *r, enum armpmu_pin pin, bool rises)
{
    drop_bus(r);
    if (rises && pin == ARMPMU_PIN_ETMEXTOUT0)
        increment(r, ARMPMU_SIGNAL_EXTERNAL_INPUT0);
    if (rises && pin == ARMPMU_PIN_ETMEXTOUT1)
        increment(r, ARMPMU_SIGNAL_EXTERNAL_INPUT1);
}

/* --- Faults ---------------------------------------------------------------------------------- */

static bool tcm_port_sees(enum armpmu_signal signal)
{
    switch ((int)signal) {
    case ARMPMU_SIGNAL_ATCM_CORRECTABLE:
    case ARMPMU_SIGNAL_B0TCM_CORRECTABLE:
    case ARMPMU_SIGNAL_B1TCM_CORRECTABLE:
    case ARMPMU_SIGNAL_ATCM_FATAL:
    case ARMPMU_SIGNAL_B0TCM_FATAL:
    case ARMPMU_SIGNAL_B1TCM_FATAL:
        return true;
    default:
        return false;
    }
}

static uint32_t cache_place(const struct armpmu_fault *fault, uint32_t type)
{
    return (fault->way & 15U) << 26 | (fault->address & 0x3fe0) | type;
}

static uint32_t tcm_place(const struct armpmu_fault *fault, uint32_t type)
{
    const uint32_t side = fault->side == ARMPMU_SIDE_ATCM   ? 1
                          : fault->side == ARMPMU_SIDE_BTCM ? 2
                                                            : 0;

    return side << 24 | (fault->address & 0x7ffff8) | type;
}

static void locate(struct reference_armv7 *u, uint32_t place)
{
    u->fault_location = place;
    u->fault_this_clock = true;
}

static void post_fault(struct reference *r, const struct armpmu_fault *fault)
{
    struct reference_armv7 *const u = &r->armv7;

    if (fault->speculative && !tcm_port_sees(fault->signal))
        return;
    increment(r, fault->signal);
    switch ((int)fault->signal) {
    case ARMPMU_SIGNAL_L1I_TAG_ERROR:
    case ARMPMU_SIGNAL_L1I_DATA_ERROR:
        locate(u, cache_place(fault, 0));
        break;
    case ARMPMU_SIGNAL_L1D_TAG_ERROR:
    case ARMPMU_SIGNAL_L1D_DATA_ERROR:
        locate(u, cache_place(fault, 1));
        break;
    case ARMPMU_SIGNAL_TCM_CORRECTABLE_FETCH:
        locate(u, tcm_place(fault, 0));
        break;
    case ARMPMU_SIGNAL_TCM_CORRECTABLE_DATA:
        locate(u, tcm_place(fault, 1));
        break;
    case ARMPMU_SIGNAL_TCM_CORRECTABLE_SLAVE:
        if (!u->fault_this_clock)
            u->fault_location = tcm_place(fault, 2);
        break;
    default:
        break;
    }
}

const struct reference_kind reference_cortex_r4f = {
    .core = "cortex-r4f",
    .reset = reset_r4f,
    .increment = increment,
    .pin_moves = pin_moves_r4f,
    .read = read,
    .write = write,
    .peek = peek,
    .poke = poke,
    .post_fault = post_fault,
    .output = output,
};

const struct reference_kind reference_cortex_a8 = {
    .core = "cortex-a8",
    .reset = reset_a8,
    .increment = increment,
    .pin_moves = pin_moves_a8,
    .read = read,
    .write = write,
    .peek = peek,
    .poke = poke,
    .output = output,
};
