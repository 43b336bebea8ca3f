/* What the device library says about its pins and lines, and about pins that do not exist. */
#include <string.h>

#include "../test.h"
#include "armpmu/pmu.h"

static const struct {
    const char *name, *meaning;
    unsigned bits;
    uint64_t initial;
} pins[] = {
#define PIN(id, bits, initial, meaning) {#id, meaning, bits, initial},
#include "armpmu/pin.def"
#undef PIN
};

static const struct {
    const char *name, *meaning;
    bool active_low;
} outputs[] = {
#define OUTPUT(id, pin, active_low, meaning) {pin, meaning, active_low},
#include "armpmu/output.def"
#undef OUTPUT
};

static struct armpmu *make(void)
{
    static union armpmu_memory memory;
    const struct armpmu_config config = {.core = "cortex-r4f"};
    struct armpmu *pmu;

    assert_int_equal(armpmu_create(&memory, sizeof memory, &config, &pmu, NULL), ARMPMU_OK);
    return pmu;
}

TEST(pins_are_described)
{
    for (unsigned i = 0; i < ARMPMU_PIN_COUNT; i++) {
        assert_string_equal(armpmu_pin_name((enum armpmu_pin)i), pins[i].name);
        assert_string_equal(armpmu_pin_meaning((enum armpmu_pin)i), pins[i].meaning);
        assert_int_equal(armpmu_pin_bits((enum armpmu_pin)i), pins[i].bits);
    }
}

TEST(outputs_are_described)
{
    for (unsigned i = 0; i < ARMPMU_OUTPUT_COUNT; i++) {
        const enum armpmu_output output = (enum armpmu_output)i;

        assert_string_equal(armpmu_output_name(output), outputs[i].name);
        assert_string_equal(armpmu_output_meaning(output), outputs[i].meaning);
        assert_int_equal(armpmu_output_is_active_low(output), outputs[i].active_low);
    }
}

/* The core's pins from this one on post the signals from that one on. */
static const struct {
    const char *core;
    enum armpmu_pin first;
    enum armpmu_signal signal;
    unsigned n;
} inputs[] = {
    {"cortex-a8", ARMPMU_PIN_PMUEXTIN0, ARMPMU_SIGNAL_EXTERNAL_INPUT0, 2},
    {"cortex-r4f", ARMPMU_PIN_ETMEXTOUT0, ARMPMU_SIGNAL_EXTERNAL_INPUT0, 2},
    {"xscale1", ARMPMU_PIN_PRODUCT0, ARMPMU_SIGNAL_PRODUCT_INPUT0, 8},
    {"xscale2", ARMPMU_PIN_PRODUCT0, ARMPMU_SIGNAL_PRODUCT_INPUT0, 8},
#define PMUV3_CORE(name, id, linux, short, letter, ...)                                            \
    {name, (letter) == '2' ? ARMPMU_PIN_TRCEXTOUT0 : ARMPMU_PIN_COUNT,                             \
     (letter) == '2' ? ARMPMU_SIGNAL_TRACE_OUTPUT0 : ARMPMU_SIGNAL_COUNT,                          \
     (letter) == '2' ? 8 : 0},
#include "../manual/pmuv3_cores.def"
#undef PMUV3_CORE
    {"amuv1", ARMPMU_PIN_COUNT, ARMPMU_SIGNAL_COUNT, 0},
};

TEST(an_input_says_what_its_edges_post)
{
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        const struct armpmu_core *const core = armpmu_core_find(inputs[i].core);

        for (unsigned pin = 0; pin <= ARMPMU_PIN_COUNT; pin++) {
            const unsigned n = pin - inputs[i].first;
            enum armpmu_signal signal = ARMPMU_SIGNAL_COUNT;

            assert_int_equal(armpmu_pin_signal(core, (enum armpmu_pin)pin, &signal),
                             n < inputs[i].n);
            assert_int_equal(signal, n < inputs[i].n ? inputs[i].signal + n : ARMPMU_SIGNAL_COUNT);
        }
    }
}

TEST(a_pin_has_its_initial_value_and_keeps_the_bits_it_has)
{
    struct armpmu *const pmu = make();

    for (unsigned i = 0; i < ARMPMU_PIN_COUNT; i++) {
        const enum armpmu_pin pin = (enum armpmu_pin)i;
        const uint64_t all = pins[i].bits == 64 ? UINT64_MAX : (UINT64_C(1) << pins[i].bits) - 1;

        assert_int_equal(armpmu_pin(pmu, pin), pins[i].initial);
        armpmu_set_pin(pmu, pin, UINT64_MAX);
        assert_int_equal(armpmu_pin(pmu, pin), all);
        armpmu_set_pin(pmu, pin, ~all);
        assert_int_equal(armpmu_pin(pmu, pin), 0);
    }
}

/* As an embedder with newer headers may ask. */
TEST(a_pin_that_does_not_exist_is_low_and_has_no_name)
{
    struct armpmu *const pmu = make();
    static union armpmu_memory before, after;

    armpmu_snapshot(pmu, &before);
    for (unsigned beyond = 0; beyond < 3; beyond++) {
        const enum armpmu_pin pin = (enum armpmu_pin)(ARMPMU_PIN_COUNT + beyond);
        const enum armpmu_output output = (enum armpmu_output)(ARMPMU_OUTPUT_COUNT + beyond);

        armpmu_set_pin(pmu, pin, 1);
        assert_int_equal(armpmu_pin(pmu, pin), 0);
        assert_int_equal(armpmu_pin_bits(pin), 0);
        assert_string_equal(armpmu_pin_name(pin), "");
        assert_string_equal(armpmu_pin_meaning(pin), "");
        assert_false(armpmu_output(pmu, output));
        assert_false(armpmu_output_is_active_low(output));
        assert_string_equal(armpmu_output_name(output), "");
        assert_string_equal(armpmu_output_meaning(output), "");
    }
    armpmu_snapshot(pmu, &after);
    assert_memory_equal(&before, &after, armpmu_snapshot_bytes(pmu));
}
