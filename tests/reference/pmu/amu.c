/* Armv8 Activity Monitors, FEAT_AMUv1 and FEAT_AMUv1p1.
 *
 * The memory-mapped view is in amu_view.c. Source: ARM DDI 0487, Activity Monitors Extension, the
 * activity monitors registers in AArch64 and AArch32. */
#include "amu.h"

#include <string.h>

/* --- What the configuration says ------------------------------------------------------------- */

static unsigned highest_el(const struct reference *r)
{
    return r->config.amu.highest_el == 0 ? 3 : r->config.amu.highest_el;
}

/* A level above the highest stands for the highest. */
static unsigned current_el(const struct reference *r)
{
    const unsigned el = (unsigned)r->pin[ARMPMU_PIN_EL];

    return el > highest_el(r) ? highest_el(r) : el;
}

static bool has_el2(const struct reference *r)
{
    return highest_el(r) >= 2 && !r->config.amu.without_el2;
}

static bool has_el3(const struct reference *r)
{
    return highest_el(r) == 3;
}

bool amu_has_counter(const struct reference *r, unsigned group, unsigned n)
{
    const struct armpmu_amu_config *const c = &r->config.amu;

    if (group == 0)
        return n < 4;
    if (n >= 16)
        return false;
    return c->v1p1 && c->group1_map != 0 ? c->group1_map >> n & 1 : n < c->group1_counters;
}

static unsigned group1_counters(const struct reference *r)
{
    unsigned count = 0;

    for (unsigned n = 0; n < 16; n++)
        count += amu_has_counter(r, 1, n);
    return count;
}

static bool has_offset(const struct reference *r, unsigned group, unsigned n)
{
    if (!r->config.amu.v1p1)
        return false;
    if (group == 0)
        return n < 4 && n != 1;
    return n < 16 && (r->config.amu.group1_offsets >> n & 1);
}

static bool is_fixed(const struct reference *r, unsigned n)
{
    return r->config.amu.group1_fixed >> n & 1;
}

/* --- Counting -------------------------------------------------------------------------------- */

static bool runs(const struct reference *r)
{
    return !r->pin[ARMPMU_PIN_STANDBY] && !(r->pin[ARMPMU_PIN_DEBUG_HALTED] && r->amu.hdbg);
}

/* What an event number counts: an auxiliary counter whose number is unknown has a wire of its own,
 * one of the first group none. */
static enum armpmu_signal signal_of(unsigned group, unsigned n, unsigned event)
{
    switch (event) {
    case 0x0008:
        return ARMPMU_SIGNAL_INST_RETIRED;
    case 0x0011:
        return ARMPMU_SIGNAL_CPU_CYCLES;
    case 0x4004:
        return ARMPMU_SIGNAL_CONSTANT_CYCLES;
    case 0x4005:
        return ARMPMU_SIGNAL_MEMORY_STALL;
    case 0x0300:
        return ARMPMU_SIGNAL_MPMM_GEAR0;
    case 0x0301:
        return ARMPMU_SIGNAL_MPMM_GEAR1;
    case 0x0302:
        return ARMPMU_SIGNAL_MPMM_GEAR2;
    default:
        return group == 1 ? (enum armpmu_signal)(ARMPMU_SIGNAL_AUXILIARY0 + n)
                          : ARMPMU_SIGNAL_COUNT;
    }
}

static void increment(struct reference *r, enum armpmu_signal signal)
{
    if (!runs(r))
        return;
    for (unsigned group = 0; group < 2; group++)
        for (unsigned n = 0; n < 16; n++)
            if (amu_has_counter(r, group, n) && r->amu.enable[group][n] &&
                signal_of(group, n, r->amu.event[group][n]) == signal)
                r->amu.count[group][n]++;
}

/* --- Registers ------------------------------------------------------------------------------- */

uint64_t amu_enables(const struct reference *r, unsigned group)
{
    uint64_t value = 0;

    for (unsigned n = 0; n < 16; n++)
        value |= (uint64_t)r->amu.enable[group][n] << n;
    return value;
}

