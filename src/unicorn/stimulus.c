#include "unicorn/stimulus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "unicorn/firmware.h"

/* ---- pins ------------------------------------------------------------------------------------
 */

static bool find_pin(const char *name, size_t length, enum armpmu_pin *out)
{
    for (unsigned pin = 0; pin < ARMPMU_PIN_COUNT; pin++) {
        const char *const known = armpmu_pin_name((enum armpmu_pin)pin);
        if (strlen(known) == length && strncasecmp(known, name, length) == 0) {
            *out = (enum armpmu_pin)pin;
            return true;
        }
    }
    return false;
}

static bool read_number(const char *text, uint64_t *value, const char **end)
{
    char *after;

    errno = 0;
    *value = strtoull(text, &after, 0);
    *end = after;
    return text[0] >= '0' && text[0] <= '9' && errno == 0;
}

static enum armpmu_status add_pulse(struct stimulus *stimulus, enum armpmu_pin pin,
                                    const char *spec, const char *period, struct armpmu_error *err)
{
    uint64_t n;
    const char *end;

    if (armpmu_pin_bits(pin) != 1)
        return fail(err, ARMPMU_BAD_CONFIG, "--pin '%.80s': only pins of one bit have pulses",
                    spec);
    if (!read_number(period, &n, &end) || n == 0 || (strcmp(end, "c") && strcmp(end, "i")))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--pin '%.80s': pulses come every N cycles (every:1000c) or instructions "
                    "(every:1000i)",
                    spec);
    if (stimulus->n_pulses == STIMULUS_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "--pin: more than %u pins with pulses", STIMULUS_MAX);
    stimulus->pulses[stimulus->n_pulses++] = (struct stimulus_pulse){
        .pin = pin,
        .clock = *end == 'c' ? ARMPMU_SIGNAL_CPU_CYCLES : ARMPMU_SIGNAL_INST_RETIRED,
        .period = n,
    };
    return ARMPMU_OK;
}

/* Edges that the device counts by itself are in the tallies too. */
static void stimulus_pin(struct firmware *fw, enum armpmu_pin pin, uint64_t value)
{
    const bool rises = armpmu_pin(monitors_own(&fw->monitors), pin) == 0 && value != 0;
    enum armpmu_signal signal;

    monitors_set_pin(&fw->monitors, pin, value);
    if (rises && armpmu_pin_signal(armpmu_machine_core(fw->run->machine), pin, &signal))
        fw->signals[signal]++;
}

#define VINITHI "VINITHI="

/* A pin of the processor, not of its monitor: what SCTLR.V is after reset. */
static enum armpmu_status set_vinithi(struct firmware *fw, const char *spec,
                                      struct armpmu_error *err)
{
    const char *const value = spec + strlen(VINITHI);

    if (!fw->core->firmware.vinithi)
        return fail(err, ARMPMU_BAD_CONFIG, "--pin '%.80s': the %s has no such pin", spec,
                    fw->core->name);
    if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--pin '%.80s': must be 1, for vectors at 0xffff0000 after reset, or 0", spec);
    fw->stimulus->high_vectors = value[0] == '1';
    return ARMPMU_OK;
}

static enum armpmu_status add_pin(struct firmware *fw, const char *spec, struct armpmu_error *err)
{
    const size_t length = strcspn(spec, "=");
    enum armpmu_pin pin;
    uint64_t value;
    const char *end;

    if (strncasecmp(spec, VINITHI, strlen(VINITHI)) == 0)
        return set_vinithi(fw, spec, err);
    if (!find_pin(spec, length, &pin))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--pin '%.80s': there is no such pin; write NAME=VALUE or NAME=every:1000c "
                    "with a name like PMUEXTIN0, NIDEN or VINITHI",
                    spec);
    const char *const text = spec + length + (spec[length] == '=');
    if (strncmp(text, "every:", 6) == 0)
        return add_pulse(fw->stimulus, pin, spec, text + 6, err);
    if (!read_number(text, &value, &end) || *end != '\0' ||
        (armpmu_pin_bits(pin) < 64 && value >> armpmu_pin_bits(pin) != 0))
        return fail(err, ARMPMU_BAD_CONFIG, "--pin '%.80s': the value is not a number of %u bits",
                    spec, armpmu_pin_bits(pin));
    stimulus_pin(fw, pin, value);
    return ARMPMU_OK;
}

