/* An embedder's program, in the words that C11 and C++17 share: what an installed tree must be able
 * to build and run. Prints the version of the library it runs with. */
#include <stdio.h>
#include <string.h>

#include "armpmu/pmu.h"

static bool asserted_line;

static void drive_irq(void *user, enum armpmu_output output, bool asserted)
{
    (void)user;
    if (output == ARMPMU_OUTPUT_PMUIRQ)
        asserted_line = asserted;
}

static struct armpmu *create(void)
{
    static union armpmu_memory memory;
    struct armpmu_config config;
    struct armpmu_error error;
    struct armpmu *pmu = NULL;

    memset(&config, 0, sizeof config);
    config.core = "cortex-a8";
    config.output = drive_irq;
    if (armpmu_create(&memory, sizeof memory, &config, &pmu, &error) != ARMPMU_OK)
        fprintf(stderr, "embed: %s\n", error.message);
    return pmu;
}

/* CCNT begins one short of its end, is enabled and interrupts. */
static bool program(struct armpmu *pmu)
{
    return armpmu_mcr(pmu, 15, 0, 9, 13, 0, 0xffffffff) == ARMPMU_DONE &&
           armpmu_mcr(pmu, 15, 0, 9, 14, 1, 0x80000000) == ARMPMU_DONE &&
           armpmu_mcr(pmu, 15, 0, 9, 12, 1, 0x80000000) == ARMPMU_DONE &&
           armpmu_mcr(pmu, 15, 0, 9, 12, 0, 1) == ARMPMU_DONE;
}

int main(void)
{
    struct armpmu *const pmu = create();
    uint32_t cycles = 1;

    if (pmu == NULL || !program(pmu) || asserted_line)
        return 1;
    armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 1);
    if (!asserted_line || armpmu_mrc(pmu, 15, 0, 9, 13, 0, &cycles) != ARMPMU_DONE || cycles != 0)
        return 2;
    if (armpmu_core_find("armv7_cortex_a8") != armpmu_core_of(pmu))
        return 3;
    puts(armpmu_version);
    return 0;
}
