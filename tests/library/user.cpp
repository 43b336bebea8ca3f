// The device library as C++ uses it: enumerations by their names, beside the functions about them.
#include <cstdint>
#include <cstdio>

#include "armpmu/pmu.h"

static armpmu_memory memory;
static unsigned changes;

static void on_output(void *, armpmu_output output, bool asserted)
{
    changes += output == ARMPMU_OUTPUT_PMUIRQ && asserted;
}

static bool expect(bool holds, const char *what)
{
    if (!holds)
        std::printf("%s\n", what);
    return holds;
}

int main()
{
    const armpmu_pin pin = ARMPMU_PIN_NIDEN;
    const armpmu_output output = ARMPMU_OUTPUT_PMUIRQ;
    armpmu_config config{};
    armpmu *pmu = nullptr;
    std::uint32_t value = 0;

    config.struct_size = sizeof config;
    config.core = "cortex-a8";
    config.output = on_output;
    if (armpmu_create(&memory, sizeof memory, &config, &pmu, nullptr) != ARMPMU_OK)
        return 1;
    bool good = expect(armpmu_get_pin(pmu, pin) == 1, "NIDEN is 1 after a reset");
    armpmu_set_pin(pmu, pin, 0);
    good &= expect(armpmu_get_pin(pmu, pin) == 0, "NIDEN is what was set");
    good &= expect(!armpmu_get_output(pmu, output), "no interrupt yet");
    armpmu_set_pin(pmu, pin, 1);
    armpmu_mcr(pmu, 15, 0, 9, 14, 1, 1u << 31); // interrupt of the cycle counter
    armpmu_mcr(pmu, 15, 0, 9, 12, 1, 1u << 31); // it counts
    armpmu_mcr(pmu, 15, 0, 9, 12, 0, 1);
    armpmu_mcr(pmu, 15, 0, 9, 13, 0, 0xfffffffe);
    armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, 3);
    armpmu_mrc(pmu, 15, 0, 9, 13, 0, &value);
    good &= expect(value == 1, "the cycle counter has wrapped");
    good &= expect(armpmu_get_output(pmu, output) && changes == 1, "its interrupt is asserted");
    return good ? 0 : 1;
}