/* A rising edge is one event, however many come together. */
void stimulus_pulses(struct firmware *fw, const uint64_t *before, const uint64_t *now)
{
    for (unsigned i = 0; i < fw->stimulus->n_pulses; i++) {
        const struct stimulus_pulse *const pulse = &fw->stimulus->pulses[i];
        uint64_t n = now[pulse->clock] / pulse->period - before[pulse->clock] / pulse->period;
        for (; n > 0; n--) {
            stimulus_pin(fw, pulse->pin, 1);
            stimulus_pin(fw, pulse->pin, 0);
        }
    }
}

/* ---- errors in memories ----------------------------------------------------------------------
 */

/* Called from wherever the model runs; who takes its counts waits for that. */
static void on_found(void *user, const struct armpmu_fault *fault)
{
    struct stimulus *const stimulus = user;

    if (stimulus->n_found < sizeof stimulus->found / sizeof stimulus->found[0])
        stimulus->found[stimulus->n_found++] = *fault;
}

void stimulus_faults(struct firmware *fw, uint64_t *rose)
{
    struct stimulus *const stimulus = fw->stimulus;

    for (unsigned i = 0; i < stimulus->n_found; i++) {
        fw->signals[stimulus->found[i].signal]++;
        rose[stimulus->found[i].signal]--;
        armpmu_post_fault(monitors_own(&fw->monitors), &stimulus->found[i]);
    }
    stimulus->n_found = 0;
}

static enum armpmu_injection find_kind(const char *spec, const char *at)
{
    char name[32] = "";

    if (at != NULL && (size_t)(at - spec) < sizeof name)
        memcpy(name, spec, (size_t)(at - spec));
    return armpmu_injection_find(name);
}

static enum armpmu_status add_error(struct firmware *fw, const char *spec, struct armpmu_error *err)
{
    const char *const at = strchr(spec, '@');
    const enum armpmu_injection kind = find_kind(spec, at);
    struct armpmu_error why;
    uint64_t address;
    const char *end;

    if (kind == ARMPMU_INJECTIONS)
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--inject '%.80s': write KIND@ADDRESS, like dcache-data-ecc@0x1000; 'armpmu "
                    "help run' lists the kinds",
                    spec);
    if (!read_number(at + 1, &address, &end) || *end != '\0' || address > UINT32_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "--inject '%.80s': the address is not a 32-bit number",
                    spec);
    if (fw->stimulus->n_errors == STIMULUS_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "--inject: more than %u errors", STIMULUS_MAX);
    fw->stimulus->n_errors++;
    const enum armpmu_status status = armpmu_sim_inject(fw->sim, kind, address, &why);
    if (status == ARMPMU_OK)
        return ARMPMU_OK;
    return fail(err, status == ARMPMU_BAD_INPUT ? ARMPMU_BAD_CONFIG : status, "--inject %s",
                why.message);
}

enum armpmu_status stimulus_set_up(struct firmware *fw, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    const char *const *pins = fw->setup->pins, *const *faults = fw->setup->faults;

    armpmu_sim_on_fault(fw->sim, on_found, fw->stimulus);
    for (; pins != NULL && *pins != NULL && status == ARMPMU_OK; pins++)
        status = add_pin(fw, *pins, err);
    for (; faults != NULL && *faults != NULL && status == ARMPMU_OK; faults++)
        status = add_error(fw, *faults, err);
    return status;
}