uint64_t amu_value(const struct reference *r, struct place at)
{
    const unsigned others = group1_counters(r);

    switch (at.kind) {
    case AMCR:
        return (uint64_t)r->amu.cg1rz << 17 | (uint64_t)r->amu.hdbg << 10;
    case AMCFGR:
        return (others > 0 ? 0x10000000U : 0) | 0x01003f00U | (3 + others);
    case AMCGCR:
        return others << 8 | 4;
    case AMUSERENR:
        return r->amu.user_enable;
    case AMCNTENCLR:
    case AMCNTENSET:
        return amu_enables(r, at.group);
    case AMCG1IDR: {
        uint64_t value = 0;

        for (unsigned n = 0; n < 16; n++)
            value |= (uint64_t)amu_has_counter(r, 1, n) << n | (uint64_t)has_offset(r, 1, n)
                                                                   << (16 + n);
        return value;
    }
    case AMEVCNTR:
        return r->amu.count[at.group][at.n];
    case AMEVTYPER:
        return r->amu.event[at.group][at.n];
    case AMEVCNTVOFF:
        return r->amu.offset[at.group][at.n];
    case NO_REGISTER:
        break;
    }
    return 0;
}

static void put(struct reference *r, struct place at, uint64_t value)
{
    switch ((int)at.kind) {
    case AMCR:
        r->amu.hdbg = value >> 10 & 1;
        r->amu.cg1rz = r->config.amu.v1p1 && (value >> 17 & 1);
        break;
    case AMUSERENR:
        r->amu.user_enable = value & 1;
        break;
    case AMCNTENCLR:
    case AMCNTENSET:
        for (unsigned n = 0; n < 16; n++)
            if (value >> n & 1 && amu_has_counter(r, at.group, n))
                r->amu.enable[at.group][n] = at.kind == AMCNTENSET;
        break;
    case AMEVCNTR:
        r->amu.count[at.group][at.n] = value;
        break;
    case AMEVTYPER:
        if (!is_fixed(r, at.n))
            r->amu.event[at.group][at.n] = value & 0xffff;
        break;
    case AMEVCNTVOFF: /* without EL2 it is there for EL3, and reads as zero */
        r->amu.offset[at.group][at.n] = has_el2(r) ? value : 0;
        break;
    default:
        break;
    }
}

static bool exists(const struct reference *r, struct place at)
{
    switch (at.kind) {
    case NO_REGISTER:
        return false;
    case AMCG1IDR:
        return r->config.amu.v1p1;
    case AMCNTENCLR:
    case AMCNTENSET:
        return at.group == 0 || group1_counters(r) > 0;
    case AMEVCNTR:
    case AMEVTYPER:
        return amu_has_counter(r, at.group, at.n);
    case AMEVCNTVOFF:
        return has_offset(r, at.group, at.n);
    default:
        return true;
    }
}

static bool is_writable(struct place at)
{
    if (at.kind == AMEVTYPER)
        return at.group == 1;
    return at.kind != AMCFGR && at.kind != AMCGCR && at.kind != AMCG1IDR;
}

/* --- From encodings -------------------------------------------------------------------------- */

/* The registers with an op2 of their own: CRm c2 and c3. */
static struct place control_register(unsigned crm, unsigned op2)
{
    static const enum kind second[] = {AMCR,       AMCFGR,     AMCGCR,   AMUSERENR,
                                       AMCNTENCLR, AMCNTENSET, AMCG1IDR, NO_REGISTER};

    if (crm == 2)
        return (struct place){second[op2], 0, 0};
    if (crm == 3 && op2 <= 1)
        return (struct place){op2 == 0 ? AMCNTENCLR : AMCNTENSET, 1, 0};
    return (struct place){NO_REGISTER, 0, 0};
}

static struct place array(enum kind kind, unsigned group, unsigned crm, unsigned first,
                          unsigned low)
{
    return (struct place){kind, group, (crm - first) * 8 + low};
}

static struct place place_of_msr(struct armpmu_encoding at)
{
    switch (at.crm) {
    case 4:
    case 5:
        return array(AMEVCNTR, 0, at.crm, 4, at.op2);
    case 6:
    case 7:
        return array(AMEVTYPER, 0, at.crm, 6, at.op2);
    case 12:
    case 13:
        return array(AMEVCNTR, 1, at.crm, 12, at.op2);
    case 14:
    case 15:
        return array(AMEVTYPER, 1, at.crm, 14, at.op2);
    default:
        return control_register(at.crm, at.op2);
    }
}

static struct place place_of_mcr(struct armpmu_encoding at)
{
    struct place place = place_of_msr(at);

    if (place.kind == AMCG1IDR)
        place.kind = NO_REGISTER;
    return place;
}

