#include "operation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Making ---------------------------------------------------------------------------------- */

static void choose_amu(struct random *r, struct armpmu_amu_config *amu)
{
    amu->v1p1 = random_chance(r, 60);
    amu->group1_counters = (uint8_t)random_below(r, 17);
    if (amu->v1p1 && random_chance(r, 50)) {
        amu->group1_map = (uint16_t)random_bits(r);
        amu->group1_offsets = (uint16_t)(random_bits(r) & amu->group1_map);
    } else if (amu->v1p1) {
        amu->group1_offsets =
            (uint16_t)(random_bits(r) & ((UINT64_C(1) << amu->group1_counters) - 1));
    }
    amu->group1_fixed = (uint16_t)random_bits(r);
    for (unsigned n = 0; n < 16; n++)
        amu->group1_events[n] = (uint16_t)(random_chance(r, 50) ? 0x0008 : 0x0300 + n % 3);
    amu->highest_el = (uint8_t)random_below(r, 4);
    amu->without_el2 = amu->highest_el != 2 && random_chance(r, 20);
    amu->without_fine_traps = random_chance(r, 20);
    amu->layout64 = random_chance(r, 50);
    amu->always_powered = random_chance(r, 30);
    amu->external_control = (uint8_t)random_below(r, 3);
    amu->affinity = random_bits(r);
    if (random_chance(r, 60)) /* a JEP106 code has no bit 7 and is not 0 */
        amu->implementer_id = (uint32_t)((random_bits(r) & 0xffffff7f) | 1);
    else
        amu->part = (uint16_t)(random_bits(r) & 0xfff);
}

static void choose_pmuv3(struct random *r, struct armpmu_pmuv3_config *pmuv3)
{
    static const uint8_t versions[] = {0, 1, 4, 5, 6, 7, 8}, counters[] = {0, 1, 4, 6, 31};

    pmuv3->version = versions[random_below(r, sizeof versions)];
    pmuv3->counters = counters[random_below(r, sizeof counters)];
    pmuv3->highest_el = (uint8_t)random_below(r, 4);
    pmuv3->without_el2 = pmuv3->highest_el != 2 && random_chance(r, 20);
    pmuv3->without_secure_el2 = random_chance(r, 30);
    pmuv3->without_fine_traps = random_chance(r, 30);
    pmuv3->always_powered = random_chance(r, 30);
    pmuv3->affinity = random_bits(r);
}

static void choose_config(struct maker *m)
{
    memset(&m->config, 0, sizeof m->config);
    m->config.core = m->core->name;
    if (strncmp(m->core->name, "xscale", 6) == 0)
        m->config.flag_erratum = random_chance(&m->random, 30);
    if (strcmp(m->core->name, "amuv1") == 0)
        choose_amu(&m->random, &m->config.amu);
    if (m->core->pmu_version != 0)
        choose_pmuv3(&m->random, &m->config.pmuv3);
}

static void collect_reaches(struct maker *m)
{
    m->n_by_instruction = 0;
    m->has_memory = false;
    for (size_t i = 0; i < m->core->n_registers; i++) {
        const struct armpmu_register *const reg = &m->core->registers[i];

        for (size_t j = 0; j < reg->n_encodings; j++) {
            const bool is_memory = reg->encodings[j].first.access >= ARMPMU_ACCESS_EXT32;
            const unsigned elements = reg->encodings[j].step == ARMPMU_STEP_NONE ? 1 : reg->count;

            m->has_memory = m->has_memory || is_memory;
            for (unsigned n = 0; !is_memory && n < elements; n++)
                if (m->n_by_instruction < REACHES_MAX)
                    m->by_instruction[m->n_by_instruction++] =
                        (struct reach){reg, n, &reg->encodings[j]};
        }
    }
}

static bool locates_faults(const struct armpmu_core *core)
{
    for (size_t i = 0; i < core->n_events; i++)
        if (core->events[i].locates_a_fault)
            return true;
    return false;
}

static const struct armpmu_event *choose_event(struct maker *m)
{
    const bool of_several = random_chance(&m->random, 15); /* rare, and harder to count */
    const struct armpmu_event *event = m->core->events;

    for (unsigned tries = 0; tries < 100; tries++) {
        event = &m->core->events[random_below(&m->random, (unsigned)m->core->n_events)];
        if (event->n_signals > of_several || random_chance(&m->random, 2))
            break;
    }
    return event;
}

