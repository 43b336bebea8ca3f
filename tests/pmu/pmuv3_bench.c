#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "pmuv3_bench.h"

static union armpmu_memory memory;

struct armpmu *pmuv3_start(const char *core, struct armpmu_pmuv3_config pmuv3)
{
    const struct armpmu_config config = {.core = core, .pmuv3 = pmuv3};
    struct armpmu_error error = {""};
    struct armpmu *pmu = NULL;

    memset(&memory, 0xa5, sizeof memory);
    if (armpmu_create(&memory, sizeof memory, &config, &pmu, &error) != ARMPMU_OK)
        fail_msg("%s", error.message);
    armpmu_set_pin(pmu, ARMPMU_PIN_NONSECURE, 1);
    return pmu;
}

static void set_user(struct armpmu *pmu, const char *controls)
{
    static const char *const words[] = {"EN", "SW", "CR", "ER"};
    uint64_t user = 0;

    for (unsigned i = 0; i < 4; i++)
        user |= (uint64_t)amu_has_word(controls, words[i]) << i;
    armpmu_poke(pmu, armpmu_register_find(armpmu_core_of(pmu), "PMUSERENR", NULL), 0, user);
}

/* HPMN as a number; the words name a bit, which has the number's name. */
static uint64_t hpmn(const char *controls)
{
    const uint64_t bit = amu_bits_named(controls, "N");
    uint64_t n = 0;

    while (bit >> n > 1)
        n++;
    return n;
}

void pmuv3_go(struct armpmu *pmu, enum who who, const char *controls)
{
    const uint64_t el2 = (uint64_t)amu_has_word(controls, "TPMCR") << 5 |
                         (uint64_t)amu_has_word(controls, "TPM2") << 6 | hpmn(controls);

    armpmu_set_pin(pmu, ARMPMU_PIN_HCR_TGE, amu_has_word(controls, "TGE"));
    armpmu_set_pin(pmu, ARMPMU_PIN_HCR_E2H, amu_has_word(controls, "E2H"));
    armpmu_set_pin(pmu, ARMPMU_PIN_EL3_DEBUG_UNDEF, amu_has_word(controls, "UNDEF"));
    armpmu_set_pin(pmu, ARMPMU_PIN_SCR_FGTEN, amu_has_word(controls, "FGTEN"));
    armpmu_set_pin(pmu, ARMPMU_PIN_EL2_ENABLED, !amu_has_word(controls, "NOEL2"));
    armpmu_set_pin(pmu, ARMPMU_PIN_MDCR_EL2, el2);
    armpmu_set_pin(pmu, ARMPMU_PIN_MDCR_EL3, (uint64_t)amu_has_word(controls, "TPM3") << 6);
    armpmu_set_pin(pmu, ARMPMU_PIN_HDFGRTR, amu_bits_named(controls, "R"));
    armpmu_set_pin(pmu, ARMPMU_PIN_HDFGWTR, amu_bits_named(controls, "W"));
    armpmu_set_pin(pmu, ARMPMU_PIN_HSTR, amu_bits_named(controls, "H"));
    set_user(pmu, controls);
    amu_stand(pmu, who);
}

/* MSR: op0 3, op1 3, or 0 of EL1's registers. MCR: p15, opc1 0, and the same CRn, CRm, op2. */
static const struct {
    const char *name;
    uint8_t crn, crm, op2;
    enum { BOTH, OF_EL1, AARCH32, AARCH32_LONG } kind;
} registers[] = {
    {"PMCR", 9, 12, 0, BOTH},         {"PMCNTENSET", 9, 12, 1, BOTH},
    {"PMCNTENCLR", 9, 12, 2, BOTH},   {"PMOVSCLR", 9, 12, 3, BOTH},
    {"PMOVSSET", 9, 14, 3, BOTH},     {"PMSWINC", 9, 12, 4, BOTH},
    {"PMSELR", 9, 12, 5, BOTH},       {"PMCEID0", 9, 12, 6, BOTH},
    {"PMCEID1", 9, 12, 7, BOTH},      {"PMCCNTR", 9, 13, 0, BOTH},
    {"PMEVTYPER", 14, 12, 0, BOTH},   {"PMEVCNTR", 14, 8, 0, BOTH},
    {"PMXEVTYPER", 9, 13, 1, BOTH},   {"PMXEVCNTR", 9, 13, 2, BOTH},
    {"PMCCFILTR", 14, 15, 7, BOTH},   {"PMUSERENR", 9, 14, 0, BOTH},
    {"PMINTENSET", 9, 14, 1, OF_EL1}, {"PMINTENCLR", 9, 14, 2, OF_EL1},
    {"PMMIR", 9, 14, 6, OF_EL1},      {"PMCEID2", 9, 14, 4, AARCH32},
    {"PMCEID3", 9, 14, 5, AARCH32},   {"PMCCNTR64", 0, 9, 0, AARCH32_LONG},
};

#define N_REGISTERS (sizeof registers / sizeof registers[0])

const char *pmuv3_name(size_t index)
{
    return index < N_REGISTERS ? registers[index].name : NULL;
}

struct armpmu_encoding pmuv3_at(const char *name, unsigned n, bool aarch32)
{
    size_t i = 0;

    while (i < N_REGISTERS && strcmp(registers[i].name, name) != 0)
        i++;
    assert_true(i < N_REGISTERS);
    const bool is_bank = strcmp(name, "PMEVTYPER") == 0 || strcmp(name, "PMEVCNTR") == 0;
    const uint8_t crn = registers[i].crn;
    const uint8_t crm = (uint8_t)(registers[i].crm + (is_bank ? n / 8 : 0));
    const uint8_t op2 = (uint8_t)(registers[i].op2 + (is_bank ? n % 8 : 0));
    if (registers[i].kind == AARCH32_LONG && aarch32)
        return (struct armpmu_encoding){ARMPMU_ACCESS_MCRR, 15, 0, 0, crm, 0, 0};
    if (aarch32)
        return (struct armpmu_encoding){ARMPMU_ACCESS_MCR, 15, 0, crn, crm, op2, 0};
    if (registers[i].kind == BOTH || registers[i].kind == OF_EL1)
        return (struct armpmu_encoding){
            ARMPMU_ACCESS_MSR, 3, registers[i].kind == BOTH ? 3 : 0, crn, crm, op2, 0};
    return (struct armpmu_encoding){.access = ARMPMU_ACCESS_EXT32};
}

uint64_t pmuv3_get(struct armpmu *pmu, const char *name, unsigned n)
{
    uint64_t value = 0;

    amu_stand(pmu, EL3_A64);
    if (armpmu_read(pmu, pmuv3_at(name, n, false), &value) != ARMPMU_DONE)
        fail_msg("%s, %u cannot be read", name, n);
    return value;
}

void pmuv3_set(struct armpmu *pmu, const char *name, unsigned n, uint64_t value)
{
    amu_stand(pmu, EL3_A64);
    if (armpmu_write(pmu, pmuv3_at(name, n, false), value) != ARMPMU_DONE)
        fail_msg("%s, %u cannot be written", name, n);
}
