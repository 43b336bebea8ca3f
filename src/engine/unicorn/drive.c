#include "engine/unicorn/drive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fail.h"
#include "engine/unicorn/firmware.h"

#define LINE_BYTES 32u /* of the caches that have such errors */

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
    char *behind;

    errno = 0;
    *value = strtoull(text, &behind, 0);
    *end = behind;
    return text[0] >= '0' && text[0] <= '9' && errno == 0;
}

static enum armpmu_status add_pulse(struct drive *drive, enum armpmu_pin pin, const char *spec,
                                    const char *period, struct armpmu_error *err)
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
    if (drive->n_pulses == DRIVE_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "--pin: more than %u pins with pulses", DRIVE_MAX);
    drive->pulses[drive->n_pulses++] = (struct drive_pulse){
        .pin = pin,
        .clock = *end == 'c' ? ARMPMU_SIGNAL_CPU_CYCLES : ARMPMU_SIGNAL_INST_RETIRED,
        .period = n,
    };
    return ARMPMU_OK;
}

static enum armpmu_status add_pin(struct firmware *fw, const char *spec, struct armpmu_error *err)
{
    const size_t length = strcspn(spec, "=");
    enum armpmu_pin pin;
    uint64_t value;
    const char *end;

    if (!find_pin(spec, length, &pin))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--pin '%.80s': there is no such pin; write NAME=VALUE or NAME=every:1000c "
                    "with a name like PMUEXTIN0, NIDEN or DBGEN",
                    spec);
    const char *const text = spec + length + (spec[length] == '=');
    if (strncmp(text, "every:", 6) == 0)
        return add_pulse(&fw->drive, pin, spec, text + 6, err);
    if (!read_number(text, &value, &end) || *end != '\0' ||
        (armpmu_pin_bits(pin) < 64 && value >> armpmu_pin_bits(pin) != 0))
        return fail(err, ARMPMU_BAD_CONFIG, "--pin '%.80s': the value is no number of %u bits",
                    spec, armpmu_pin_bits(pin));
    armpmu_set_pin(fw->pmu, pin, value);
    return ARMPMU_OK;
}

/* A rising edge is one event, however many come together. */
void drive_pulses(struct firmware *fw, const uint64_t *before, const uint64_t *now)
{
    for (unsigned i = 0; i < fw->drive.n_pulses; i++) {
        const struct drive_pulse *const pulse = &fw->drive.pulses[i];
        uint64_t n = now[pulse->clock] / pulse->period - before[pulse->clock] / pulse->period;
        for (; n > 0; n--) {
            armpmu_set_pin(fw->pmu, pulse->pin, 1);
            armpmu_set_pin(fw->pmu, pulse->pin, 0);
        }
    }
}

/* ---- faults ----------------------------------------------------------------------------------
 */

/* "dcache-data-ecc" for DCACHE_DATA_ECC: as an event's name, or as its signal's. */
static bool same_name(const char *known, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char c = name[i] == '-' ? '_' : name[i];
        if (known[i] == '\0' || (known[i] | 0x20) != (c | 0x20))
            return false;
    }
    return known[length] == '\0';
}

static bool find_fault(const struct armpmu_core *core, const char *name, size_t length,
                       enum armpmu_signal *out)
{
    for (size_t i = 0; i < core->n_events; i++) {
        const struct armpmu_event *const event = &core->events[i];
        if (event->fidelity == ARMPMU_INPUT && event->n_signals == 1 &&
            same_name(event->name, name, length)) {
            *out = event->signals[0];
            return true;
        }
    }
    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        if (same_name(armpmu_signal_name((enum armpmu_signal)signal), name, length)) {
            *out = (enum armpmu_signal)signal;
            return true;
        }
    return false;
}

static enum armpmu_status add_fault(struct firmware *fw, const char *spec, struct armpmu_error *err)
{
    const char *const at = strchr(spec, '@');
    const struct armpmu_core *const core = armpmu_machine_core(fw->job->machine);
    struct drive_fault fault;
    uint64_t address;
    const char *end;

    if (at == NULL || !find_fault(core, spec, (size_t)(at - spec), &fault.signal))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "--inject '%.80s': write NAME@ADDRESS with the name of an error event of the "
                    "%s; 'armpmu list' shows them as input",
                    spec, core->name);
    if (!read_number(at + 1, &address, &end) || *end != '\0' || address > UINT32_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "--inject '%.80s': the address is no 32-bit number",
                    spec);
    if (fw->drive.n_faults == DRIVE_MAX)
        return fail(err, ARMPMU_BAD_CONFIG, "--inject: more than %u faults", DRIVE_MAX);
    fault.address = (uint32_t)address;
    fw->drive.faults[fw->drive.n_faults++] = fault;
    return ARMPMU_OK;
}

void drive_access(struct firmware *fw, uint32_t address)
{
    for (unsigned i = 0; i < fw->drive.n_faults; i++) {
        const struct drive_fault *const fault = &fw->drive.faults[i];
        const struct armpmu_fault seen = {.signal = fault->signal, .address = address};
        if (address / LINE_BYTES == fault->address / LINE_BYTES)
            armpmu_post_fault(fw->pmu, &seen);
    }
}

enum armpmu_status drive_set_up(struct firmware *fw, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    const char *const *pins = fw->job->pins, *const *faults = fw->job->faults;

    for (; pins != NULL && *pins != NULL && status == ARMPMU_OK; pins++)
        status = add_pin(fw, *pins, err);
    for (; faults != NULL && *faults != NULL && status == ARMPMU_OK; faults++)
        status = add_fault(fw, *faults, err);
    return status;
}
