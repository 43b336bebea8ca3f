#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "amu_bench.h"

static struct amu_bench the_bench;

struct amu_bench *amu_start(struct armpmu_amu_config amu)
{
    const struct armpmu_config config = {.core = "amuv1", .amu = amu};
    struct armpmu_error error = {""};

    memset(&the_bench, 0xa5, sizeof the_bench);
    if (armpmu_create(&the_bench.memory, sizeof the_bench.memory, &config, &the_bench.pmu,
                      &error) != ARMPMU_OK)
        fail_msg("%s", error.message);
    return &the_bench;
}

struct armpmu_amu_config amu_full(void)
{
    return (struct armpmu_amu_config){
        .v1p1 = true, .group1_counters = 16, .group1_offsets = 0xffff};
}

/* el, aarch32, and the states of EL1, EL2, EL3 */
static const struct {
    unsigned el, aarch32, el1, el2, el3;
} places[] = {
    [EL0_A64] = {0, 0, 0, 0, 0},           [EL1_A64] = {1, 0, 0, 0, 0},
    [EL2_A64] = {2, 0, 0, 0, 0},           [EL3_A64] = {3, 0, 0, 0, 0},
    [EL0_A32_UNDER_A64] = {0, 1, 0, 0, 0}, [EL0_A32_UNDER_EL2] = {0, 1, 1, 0, 0},
    [EL0_A32_UNDER_EL3] = {0, 1, 1, 1, 0}, [EL0_A32] = {0, 1, 1, 1, 1},
    [EL1_A32_UNDER_EL2] = {1, 1, 1, 0, 0}, [EL1_A32_UNDER_EL3] = {1, 1, 1, 1, 0},
    [EL1_A32] = {1, 1, 1, 1, 1},           [EL2_A32_UNDER_EL3] = {2, 1, 1, 1, 0},
    [EL2_A32] = {2, 1, 1, 1, 1},           [EL3_A32] = {3, 1, 1, 1, 1},
};

bool amu_is_aarch32(enum who who)
{
    return places[who].aarch32;
}

void amu_stand(struct armpmu *pmu, enum who who)
{
    armpmu_set_pin(pmu, ARMPMU_PIN_EL, places[who].el);
    armpmu_set_pin(pmu, ARMPMU_PIN_AARCH32, places[who].aarch32);
    armpmu_set_pin(pmu, ARMPMU_PIN_EL1_AARCH32, places[who].el1);
    armpmu_set_pin(pmu, ARMPMU_PIN_EL2_AARCH32, places[who].el2);
    armpmu_set_pin(pmu, ARMPMU_PIN_EL3_AARCH32, places[who].el3);
}

