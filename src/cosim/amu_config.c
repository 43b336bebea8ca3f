/* CHOICE(guest-amu-unit): three auxiliary counters, for the three gears of maximum power
 * mitigation, as Arm's cores have them; more of them are programmable. With v1p1 each has a virtual
 * offset. */
#include "cosim/amu_config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MPMM_GEAR0 0x300u /* events of the auxiliary counters of cores with three of them */
#define MPMM_GEARS 3u

static const char *take_word(const char *word, size_t length, struct amu_config *monitor)
{
    static const char group1[] = "group1:";
    char *end;

    if (length == 7 && strncmp(word, "enabled", length) == 0)
        monitor->enabled = true;
    else if (length == 4 && strncmp(word, "v1p1", length) == 0)
        monitor->v1p1 = true;
    else if (length > sizeof group1 - 1 && strncmp(word, group1, sizeof group1 - 1) == 0) {
        const unsigned long n = strtoul(word + sizeof group1 - 1, &end, 10);
        if (end != word + length || word[sizeof group1 - 1] == '-' || n > ARMPMU_AMU_GROUP1_MAX)
            return "amu: group1 is a number of auxiliary counters, 0 to 16";
        monitor->group1 = (unsigned)n;
    } else
        return "amu: neither enabled, v1p1 nor group1:NUMBER; join them by '+'";
    return NULL;
}

static bool have_activity(const struct monitor_cores *cores)
{
    for (unsigned i = 0; i < cores->n; i++)
        if (armpmu_register_find(cores->core[i], "AMCNTENSET0", NULL) != NULL)
            return true;
    return false;
}

unsigned amu_config_version(const struct amu_config *monitor, const struct monitor_cores *cores)
{
    if (!have_activity(cores))
        return 0;
    return monitor->v1p1 ? 2 : 1;
}

const char *amu_config_parse(const char *text, const struct monitor_cores *cores,
                             struct amu_config *monitor)
{
    const char *problem = NULL;

    if (!have_activity(cores))
        return "amu: the machine's core has no activity monitors; choose another machine";
    while (problem == NULL && *text != '\0') {
        const size_t length = strcspn(text, "+");
        problem = take_word(text, length, monitor);
        text += length + (text[length] == '+');
    }
    return problem;
}

void amu_config_configure(const struct amu_config *monitor, unsigned highest_el, bool has_el2,
                          bool has_fine_traps, struct armpmu_amu_config *config)
{
    *config = (struct armpmu_amu_config){
        .v1p1 = monitor->v1p1,
        .group1_counters = (uint8_t)monitor->group1,
        .group1_fixed = (1u << MPMM_GEARS) - 1,
        .highest_el = (uint8_t)highest_el,
        .without_el2 = !has_el2,
        .without_fine_traps = !has_fine_traps,
    };
    if (monitor->v1p1)
        config->group1_offsets = (uint16_t)((1u << monitor->group1) - 1);
    for (unsigned n = 0; n < MPMM_GEARS; n++)
        config->group1_events[n] = (uint16_t)(MPMM_GEAR0 + n);
}

void amu_config_begin(const struct amu_config *monitor, const struct monitors *monitors)
{
    static const char *const enables[] = {"AMCNTENSET0", "AMCNTENSET1"};

    for (size_t i = 0; monitor->enabled && i < sizeof enables / sizeof enables[0]; i++) {
        const struct armpmu_register *reg;
        struct armpmu *const pmu = monitors_with(monitors, enables[i], &reg);
        if (pmu != NULL)
            armpmu_poke(pmu, reg, 0, UINT64_MAX);
    }
}
