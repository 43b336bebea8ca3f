/* Measures a core model of a whole system: exceptions, moving pages, interrupts. A loop of 200
 * blocks, two accesses each, in a program of 20,000; CPU time, the best of several rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "armpmu/sim.h"

enum { BLOCKS = 20000, LOOP = 200, TURNS = 20000, ROUNDS = 7, BATCH = 100, PAGES = 8 };

#define CODE UINT64_C(0x100000)
#define DATA UINT64_C(0x40000)

/* ldr r2, [r1]; add r0, r0, #1; str r0, [r1]; then the next block, or movs pc, lr in the last */
static const uint32_t body[] = {0xe5912000, 0xe2800001, 0xe5810000};
static const uint32_t handler[] = {0xe2800001, 0xe1b0f00e};

static bool lookup(void *user, uint32_t id, struct armpmu_block_source *out)
{
    (void)user;
    const bool last = id == BLOCKS;
    *out = (struct armpmu_block_source){
        .address = CODE + id * sizeof body,
        .bytes = (const uint8_t *)(last ? handler : body),
        .n_bytes = last ? sizeof handler : sizeof body,
        .n_insns = last ? 2 : 3,
        .isa = ARMPMU_A32,
    };
    return id <= BLOCKS;
}

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void require(enum armpmu_status status, const struct armpmu_error *err)
{
    if (status == ARMPMU_OK)
        return;
    fprintf(stderr, "bench-system: %s\n", err->message);
    exit(1);
}

static void run(struct armpmu_sim *sim, const uint64_t *records, size_t n_records)
{
    struct armpmu_error err;
    require(armpmu_sim_run(sim, records, n_records, &err), &err);
}

static size_t put_block(uint64_t *records, uint32_t id)
{
    const uint64_t address = DATA + id % PAGES * 4096 + id % 64 * 64;
    records[0] = armpmu_record(ARMPMU_RECORD_BLOCK, 0) | id;
    records[1] = armpmu_record(ARMPMU_RECORD_ACCESS, 0) | address;
    records[2] = armpmu_record(ARMPMU_RECORD_ACCESS, 2) | address;
    return 3;
}

enum what { USER, SYSTEM, TAKES, MAPS, INTERRUPTS };

/* What comes behind every BATCH blocks. */
static size_t put_between(uint64_t *records, enum what what, unsigned turn)
{
    size_t n = 0;
    if (what == INTERRUPTS) {
        records[n++] = armpmu_record(ARMPMU_RECORD_EXCEPTION, ARMPMU_RECORD_ALL);
        records[n++] = armpmu_record(ARMPMU_RECORD_BLOCK, 0) | BLOCKS;
    }
    for (uint64_t page = 0; what == MAPS && page < PAGES; page++)
        records[n++] = armpmu_record(ARMPMU_RECORD_MAP, 0) |
                       ((DATA >> 12) + page) << ARMPMU_RECORD_PAGE_LSB |
                       ((turn % 2 != 0 ? 0x200 : 0x300) + page);
    return n;
}

/* Nanoseconds for all turns. */
static double turns(struct armpmu_sim *sim, enum what what)
{
    static uint64_t records[4 * BATCH], delta[ARMPMU_SIGNAL_COUNT];
    uint32_t id = 0;
    const double start = now_ns();
    for (unsigned turn = 0; turn < TURNS; turn++) {
        size_t n = 0;
        for (unsigned i = 0; i < BATCH; i++, id = (id + 1) % LOOP)
            n += put_block(records + n, id);
        n += put_between(records + n, what, turn);
        run(sim, records, n);
        if (what == TAKES)
            armpmu_sim_read_delta(sim, delta);
    }
    return now_ns() - start;
}

static double measure(const struct armpmu_machine *machine, enum what what)
{
    const uint64_t mmu_on = armpmu_record(ARMPMU_RECORD_MMU, 0) | 1;
    double best = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        struct armpmu_error err;
        struct armpmu_code *code;
        struct armpmu_sim *sim;
        require(armpmu_code_new(lookup, NULL, &code, &err), &err);
        require(armpmu_sim_new(machine, code, &sim, &err), &err);
        if (what != USER)
            run(sim, &mmu_on, 1);
        for (uint32_t id = 0; id < BLOCKS; id++) {
            uint64_t records[3];
            run(sim, records, put_block(records, id));
        }
        const double took = turns(sim, what);
        best = took < best ? took : best;
        armpmu_sim_free(sim);
        armpmu_code_free(code);
    }
    return best;
}

int main(int argc, char **argv)
{
    struct armpmu_error err;
    struct armpmu_machine *machine;
    if (argc != 2) {
        fprintf(stderr, "usage: bench-system FOLDER_OF_MACHINES\n");
        return 2;
    }
    require(armpmu_machine_load("cortex-a8", argv[1], &machine, &err), &err);
    const double user = measure(machine, USER), system = measure(machine, SYSTEM);
    printf("%-44s %8.1f ns\n", "a block of a user program", user / TURNS / BATCH);
    printf("%-44s %8.1f ns\n", "a block of a system", system / TURNS / BATCH);
    printf("%-44s %8.1f ns\n", "a take, 100 blocks since the last",
           (measure(machine, TAKES) - system) / TURNS);
    printf("%-44s %8.1f ns\n", "a page that moves, and finding its lines",
           (measure(machine, MAPS) - system) / TURNS / PAGES);
    printf("%-44s %8.1f ns\n", "an interrupt and its return",
           (measure(machine, INTERRUPTS) - system) / TURNS);
    armpmu_machine_free(machine);
    return 0;
}