static void choose_palette(struct maker *m)
{
    struct palette *const p = &m->palette;

    p->n_signals = 0;
    p->signals[p->n_signals++] = ARMPMU_SIGNAL_CPU_CYCLES;
    for (unsigned i = 0; i < 4; i++) {
        const struct armpmu_event *const event = choose_event(m);

        p->events[i] = event->first;
        for (unsigned s = 0; s < event->n_signals && s < 2; s++)
            p->signals[p->n_signals++] = (enum armpmu_signal)event->signals[s];
    }
}

void maker_start(struct maker *m, const struct armpmu_core *core, uint64_t seed)
{
    m->random.state = seed;
    m->core = core;
    choose_config(m);
    collect_reaches(m);
    m->has_faults = locates_faults(core);
    choose_palette(m);
}

static enum armpmu_signal choose_signal(struct maker *m)
{
    if (random_chance(&m->random, 85))
        return m->palette.signals[random_below(&m->random, m->palette.n_signals)];
    return (enum armpmu_signal)random_below(&m->random, ARMPMU_SIGNAL_COUNT);
}

static uint64_t choose_bits(struct random *r)
{
    switch (random_below(r, 6)) {
    case 0:
        return random_bits(r);
    case 1:
        return UINT64_C(1) << random_below(r, 64);
    case 2:
        return random_below(r, 8);
    case 3:
        return 0x80000000U | random_below(r, 16);
    case 4:
        return UINT64_MAX;
    default:
        return random_bits(r) & 0xffffffff;
    }
}

/* Event numbers in all the places where selects may lie. */
static uint64_t choose_events(struct maker *m)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < 4; i++)
        value |= (uint64_t)(m->palette.events[random_below(&m->random, 4)] & 0xff) << (8 * i);
    return value;
}

static bool is_count(const struct armpmu_register *reg)
{
    return reg->slot >= ARMPMU_SLOT_CYCLES && reg->slot < ARMPMU_SLOT_EVENT;
}

/* PMUv3: now and then CHAIN, and filters of Exception levels. */
static uint64_t choose_event_type(struct maker *m)
{
    struct random *const r = &m->random;
    const uint64_t event = m->palette.events[random_below(r, 4)];

    if (m->core->pmu_version == 0 || random_chance(r, 40))
        return event;
    return (random_chance(r, 25) ? 0x1e : event) |
           (random_chance(r, 50) ? UINT64_C(0x08000000) : random_bits(r) & 0xff000000);
}

static uint64_t choose_value(struct maker *m, const struct armpmu_register *reg)
{
    struct random *const r = &m->random;

    if (random_chance(r, 12) || reg == NULL)
        return choose_bits(r);
    switch (reg->slot) {
    case ARMPMU_SLOT_CONTROL: /* running more often than not; XSC1 keeps its selects here */
        if (reg->n_fields > 12 && random_chance(r, 60))
            return (uint64_t)m->palette.events[random_below(r, 4)] << 12 |
                   (uint64_t)m->palette.events[random_below(r, 4)] << 20 |
                   (random_bits(r) & 0x77f) | 1;
        return (random_bits(r) & (random_chance(r, 90) ? ~UINT64_C(6) : UINT64_MAX)) |
               random_chance(r, 85);
    case ARMPMU_SLOT_ENABLE:
    case ARMPMU_SLOT_INTERRUPT:
        if (armpmu_register_mask(reg, ARMPMU_FIELD_W1C) != 0)
            return random_chance(r, 60) ? 0 : choose_bits(r);
        return random_chance(r, 50) ? UINT64_MAX : choose_bits(r);
    case ARMPMU_SLOT_SELECT:
        return random_chance(r, 85) ? random_below(r, m->core->n_event_counters) : random_bits(r);
    case ARMPMU_SLOT_EVENTS:
        return choose_events(m);
    default:
        break;
    }
    if (reg->slot >= ARMPMU_SLOT_EVENT && reg->slot < ARMPMU_SLOT_OFFSET)
        return choose_event_type(m);
    if (is_count(reg) && random_chance(r, 75))
        return ~(uint64_t)random_below(r, 6) & (reg->bits == 64 ? UINT64_MAX : 0xffffffff);
    return choose_bits(r);
}

