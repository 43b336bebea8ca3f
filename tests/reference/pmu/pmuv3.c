/* PMUv3 of each core that has it.
 *
 * Source: ARM DDI 0487, AArch64.CountPMUEvents, AArch64.CheckForPMUOverflow, the Performance
 * Monitors registers in AArch64, AArch32 and the external view. */
#include "reference.h"

#include <string.h>

enum { CYCLES = 31 };

enum what {
    NOTHING,
    PMCR,
    CNTENSET,
    CNTENCLR,
    OVSCLR,
    OVSSET,
    SWINC,
    SELR,
    CEID0,
    CEID1,
    CEID2,
    CEID3,
    CCNTR,
    EVTYPER,
    EVCNTR,
    CCFILTR,
    USERENR,
    INTENSET,
    INTENCLR,
    MMIR,
};

struct target {
    enum what what;
    unsigned n;
    bool selected;
};

static const struct event_row {
    unsigned number;
    const char *cores; /* a letter of each: 1, V, 2 */
    enum armpmu_signal signals[4];
} events[] = {
#define NONE                            ARMPMU_SIGNAL_COUNT
#define EVENT(number, cores, name, ...) {number, cores, {__VA_ARGS__}},
#include "../../manual/neoverse_events.def"
#undef EVENT
#undef NONE
};

/* --- What there is --------------------------------------------------------------------------- */

static const struct core_row {
    const char *name;
    char letter;
    unsigned version, slots, midr, idcode, part;
} cores[] = {
#define PMUV3_CORE(name, id, linux, short, letter, published, version, slots, midr, idcode, part,  \
                   ...)                                                                            \
    {name, letter, version, slots, midr, idcode, part},
#include "../../manual/pmuv3_cores.def"
#undef PMUV3_CORE
};

static const struct core_row *core_of(const struct reference *r)
{
    const struct core_row *row = cores;

    while (strcmp(row->name, r->config.core) != 0)
        row++;
    return row;
}

static char letter(const struct reference *r)
{
    return core_of(r)->letter;
}

/* 0, 1, 4, 5, 7, 8 of v3p<n> */
static unsigned p(const struct reference *r)
{
    static const unsigned of_field[] = {0, 0, 0, 0, 1, 4, 5, 7, 8};
    const unsigned version = r->config.pmuv3.version;

    return of_field[version != 0 ? version : core_of(r)->version];
}

static unsigned counters(const struct reference *r)
{
    return r->config.pmuv3.counters == 0 ? 6 : r->config.pmuv3.counters;
}

static unsigned highest(const struct reference *r)
{
    return r->config.pmuv3.highest_el == 0 ? 3 : r->config.pmuv3.highest_el;
}

static bool has_el2(const struct reference *r)
{
    return highest(r) >= 2 && !r->config.pmuv3.without_el2;
}

static bool has_el3(const struct reference *r)
{
    return highest(r) == 3;
}

static unsigned level(const struct reference *r)
{
    const unsigned el = (unsigned)r->pin[ARMPMU_PIN_EL];

    if (el > highest(r))
        return highest(r);
    return el == 2 && !has_el2(r) ? 3 : el;
}

static bool mdcr2(const struct reference *r, unsigned bit)
{
    return has_el2(r) && (r->pin[ARMPMU_PIN_MDCR_EL2] >> bit & 1);
}

static bool mdcr3(const struct reference *r, unsigned bit)
{
    return has_el3(r) && (r->pin[ARMPMU_PIN_MDCR_EL3] >> bit & 1);
}

static unsigned hpmn(const struct reference *r)
{
    const unsigned n = r->pin[ARMPMU_PIN_MDCR_EL2] & 31;

    return !has_el2(r) || n == 0 || n > counters(r) ? counters(r) : n;
}

static const struct event_row *event_of(const struct reference *r, unsigned number)
{
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        if (events[i].number == number && strchr(events[i].cores, letter(r)) != NULL)
            return &events[i];
    return NULL;
}

static bool sums(const struct event_row *row, enum armpmu_signal signal)
{
    for (unsigned i = 0; row != NULL && i < 4; i++)
        if (row->signals[i] == signal)
            return true;
    return false;
}

/* --- Counting -------------------------------------------------------------------------------- */

static bool secure(const struct reference *r)
{
    return has_el3(r) && (level(r) == 3 || !r->pin[ARMPMU_PIN_NONSECURE]);
}

