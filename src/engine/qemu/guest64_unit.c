/* Which activity monitors the processors of an AArch64 machine have. */
#include "engine/qemu/guest64.h"

#include <stdlib.h>
#include <string.h>

#define GROUP1_MAX  16u
#define GROUP0_BITS 0xfu
#define MPMM_GEAR0  0x300u /* events of the auxiliary counters of cores with three of them */
#define MPMM_GEARS  3u

static struct {
    bool enabled, v1p1;
    unsigned group1;
} unit = {.group1 = MPMM_GEARS};

static const char *take_word(const char *word, size_t length)
{
    static const char group1[] = "group1:";
    char *end;

    if (length == 7 && strncmp(word, "enabled", length) == 0)
        unit.enabled = true;
    else if (length == 4 && strncmp(word, "v1p1", length) == 0)
        unit.v1p1 = true;
    else if (length > sizeof group1 - 1 && strncmp(word, group1, sizeof group1 - 1) == 0) {
        const unsigned long n = strtoul(word + sizeof group1 - 1, &end, 10);
        if (end != word + length || word[sizeof group1 - 1] == '-' || n > GROUP1_MAX)
            return "amu: group1 is a number of auxiliary counters, 0 to 16";
        unit.group1 = (unsigned)n;
    } else
        return "amu: neither enabled, v1p1 nor group1:NUMBER; join them by '+'";
    return NULL;
}

const char *guest64_unit_parse(const char *text)
{
    const char *problem = NULL;

    while (problem == NULL && *text != '\0') {
        const size_t length = strcspn(text, "+");
        problem = take_word(text, length);
        text += length + (text[length] == '+');
    }
    return problem;
}

bool guest64_unit_is_v1p1(void)
{
    return unit.v1p1;
}

/* CHOICE(guest-amu-unit): three auxiliary counters, for the three gears of maximum power
 * mitigation, as Arm's cores have them; more of them are programmable. With v1p1 each
 * has a virtual offset. */
void guest64_unit_configure(const struct guest_cpu *cpu, struct armpmu_amu_config *config)
{
    const struct guest64 *const a64 = cpu->a64;

    *config = (struct armpmu_amu_config){
        .v1p1 = unit.v1p1,
        .group1_counters = (uint8_t)unit.group1,
        .group1_fixed = (1u << MPMM_GEARS) - 1,
        .highest_el = a64->has_el3   ? 3
                      : a64->has_el2 ? 2
                                     : 1,
        .without_el2 = !a64->has_el2,
        .without_fine_traps = a64->state[STATE_HFGRTR_EL2] == NULL,
    };
    if (unit.v1p1)
        config->group1_offsets = (uint16_t)((1u << unit.group1) - 1);
    for (unsigned n = 0; n < MPMM_GEARS; n++)
        config->group1_events[n] = (uint16_t)(MPMM_GEAR0 + n);
}

/* Firmware that opens the unit to an operating system enables all counters it finds. */
void guest64_begin(struct guest_cpu *cpu)
{
    static const char *const enables[] = {"AMCNTENSET0", "AMCNTENSET1"};
    const struct armpmu_core *const core = armpmu_machine_core(guest.machine);

    memset(cpu->a64->kept, 0, sizeof cpu->a64->kept);
    memset(cpu->a64->translating, 0, sizeof cpu->a64->translating);
    cpu->a64->in_host = false;
    cpu->a64->debt = NULL;
    cpu->a64->kept[KEPT_AMU_VERSION] = unit.v1p1 ? 2 : 1;
    for (size_t i = 0; unit.enabled && i < sizeof enables / sizeof enables[0]; i++) {
        unsigned element;
        const struct armpmu_register *const reg = armpmu_register_find(core, enables[i], &element);
        armpmu_poke(cpu->pmu, reg, 0, UINT64_MAX);
    }
}
