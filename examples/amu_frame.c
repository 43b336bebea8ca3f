/* An activity monitor frame behind an emulator's MMIO callback, and the driver that reads it.
 *
 *     cc amu_frame.c $(pkg-config --cflags --libs libarmpmu)
 *
 * The core runs at 3 GHz, then, throttled, at 1.2 GHz, while the system counter ticks at 25 MHz.
 * Firmware enables the counters in EL3; the driver finds the unit in memory and computes what Linux
 * does with it: the core's frequency as a share of the highest one, in parts of 1024, and how much
 * of its time it waits for memory. The program exits 0 if the figures are those put in. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "armpmu/pmu.h"

#define CONSTANT_HZ UINT64_C(25000000)
#define MAX_HZ      UINT64_C(3000000000)

/* What an emulator calls for a load from the frame. Returns false for a bus error. */
static bool frame_read(void *opaque, uint64_t offset, unsigned size, uint64_t *value)
{
    return offset <= UINT32_MAX &&
           armpmu_load(opaque, (uint32_t)offset, size, value) == ARMPMU_DONE;
}

/* A millisecond of the core: its clock, instructions for a thousand clocks, percent of waiting. */
static void run_millisecond(struct armpmu *pmu, uint64_t hz, unsigned per_1000, unsigned waiting)
{
    const uint32_t clocks = (uint32_t)(hz / 1000);

    armpmu_post(pmu, ARMPMU_SIGNAL_CONSTANT_CYCLES, CONSTANT_HZ / 1000);
    armpmu_post(pmu, ARMPMU_SIGNAL_CPU_CYCLES, clocks);
    armpmu_post(pmu, ARMPMU_SIGNAL_INST_RETIRED, clocks / 1000 * per_1000);
    armpmu_post(pmu, ARMPMU_SIGNAL_MEMORY_STALL, clocks / 100 * waiting);
}

/* --- The driver: nothing but loads ------------------------------------------------------------ */

static uint32_t load(void *frame, uint64_t offset)
{
    uint64_t value = 0;

    return frame_read(frame, offset, 4, &value) ? (uint32_t)value : 0;
}

/* A counter in two words: again if it has carried in between. */
static uint64_t load_counter(void *frame, unsigned n)
{
    uint32_t low, high;

    do {
        high = load(frame, 8 * n + 4);
        low = load(frame, 8 * n);
    } while (high != load(frame, 8 * n + 4));
    return (uint64_t)high << 32 | low;
}

static bool probe(void *frame)
{
    static const uint32_t events[] = {0x0011, 0x4004, 0x0008, 0x4005};
    bool found = load(frame, 0xfbc) == 0x47700a66 && (load(frame, 0xce0) & 0xff) == 4;

    for (unsigned n = 0; n < 4; n++)
        found = found && load(frame, 0x400 + 4 * n) == events[n];
    return found;
}

struct figures {
    uint64_t scale, instructions_per_1000, waiting;
};

/* What has happened since the counts in before; they become those of now. */
static struct figures measure(void *frame, uint64_t before[4])
{
    const uint64_t max_scale = (CONSTANT_HZ << 20) / MAX_HZ; /* 10 bits more than a share has */
    uint64_t delta[4];

    for (unsigned n = 0; n < 4; n++) {
        const uint64_t now = load_counter(frame, n);
        delta[n] = now - before[n];
        before[n] = now;
    }
    return (struct figures){((delta[0] * max_scale >> 10) + delta[1] / 2) / delta[1],
                            delta[2] * 1000 / delta[0], delta[3] * 100 / delta[0]};
}

int main(void)
{
    static union armpmu_memory memory;
    const struct armpmu_config config = {.core = "amuv1"};
    struct armpmu_error error;
    struct armpmu *pmu;
    uint64_t counts[4] = {0}, unaligned;

    if (armpmu_create(&memory, sizeof memory, &config, &pmu, &error) != ARMPMU_OK) {
        fprintf(stderr, "amu_frame: %s\n", error.message);
        return 1;
    }
    if (armpmu_msr(pmu, 3, 3, 13, 2, 5, 0xf) != ARMPMU_DONE) /* AMCNTENSET0_EL0, in EL3 */
        return 1;
    bool right = probe(pmu) && !frame_read(pmu, 2, 4, &unaligned);

    for (unsigned i = 0; i < 1000; i++)
        run_millisecond(pmu, MAX_HZ, 2000, 10);
    const struct figures fast = measure(pmu, counts);
    for (unsigned i = 0; i < 1000; i++)
        run_millisecond(pmu, MAX_HZ * 2 / 5, 500, 60);
    const struct figures slow = measure(pmu, counts);

    const struct figures *const seen[] = {&fast, &slow};
    for (unsigned i = 0; i < 2; i++)
        printf(
            "frequency %4u/1024 of %u MHz, %4u insns per 1000 cycles, %2u%% waiting for memory\n",
            (unsigned)seen[i]->scale, (unsigned)(MAX_HZ / 1000000),
            (unsigned)seen[i]->instructions_per_1000, (unsigned)seen[i]->waiting);
    right = right && fast.scale == 1024 && fast.instructions_per_1000 == 2000 && fast.waiting == 10;
    right = right && slow.scale == 410 && slow.instructions_per_1000 == 500 && slow.waiting == 60;
    return right ? 0 : 1;
}