static bool is_hyp(const struct reference *r, unsigned n)
{
    return n != CYCLES && n >= hpmn(r);
}

static bool prohibited(const struct reference *r, unsigned n)
{
    bool is = false;

    if (secure(r)) {
        is = !mdcr3(r, 17);
        if (p(r) >= 7 && mdcr3(r, 35))
            is = false;
        if (level(r) == 0 && r->pin[ARMPMU_PIN_EL1_AARCH32] && r->pin[ARMPMU_PIN_SUNIDEN])
            is = false;
    }
    if (level(r) == 3 && p(r) >= 7 && mdcr3(r, 35) && !(mdcr3(r, 17) && is_hyp(r, n)))
        is = true;
    if (level(r) == 2 && p(r) >= 1 && !is_hyp(r, n) && mdcr2(r, 17))
        is = true;
    return is;
}

static bool frozen(const struct reference *r, unsigned n)
{
    const unsigned from = is_hyp(r, n) ? hpmn(r) : 0, to = is_hyp(r, n) ? counters(r) : hpmn(r);

    if (p(r) < 7 || !(is_hyp(r, n) ? mdcr2(r, 29) : r->pmuv3.fzo))
        return false;
    for (unsigned i = from; i < to; i++)
        if (r->pmuv3.flag[i])
            return true;
    return false;
}

static bool filtered(const struct reference *r, unsigned n)
{
    const uint32_t filter = r->pmuv3.type[n];
    const bool P = filter >> 31 & 1, U = filter >> 30 & 1, NSK = filter >> 29 & 1,
               NSU = filter >> 28 & 1, NSH = filter >> 27 & 1, M = filter >> 26 & 1,
               SH = filter >> 24 & 1;

    switch (level(r)) {
    case 0:
        return secure(r) ? U : U != NSU;
    case 1:
        return secure(r) ? P : P != NSK;
    case 2:
        return secure(r) ? NSH == SH : !NSH;
    default:
        return r->pin[ARMPMU_PIN_AARCH32] ? P : M != P;
    }
}

static bool counts(const struct reference *r, unsigned n)
{
    const struct reference_pmuv3 *const u = &r->pmuv3;
    bool enabled = u->enable[n] && (is_hyp(r, n) ? mdcr2(r, 7) : u->e);
    bool stopped = prohibited(r, n) || frozen(r, n);

    if (n == CYCLES) {
        if (stopped && u->dp)
            enabled = false;
        stopped = (p(r) >= 5 && secure(r) && mdcr3(r, 23)) ||
                  (p(r) >= 5 && level(r) == 2 && mdcr2(r, 23)) ||
                  (p(r) >= 7 && level(r) == 3 && mdcr3(r, 34));
    } else if (n >= counters(r)) {
        return false;
    }
    return enabled && !stopped && !filtered(r, n) && !r->pin[ARMPMU_PIN_DEBUG_HALTED] &&
           !r->pin[ARMPMU_PIN_STANDBY];
}

/* After 64 bits, not 32. */
static bool overflows_late(struct reference *r, unsigned n)
{
    if (n == CYCLES)
        return r->pmuv3.lc;
    return p(r) >= 5 && (is_hyp(r, n) ? mdcr2(r, 26) : r->pmuv3.lp);
}

/* Returns whether it overflowed. */
static bool add_one(struct reference *r, unsigned n)
{
    struct reference_pmuv3 *const u = &r->pmuv3;
    const uint64_t old = u->count[n];
    const bool is_long = overflows_late(r, n);

    u->count[n] = old + 1;
    if (p(r) < 5 && n != CYCLES)
        u->count[n] &= 0xffffffff;
    if (is_long ? u->count[n] != 0 : (uint32_t)u->count[n] != 0)
        return false;
    u->flag[n] = true;
    r->told.overflows[n == CYCLES ? 0 : n + 1]++;
    return true;
}

/* All counters that shall count one do so at once: what each may do is decided before. */
static void add_to(struct reference *r, const bool *those)
{
    bool may[32];

    for (unsigned n = 0; n < 32; n++)
        may[n] = counts(r, n);
    for (unsigned n = 0; n < 31; n++) {
        if (!those[n] || !may[n] || !add_one(r, n))
            continue;
        if (n % 2 == 0 && n + 1 < counters(r) && may[n + 1] && !overflows_late(r, n) &&
            (r->pmuv3.type[n + 1] & 0xffff) == 0x1e)
            add_one(r, n + 1);
    }
    if (!those[CYCLES] || !may[CYCLES])
        return;
    if (r->pmuv3.d && !r->pmuv3.lc && ++r->pmuv3.clocks < 64)
        return;
    if (r->pmuv3.d && !r->pmuv3.lc)
        r->pmuv3.clocks = 0;
    add_one(r, CYCLES);
}

