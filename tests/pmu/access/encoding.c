/* Every way to a register against every other: instructions on each access, the memory-mapped view,
 * and armpmu_peek() and armpmu_poke(). */
#include <string.h>

#include "../../test.h"
#include "../operation.h"

#define PROGRAMS    25 /* random states for each core */
#define LIST_LENGTH 60

struct subject {
    union armpmu_memory memory, snapshot;
    struct armpmu *pmu;
};

static struct maker maker;
static struct subject left, right;

static void start(struct subject *s)
{
    assert_int_equal(armpmu_create(&s->memory, sizeof s->memory, &maker.config, &s->pmu, NULL),
                     ARMPMU_OK);
}

static void keep(struct subject *s)
{
    armpmu_snapshot(s->pmu, &s->snapshot);
}

static void go_back(struct subject *s)
{
    assert_int_equal(armpmu_restore(s->pmu, &s->snapshot, armpmu_snapshot_bytes(s->pmu), NULL),
                     ARMPMU_OK);
}

static bool is_pmuv3(const struct armpmu *pmu)
{
    return armpmu_core_of(pmu)->pmu_version != 0;
}

/* --- Standing where everything is allowed ---------------------------------------------------- */

static void stand(struct armpmu *pmu, bool in_aarch32)
{
    const unsigned of_config =
        is_pmuv3(pmu) ? maker.config.pmuv3.highest_el : maker.config.amu.highest_el;
    const unsigned highest = of_config == 0 ? 3 : of_config;

    armpmu_set_pin(pmu, ARMPMU_PIN_USER_MODE, 0);
    armpmu_set_pin(pmu, ARMPMU_PIN_EL, highest);
    armpmu_set_pin(pmu, ARMPMU_PIN_AARCH32, in_aarch32);
    armpmu_set_pin(pmu, ARMPMU_PIN_EL1_AARCH32, in_aarch32);
    armpmu_set_pin(pmu, ARMPMU_PIN_EL2_AARCH32, in_aarch32);
    armpmu_set_pin(pmu, ARMPMU_PIN_EL3_AARCH32, in_aarch32);
    armpmu_set_pin(pmu, ARMPMU_PIN_BUS_WORLD, 3);
    armpmu_set_pin(pmu, ARMPMU_PIN_CORE_POWERED_OFF, 0);
    armpmu_set_pin(pmu, ARMPMU_PIN_CPTR_EL3_TAM, 0);
    armpmu_set_pin(pmu, ARMPMU_PIN_SCR_AMVOFFEN, 1);
    armpmu_set_pin(pmu, ARMPMU_PIN_OS_LOCK, 0);
}

static void select_element(struct armpmu *pmu, unsigned element)
{
    const struct armpmu_register *const select =
        armpmu_register_find(armpmu_core_of(pmu), is_pmuv3(pmu) ? "PMSELR" : "PMNXSEL", NULL);

    if (select != NULL)
        armpmu_poke(pmu, select, 0, element);
}

/* --- The ways -------------------------------------------------------------------------------- */

static bool is_mapped(const struct armpmu_encodings *encodings)
{
    return encodings->first.access == ARMPMU_ACCESS_EXT32 ||
           encodings->first.access == ARMPMU_ACCESS_EXT64;
}

/* PMUv3 refuses what is only written; other monitors answer. */
static bool is_refused(const struct armpmu *pmu, const struct armpmu_register *reg,
                       const struct armpmu_encodings *encodings)
{
    return is_pmuv3(pmu) && !is_mapped(encodings) && !reg->readable;
}

/* Bits of a register that a way to it has: of PMUv3, MCR and the memory-mapped view lack some. */
static uint64_t bits_on_route(const struct armpmu *pmu, const struct armpmu_register *reg,
                              const struct armpmu_encodings *encodings)
{
    const bool is_word = encodings->bytes == 4 || encodings->first.access == ARMPMU_ACCESS_MCR;
    const uint64_t all = is_word ? UINT32_MAX : UINT64_MAX;

    if (!is_pmuv3(pmu))
        return all;
    if (encodings->first.access == ARMPMU_ACCESS_MCR &&
        (strcmp(reg->name, "PMEVTYPER<n>_EL0") == 0 || strcmp(reg->name, "PMCCFILTR_EL0") == 0))
        return 0xfaffffff; /* neither M nor SH */
    if (is_mapped(encodings) && strcmp(reg->name, "PMCR_EL0") == 0)
        return 0x7ff; /* neither IMP, IDCODE nor N */
    return all;
}

