/* Who may use which register, and the exception that others get. */
#include "conformance.h"
#include "registers.h"

#define UNTOUCHED 0x5eed5eedu
#define ENTRY_PSR (PSR_N | PSR_C | PSR_I | PSR_F)

struct circumstances {
    const char *name;
    uint32_t mode, useren;
};

/* USEREN matters to User mode only. */
static const struct circumstances all_circumstances[] = {
    {"User mode, USEREN 0:", MODE_USER, 0},
    {"User mode, USEREN 1:", MODE_USER, 1},
    {"Supervisor mode:", MODE_SVC, 0},
    {"System mode:", MODE_SYSTEM, 0},
    {"FIQ mode:", MODE_FIQ, 0},
    {"IRQ mode, USEREN 1:", MODE_IRQ, 1},
    {"Abort mode:", MODE_ABORT, 0},
    {"Undefined mode:", MODE_UND, 0},
};

static int is_allowed(uint32_t group, const struct circumstances *c, unsigned is_write)
{
    switch ((enum group)group) {
    case OPEN:
        return c->mode != MODE_USER || c->useren;
    case SHOWN:
        return c->mode != MODE_USER || !is_write;
    case CLOSED:
        return c->mode != MODE_USER;
    case NONE:
        return 0;
    }
    return 0;
}

/* What System mode reads there; the snippet ends by SVC or Undefined, in r0 either way. */
static uint32_t privileged_value(const struct encoding *e)
{
    struct outcome o;
    run_snippet(ENTRY_PSR | MODE_SYSTEM, e->code[0][0], UNTOUCHED, &o);
    return o.r0;
}

static void try_access(const struct encoding *e, const struct circumstances *c, unsigned set,
                       unsigned is_write)
{
    static const char *const kinds[2][2] = {{"A32 read of", "A32 write of"},
                                            {"T32 read of", "T32 write of"}};
    const uint32_t psr = ENTRY_PSR | c->mode | (set ? PSR_T : 0);
    const uint32_t code = e->code[set][is_write];
    const uint32_t in_handler = PSR_MODE | PSR_I | PSR_T;
    struct outcome o;

    clear_all();
    write_useren(c->useren);
    const uint32_t value = privileged_value(e);
    const int allowed = is_allowed(e->group, c, is_write);
    const uint32_t r0 = is_write ? c->useren : UNTOUCHED; /* a write changes nothing that matters */
    run_snippet(psr, code, r0, &o);
    const struct aspect aspects[] = {
        {"(exception)", o.exception, allowed ? SVC : UNDEFINED},
        {"(register)", o.r0, allowed && !is_write ? value : r0},
        {"(SPSR)", o.spsr, psr},
        {"(CPSR)", o.cpsr & in_handler, (allowed ? MODE_SVC : MODE_UND) | PSR_I},
        {"(LR)", o.lr, code + (allowed ? (set ? 6 : 8) : (set ? 2 : 4))},
    };
    check_aspects(c->name, kinds[set][is_write], e->name, aspects,
                  sizeof aspects / sizeof aspects[0]);
}

static void check_swincr_reads_zero(void)
{
    for (uint32_t i = 0; i < n_encodings; i++) {
        if (encodings[i].name[0] == 'S')
            check("SWINCR reads as", "zero", privileged_value(&encodings[i]), 0);
    }
}

void check_access(void)
{
    const unsigned n = sizeof all_circumstances / sizeof all_circumstances[0];

    for (unsigned c = 0; c < n; c++) {
        for (uint32_t i = 0; i < n_encodings; i++) {
            for (unsigned kind = 0; kind < 4; kind++)
                try_access(&encodings[i], &all_circumstances[c], kind / 2, kind % 2);
        }
    }
    check_swincr_reads_zero();
    clear_all();
}