static bool exports(const struct reference *r)
{
    return r->pmuv3.x && !prohibited(r, 0) && !r->pin[ARMPMU_PIN_DEBUG_HALTED] &&
           !r->pin[ARMPMU_PIN_STANDBY];
}

static void increment(struct reference *r, enum armpmu_signal signal)
{
    bool those[32] = {false};

    for (unsigned n = 0; n < 31; n++) {
        const unsigned number = r->pmuv3.type[n] & 0xffff;

        those[n] = number != 0 && number != 0x1e && sums(event_of(r, number), signal);
    }
    those[CYCLES] = signal == ARMPMU_SIGNAL_CPU_CYCLES;
    add_to(r, those);
    for (size_t i = 0; exports(r) && i < sizeof events / sizeof events[0]; i++)
        if (strchr(events[i].cores, letter(r)) != NULL && sums(&events[i], signal))
            r->told.exported += events[i].number + 1;
}

static void pin_moves(struct reference *r, enum armpmu_pin pin, bool rises)
{
    if (rises && pin >= ARMPMU_PIN_TRCEXTOUT0 && pin <= ARMPMU_PIN_CTI_TRIGOUT7)
        increment(
            r, (enum armpmu_signal)(ARMPMU_SIGNAL_TRACE_OUTPUT0 + (pin - ARMPMU_PIN_TRCEXTOUT0)));
}

static bool output(const struct reference *r, enum armpmu_output line)
{
    const struct reference_pmuv3 *const u = &r->pmuv3;
    bool raised = u->e && u->flag[CYCLES] && u->interrupt[CYCLES];

    for (unsigned n = 0; n < counters(r); n++)
        raised = raised || ((is_hyp(r, n) ? mdcr2(r, 7) : u->e) && u->flag[n] && u->interrupt[n]);
    return line == ARMPMU_OUTPUT_PMUIRQ && raised;
}

/* --- Registers as they are ------------------------------------------------------------------- */

static bool exists(const struct reference *r, struct target at)
{
    switch (at.what) {
    case NOTHING:
        return false;
    case CEID2:
    case CEID3:
        return p(r) >= 1;
    case MMIR:
        return p(r) >= 4;
    case EVTYPER:
    case EVCNTR:
        return at.n < counters(r);
    default:
        return true;
    }
}

static uint64_t pack(const bool *column)
{
    uint64_t value = 0;

    for (unsigned n = 0; n < 32; n++)
        value |= (uint64_t)column[n] << n;
    return value;
}

static uint64_t common_events(const struct reference *r, unsigned first)
{
    uint64_t value = 0;

    for (unsigned n = 0; n < 32; n++)
        if (event_of(r, first + n) != NULL && (first + n != 0x1e || counters(r) >= 2))
            value |= UINT64_C(1) << n;
    return value;
}

static uint64_t value_of(const struct reference *r, struct target at)
{
    const struct reference_pmuv3 *const u = &r->pmuv3;
    const unsigned code = core_of(r)->idcode;

    switch (at.what) {
    case PMCR:
        return 0x41000000 | code << 16 | counters(r) << 11 | (unsigned)u->fzo << 9 |
               (unsigned)u->lp << 7 | (unsigned)u->lc << 6 | (unsigned)u->dp << 5 |
               (unsigned)u->x << 4 | (unsigned)u->d << 3 | (unsigned)u->e;
    case CNTENSET:
    case CNTENCLR:
        return pack(u->enable);
    case OVSSET:
    case OVSCLR:
        return pack(u->flag);
    case INTENSET:
    case INTENCLR:
        return pack(u->interrupt);
    case SELR:
        return u->select;
    case CEID0:
        return common_events(r, 0) | (p(r) >= 1 ? common_events(r, 0x4000) << 32 : 0);
    case CEID1:
        return common_events(r, 0x20) | (p(r) >= 1 ? common_events(r, 0x4020) << 32 : 0);
    case CEID2:
        return common_events(r, 0x4000);
    case CEID3:
        return common_events(r, 0x4020);
    case CCNTR:
        return u->count[CYCLES];
    case EVCNTR:
        return u->count[at.n];
    case EVTYPER:
        return u->type[at.n];
    case CCFILTR:
        return u->type[CYCLES];
    case USERENR:
        return u->user;
    case MMIR:
        return core_of(r)->slots;
    default:
        return 0;
    }
}