/* A neighbour of a register's encoding, or anything. */
static struct armpmu_encoding stray(struct random *r, struct armpmu_encoding at)
{
    if (random_chance(r, 20)) {
        at.access = (enum armpmu_access)random_below(r, 4);
        at.coproc = (uint8_t)random_below(r, 16);
    }
    switch (random_below(r, 4)) {
    case 0:
        at.op1 = (uint8_t)random_below(r, at.access == ARMPMU_ACCESS_MCRR ? 16 : 8);
        break;
    case 1:
        at.crn = (uint8_t)random_below(r, 16);
        break;
    case 2:
        at.crm = (uint8_t)random_below(r, 16);
        break;
    default:
        at.op2 = (uint8_t)random_below(r, 8);
        break;
    }
    if (at.access == ARMPMU_ACCESS_MCRR)
        at.crn = at.op2 = 0;
    if (at.access == ARMPMU_ACCESS_LDC)
        at.op1 = at.crm = at.op2 = 0;
    if (at.access != ARMPMU_ACCESS_MCRR)
        at.op1 &= 7;
    if (random_chance(r, 5)) /* more than any instruction has headroom for */
        at.op1 = (uint8_t)(16 + random_below(r, 240));
    return at;
}

static struct operation choose_access(struct maker *m, enum operation_kind kind)
{
    struct random *const r = &m->random;
    const struct reach *const reach = &m->by_instruction[random_below(r, m->n_by_instruction)];
    struct operation made = {.kind = kind};

    made.at = armpmu_encoding_of(reach->encodings, reach->element);
    if (random_chance(r, 6))
        made.at = stray(r, made.at);
    made.value = choose_value(m, reach->reg);
    return made;
}

static struct operation choose_bus_access(struct maker *m, enum operation_kind kind)
{
    struct random *const r = &m->random;
    struct operation made = {.kind = kind};

    made.n = random_chance(r, 98) ? 1U << random_below(r, 4) : random_below(r, 10);
    made.at.offset = (uint16_t)random_below(r, random_chance(r, 98) ? 4096 : 0x10000);
    if (random_chance(r, 60))
        made.at.offset = (uint16_t)(random_chance(r, 50) ? random_below(r, 0x20)
                                                         : 0x400 + random_below(r, 0x20));
    if (random_chance(r, 40))
        made.at.offset = (uint16_t)(0xc00 + random_below(r, 0x400));
    if (random_chance(r, 95) && made.n != 0)
        made.at.offset = (uint16_t)(made.at.offset / made.n * made.n);
    made.value = choose_bits(r);
    return made;
}

/* PMUv3 has many registers and counters: those that make the first few counters count. */
static struct operation choose_pmuv3_poke(struct maker *m)
{
    static const uint8_t slots[] = {ARMPMU_SLOT_CONTROL, ARMPMU_SLOT_ENABLE, ARMPMU_SLOT_INTERRUPT,
                                    ARMPMU_SLOT_EVENT,   ARMPMU_SLOT_COUNT,  ARMPMU_SLOT_COUNT,
                                    ARMPMU_SLOT_CYCLES,  ARMPMU_SLOT_USER};
    struct random *const r = &m->random;
    const unsigned slot = slots[random_below(r, sizeof slots)];
    struct operation made = {.kind = OPERATION_POKE};

    for (size_t i = 0; made.reg == NULL && i < m->core->n_registers; i++)
        if (m->core->registers[i].slot == slot)
            made.reg = &m->core->registers[i];
    made.n = made.reg->count == 1 ? 0 : random_below(r, 6);
    made.value = choose_value(m, made.reg);
    return made;
}

static struct operation choose_poke(struct maker *m)
{
    if (m->core->pmu_version != 0 && random_chance(&m->random, 80))
        return choose_pmuv3_poke(m);

    struct random *const r = &m->random;
    struct operation made = {.kind = OPERATION_POKE};

    do
        made.reg = &m->core->registers[random_below(r, (unsigned)m->core->n_registers)];
    while (!is_count(made.reg) && random_chance(r, 60));
    made.n = random_below(r, made.reg->count);
    made.value = choose_value(m, made.reg);
    return made;
}