/* Whether the encoding lies among those of the unit; then *place is the register there, if any. */
static bool find(struct armpmu_encoding at, struct place *place)
{
    *place = (struct place){NO_REGISTER, 0, 0};
    if (at.op1 > 7 || at.op2 > 7 || at.offset != 0)
        return false;
    switch ((int)at.access) {
    case ARMPMU_ACCESS_MSR:
        if (at.coproc != 3 || at.crn != 13)
            return false;
        if (at.op1 == 3 && ((at.crm >= 2 && at.crm <= 7) || at.crm >= 12)) {
            *place = place_of_msr(at);
            return true;
        }
        if (at.op1 != 4 || at.crm < 8 || at.crm > 11)
            return false;
        *place = at.crm < 10 ? array(AMEVCNTVOFF, 0, at.crm, 8, at.op2)
                             : array(AMEVCNTVOFF, 1, at.crm, 10, at.op2);
        return true;
    case ARMPMU_ACCESS_MCR:
        if (at.coproc != 15 || at.op1 != 0 || at.crn != 13)
            return false;
        if (at.crm != 2 && at.crm != 3 && at.crm != 6 && at.crm != 7 && at.crm < 14)
            return false;
        *place = place_of_mcr(at);
        return true;
    case ARMPMU_ACCESS_MCRR:
        if (at.coproc != 15 || (at.crm > 1 && at.crm != 4 && at.crm != 5))
            return false;
        *place = at.crm < 4 ? array(AMEVCNTR, 0, at.crm, 0, at.op1)
                            : array(AMEVCNTR, 1, at.crm, 4, at.op1);
        return true;
    default:
        return false;
    }
}

/* --- Who may --------------------------------------------------------------------------------- */

static bool el2_enabled(const struct reference *r)
{
    return has_el2(r) && r->pin[ARMPMU_PIN_EL2_ENABLED];
}

/* An AArch32 EL2 has no E2H. */
static bool is_host_app(const struct reference *r)
{
    return !r->pin[ARMPMU_PIN_EL2_AARCH32] && r->pin[ARMPMU_PIN_HCR_E2H] &&
           r->pin[ARMPMU_PIN_HCR_TGE];
}

static bool el3_traps(const struct reference *r)
{
    return has_el3(r) && !r->pin[ARMPMU_PIN_EL3_AARCH32] && r->pin[ARMPMU_PIN_CPTR_EL3_TAM];
}

static enum armpmu_outcome to_el3(const struct reference *r)
{
    return r->pin[ARMPMU_PIN_EL3_DEBUG_UNDEF] ? ARMPMU_UNDEFINED : ARMPMU_TRAP_EL3;
}

static bool hstr_traps(const struct reference *r, struct armpmu_encoding at)
{
    unsigned bit = 13;

    if (!r->pin[ARMPMU_PIN_AARCH32] || !el2_enabled(r))
        return false;
    if (current_el(r) == 0 && is_host_app(r))
        return false;
    if (at.access == ARMPMU_ACCESS_MCRR)
        bit = at.crm;
    return bit != 4 && (r->pin[ARMPMU_PIN_HSTR] >> bit & 1);
}

static bool fine_trap(const struct reference *r, struct place at)
{
    unsigned bit;

    if (!el2_enabled(r) || r->config.amu.without_fine_traps)
        return false;
    if (current_el(r) == 0 && is_host_app(r))
        return false;
    if (has_el3(r) && !r->pin[ARMPMU_PIN_SCR_FGTEN])
        return false;
    switch ((int)at.kind) {
    case AMCNTENCLR:
    case AMCNTENSET:
        bit = at.group == 0 ? 0 : 17;
        break;
    case AMEVCNTR:
        bit = at.group == 0 ? 1 + at.n : 18 + 2 * at.n;
        break;
    case AMEVTYPER:
        if (at.group == 0)
            return false;
        bit = 19 + 2 * at.n;
        break;
    default:
        return false;
    }
    return r->pin[ARMPMU_PIN_HAFGRTR] >> bit & 1;
}

/* AMUSERENR.EN = 0 at EL0. */
static enum armpmu_outcome user_refused(const struct reference *r)
{
    const bool to_el2 = el2_enabled(r) && r->pin[ARMPMU_PIN_HCR_TGE];

    if (!r->pin[ARMPMU_PIN_EL1_AARCH32])
        return to_el2 ? ARMPMU_TRAP_EL2 : ARMPMU_TRAP_EL1;
    if (!to_el2)
        return ARMPMU_UNDEFINED;
    return r->pin[ARMPMU_PIN_EL2_AARCH32] ? ARMPMU_UNDEFINED_TO_EL2 : ARMPMU_TRAP_EL2;
}