static void put_ones(bool *column, uint64_t ones, bool to)
{
    for (unsigned n = 0; n < 32; n++)
        if (ones >> n & 1)
            column[n] = to;
}

static void put_control(struct reference *r, uint64_t value, unsigned reached)
{
    struct reference_pmuv3 *const u = &r->pmuv3;
    const bool divided = u->d;

    u->e = value & 1;
    u->d = value >> 3 & 1;
    u->x = value >> 4 & 1;
    u->dp = value >> 5 & 1;
    u->lc = value >> 6 & 1;
    u->lp = p(r) >= 5 && (value >> 7 & 1);
    u->fzo = p(r) >= 7 && (value >> 9 & 1);
    if (value & 2)
        memset(u->count, 0, reached * sizeof u->count[0]);
    if (value & 4)
        u->count[CYCLES] = 0;
    if (value & 4 || (u->d && !divided))
        u->clocks = 0;
}

static uint32_t filter_bits(const struct reference *r)
{
    uint32_t bits = 0xc0000000;

    if (has_el3(r))
        bits |= 0x34000000;
    if (has_el2(r))
        bits |= 0x08000000;
    if (has_el2(r) && has_el3(r) && !r->config.pmuv3.without_secure_el2)
        bits |= 0x01000000;
    return bits;
}

/* reached: event counters that the access may touch. */
static void put(struct reference *r, struct target at, uint64_t value, unsigned reached)
{
    struct reference_pmuv3 *const u = &r->pmuv3;
    const uint64_t ones = value & (UINT64_C(0x80000000) | ((UINT64_C(1) << reached) - 1));
    bool those[32] = {false};

    switch (at.what) {
    case PMCR:
        put_control(r, value, reached);
        break;
    case CNTENSET:
    case CNTENCLR:
        put_ones(u->enable, ones, at.what == CNTENSET);
        break;
    case OVSSET:
    case OVSCLR:
        put_ones(u->flag, ones, at.what == OVSSET);
        break;
    case INTENSET:
    case INTENCLR:
        put_ones(u->interrupt, ones, at.what == INTENSET);
        break;
    case SWINC:
        for (unsigned n = 0; n < 31; n++)
            those[n] = (ones >> n & 1) && (u->type[n] & 0xffff) == 0;
        add_to(r, those);
        break;
    case SELR:
        u->select = value & 31;
        break;
    case CCNTR:
        u->count[CYCLES] = value;
        break;
    case EVCNTR:
        u->count[at.n] = p(r) >= 5 ? value : value & 0xffffffff;
        break;
    case EVTYPER:
        u->type[at.n] =
            (uint32_t)value & (filter_bits(r) | 0x02000000 | (p(r) >= 1 ? 0xffff : 0x03ff));
        break;
    case CCFILTR:
        u->type[CYCLES] = (uint32_t)value & filter_bits(r);
        break;
    case USERENR:
        u->user = value & 15;
        break;
    default:
        break;
    }
}

static bool is_read_only(enum what what)
{
    return (what >= CEID0 && what <= CEID3) || what == MMIR;
}

/* --- From encodings -------------------------------------------------------------------------- */

static enum what in_c9(unsigned crm, unsigned op2)
{
    static const enum what rows[3][8] = {
        {PMCR, CNTENSET, CNTENCLR, OVSCLR, SWINC, SELR, CEID0, CEID1},
        {CCNTR, EVTYPER, EVCNTR},
        {USERENR, INTENSET, INTENCLR, OVSSET, CEID2, CEID3, MMIR},
    };

    return crm < 12 || crm > 14 || op2 > 7 ? NOTHING : rows[crm - 12][op2];
}

static struct target in_c14(unsigned crm, unsigned op2)
{
    const unsigned n = (crm & 3) * 8 + op2;

    if (crm >= 12)
        return n == 31 ? (struct target){CCFILTR, 0, false} : (struct target){EVTYPER, n, false};
    return n == 31 ? (struct target){NOTHING, 0, false} : (struct target){EVCNTR, n, false};
}