/* Value of an OPERATION_CONTEXT: [1:0] Exception level, then AARCH32, EL1_, EL2_, EL3_AARCH32. */
static struct operation choose_context(struct maker *m)
{
    struct random *const r = &m->random;
    const bool is_pmuv3 = m->core->pmu_version != 0;
    const unsigned el_of_config = is_pmuv3 ? m->config.pmuv3.highest_el : m->config.amu.highest_el;
    const bool without_el2 = is_pmuv3 ? m->config.pmuv3.without_el2 : m->config.amu.without_el2;
    const unsigned highest = el_of_config == 0 ? 3 : el_of_config;
    bool is_32 = false;
    struct operation made = {.kind = OPERATION_CONTEXT};
    unsigned el;

    do
        el = random_below(r, highest + 1);
    while (el == 2 && without_el2);
    made.value = el;
    for (unsigned level = highest; level > 0; level--) {
        is_32 = is_32 || random_chance(r, 20);
        made.value |= (uint64_t)is_32 << (2 + level);
        if (level == el)
            made.value |= (uint64_t)is_32 << 2;
    }
    if (el == 0)
        made.value |= (uint64_t)(is_32 || random_chance(r, 40)) << 2;
    return made;
}

static bool belongs_to_context(enum armpmu_pin pin)
{
    return pin >= ARMPMU_PIN_EL && pin <= ARMPMU_PIN_EL3_AARCH32;
}

static struct operation choose_pin(struct maker *m)
{
    struct random *const r = &m->random;
    struct operation made = {.kind = OPERATION_PIN};

    do
        made.pin = (enum armpmu_pin)random_below(r, ARMPMU_PIN_COUNT);
    while (!armpmu_pin_is_of(m->core, made.pin) && random_chance(r, 80));
    if (belongs_to_context(made.pin))
        return choose_context(m);
    made.value = random_chance(r, 90) ? random_below(r, 2) : random_bits(r);
    if (made.pin == ARMPMU_PIN_STANDBY || made.pin == ARMPMU_PIN_DEBUG_HALTED)
        made.value = random_chance(r, 5); /* else nothing would ever count */
    if ((made.pin == ARMPMU_PIN_SCR_FGTEN || made.pin == ARMPMU_PIN_HCR_TGE) &&
        random_chance(r, 70))
        made.value = 1; /* E2H means something with both */
    if (made.pin == ARMPMU_PIN_NONSECURE && random_chance(r, 60))
        made.value = 1; /* Secure state is prohibited more often than not */
    if (made.pin == ARMPMU_PIN_DBGEN || made.pin == ARMPMU_PIN_NIDEN)
        made.value = random_chance(r, 80);
    if (made.pin == ARMPMU_PIN_MDCR_EL2 || made.pin == ARMPMU_PIN_MDCR_EL3) {
        made.value = random_bits(r) & (random_chance(r, 70) ? ~UINT64_C(0x60) : UINT64_MAX);
        if (random_chance(r, 60))
            made.value = (made.value & ~UINT64_C(0x1f)) | random_below(r, 8);
    }
    if (made.pin == ARMPMU_PIN_HDFGRTR || made.pin == ARMPMU_PIN_HDFGWTR ||
        made.pin == ARMPMU_PIN_HSTR || made.pin == ARMPMU_PIN_HAFGRTR)
        made.value = random_bits(r) & random_bits(r);
    return made;
}

static struct operation choose_fault(struct maker *m)
{
    struct random *const r = &m->random;
    struct operation made = {.kind = OPERATION_FAULT};

    made.fault.signal = (enum armpmu_signal)random_below(r, ARMPMU_SIGNAL_COUNT);
    for (unsigned tries = 0; tries < 3; tries++) {
        const struct armpmu_event *const event =
            &m->core->events[random_below(r, (unsigned)m->core->n_events)];

        if (event->n_signals > 0 && event->fidelity == ARMPMU_INPUT)
            made.fault.signal = (enum armpmu_signal)event->signals[0];
    }
    made.fault.speculative = random_chance(r, 20);
    made.fault.side = random_below(r, 3);
    made.fault.way = (uint8_t)random_below(r, 20);
    made.fault.address = (uint32_t)random_bits(r);
    return made;
}

struct operation maker_next(struct maker *m)
{
    struct random *const r = &m->random;
    const unsigned dice = random_below(r, 1000);
    struct operation made = {.kind = OPERATION_POST};