static bool is_in_layout(const struct armpmu_encodings *encodings)
{
    return encodings->first.access ==
           (maker.config.amu.layout64 ? ARMPMU_ACCESS_EXT64 : ARMPMU_ACCESS_EXT32);
}

/* Whether an auxiliary counter's event cannot be written by instructions. */
static bool is_fixed(const struct armpmu_register *reg, unsigned element)
{
    return reg->slot == ARMPMU_SLOT_EVENT + 16 && (maker.config.amu.group1_fixed >> element & 1);
}

static void write_by_route(struct subject *s, const struct armpmu_register *reg, unsigned element,
                           const struct armpmu_encodings *encodings, uint64_t value)
{
    const struct armpmu_encoding at = armpmu_encoding_of(encodings, element);
    const bool refused = !reg->writable || is_fixed(reg, element);

    stand(s->pmu, encodings->first.access != ARMPMU_ACCESS_MSR);
    if (is_mapped(encodings))
        assert_int_equal(armpmu_store(s->pmu, at.offset, encodings->bytes, value), ARMPMU_DONE);
    else
        assert_int_equal(armpmu_write(s->pmu, at, value), refused ? ARMPMU_UNDEFINED : ARMPMU_DONE);
}

/* What a write of the value leaves: bits of a counter or filter that MCR does not have stay. */
static uint64_t merged(const struct subject *s, const struct armpmu_register *reg, unsigned element,
                       const struct armpmu_encodings *encodings, uint64_t value)
{
    const uint64_t mask = bits_on_route(s->pmu, reg, encodings);

    return (value & mask) | (armpmu_peek(s->pmu, reg, element) & ~mask);
}

static uint64_t read_by_route(struct subject *s, unsigned element,
                              const struct armpmu_encodings *encodings)
{
    const struct armpmu_encoding at = armpmu_encoding_of(encodings, element);
    uint64_t value = UINT64_C(0x1234567812345678);

    stand(s->pmu, encodings->first.access != ARMPMU_ACCESS_MSR);
    if (is_mapped(encodings))
        assert_int_equal(armpmu_load(s->pmu, at.offset, encodings->bytes, &value), ARMPMU_DONE);
    else
        assert_int_equal(armpmu_read(s->pmu, at, &value), ARMPMU_DONE);
    return value;
}

static void assert_same_registers(void)
{
    const struct armpmu_core *const core = armpmu_core_of(left.pmu);

    for (size_t i = 0; i < core->n_registers; i++)
        for (unsigned n = 0; n < core->registers[i].count; n++)
            if (armpmu_peek(left.pmu, &core->registers[i], n) !=
                armpmu_peek(right.pmu, &core->registers[i], n))
                fail_msg("%s %u differs", core->registers[i].name, n);
    for (unsigned i = 0; i < ARMPMU_OUTPUT_COUNT; i++)
        assert_int_equal(armpmu_output(left.pmu, (enum armpmu_output)i),
                         armpmu_output(right.pmu, (enum armpmu_output)i));
}

/* A write by the encodings on one device, a poke on the other: all that follows is the same. As
 * every encodings is held against the poke, all encodings agree. */
static void check_write(const struct armpmu_register *reg, unsigned element,
                        const struct armpmu_encodings *encodings)
{
    const uint64_t value = random_bits(&maker.random) & (reg->bits == 64 ? UINT64_MAX : UINT32_MAX);

    go_back(&left);
    go_back(&right);
    select_element(left.pmu, element);
    select_element(right.pmu, element);
    /* As the write: filters of EL3 differ between AArch32 and AArch64. */
    stand(right.pmu, encodings->first.access != ARMPMU_ACCESS_MSR);
    write_by_route(&left, reg, element, encodings, value);
    armpmu_poke(right.pmu, reg, element, merged(&right, reg, element, encodings, value));
    assert_same_registers();
    for (unsigned n = 0; n < 3; n++) {
        const struct operation next = {.kind = OPERATION_POST,
                                       .signal = maker.palette.signals[n % maker.palette.n_signals],
                                       .n = n};

        operation_run(left.pmu, &next);
        operation_run(right.pmu, &next);
    }
    assert_same_registers();
}

