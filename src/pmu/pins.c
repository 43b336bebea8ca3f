/* Pins in and lines out. */
#include "pmu/device.h"

static const struct {
    const char *name, *meaning;
    uint64_t initial;
    uint8_t bits;
} pins[] = {
#define PIN(id, bits, initial, meaning) {#id, meaning, initial, bits},
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

static bool pin_exists(enum armpmu_pin pin)
{
    return pin < ARMPMU_PIN_COUNT;
}

const char *armpmu_pin_name(enum armpmu_pin pin)
{
    return pin_exists(pin) ? pins[pin].name : "";
}

const char *armpmu_pin_meaning(enum armpmu_pin pin)
{
    return pin_exists(pin) ? pins[pin].meaning : "";
}

unsigned armpmu_pin_bits(enum armpmu_pin pin)
{
    return pin_exists(pin) ? pins[pin].bits : 0;
}

const char *armpmu_output_name(enum armpmu_output output)
{
    return output < ARMPMU_OUTPUT_COUNT ? outputs[output].name : "";
}

const char *armpmu_output_meaning(enum armpmu_output output)
{
    return output < ARMPMU_OUTPUT_COUNT ? outputs[output].meaning : "";
}

bool armpmu_output_is_active_low(enum armpmu_output output)
{
    return output < ARMPMU_OUTPUT_COUNT && outputs[output].active_low;
}

bool armpmu_pin_is_of(const struct armpmu_core *core, enum armpmu_pin pin)
{
    const struct model *const model = pmu_model_of(core);

    return model != NULL && pin_exists(pin) && (model->pins >> pin & 1) != 0;
}

bool armpmu_output_is_of(const struct armpmu_core *core, enum armpmu_output output)
{
    const struct model *const model = pmu_model_of(core);

    return model != NULL && output < ARMPMU_OUTPUT_COUNT && (model->lines >> output & 1) != 0;
}

uint64_t pmu_pin_initial(enum armpmu_pin pin)
{
    return pins[pin].initial;
}

static bool input_signal(const struct model *model, enum armpmu_pin pin, enum armpmu_signal *signal)
{
    if (pin < model->first_input || pin >= model->first_input + model->n_inputs)
        return false;
    *signal = (enum armpmu_signal)(model->first_input_signal + (pin - model->first_input));
    return true;
}

bool armpmu_pin_signal(const struct armpmu_core *core, enum armpmu_pin pin,
                       enum armpmu_signal *signal)
{
    const struct model *const model = pmu_model_of(core);

    return model != NULL && input_signal(model, pin, signal);
}

/* CHOICE(input-edge): an external event input counts its rising edges, however long it stays high.
 */
static void post_edge(struct armpmu *pmu, enum armpmu_pin pin)
{
    enum armpmu_signal signal;

    if (input_signal(pmu->model, pin, &signal))
        armpmu_post(pmu, signal, 1);
}

void armpmu_set_pin(struct armpmu *pmu, enum armpmu_pin pin, uint64_t value)
{
    if (!pin_exists(pin))
        return;
    const bool rose = pmu->state.pin[pin] == 0 && (value & bits_below(pins[pin].bits)) != 0;
    pmu_sync(pmu);
    pmu->state.pin[pin] = value & bits_below(pins[pin].bits);
    pmu_update_thresholds(pmu);
    pmu_update_outputs(pmu);
    if (rose)
        post_edge(pmu, pin);
}

bool armpmu_pin_matters(struct armpmu *pmu, enum armpmu_pin pin, uint64_t value)
{
    if (!pin_exists(pin) || (pmu->model->pins >> pin & 1) == 0 ||
        pmu->state.pin[pin] == (value & bits_below(pins[pin].bits)))
        return false;
    return pmu_counting_differs(pmu, pin, value & bits_below(pins[pin].bits));
}

uint64_t armpmu_get_pin(const struct armpmu *pmu, enum armpmu_pin pin)
{
    return pin_exists(pin) ? pmu->state.pin[pin] : 0;
}

bool armpmu_get_output(const struct armpmu *pmu, enum armpmu_output output)
{
    return output < ARMPMU_OUTPUT_COUNT && (pmu->state.outputs >> output & 1) != 0;
}

void pmu_update_outputs(struct armpmu *pmu)
{
    const uint32_t asserted = pmu->model->outputs != NULL ? pmu->model->outputs(pmu) : 0;
    const uint32_t changed = asserted ^ pmu->state.outputs;

    pmu->state.outputs = asserted;
    if (changed == 0 || pmu->config.output == NULL)
        return;
    for (unsigned i = 0; i < ARMPMU_OUTPUT_COUNT; i++)
        if (changed >> i & 1)
            pmu->config.output(pmu->config.user, (enum armpmu_output)i, asserted >> i & 1);
}