static bool find(const struct reference *r, struct armpmu_encoding at, struct target *target)
{
    const bool msr = at.access == ARMPMU_ACCESS_MSR, mcr = at.access == ARMPMU_ACCESS_MCR;

    *target = (struct target){NOTHING, 0, false};
    if (at.access == ARMPMU_ACCESS_MCRR) {
        if (at.coproc != 15 || at.op1 != 0 || at.crm != 9 || at.crn != 0)
            return false;
        target->what = CCNTR;
        return true;
    }
    if (!(msr && at.coproc == 3) && !(mcr && at.coproc == 15))
        return false;
    if (at.crn == 14) {
        if (at.op1 != (msr ? 3 : 0) || at.crm < 8 || at.crm > 15)
            return false;
        *target = in_c14(at.crm, at.op2);
        return true;
    }
    if (at.crn != 9 || at.crm < 12 || at.crm > 14)
        return false;
    if (msr ? !(at.op1 == 3 || (at.op1 == 0 && at.crm == 14)) : at.op1 != 0)
        return false;
    target->what = in_c9(at.crm, at.op2);
    if (msr) {
        const bool el1 =
            target->what == INTENSET || target->what == INTENCLR || target->what == MMIR;
        if (el1 != (at.op1 == 0) || target->what == CEID2 || target->what == CEID3)
            target->what = NOTHING;
    }
    if (target->what == EVTYPER || target->what == EVCNTR) {
        target->selected = true;
        target->n = r->pmuv3.select;
        if (target->what == EVTYPER && target->n == CYCLES)
            target->what = CCFILTR;
    }
    return true;
}

/* --- Who may --------------------------------------------------------------------------------- */

static bool el2_on(const struct reference *r)
{
    return has_el2(r) && r->pin[ARMPMU_PIN_EL2_ENABLED];
}

static bool app_of_host(const struct reference *r)
{
    return level(r) == 0 && !(r->pin[ARMPMU_PIN_AARCH32] && r->pin[ARMPMU_PIN_EL2_AARCH32]) &&
           r->pin[ARMPMU_PIN_HCR_E2H] && r->pin[ARMPMU_PIN_HCR_TGE];
}

static unsigned reach(const struct reference *r)
{
    return level(r) <= 1 && el2_on(r) ? hpmn(r) : counters(r);
}

static bool user_may(const struct reference *r, enum what what, bool write)
{
    const unsigned user = r->pmuv3.user;

    if (what == USERENR || user & 1)
        return true;
    if (what == SWINC)
        return user >> 1 & 1;
    if (what == CCNTR)
        return !write && (user >> 2 & 1);
    if (what == SELR)
        return user >> 3 & 1;
    return what == EVCNTR && !write && (user >> 3 & 1);
}

static enum armpmu_outcome refused(const struct reference *r)
{
    const bool is32 = r->pin[ARMPMU_PIN_AARCH32];

    if (!(is32 && r->pin[ARMPMU_PIN_EL1_AARCH32]))
        return el2_on(r) && r->pin[ARMPMU_PIN_HCR_TGE] ? ARMPMU_TRAP_EL2 : ARMPMU_TRAP_EL1;
    if (!el2_on(r) || !r->pin[ARMPMU_PIN_HCR_TGE])
        return ARMPMU_UNDEFINED;
    return r->pin[ARMPMU_PIN_EL2_AARCH32] ? ARMPMU_UNDEFINED_TO_EL2 : ARMPMU_TRAP_EL2;
}

static bool fine_trap(const struct reference *r, enum what what, bool write)
{
    static const struct {
        enum what what;
        int read, write;
    } bits[] = {
        {EVCNTR, 12, 12},   {EVTYPER, 13, 13},  {CCFILTR, 14, 14},  {CCNTR, 15, 15},
        {CNTENSET, 16, 16}, {CNTENCLR, 16, 16}, {INTENSET, 17, 17}, {INTENCLR, 17, 17},
        {OVSSET, 18, 18},   {OVSCLR, 18, 18},   {SELR, 19, 19},     {SWINC, -1, 20},
        {PMCR, -1, 21},     {MMIR, 22, -1},     {USERENR, 57, 57},  {CEID0, 58, -1},
        {CEID1, 58, -1},    {CEID2, 58, -1},    {CEID3, 58, -1},
    };

    if (r->config.pmuv3.without_fine_traps || !el2_on(r) || app_of_host(r))
        return false;
    if (has_el3(r) && !r->pin[ARMPMU_PIN_SCR_FGTEN])
        return false;
    if (r->pin[ARMPMU_PIN_AARCH32] && (level(r) == 1 || r->pin[ARMPMU_PIN_EL1_AARCH32]))
        return false;
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        if (bits[i].what == what && (write ? bits[i].write : bits[i].read) >= 0)
            return r->pin[write ? ARMPMU_PIN_HDFGWTR : ARMPMU_PIN_HDFGRTR] >>
                       (write ? bits[i].write : bits[i].read) &
                   1;
    return false;
}

