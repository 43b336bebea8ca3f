/* A slow reference for the memory system of the Cortex-R4F, with plain lists: its counts, and their
 * times. It shares no code with the model. Caches replace the least recently used line. */
#ifndef TESTS_REFERENCE_CORTEX_R4F_MEMORY_H
#define TESTS_REFERENCE_CORTEX_R4F_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/pmu.h"
#include "armpmu/sim.h"
#include "machine/machine.h"

enum { SLOW_LINE = 32, SLOW_DOUBLEWORD = 8, SLOW_WAYS = 32, SLOW_STORES = 256, SLOW_ERRORS = 64 };

struct slow_line {
    uint32_t line;
    bool dirty;
};

struct slow_cache {
    unsigned sets, ways;                  /* no sets: there is none */
    unsigned *used;                       /* by set */
    struct slow_line (*lines)[SLOW_WAYS]; /* by set, newest first */
};

struct slow_store {
    uint32_t doubleword;
    unsigned bytes; /* mask */
    char kind;
    bool waits;
    uint64_t left;
};

struct slow_error {
    enum armpmu_injection kind;
    uint32_t address;
    bool met; /* once, and it comes back */
};

struct slow_memory {
    const struct armpmu_machine *machine;
    uint64_t now, count[ARMPMU_SIGNAL_COUNT];
    struct slow_cache code, data;
    struct {
        uint32_t line;
        uint64_t done;
    } buffers[8]; /* of linefills */
    uint64_t eviction_free, port_free;
    struct slow_store stores[SLOW_STORES];
    unsigned n_stores;
    uint64_t departures[16];               /* from the store queue, the latest first */
    struct slow_error errors[SLOW_ERRORS]; /* that nobody has met yet, the oldest first */
    unsigned n_errors;
    uint32_t flash_from, flash_to; /* what the flash behind the ATCM has read */
    uint64_t reported;             /* errors: signal, side and address of each, mixed together */
};

struct slow_access {
    uint32_t address, bytes;
    bool load, store, device, exclusive;
    unsigned spread; /* cycles over which its registers came */
};

/* The machine is borrowed. */
void slow_memory_init(struct slow_memory *memory, const struct armpmu_machine *machine);
void slow_memory_free(struct slow_memory *memory);

/* Each moves .now on by what the pipeline waits. */
void slow_memory_access(struct slow_memory *memory, const struct slow_access *access);
void slow_memory_preload(struct slow_memory *memory, uint32_t address);
void slow_memory_drain(struct slow_memory *memory);
void slow_memory_fetch(struct slow_memory *memory, uint32_t start, uint32_t end, bool jumped);
/* code, data: which cache. What a line has is written back, or it is lost, or it stays. */
void slow_memory_treat_line(struct slow_memory *memory, uint32_t line, bool code, bool data,
                            bool clean, bool invalidate);
void slow_memory_treat_all(struct slow_memory *memory, bool code, bool data, bool clean,
                           bool invalidate);
/* Whether there is anything to find such an error. Another master's read finds one at once. */
bool slow_memory_inject(struct slow_memory *memory, enum armpmu_injection kind, uint32_t address);
void slow_memory_finish(struct slow_memory *memory);

#endif
