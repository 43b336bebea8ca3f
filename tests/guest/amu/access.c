/* Who may use which register: every encoding of the unit, read and written, from every Exception
 * level, under every control that takes part. What must come of it is worked out here from the
 * architecture's rules; the exception, where there is one, must be right in all its parts.
 *
 * Source: ARM DDI 0487, the accessibility of the activity monitors registers. */
#include "amu.h"

/* ---- the encodings ---- */

enum kind { ABSENT, CONSTANT, ORDINARY, USER_ENABLE, OFFSET, FINE_TRAPS };

struct encoding {
    unsigned op1, crn, crm, op2;
    enum kind kind;
    int trap_bit;   /* of HAFGRTR_EL2, -1: none */
    uint64_t value; /* that it is given */
};

/* op1 3: CRm 2 to 15; op1 4: CRm 8 to 11, each with op2 0 to 7; and HAFGRTR_EL2. */
#define N_ENCODINGS (14 * 8 + 4 * 8 + 1)

static struct encoding encodings[N_ENCODINGS];
static uint32_t code[N_ENCODINGS][2][2][2]; /* [read, write][for EL0][the access, the end] */

static const uint64_t group0_events[4] = {0x11, 0x4004, 0x08, 0x4005};

#define CONTROLS_VALUE AMCR_HDBG

/* Counter n of a group stands at this while access is checked; all are disabled. */
static uint64_t count_value(unsigned group, unsigned n)
{
    return 0x1234567800000000u | group << 8 | n;
}

static void describe_control(struct encoding *e)
{
    const unsigned at = e->crm * 8 + e->op2;

    switch (at) {
    case 2 * 8 + 0:
        *e = (struct encoding){.kind = ORDINARY, .trap_bit = -1, .value = CONTROLS_VALUE};
        break;
    case 2 * 8 + 1:
        *e = (struct encoding){.kind = CONSTANT, .trap_bit = -1, .value = 0x01003f03 + unit.group1};
        if (unit.group1 > 0)
            e->value |= 1u << 28;
        break;
    case 2 * 8 + 2:
        *e = (struct encoding){.kind = CONSTANT, .trap_bit = -1, .value = unit.group1 << 8 | 4};
        break;
    case 2 * 8 + 3:
        *e = (struct encoding){.kind = USER_ENABLE, .trap_bit = -1};
        break;
    case 2 * 8 + 4:
    case 2 * 8 + 5:
        *e = (struct encoding){.kind = ORDINARY, .trap_bit = 0};
        break;
    case 2 * 8 + 6:
        *e = (struct encoding){.kind = unit.v1p1 ? CONSTANT : ABSENT,
                               .trap_bit = -1,
                               .value = unit.offsets << 16 | unit.exists};
        break;
    case 3 * 8 + 0:
    case 3 * 8 + 1:
        *e = (struct encoding){.kind = unit.group1 > 0 ? ORDINARY : ABSENT, .trap_bit = 17};
        break;
    }
}

static void describe_counter(struct encoding *e)
{
    const unsigned n = (e->crm & 1) * 8 + e->op2;
    const bool in_group0 = n < 4, in_group1 = unit.exists >> n & 1;

    switch (e->crm & ~1u) {
    case 4:
        e->kind = in_group0 ? ORDINARY : ABSENT;
        e->trap_bit = (int)(1 + n);
        e->value = count_value(0, n);
        break;
    case 6:
        e->kind = in_group0 ? CONSTANT : ABSENT;
        e->value = group0_events[n & 3];
        break;
    case 12:
        e->kind = in_group1 ? ORDINARY : ABSENT;
        e->trap_bit = (int)(18 + 2 * n);
        e->value = count_value(1, n);
        break;
    case 14:
        e->kind = in_group1 ? n < 3 ? CONSTANT : ORDINARY : ABSENT;
        e->trap_bit = (int)(19 + 2 * n);
        e->value = n < 3 ? 0x300 + n : 0x77;
        break;
    }
}

static void describe_offset(struct encoding *e)
{
    const unsigned n = (e->crm & 1) * 8 + e->op2;
    const bool exists = e->crm < 10 ? n < 4 && n != 1 : unit.offsets >> n & 1;

    e->kind = unit.v1p1 && exists ? OFFSET : ABSENT;
    e->value = 0x5500 | n;
}