    if (m->core->pmu_version != 0 && random_chance(r, 10))
        return choose_poke(m);
    if (dice < 480) {
        made.signal = choose_signal(m);
        made.n = random_chance(r, 95) ? random_below(r, 4) : random_below(r, 200);
        return made;
    }
    if (dice < 620)
        return choose_access(m, OPERATION_READ);
    if (dice < 830)
        return choose_access(m, OPERATION_WRITE);
    if (dice < 880)
        return choose_poke(m);
    if (dice < 910 && m->has_memory)
        return choose_bus_access(m, random_chance(r, 75) ? OPERATION_LOAD : OPERATION_STORE);
    if (dice < 965)
        return choose_pin(m);
    if (dice < 975 && m->has_faults)
        return choose_fault(m);
    made.kind = dice < 985   ? OPERATION_SNAPSHOT
                : dice < 990 ? OPERATION_RESTORE
                : dice < 992 ? OPERATION_RESET
                             : OPERATION_COMPARE;
    made.n = random_below(r, 2);
    return made;
}

/* --- Running ---------------------------------------------------------------------------------- */

bool operation_fits(const struct operation *operation, const struct armpmu *pmu)
{
    const bool is_32 = armpmu_pin(pmu, ARMPMU_PIN_AARCH32) != 0;

    if (operation->kind != OPERATION_READ && operation->kind != OPERATION_WRITE)
        return true;
    if (strcmp(armpmu_core_of(pmu)->name, "amuv1") != 0)
        return true;
    return is_32 == (operation->at.access != ARMPMU_ACCESS_MSR);
}

void operation_set_context(uint64_t value, void (*set)(void *, enum armpmu_pin, uint64_t),
                           void *user)
{
    set(user, ARMPMU_PIN_EL, value & 3);
    set(user, ARMPMU_PIN_AARCH32, value >> 2 & 1);
    set(user, ARMPMU_PIN_EL1_AARCH32, value >> 3 & 1);
    set(user, ARMPMU_PIN_EL2_AARCH32, value >> 4 & 1);
    set(user, ARMPMU_PIN_EL3_AARCH32, value >> 5 & 1);
}

static void set_pin(void *user, enum armpmu_pin pin, uint64_t value)
{
    armpmu_set_pin(user, pin, value);
}

struct operation_result operation_run(struct armpmu *pmu, const struct operation *o)
{
    struct operation_result result = {ARMPMU_DONE, 0};

    switch (o->kind) {
    case OPERATION_POST:
        armpmu_post(pmu, o->signal, o->n);
        break;
    case OPERATION_READ:
        result.outcome = armpmu_read(pmu, o->at, &result.value);
        break;
    case OPERATION_WRITE:
        result.outcome = armpmu_write(pmu, o->at, o->value);
        break;
    case OPERATION_LOAD:
        result.outcome = armpmu_load(pmu, o->at.offset, o->n, &result.value);
        break;
    case OPERATION_STORE:
        result.outcome = armpmu_store(pmu, o->at.offset, o->n, o->value);
        break;
    case OPERATION_POKE:
        armpmu_poke(pmu, o->reg, o->n, o->value);
        break;
    case OPERATION_PIN:
        armpmu_set_pin(pmu, o->pin, o->value);
        break;
    case OPERATION_CONTEXT:
        operation_set_context(o->value, set_pin, pmu);
        break;
    case OPERATION_FAULT:
        armpmu_post_fault(pmu, &o->fault);
        break;
    case OPERATION_RESET:
        armpmu_reset(pmu, (enum armpmu_reset)o->n);
        break;
    case OPERATION_SNAPSHOT:
    case OPERATION_RESTORE:
    case OPERATION_COMPARE:
        break;
    }
    return result;
}

static bool same_encoding(struct armpmu_encoding a, struct armpmu_encoding b)
{
    return a.access == b.access && a.coproc == b.coproc && a.op1 == b.op1 && a.crn == b.crn &&
           a.crm == b.crm && a.op2 == b.op2;
}

