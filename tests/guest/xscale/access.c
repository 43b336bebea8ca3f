/* Who may use which register, and the exception that others get. */
#include "unit.h"
#include "xscale.h"

#define UNTOUCHED 0x5eed5eedu
#define ENTRY_PSR (PSR_N | PSR_C | PSR_I | PSR_F)

static const struct circumstances {
    const char *name;
    uint32_t mode;
} all_circumstances[] = {
    {"User mode:", MODE_USER},     {"Supervisor mode:", MODE_SVC}, {"System mode:", MODE_SYSTEM},
    {"FIQ mode:", MODE_FIQ},       {"IRQ mode:", MODE_IRQ},        {"Abort mode:", MODE_ABORT},
    {"Undefined mode:", MODE_UND},
};

#define N_CIRCUMSTANCES (sizeof all_circumstances / sizeof all_circumstances[0])

/* An access of r0 that is performed, or is Undefined. r0: before and after. */
static void try_code(const struct circumstances *c, const char *kind, const char *name,
                     uint32_t code, int allowed, uint32_t before, uint32_t after)
{
    const uint32_t psr = ENTRY_PSR | c->mode;
    struct outcome o;

    run_snippet(psr, code, before, &o);
    const struct aspect aspects[] = {
        {"(exception)", o.exception, allowed ? SVC : UNDEFINED},
        {"(register)", o.r0, after},
        {"(SPSR)", o.spsr, psr},
        {"(CPSR)", o.cpsr & (PSR_MODE | PSR_I), (allowed ? MODE_SVC : MODE_UND) | PSR_I},
        {"(LR)", o.lr, code + (allowed ? 8 : 4)},
    };
    check_aspects(c->name, kind, name, aspects, sizeof aspects / sizeof aspects[0]);
}

/* What System mode reads there. */
static uint32_t privileged_value(const struct encoding *e)
{
    struct outcome o;
    run_snippet(ENTRY_PSR | MODE_SYSTEM, e->code[0], UNTOUCHED, &o);
    return o.r0;
}

static void try_register(const struct encoding *e, const struct circumstances *c)
{
    const int allowed = e->group == PRIVILEGED && c->mode != MODE_USER;

    clear_all();
    set_counter(0, 0x1234);
    const uint32_t value = privileged_value(e);
    try_code(c, "read of", e->name, e->code[0], allowed, UNTOUCHED, allowed ? value : UNTOUCHED);
    try_code(c, "write of", e->name, e->code[1], allowed, 0, 0);
}

#if GENERATION == 1
/* LDC and STC reach the registers by their CRn. */
static void try_memory(const struct circumstances *c)
{
    const int allowed = c->mode != MODE_USER;
    volatile uint32_t cell = UNTOUCHED;
    const uint32_t at = (uint32_t)&cell;

    clear_all();
    write_ccnt(0x1234);
    try_code(c, "STC of", "CCNT", memory_accesses[0], allowed, at, at);
    check_words((const char *const[CHECK_WORDS]){c->name, "STC of", "CCNT", "(memory)"}, cell,
                allowed ? 0x1234 : UNTOUCHED);
    cell = 0x5678;
    try_code(c, "LDC of", "CCNT", memory_accesses[1], allowed, at, at);
    check_words((const char *const[CHECK_WORDS]){c->name, "LDC of", "CCNT", "(value)"}, read_ccnt(),
                allowed ? 0x5678 : 0x1234);
}
#endif

void check_access(void)
{
    for (unsigned i = 0; i < N_CIRCUMSTANCES; i++) {
        for (uint32_t n = 0; n < n_encodings; n++)
            try_register(&encodings[n], &all_circumstances[i]);
#if GENERATION == 1
        try_memory(&all_circumstances[i]);
#endif
    }
    clear_all();
}