/* MRS and MSR with x0. */
static uint32_t instruction(const struct encoding *e, bool write)
{
    return (write ? 0xd5100000u : 0xd5300000u) | 1u << 19 | e->op1 << 16 | e->crn << 12 |
           e->crm << 8 | e->op2 << 5;
}

#define SVC 0xd4000ee1u /* #0x77 */
#define SMC 0xd4000ee3u

static void add_encoding(unsigned i, unsigned op1, unsigned crn, unsigned crm, unsigned op2)
{
    struct encoding *const e = &encodings[i];
    const struct encoding at = {.op1 = op1, .crn = crn, .crm = crm, .op2 = op2, .trap_bit = -1};

    *e = at;
    if (crn == 3)
        e->kind = unit.fine_traps ? FINE_TRAPS : ABSENT;
    else if (op1 == 4)
        describe_offset(e);
    else if (crm < 4)
        describe_control(e);
    else
        describe_counter(e);
    e->op1 = op1;
    e->crn = crn;
    e->crm = crm;
    e->op2 = op2;
    for (unsigned write = 0; write < 2; write++) {
        for (unsigned user = 0; user < 2; user++) {
            code[i][write][user][0] = instruction(e, write);
            code[i][write][user][1] = user ? SVC : SMC;
        }
    }
}

static void add_encodings(void)
{
    unsigned n = 0;

    for (unsigned crm = 2; crm < 16; crm++)
        for (unsigned op2 = 0; op2 < 8; op2++)
            add_encoding(n++, 3, 13, crm, op2);
    for (unsigned crm = 8; crm < 12; crm++)
        for (unsigned op2 = 0; op2 < 8; op2++)
            add_encoding(n++, 4, 13, crm, op2);
    add_encoding(n, 4, 3, 1, 6);
    __asm__ volatile("dsb sy\n ic iallu\n dsb sy\n isb" ::: "memory");
}

/* ---- the rules ---- */

/* What takes part, of one round of checks. */
struct controls {
    const char *name;
    bool nonsecure, user_enable, tam2, tam3, tge, e2h, fgten, amvoffen;
    uint64_t fine_traps;
};

enum result { DONE, UNDEFINED, TO_EL1, TO_EL2, TO_EL3 };

static enum result read_from(const struct controls *c, const struct encoding *e, unsigned level)
{
    const bool in_host = c->nonsecure && c->tge && c->e2h && level == 0;

    if (level == 3)
        return DONE;
    if (level == 0 && e->kind != USER_ENABLE && !c->user_enable)
        return c->nonsecure && c->tge ? TO_EL2 : TO_EL1;
    if (level < 2 && c->nonsecure && c->tam2)
        return TO_EL2;
    if (level < 2 && c->nonsecure && !in_host && unit.fine_traps && c->fgten && e->trap_bit >= 0 &&
        (c->fine_traps >> e->trap_bit & 1))
        return TO_EL2;
    return c->tam3 ? TO_EL3 : DONE;
}

static enum result write_from(const struct controls *c, const struct encoding *e, unsigned level)
{
    if (e->kind == CONSTANT || (e->kind == ORDINARY && level < 3) || level == 0)
        return UNDEFINED;
    if (level == 1 && c->nonsecure && c->tam2)
        return TO_EL2;
    return level < 3 && c->tam3 ? TO_EL3 : DONE;
}

static enum result expected(const struct controls *c, const struct encoding *e, unsigned level,
                            bool write)
{
    if (e->kind == ABSENT)
        return UNDEFINED;
    if (e->kind == FINE_TRAPS || e->kind == OFFSET) {
        const bool open = e->kind == FINE_TRAPS ? c->fgten : c->amvoffen && !c->tam3;
        return level < 2 ? UNDEFINED : level == 2 && !open ? TO_EL3 : DONE;
    }
    return write ? write_from(c, e, level) : read_from(c, e, level);
}

/* ---- one access ---- */

#define PSTATE_NZ   (UINT64_C(3) << 30)
#define PSTATE_DAIF (UINT64_C(15) << 6)

static const uint64_t stacks[4] = {0x40f00000, 0x40f10010, 0x40f20020, 0x40f30030};