const struct armpmu_register *operation_target(const struct armpmu_core *core,
                                               const struct operation *o)
{
    if (o->kind == OPERATION_POKE)
        return o->reg;
    for (size_t i = 0; o->kind == OPERATION_WRITE && i < core->n_registers; i++) {
        const struct armpmu_register *const reg = &core->registers[i];

        for (size_t j = 0; j < reg->n_encodings; j++)
            for (unsigned n = 0; n < reg->count; n++)
                if (same_encoding(armpmu_encoding_of(&reg->encodings[j], n), o->at))
                    return reg;
    }
    return NULL;
}

/* --- Printing --------------------------------------------------------------------------------- */

static void print_encoding(FILE *out, struct armpmu_encoding at)
{
    fprintf(out, "%s %u,%u,c%u,c%u,%u", armpmu_access_name(at.access), at.coproc, at.op1, at.crn,
            at.crm, at.op2);
}

void operation_print(FILE *out, const struct operation *o)
{
    switch (o->kind) {
    case OPERATION_POST:
        fprintf(out, "post %s %" PRIu32 "\n", armpmu_signal_name(o->signal), o->n);
        break;
    case OPERATION_READ:
        fprintf(out, "read ");
        print_encoding(out, o->at);
        fprintf(out, "\n");
        break;
    case OPERATION_WRITE:
        fprintf(out, "write ");
        print_encoding(out, o->at);
        fprintf(out, " = %#" PRIx64 "\n", o->value);
        break;
    case OPERATION_LOAD:
        fprintf(out, "load %#x, %" PRIu32 " bytes\n", o->at.offset, o->n);
        break;
    case OPERATION_STORE:
        fprintf(out, "store %#x, %" PRIu32 " bytes = %#" PRIx64 "\n", o->at.offset, o->n, o->value);
        break;
    case OPERATION_POKE:
        fprintf(out, "poke %s %" PRIu32 " = %#" PRIx64 "\n", o->reg->name, o->n, o->value);
        break;
    case OPERATION_PIN:
        fprintf(out, "pin %s = %#" PRIx64 "\n", armpmu_pin_name(o->pin), o->value);
        break;
    case OPERATION_CONTEXT:
        fprintf(out, "context EL%u%s, EL1-3 %s %s %s\n", (unsigned)(o->value & 3),
                o->value >> 2 & 1 ? " AArch32" : "", o->value >> 3 & 1 ? "32" : "64",
                o->value >> 4 & 1 ? "32" : "64", o->value >> 5 & 1 ? "32" : "64");
        break;
    case OPERATION_FAULT:
        fprintf(out, "fault %s%s side %d way %u at %#" PRIx32 "\n",
                armpmu_signal_name(o->fault.signal), o->fault.speculative ? " speculative" : "",
                (int)o->fault.side, o->fault.way, o->fault.address);
        break;
    case OPERATION_SNAPSHOT:
        fprintf(out, "snapshot\n");
        break;
    case OPERATION_RESTORE:
        fprintf(out, "restore\n");
        break;
    case OPERATION_RESET:
        fprintf(out, "reset %s\n", o->n == ARMPMU_RESET_COLD ? "cold" : "warm");
        break;
    case OPERATION_COMPARE:
        fprintf(out, "compare all registers\n");
        break;
    }
}

/* --- Cutting down ---------------------------------------------------------------------------- */

/* Leaves out [from, from + length), if the rest still fails. */
static bool cut(struct operation *list, size_t *count, size_t from, size_t length,
                bool (*fails)(const struct operation *, size_t, void *), void *user)
{
    struct operation *const rest = malloc(*count * sizeof *rest + 1);
    const size_t left = *count - length;
    bool better;

    if (rest == NULL)
        return false;
    memcpy(rest, list, from * sizeof *rest);
    memcpy(rest + from, list + from + length, (left - from) * sizeof *rest);
    better = fails(rest, left, user);
    if (better) {
        memcpy(list, rest, left * sizeof *rest);
        *count = left;
    }
    free(rest);
    return better;
}

void shrink(struct operation *list, size_t *count,
            bool (*fails)(const struct operation *list, size_t count, void *user), void *user)
{
    for (size_t length = *count / 2; length > 0; length /= 2) {
        size_t from = 0;

        while (from + length <= *count)
            if (!cut(list, count, from, length, fails, user))
                from += length;
    }
    /* Single ones again: what went later may have been all that needed an earlier one. */
    for (size_t from = *count; from-- > 0;)
        cut(list, count, from, 1, fails, user);
}