static enum armpmu_outcome permit_read(const struct reference *r, struct armpmu_encoding at,
                                       struct place place)
{
    const unsigned el = current_el(r);

    if (el == 3)
        return ARMPMU_DONE;
    if (el3_traps(r) && r->pin[ARMPMU_PIN_EL3_DEBUG_UNDEF])
        return ARMPMU_UNDEFINED;
    if (el == 0 && place.kind != AMUSERENR && !r->amu.user_enable)
        return user_refused(r);
    if (el < 2 && hstr_traps(r, at))
        return ARMPMU_TRAP_EL2;
    if (el < 2 && el2_enabled(r) && r->pin[ARMPMU_PIN_CPTR_EL2_TAM])
        return ARMPMU_TRAP_EL2;
    if (el < 2 && fine_trap(r, place) &&
        (!r->pin[ARMPMU_PIN_AARCH32] || (el == 0 && !r->pin[ARMPMU_PIN_EL1_AARCH32])))
        return ARMPMU_TRAP_EL2;
    return el3_traps(r) ? to_el3(r) : ARMPMU_DONE;
}

static enum armpmu_outcome permit_write(const struct reference *r, struct armpmu_encoding at,
                                        struct place place)
{
    const unsigned el = current_el(r);

    if (el == 1 && hstr_traps(r, at))
        return ARMPMU_TRAP_EL2;
    if (place.kind == AMEVTYPER && is_fixed(r, place.n))
        return ARMPMU_UNDEFINED;
    return el == highest_el(r) ? ARMPMU_DONE : ARMPMU_UNDEFINED;
}

static enum armpmu_outcome permit_user_enable(const struct reference *r, struct armpmu_encoding at)
{
    const unsigned el = current_el(r);

    if (el == 0)
        return ARMPMU_UNDEFINED;
    if (el == 3)
        return ARMPMU_DONE;
    if (el3_traps(r) && r->pin[ARMPMU_PIN_EL3_DEBUG_UNDEF])
        return ARMPMU_UNDEFINED;
    if (el == 1 && hstr_traps(r, at))
        return ARMPMU_TRAP_EL2;
    if (el == 1 && el2_enabled(r) && r->pin[ARMPMU_PIN_CPTR_EL2_TAM])
        return ARMPMU_TRAP_EL2;
    return el3_traps(r) ? to_el3(r) : ARMPMU_DONE;
}

static enum armpmu_outcome permit_offset(const struct reference *r)
{
    const unsigned el = current_el(r);

    if (el == 0)
        return ARMPMU_UNDEFINED;
    if (el == 1) {
        if (!el2_enabled(r) || !r->pin[ARMPMU_PIN_HCR_NV])
            return ARMPMU_UNDEFINED;
        return r->pin[ARMPMU_PIN_HCR_NV2] ? ARMPMU_REDIRECTED : ARMPMU_TRAP_EL2;
    }
    if (el == 2 && has_el3(r) && (!r->pin[ARMPMU_PIN_SCR_AMVOFFEN] || el3_traps(r)))
        return to_el3(r);
    return ARMPMU_DONE;
}

static enum armpmu_outcome permit(const struct reference *r, struct armpmu_encoding at,
                                  struct place place, bool write)
{
    if (!exists(r, place) || (write && !is_writable(place)))
        return ARMPMU_UNDEFINED;
    if (place.kind == AMEVCNTVOFF)
        return permit_offset(r);
    if (write && place.kind == AMUSERENR)
        return permit_user_enable(r, at);
    return write ? permit_write(r, at, place) : permit_read(r, at, place);
}

/* --- Accesses by instructions ---------------------------------------------------------------- */

static bool offset_applies(const struct reference *r, struct place at)
{
    if (at.kind != AMEVCNTR || !has_offset(r, at.group, at.n) || current_el(r) >= 2)
        return false;
    if (!el2_enabled(r) || r->pin[ARMPMU_PIN_EL2_AARCH32] || is_host_app(r))
        return false;
    return r->pin[ARMPMU_PIN_HCR_AMVOFFEN] && (!has_el3(r) || r->pin[ARMPMU_PIN_SCR_AMVOFFEN]);
}