static void check_frame(uint64_t pstate, unsigned from, unsigned to)
{
    bool others = true;

    for (unsigned n = 1; n < 31; n++)
        others = others && frame.x[n] == UINT64_C(0x0101010101010101) * n;
    one_of_checks("x1 to x30", others, true);
    one_of_checks("level", frame.level, to);
    one_of_checks("vector", frame.vector, from < to ? 8 : pstate & 1 ? 4 : 0);
    one_of_checks("CurrentEL", frame.current_el, to << 2);
    one_of_checks("SPSel", frame.sp_selected, 1);
    one_of_checks("DAIF", frame.daif, PSTATE_DAIF);
    one_of_checks("SPSR", frame.spsr, pstate);
    one_of_checks("SP", frame.sp, stacks[to]);
    one_of_checks("SP_EL0", frame.sp_el0, stacks[0]);
    if (to > 1)
        one_of_checks("SP_EL1", frame.sp_el1, stacks[1]);
    if (to > 2)
        one_of_checks("SP_EL2", frame.sp_el2, stacks[2]);
}

static uint64_t trap_syndrome(const struct encoding *e, bool write)
{
    return UINT64_C(0x18) << 26 | 1u << 25 | 3u << 20 | e->op2 << 17 | e->op1 << 14 | e->crn << 10 |
           e->crm << 1 | !write;
}

#define WRITTEN UINT64_C(0x8000000000000000) /* reserved in every register but counts */

static void check_one(const struct controls *c, unsigned i, unsigned level, bool thread, bool write)
{
    const struct encoding *const e = &encodings[i];
    const uint64_t pstate = PSTATE_NZ | PSTATE_DAIF | level << 2 | (level > 0 && !thread);
    const uint64_t at = (uintptr_t)code[i][write][level == 0];
    const uint64_t x0 = write ? e->value : 0xdead;
    const unsigned nearest = level > 0 ? level : c->nonsecure && c->tge ? 2 : 1;
    const enum result result = expected(c, e, level, write);
    char which[] = "read  from EL0 of S3_3_C13_C02_0";

    for (unsigned n = 0; write && n < 5; n++)
        which[n] = "write"[n];
    which[13] = (char)('0' + level);
    which[21] = (char)('0' + e->op1);
    which[24] = (char)('0' + e->crn / 10);
    which[25] = (char)('0' + e->crn % 10);
    which[28] = (char)('0' + e->crm / 10);
    which[29] = (char)('0' + e->crm % 10);
    which[31] = (char)('0' + e->op2);
    run_snippet(pstate, at, x0, stacks);
    const bool ended = frame.elr == at + 8;
    const uint64_t value = e->kind == USER_ENABLE  ? c->user_enable
                           : e->kind == FINE_TRAPS ? c->fine_traps
                                                   : e->value;
    one_of_checks(which,
                  ended                  ? DONE
                  : frame.esr >> 26 == 0 ? UNDEFINED
                                         : TO_EL1 + frame.level - 1,
                  result);
    if (result == DONE) {
        if (!write)
            one_of_checks(which, frame.x[0], value);
        return check_frame(pstate, level, level == 0 ? nearest : 3);
    }
    const unsigned to = result == UNDEFINED ? nearest : result - TO_EL1 + 1;
    one_of_checks(which, frame.elr, at);
    one_of_checks(which, frame.x[0], x0);
    one_of_checks(which, frame.esr,
                  result == UNDEFINED ? UINT64_C(1) << 25 : trap_syndrome(e, write));
    check_frame(pstate, level, to);
}

/* ---- rounds ---- */

static void preset(const struct controls *c)
{
    write_amcntenclr0(0xf);
    if (unit.group1 > 0)
        write_amcntenclr1(0xffff);
    write_amcr(CONTROLS_VALUE);
    write_amuserenr(c->user_enable);
    write_scr(SCR_USUAL | (c->nonsecure ? SCR_NS : 0) | (c->fgten ? SCR_FGTEN : 0) |
              (c->amvoffen ? SCR_AMVOFFEN : 0));
    write_hcr(HCR_RW | (c->tge ? HCR_TGE : 0) | (c->e2h ? HCR_E2H : 0));
    write_cptr_el2(c->tam2 ? CPTR_TAM : 0);
    write_cptr_el3(c->tam3 ? CPTR_TAM : 0);
    if (unit.fine_traps)
        write_hafgrtr(c->fine_traps);
    for (unsigned i = 0; i < N_ENCODINGS; i++)
        if (encodings[i].kind == ORDINARY || encodings[i].kind == OFFSET)
            run_snippet(PSTATE_DAIF | 3 << 2 | 1, (uintptr_t)code[i][1][0], encodings[i].value,
                        stacks);
}

