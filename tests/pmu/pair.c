#include "pair.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

static bool differ(struct pair *p, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(p->difference, sizeof p->difference, format, arguments);
    va_end(arguments);
    return false;
}

/* --- What the device tells ------------------------------------------------------------------ */

/* Who is called may ask, and disturbs nothing: the counts are exact. */
static void ask(struct pair *p)
{
    const struct armpmu_core *const core = armpmu_core_of(p->pmu);

    for (size_t i = 0; i < core->n_registers; i += 3)
        armpmu_peek(p->pmu, &core->registers[i], 0);
}

static void on_output(void *user, enum armpmu_output output, bool asserted)
{
    struct pair *const p = user;

    if (p->lines[output] == asserted)
        differ(p, "the callback reports %s = %d twice", armpmu_output_name(output), asserted);
    p->lines[output] = asserted;
    ask(p);
}

static void on_overflow(void *user, const struct armpmu_counter *counter)
{
    struct pair *const p = user;

    p->told.overflows[counter - armpmu_core_of(p->pmu)->counters]++;
    ask(p);
}

static void on_exported(void *user, const struct armpmu_event *event, uint32_t n)
{
    struct pair *const p = user;

    p->told.exported += (uint64_t)n * (event->first + 1U);
    ask(p);
}

static void on_event_bus(void *user, uint64_t bits)
{
    struct pair *const p = user;

    p->told.bus_clocks++;
    p->told.bus_sum += p->told.bus_clocks * bits;
    ask(p);
}

bool pair_create(struct pair *p, const struct armpmu_config *config)
{
    struct armpmu_config own = *config;
    struct armpmu_error error = {""};

    memset(p, 0, sizeof *p);
    own.output = on_output;
    own.overflow = on_overflow;
    own.exported = on_exported;
    own.event_bus = on_event_bus;
    own.user = p;
    if (armpmu_create(&p->memory, sizeof p->memory, &own, &p->pmu, &error) != ARMPMU_OK)
        return differ(p, "not created: %.200s", error.message);
    reference_create(&p->reference, config);
    return true;
}

/* --- Comparing -------------------------------------------------------------------------------- */

static bool agree_on_lines(struct pair *p)
{
    for (unsigned i = 0; i < ARMPMU_OUTPUT_COUNT; i++) {
        const enum armpmu_output output = (enum armpmu_output)i;
        const bool wanted = reference_output(&p->reference, output);

        if (armpmu_output(p->pmu, output) != wanted)
            return differ(p, "%s is %d, wanted %d", armpmu_output_name(output), !wanted, wanted);
        if (p->lines[i] != wanted)
            return differ(p, "the callback left %s at %d", armpmu_output_name(output), !wanted);
    }
    return p->difference[0] == '\0';
}

static bool agree_on_told(struct pair *p)
{
    const struct reference_told *const wanted = &p->reference.told;

    for (unsigned i = 0; i < REFERENCE_COUNTERS; i++)
        if (p->told.overflows[i] != wanted->overflows[i])
            return differ(p, "%" PRIu64 " overflows of counter %u told, wanted %" PRIu64,
                          p->told.overflows[i], i, wanted->overflows[i]);
    if (p->told.exported != wanted->exported)
        return differ(p, "exported events add up to %" PRIu64 ", wanted %" PRIu64, p->told.exported,
                      wanted->exported);
    if (p->told.bus_clocks != wanted->bus_clocks || p->told.bus_sum != wanted->bus_sum)
        return differ(
            p, "event bus: %" PRIu64 " clocks, sum %#" PRIx64 ", wanted %" PRIu64 ", %#" PRIx64,
            p->told.bus_clocks, p->told.bus_sum, wanted->bus_clocks, wanted->bus_sum);
    return true;
}

static bool agree_on_access(struct pair *p, enum armpmu_outcome outcome, uint64_t value,
                            enum armpmu_outcome wanted_outcome, uint64_t wanted)
{
    if (outcome != wanted_outcome)
        return differ(p, "outcome %d, wanted %d", (int)outcome, (int)wanted_outcome);
    if (value != wanted)
        return differ(p, "read %#" PRIx64 ", wanted %#" PRIx64, value, wanted);
    return true;
}