static enum armpmu_outcome permit(const struct reference *r, struct armpmu_encoding at,
                                  struct target target, bool write)
{
    const unsigned el = level(r);
    const bool fgt = !r->config.pmuv3.without_fine_traps, is32 = r->pin[ARMPMU_PIN_AARCH32];
    const bool indexed = target.what == EVTYPER || target.what == EVCNTR;
    const bool el3_traps = has_el3(r) && !(is32 && r->pin[ARMPMU_PIN_EL3_AARCH32]) && mdcr3(r, 6);

    if (target.what == NOTHING || is32 != (at.access != ARMPMU_ACCESS_MSR))
        return ARMPMU_UNDEFINED;
    if (indexed ? fgt && target.n >= counters(r) : !exists(r, target))
        return ARMPMU_UNDEFINED;
    if (write ? is_read_only(target.what) : target.what == SWINC)
        return ARMPMU_UNDEFINED;
    if (el == 0 && (target.what == INTENSET || target.what == INTENCLR || target.what == MMIR ||
                    (target.what == USERENR && write)))
        return ARMPMU_UNDEFINED;
    if (el == 3)
        return ARMPMU_DONE;
    if (el3_traps && r->pin[ARMPMU_PIN_EL3_DEBUG_UNDEF])
        return ARMPMU_UNDEFINED;
    if (el == 0 && !user_may(r, target.what, write))
        return refused(r);
    if (el <= 1 && el2_on(r)) {
        const unsigned primary = at.access == ARMPMU_ACCESS_MCRR ? at.crm : at.crn;

        if (is32 && !app_of_host(r) && primary != 14 && (r->pin[ARMPMU_PIN_HSTR] >> primary & 1))
            return ARMPMU_TRAP_EL2;
        if (fine_trap(r, target.what, write) || mdcr2(r, 6))
            return ARMPMU_TRAP_EL2;
        if (target.what == PMCR && mdcr2(r, 5))
            return ARMPMU_TRAP_EL2;
        if (indexed && fgt && target.n >= hpmn(r))
            return ARMPMU_TRAP_EL2;
    }
    return el3_traps ? ARMPMU_TRAP_EL3 : ARMPMU_DONE;
}

/* --- Accesses by instructions ---------------------------------------------------------------- */

static bool is_a_set(enum what what)
{
    return what == CNTENSET || what == CNTENCLR || what == OVSSET || what == OVSCLR ||
           what == INTENSET || what == INTENCLR;
}

static bool is_a_filter(enum what what)
{
    return what == EVTYPER || what == CCFILTR;
}

static enum armpmu_outcome read(struct reference *r, struct armpmu_encoding at, uint64_t *value)
{
    struct target target;

    if (!find(r, at, &target))
        return ARMPMU_NOT_HERE;
    const enum armpmu_outcome outcome = permit(r, at, target, false);
    if (outcome != ARMPMU_DONE)
        return outcome;
    if ((target.what == EVTYPER || target.what == EVCNTR) && target.n >= reach(r)) {
        *value = 0;
        return outcome;
    }
    *value = value_of(r, target);
    if (is_a_set(target.what))
        *value &= 0x80000000 | ((UINT64_C(1) << reach(r)) - 1);
    if (target.what == PMCR)
        *value = (*value & ~UINT64_C(0xf800)) | reach(r) << 11;
    if (at.access == ARMPMU_ACCESS_MCR)
        *value &= is_a_filter(target.what) ? 0xfaffffff : 0xffffffff;
    return outcome;
}

static enum armpmu_outcome write(struct reference *r, struct armpmu_encoding at, uint64_t value)
{
    struct target target;