static void check_level(const struct controls *c, unsigned level, bool thread)
{
    for (unsigned i = 0; i < N_ENCODINGS; i++) {
        check_one(c, i, level, thread, false);
        /* What a round has set stays. */
        if (encodings[i].kind != USER_ENABLE && encodings[i].kind != FINE_TRAPS)
            check_one(c, i, level, thread, true);
    }
}

#define VECTOR_WORDS 32

static uint32_t vectors_before[3][VECTOR_WORDS];
static const uint32_t *const vectors[3] = {vectors_1, vectors_2, vectors_3};

/* Those for exceptions in the same level with SP_EL0, which the way of a trap leads over. */
static void check_vectors(void)
{
    for (unsigned table = 0; table < 3; table++)
        for (unsigned word = 0; word < VECTOR_WORDS; word++)
            one_of_checks("vectors", vectors[table][word], vectors_before[table][word]);
}

static void check_round(const struct controls *c)
{
    begin_checks(c->name);
    preset(c);
    for (unsigned level = 0; level < 4; level++) {
        const bool there =
            (level != 2 || c->nonsecure) && (level != 1 || !(c->tge && c->nonsecure));
        if (there)
            check_level(c, level, false);
        if (there && (level == 1 || level == 2))
            check_level(c, level, true);
    }
    check_vectors();
    end_checks();
}

void check_access(void)
{
    static const struct controls rounds[] = {
        {.name = "access, EL0 shut out", .nonsecure = true},
        {.name = "access, EL0 let in", .nonsecure = true, .user_enable = true},
        {.name = "access, CPTR_EL2.TAM", .nonsecure = true, .user_enable = true, .tam2 = true},
        {.name = "access, CPTR_EL2.TAM, EL0 shut out", .nonsecure = true, .tam2 = true},
        {.name = "access, CPTR_EL3.TAM", .nonsecure = true, .user_enable = true, .tam3 = true},
        {.name = "access, both TAM",
         .nonsecure = true,
         .user_enable = true,
         .tam2 = true,
         .tam3 = true},
        {.name = "access, HCR_EL2.TGE", .nonsecure = true, .tge = true},
        {.name = "access, HCR_EL2.TGE and E2H", .nonsecure = true, .tge = true, .e2h = true},
        {.name = "access, a host with EL0 let in and traps set",
         .nonsecure = true,
         .user_enable = true,
         .tge = true,
         .e2h = true,
         .fgten = true,
         .fine_traps = 0x3fffffffe001f},
        {.name = "access, Secure state", .tam2 = true, .tge = true, .user_enable = true},
        {.name = "access, Secure state, EL0 shut out, CPTR_EL3.TAM", .tam3 = true},
        {.name = "access, fine traps of every other register",
         .nonsecure = true,
         .user_enable = true,
         .fgten = true,
         .fine_traps = 0x1555555540015},
        {.name = "access, fine traps of the others",
         .nonsecure = true,
         .user_enable = true,
         .fgten = true,
         .fine_traps = 0x2aaaaaaaa000a},
        {.name = "access, fine traps that SCR_EL3.FGTEn does not let through",
         .nonsecure = true,
         .user_enable = true,
         .fine_traps = 0x3fffffffe001f},
        {.name = "access, SCR_EL3.AMVOFFEN", .nonsecure = true, .amvoffen = true},
        {.name = "access, SCR_EL3.AMVOFFEN and CPTR_EL3.TAM",
         .nonsecure = true,
         .amvoffen = true,
         .tam3 = true},
    };
    static const struct controls open = {.nonsecure = true, .user_enable = true};

    add_encodings();
    for (unsigned table = 0; table < 3; table++)
        for (unsigned word = 0; word < VECTOR_WORDS; word++)
            vectors_before[table][word] = vectors[table][word];
    for (unsigned i = 0; i < sizeof rounds / sizeof rounds[0]; i++)
        if ((unit.fine_traps || !rounds[i].fine_traps) && (unit.v1p1 || !rounds[i].amvoffen))
            check_round(&rounds[i]);
    preset(&open);
}