bool amu_has_word(const char *controls, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = controls; (at = strstr(at, word)) != NULL; at += length)
        if ((at == controls || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

uint64_t amu_bits_named(const char *controls, const char *letter)
{
    uint64_t bits = amu_has_word(controls, letter) ? UINT64_MAX : 0;

    for (const char *at = controls; (at = strstr(at, letter)) != NULL; at++)
        if ((at == controls || at[-1] == ' ') && at[1] >= '0' && at[1] <= '9')
            bits |= UINT64_C(1) << atoi(at + 1);
    return bits;
}

static void set_controls(struct amu_bench *bench, const char *controls)
{
    static const struct {
        const char *word;
        enum armpmu_pin pin;
    } words[] = {
        {"TGE", ARMPMU_PIN_HCR_TGE},
        {"E2H", ARMPMU_PIN_HCR_E2H},
        {"NV", ARMPMU_PIN_HCR_NV},
        {"NV2", ARMPMU_PIN_HCR_NV2},
        {"TAM2", ARMPMU_PIN_CPTR_EL2_TAM},
        {"TAM3", ARMPMU_PIN_CPTR_EL3_TAM},
        {"UNDEF", ARMPMU_PIN_EL3_DEBUG_UNDEF},
        {"FGTEN", ARMPMU_PIN_SCR_FGTEN},
        {"VS", ARMPMU_PIN_SCR_AMVOFFEN},
        {"VH", ARMPMU_PIN_HCR_AMVOFFEN},
    };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        armpmu_set_pin(bench->pmu, words[i].pin, amu_has_word(controls, words[i].word));
    armpmu_set_pin(bench->pmu, ARMPMU_PIN_EL2_ENABLED, !amu_has_word(controls, "NOEL2"));
    armpmu_set_pin(bench->pmu, ARMPMU_PIN_HAFGRTR, amu_bits_named(controls, "F"));
    armpmu_set_pin(bench->pmu, ARMPMU_PIN_HSTR, amu_bits_named(controls, "H"));
    armpmu_poke(bench->pmu, armpmu_register_find(armpmu_core_of(bench->pmu), "AMUSERENR", NULL), 0,
                amu_has_word(controls, "EN"));
}

void amu_go(struct amu_bench *bench, enum who who, const char *controls)
{
    set_controls(bench, controls);
    amu_stand(bench->pmu, who);
}

/* MSR: op0 3, CRn 13. MCR: p15, opc1 0, c13. MRRC: p15. An element adds to op2 (opc2, opc1), eight
 * of them to CRm. */
static const struct {
    const char *name;
    unsigned count;
    uint8_t op1, crm, op2;
    enum { NONE, MCR, MCRR } kind;
    uint8_t aarch32_crm, opc;
} registers[] = {
    {"AMCR", 1, 3, 2, 0, MCR, 2, 0},
    {"AMCFGR", 1, 3, 2, 1, MCR, 2, 1},
    {"AMCGCR", 1, 3, 2, 2, MCR, 2, 2},
    {"AMUSERENR", 1, 3, 2, 3, MCR, 2, 3},
    {"AMCNTENCLR0", 1, 3, 2, 4, MCR, 2, 4},
    {"AMCNTENSET0", 1, 3, 2, 5, MCR, 2, 5},
    {"AMCG1IDR", 1, 3, 2, 6, NONE, 0, 0},
    {"AMCNTENCLR1", 1, 3, 3, 0, MCR, 3, 0},
    {"AMCNTENSET1", 1, 3, 3, 1, MCR, 3, 1},
    {"AMEVCNTR0", 4, 3, 4, 0, MCRR, 0, 0},
    {"AMEVTYPER0", 4, 3, 6, 0, MCR, 6, 0},
    {"AMEVCNTR1", 16, 3, 12, 0, MCRR, 4, 0},
    {"AMEVTYPER1", 16, 3, 14, 0, MCR, 14, 0},
    {"AMEVCNTVOFF0", 4, 4, 8, 0, NONE, 0, 0},
    {"AMEVCNTVOFF1", 16, 4, 10, 0, NONE, 0, 0},
};

const char *amu_name(size_t index, unsigned *count)
{
    if (index >= sizeof registers / sizeof registers[0])
        return NULL;
    *count = registers[index].count;
    return registers[index].name;
}

struct armpmu_encoding amu_at(const char *name, unsigned n, bool aarch32)
{
    size_t i = 0;

    while (i < sizeof registers / sizeof registers[0] && strcmp(registers[i].name, name) != 0)
        i++;
    assert_true(i < sizeof registers / sizeof registers[0]);
    const uint8_t high = (uint8_t)(n / 8), low = n % 8;
    const uint8_t crm = (uint8_t)((aarch32 ? registers[i].aarch32_crm : registers[i].crm) + high);
    if (!aarch32)
        return (struct armpmu_encoding){
            ARMPMU_ACCESS_MSR, 3, registers[i].op1, 13, crm, (uint8_t)(registers[i].op2 + low), 0};
    const uint8_t opc = (uint8_t)(registers[i].opc + low);
    if (registers[i].kind == MCR)
        return (struct armpmu_encoding){ARMPMU_ACCESS_MCR, 15, 0, 13, crm, opc, 0};
    if (registers[i].kind == MCRR)
        return (struct armpmu_encoding){ARMPMU_ACCESS_MCRR, 15, opc, 0, crm, 0, 0};
    return (struct armpmu_encoding){.access = ARMPMU_ACCESS_EXT32};
}

uint64_t amu_get(struct amu_bench *bench, const char *name, unsigned n)
{
    uint64_t value = 0;

    amu_stand(bench->pmu, EL3_A64);
    if (armpmu_read(bench->pmu, amu_at(name, n, false), &value) != ARMPMU_DONE)
        fail_msg("%s, %u cannot be read", name, n);
    return value;
}

void amu_set(struct amu_bench *bench, const char *name, unsigned n, uint64_t value)
{
    amu_stand(bench->pmu, EL3_A64);
    if (armpmu_write(bench->pmu, amu_at(name, n, false), value) != ARMPMU_DONE)
        fail_msg("%s, %u cannot be written", name, n);
}

char amu_letter(enum armpmu_outcome outcome)
{
    static const char letters[] = {
        [ARMPMU_DONE] = 'D',       [ARMPMU_UNDEFINED] = 'U', [ARMPMU_UNDEFINED_TO_EL2] = 'H',
        [ARMPMU_TRAP_EL1] = '1',   [ARMPMU_TRAP_EL2] = '2',  [ARMPMU_TRAP_EL3] = '3',
        [ARMPMU_REDIRECTED] = 'R', [ARMPMU_BUS_FAULT] = 'B', [ARMPMU_NOT_HERE] = '-',
    };
    return letters[outcome];
}