static uint64_t seen(const struct reference *r, struct place at)
{
    if (at.kind == AMEVCNTR && at.group == 1 && r->amu.cg1rz && current_el(r) != highest_el(r))
        return 0;
    if (offset_applies(r, at))
        return amu_value(r, at) - r->amu.offset[at.group][at.n];
    return amu_value(r, at);
}

static enum armpmu_outcome read(struct reference *r, struct armpmu_encoding at, uint64_t *value)
{
    struct place place;

    if (!find(at, &place))
        return ARMPMU_NOT_HERE;
    const enum armpmu_outcome outcome = permit(r, at, place, false);
    if (outcome == ARMPMU_DONE)
        *value = seen(r, place);
    return outcome;
}

static enum armpmu_outcome write(struct reference *r, struct armpmu_encoding at, uint64_t value)
{
    struct place place;

    if (!find(at, &place))
        return ARMPMU_NOT_HERE;
    const enum armpmu_outcome outcome = permit(r, at, place, true);
    if (outcome == ARMPMU_DONE)
        put(r, place, value);
    return outcome;
}

/* --- By name, and reset ---------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum kind kind;
    unsigned group;
} names[] = {
    {"AMCR_EL0", AMCR, 0},
    {"AMCFGR_EL0", AMCFGR, 0},
    {"AMCGCR_EL0", AMCGCR, 0},
    {"AMUSERENR_EL0", AMUSERENR, 0},
    {"AMCNTENCLR0_EL0", AMCNTENCLR, 0},
    {"AMCNTENSET0_EL0", AMCNTENSET, 0},
    {"AMCG1IDR_EL0", AMCG1IDR, 0},
    {"AMCNTENCLR1_EL0", AMCNTENCLR, 1},
    {"AMCNTENSET1_EL0", AMCNTENSET, 1},
    {"AMEVCNTR0<n>_EL0", AMEVCNTR, 0},
    {"AMEVTYPER0<n>_EL0", AMEVTYPER, 0},
    {"AMEVCNTR1<n>_EL0", AMEVCNTR, 1},
    {"AMEVTYPER1<n>_EL0", AMEVTYPER, 1},
    {"AMEVCNTVOFF0<n>_EL2", AMEVCNTVOFF, 0},
    {"AMEVCNTVOFF1<n>_EL2", AMEVCNTVOFF, 1},
};

static struct place place_of_name(const char *name, unsigned element)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].name, name) == 0)
            return (struct place){names[i].kind, names[i].group, element};
    return (struct place){NO_REGISTER, 0, 0};
}

static uint64_t peek(struct reference *r, const char *name, unsigned element)
{
    const struct place at = place_of_name(name, element);

    if (at.kind != NO_REGISTER)
        return exists(r, at) ? amu_value(r, at) : 0;
    return amu_view_peek(r, name);
}

static void poke(struct reference *r, const char *name, unsigned element, uint64_t value)
{
    const struct place at = place_of_name(name, element);

    if (at.kind != NO_REGISTER && exists(r, at) && is_writable(at))
        put(r, at, value);
    if (strcmp(name, "AMSCR") == 0 && r->config.amu.external_control == 1)
        r->amu.nonsecure_allowed = value >> 1 & 1;
    if (strcmp(name, "AMROOTCR") == 0 && r->config.amu.external_control == 2)
        r->amu.root_allows = value >> 4 & 7;
}

/* A warm reset is one of the core: the unit has a domain of its own. */
static void reset(struct reference *r, enum armpmu_reset kind)
{
    static const unsigned fixed[] = {0x0011, 0x4004, 0x0008, 0x4005};
    const struct reference_amu before = r->amu;

    memset(&r->amu, 0, sizeof r->amu);
    memcpy(r->amu.event[0], fixed, sizeof fixed);
    for (unsigned n = 0; n < 16; n++)
        if (amu_has_counter(r, 1, n))
            r->amu.event[1][n] = r->config.amu.group1_events[n];
    if (kind == ARMPMU_RESET_COLD)
        return;
    memcpy(r->amu.count, before.count, sizeof before.count);
    memcpy(r->amu.enable, before.enable, sizeof before.enable);
    r->amu.nonsecure_allowed = before.nonsecure_allowed;
    r->amu.root_allows = before.root_allows;
}

const struct reference_kind reference_amuv1 = {
    .core = "amuv1",
    .reset = reset,
    .increment = increment,
    .read = read,
    .write = write,
    .load = amu_load,
    .store = amu_store,
    .peek = peek,
    .poke = poke,
};