static void check_read_is_refused(unsigned element, const struct armpmu_encodings *encodings)
{
    uint64_t value = 1;

    stand(left.pmu, encodings->first.access != ARMPMU_ACCESS_MSR);
    assert_int_equal(armpmu_read(left.pmu, armpmu_encoding_of(encodings, element), &value),
                     ARMPMU_UNDEFINED);
    assert_int_equal(value, 1);
}

static void check_read(const struct armpmu_register *reg, unsigned element,
                       const struct armpmu_encodings *encodings)
{
    uint64_t wanted;

    go_back(&left);
    select_element(left.pmu, element);
    if (is_refused(left.pmu, reg, encodings)) {
        check_read_is_refused(element, encodings);
        return;
    }
    wanted = armpmu_peek(left.pmu, reg, element) & bits_on_route(left.pmu, reg, encodings);
    assert_int_equal(read_by_route(&left, element, encodings), wanted);
    assert_int_equal(armpmu_peek(left.pmu, reg, element), armpmu_peek(left.pmu, reg, element));
}

/* What is on the bus is not there for instructions. */
static void check_no_instruction_leads_there(const struct armpmu_register *reg, unsigned element,
                                             const struct armpmu_encodings *encodings)
{
    const struct armpmu_encoding at = armpmu_encoding_of(encodings, element);
    const uint64_t before = armpmu_peek(left.pmu, reg, element);
    uint64_t value = 1;

    assert_int_equal(armpmu_read(left.pmu, at, &value), ARMPMU_NOT_HERE);
    assert_int_equal(value, 1);
    assert_int_equal(armpmu_write(left.pmu, at, ~before), ARMPMU_NOT_HERE);
    assert_int_equal(armpmu_peek(left.pmu, reg, element), before);
}

/* The virtual offsets are for EL2 and EL3: nothing reaches them where EL1 is the highest. */
static bool is_out_of_reach(const struct armpmu_register *reg)
{
    return reg->permission == ARMPMU_PERMIT_AMU_OFFSET && maker.config.amu.highest_el == 1;
}

static void check_element(const struct armpmu_register *reg, unsigned element)
{
    if (!armpmu_has_register(left.pmu, reg, element) || is_out_of_reach(reg))
        return;
    for (size_t i = 0; i < reg->n_encodings; i++) {
        const struct armpmu_encodings *const encodings = &reg->encodings[i];

        if (is_mapped(encodings))
            check_no_instruction_leads_there(reg, element, encodings);
        if (is_mapped(encodings) && !is_in_layout(encodings))
            continue;
        if (!is_mapped(encodings) || is_pmuv3(left.pmu))
            check_write(reg, element, encodings);
        check_read(reg, element, encodings);
    }
}

static void check_core(const struct armpmu_core *core, uint64_t seed)
{
    maker_start(&maker, core, seed);
    start(&left);
    start(&right);
    for (unsigned i = 0; i < LIST_LENGTH; i++) {
        const struct operation next = maker_next(&maker);

        operation_run(left.pmu, &next);
        operation_run(right.pmu, &next);
    }
    keep(&left);
    keep(&right);
    for (size_t i = 0; i < core->n_registers; i++)
        for (unsigned n = 0; n < core->registers[i].count; n++)
            check_element(&core->registers[i], n);
}

TEST(every_route_leads_to_the_same_register)
{
    size_t count;
    const struct armpmu_core *const *const cores = armpmu_cores(&count);

    for (size_t i = 0; i < count; i++)
        for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
            printf("%s, seed %u\n", cores[i]->name, (unsigned)seed);
            check_core(cores[i], seed);
        }
}

TEST(an_element_beyond_the_last_is_not_there)
{
    size_t count;
    const struct armpmu_core *const *const cores = armpmu_cores(&count);

    for (size_t i = 0; i < count; i++) {
        maker_start(&maker, cores[i], 1);
        start(&left);
        for (size_t r = 0; r < cores[i]->n_registers; r++) {
            const struct armpmu_register *const reg = &cores[i]->registers[r];

            keep(&left);
            armpmu_poke(left.pmu, reg, reg->count, UINT64_MAX);
            armpmu_snapshot(left.pmu, &right.snapshot);
            assert_memory_equal(&left.snapshot, &right.snapshot, armpmu_snapshot_bytes(left.pmu));
            assert_false(armpmu_has_register(left.pmu, reg, reg->count));
            assert_false(armpmu_has_register(left.pmu, reg, UINT32_MAX));
            assert_int_equal(armpmu_peek(left.pmu, reg, reg->count), 0);
        }
    }
}