    if (!find(r, at, &target))
        return ARMPMU_NOT_HERE;
    const enum armpmu_outcome outcome = permit(r, at, target, true);
    if (outcome != ARMPMU_DONE ||
        ((target.what == EVTYPER || target.what == EVCNTR) && target.n >= reach(r)))
        return outcome;
    if (at.access == ARMPMU_ACCESS_MCR) {
        value &= 0xffffffff;
        if (target.what == CCNTR || target.what == EVCNTR)
            value |= value_of(r, target) & ~UINT64_C(0xffffffff);
        if (is_a_filter(target.what))
            value = (value & 0xfaffffff) | (value_of(r, target) & 0x05000000);
    }
    put(r, target, value, reach(r));
    return outcome;
}

/* --- The memory-mapped view ------------------------------------------------------------------ */

/* Registers that an error keeps from who may not see them, in the frame. */
static struct target in_frame(unsigned offset, unsigned *start, unsigned *bytes)
{
    static const struct {
        unsigned offset;
        enum what what;
    } rows[] = {
        {0xc00, CNTENSET}, {0xc20, CNTENCLR}, {0xc40, INTENSET}, {0xc60, INTENCLR}, {0xc80, OVSCLR},
        {0xca0, SWINC},    {0xcc0, OVSSET},   {0xe04, PMCR},     {0xe20, CEID0},    {0xe24, CEID1},
        {0xe28, CEID2},    {0xe2c, CEID3},    {0xe40, MMIR},     {0x47c, CCFILTR},
    };

    *bytes = offset < 0x100 ? 8 : 4;
    *start = offset / *bytes * *bytes;
    if (offset < 0xf8)
        return (struct target){EVCNTR, offset / 8, false};
    if (offset < 0x100)
        return (struct target){CCNTR, 0, false};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].offset == *start)
            return (struct target){rows[i].what, 0, false};
    if (offset >= 0x400 && offset < 0x47c)
        return (struct target){EVTYPER, (offset - 0x400) / 4, false};
    return (struct target){NOTHING, 0, false};
}

static uint32_t identification(const struct reference *r, unsigned offset)
{
    const unsigned part = core_of(r)->part;
    const unsigned revision = core_of(r)->midr >> 20 & 0xf;

    switch (offset) {
    case 0xe00:
        return (p(r) >= 7 ? 1U << 21 : 0) | 0x9ff00U | counters(r);
    case 0xfa8:
        return (uint32_t)r->config.pmuv3.affinity;
    case 0xfac:
        return (uint32_t)(r->config.pmuv3.affinity >> 32);
    case 0xfb8:
        return 0xcc;
    case 0xfbc:
        return 0x47702a16;
    case 0xfcc:
        return 0x16;
    case 0xfd0:
        return 4;
    case 0xfe0:
        return part & 0xff;
    case 0xfe4:
        return 0xb0 | part >> 8;
    case 0xfe8:
        return revision << 4 | 0xb;
    case 0xff0:
        return 0x0d;
    case 0xff4:
        return 0x90;
    case 0xff8:
        return 0x05;
    case 0xffc:
        return 0xb1;
    default:
        return 0;
    }
}

static bool is_kept_out(const struct reference *r)
{
    return (r->pin[ARMPMU_PIN_CORE_POWERED_OFF] && !r->config.pmuv3.always_powered) ||
           r->pin[ARMPMU_PIN_OS_LOCK] || (mdcr3(r, 21) && r->pin[ARMPMU_PIN_BUS_WORLD] == 0);
}

static bool is_error(const struct reference *r, uint32_t offset, unsigned bytes)
{
    if ((bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) || offset % bytes != 0 ||
        offset >= 4096)
        return true;
    for (unsigned i = 0; is_kept_out(r) && i < bytes; i++) {
        const unsigned word = (offset + i) & ~3U;
        unsigned start, size;

        if (exists(r, in_frame(offset + i, &start, &size)) || word == 0xe00 || word == 0xfa8 ||
            word == 0xfac)
            return true;
    }
    return false;
}

static enum armpmu_outcome load(struct reference *r, uint32_t offset, unsigned bytes,
                                uint64_t *value)
{
    if (is_error(r, offset, bytes))
        return ARMPMU_BUS_FAULT;
    *value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        unsigned start, size;
        const struct target target = in_frame(offset + i, &start, &size);
        uint64_t whole = exists(r, target) ? value_of(r, target) : 0;

        if (target.what == NOTHING)
            whole = identification(r, start);
        if (target.what == PMCR)
            whole &= 0x7ff;
        *value |= (whole >> 8 * (offset + i - start) & 0xff) << 8 * i;
    }
    return ARMPMU_DONE;
}