static bool agree_on_registers(struct pair *p)
{
    const struct armpmu_core *const core = armpmu_core_of(p->pmu);

    for (size_t i = 0; i < core->n_registers; i++) {
        const struct armpmu_register *const reg = &core->registers[i];

        for (unsigned n = 0; n < reg->count; n++) {
            const uint64_t value = armpmu_peek(p->pmu, reg, n);
            const uint64_t wanted = reference_peek(&p->reference, reg->name, n);

            if (value != wanted)
                return differ(p, "%s %u is %#" PRIx64 ", wanted %#" PRIx64, reg->name, n, value,
                              wanted);
        }
    }
    for (unsigned i = 0; i < ARMPMU_PIN_COUNT; i++)
        if (armpmu_pin(p->pmu, (enum armpmu_pin)i) != p->reference.pin[i])
            return differ(p, "pin %s differs", armpmu_pin_name((enum armpmu_pin)i));
    return true;
}

/* --- Doing ------------------------------------------------------------------------------------ */

static bool do_access(struct pair *p, const struct operation *o)
{
    const uint64_t untouched = UINT64_C(0x5a5a5a5a5a5a5a5a);
    uint64_t value = untouched, wanted = untouched;
    enum armpmu_outcome outcome, wanted_outcome, foretold = ARMPMU_DONE;

    if (o->kind == OPERATION_READ || o->kind == OPERATION_WRITE)
        foretold = armpmu_try(p->pmu, o->at, o->kind == OPERATION_WRITE);
    switch ((int)o->kind) {
    case OPERATION_READ:
        outcome = armpmu_read(p->pmu, o->at, &value);
        wanted_outcome = reference_read(&p->reference, o->at, &wanted);
        break;
    case OPERATION_WRITE:
        outcome = armpmu_write(p->pmu, o->at, o->value);
        wanted_outcome = reference_write(&p->reference, o->at, o->value);
        break;
    case OPERATION_LOAD:
        outcome = armpmu_load(p->pmu, o->at.offset, o->n, &value);
        wanted_outcome = reference_load(&p->reference, o->at.offset, o->n, &wanted);
        break;
    default:
        outcome = armpmu_store(p->pmu, o->at.offset, o->n, o->value);
        wanted_outcome = reference_store(&p->reference, o->at.offset, o->n, o->value);
        break;
    }
    if (o->kind <= OPERATION_WRITE && foretold != outcome)
        return differ(p, "outcome %d, but armpmu_try() says %d", (int)outcome, (int)foretold);
    return agree_on_access(p, outcome, value, wanted_outcome, wanted);
}

static void set_pins(void *user, enum armpmu_pin pin, uint64_t value)
{
    struct pair *const p = user;

    armpmu_set_pin(p->pmu, pin, value);
    reference_set_pin(&p->reference, pin, value);
}

static void take_snapshot(struct pair *p)
{
    armpmu_snapshot(p->pmu, &p->snapshot);
    p->saved = p->reference;
    p->has_snapshot = true;
}

static bool go_back(struct pair *p)
{
    const struct reference_told told = p->reference.told;

    if (!p->has_snapshot)
        return true;
    if (armpmu_restore(p->pmu, &p->snapshot, armpmu_snapshot_bytes(p->pmu), NULL) != ARMPMU_OK)
        return differ(p, "does not take its own snapshot back");
    p->reference = p->saved;
    p->reference.told = told;
    return true;
}

static bool do_one(struct pair *p, const struct operation *o)
{
    switch (o->kind) {
    case OPERATION_POST:
        armpmu_post(p->pmu, o->signal, o->n);
        reference_post(&p->reference, o->signal, o->n);
        return true;
    case OPERATION_READ:
    case OPERATION_WRITE:
    case OPERATION_LOAD:
    case OPERATION_STORE:
        return do_access(p, o);
    case OPERATION_POKE:
        armpmu_poke(p->pmu, o->reg, o->n, o->value);
        reference_poke(&p->reference, o->reg->name, o->n, o->value);
        return true;
    case OPERATION_PIN:
        set_pins(p, o->pin, o->value);
        return true;
    case OPERATION_CONTEXT:
        operation_set_context(o->value, set_pins, p);
        return true;
    case OPERATION_FAULT:
        armpmu_post_fault(p->pmu, &o->fault);
        reference_post_fault(&p->reference, &o->fault);
        return true;
    case OPERATION_SNAPSHOT:
        take_snapshot(p);
        return true;
    case OPERATION_RESTORE:
        return go_back(p);
    case OPERATION_RESET:
        armpmu_reset(p->pmu, (enum armpmu_reset)o->n);
        reference_reset(&p->reference, (enum armpmu_reset)o->n);
        return true;
    case OPERATION_COMPARE:
        return agree_on_registers(p);
    }
    return false;
}

bool pair_do(struct pair *p, const struct operation *o)
{
    return !operation_fits(o, p->pmu) || (do_one(p, o) && agree_on_lines(p) && agree_on_told(p));
}