static enum armpmu_outcome store(struct reference *r, uint32_t offset, unsigned bytes,
                                 uint64_t value)
{
    unsigned start, size;

    if (is_error(r, offset, bytes))
        return ARMPMU_BUS_FAULT;
    for (unsigned at = offset; at < offset + bytes; at = start + size) {
        const struct target target = in_frame(at, &start, &size);
        uint64_t whole = is_a_set(target.what) || target.what == SWINC || !exists(r, target)
                             ? 0
                             : value_of(r, target);

        for (unsigned b = at; b < start + size && b < offset + bytes; b++) {
            whole &= ~(UINT64_C(0xff) << 8 * (b - start));
            whole |= (value >> 8 * (b - offset) & 0xff) << 8 * (b - start);
        }
        if (exists(r, target) && !is_read_only(target.what))
            put(r, target, whole, counters(r));
    }
    return ARMPMU_DONE;
}

/* --- By name, and reset ---------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum what what;
    unsigned offset; /* where the view alone has it */
} names[] = {
    {"PMCR_EL0", PMCR, 0},
    {"PMCNTENSET_EL0", CNTENSET, 0},
    {"PMCNTENCLR_EL0", CNTENCLR, 0},
    {"PMOVSCLR_EL0", OVSCLR, 0},
    {"PMOVSSET_EL0", OVSSET, 0},
    {"PMSWINC_EL0", SWINC, 0},
    {"PMSELR_EL0", SELR, 0},
    {"PMCEID0_EL0", CEID0, 0},
    {"PMCEID1_EL0", CEID1, 0},
    {"PMCEID2", CEID2, 0},
    {"PMCEID3", CEID3, 0},
    {"PMCCNTR_EL0", CCNTR, 0},
    {"PMEVTYPER<n>_EL0", EVTYPER, 0},
    {"PMEVCNTR<n>_EL0", EVCNTR, 0},
    {"PMCCFILTR_EL0", CCFILTR, 0},
    {"PMUSERENR_EL0", USERENR, 0},
    {"PMINTENSET_EL1", INTENSET, 0},
    {"PMINTENCLR_EL1", INTENCLR, 0},
    {"PMMIR_EL1", MMIR, 0},
    {"PMCFGR", NOTHING, 0xe00},
    {"PMDEVAFF0", NOTHING, 0xfa8},
    {"PMDEVAFF1", NOTHING, 0xfac},
    {"PMAUTHSTATUS", NOTHING, 0xfb8},
    {"PMDEVARCH", NOTHING, 0xfbc},
    {"PMDEVTYPE", NOTHING, 0xfcc},
    {"PMPIDR4", NOTHING, 0xfd0},
    {"PMPIDR0", NOTHING, 0xfe0},
    {"PMPIDR1", NOTHING, 0xfe4},
    {"PMPIDR2", NOTHING, 0xfe8},
    {"PMCIDR0", NOTHING, 0xff0},
    {"PMCIDR1", NOTHING, 0xff4},
    {"PMCIDR2", NOTHING, 0xff8},
    {"PMCIDR3", NOTHING, 0xffc},
};

static uint64_t peek(struct reference *r, const char *name, unsigned element)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct target at = {names[i].what, element, false};

        if (strcmp(names[i].name, name) != 0)
            continue;
        if (at.what == NOTHING)
            return identification(r, names[i].offset);
        return exists(r, at) ? value_of(r, at) : 0;
    }
    return 0;
}

static void poke(struct reference *r, const char *name, unsigned element, uint64_t value)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct target at = {names[i].what, element, false};

        if (strcmp(names[i].name, name) == 0 && exists(r, at) && !is_read_only(at.what))
            put(r, at, value, counters(r));
    }
}

static void reset(struct reference *r, enum armpmu_reset kind)
{
    (void)kind;
    memset(&r->pmuv3, 0, sizeof r->pmuv3);
}

#define KIND(its_core)                                                                             \
    {                                                                                              \
        .core = its_core, .reset = reset, .increment = increment, .pin_moves = pin_moves,          \
        .read = read, .write = write, .load = load, .store = store, .peek = peek, .poke = poke,    \
        .output = output,                                                                          \
    }

#define PMUV3_CORE(name, id, ...) const struct reference_kind reference_##id = KIND(name);
#include "../../manual/pmuv3_cores.def"
#undef PMUV3_CORE
