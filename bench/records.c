/* Measures the cost of each kind of record in a core model: synthetic traces of A32 blocks that
 * differ in one thing each.
 *
 *   bench-records MACHINE FOLDER_OF_MACHINES KIND N        KIND of the list below; N blocks
 *
 * Prints the nanoseconds a block, best of several rounds, in processor time. bench/records.py runs
 * all kinds, under callgrind as well, and takes from each what the same block costs without it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "armpmu/sim.h"

enum { BLOCKS = 16, ROUNDS = 5, KB = 1024, LINE = 64, PAGE = 4096 };

#define CODE UINT64_C(0x100000)
#define DATA UINT64_C(0x1000000)

/* An access of a kind, and what a block of it is. */
static const struct kind {
    const char *name;
    uint32_t insn;         /* in the middle of its blocks; 0: an addition, no access */
    uint32_t stride, span; /* bytes from one access to the next, before they begin again */
    uint32_t shuffled;     /* the order is not that of the addresses */
    uint32_t bursts;       /* bytes of a BURST, 0: an ACCESS */
} kinds[] = {
    {.name = "block", .insn = 0},
    {.name = "load", .insn = 0xe5912000, .stride = 4, .span = 1 * KB},
    {.name = "store", .insn = 0xe5812000, .stride = 4, .span = 1 * KB},
    {.name = "load-multiple", .insn = 0xe891003c, .stride = 16, .span = 1 * KB, .bursts = 16},
    {.name = "load-l2", .insn = 0xe5912000, .stride = LINE, .span = 96 * KB},
    {.name = "load-l2-walk", .insn = 0xe5912000, .stride = LINE, .span = 240 * KB, .shuffled = 1},
    {.name = "load-memory", .insn = 0xe5912000, .stride = LINE, .span = 4096 * KB},
    {.name = "load-walk", .insn = 0xe5912000, .stride = PAGE + LINE, .span = 64 * (PAGE + LINE)},
    {.name = "store-l2", .insn = 0xe5812000, .stride = LINE, .span = 96 * KB},
};

/* add r0, r0, #1; the instruction; b to the next block. Returns are not taken, nor predicted. */
static uint32_t code[BLOCKS][3];

static bool lookup(void *user, uint32_t id, struct armpmu_block_source *out)
{
    (void)user;
    if (id >= BLOCKS)
        return false;
    *out = (struct armpmu_block_source){
        .address = CODE + id * sizeof code[0],
        .bytes = (const uint8_t *)code[id],
        .n_bytes = sizeof code[0],
        .n_insns = 3,
        .isa = ARMPMU_A32,
    };
    return true;
}

static void make_code(const struct kind *kind)
{
    const uint32_t back = (uint32_t) - (int32_t)(BLOCKS * 3 + 1) & 0xffffff;
    for (unsigned i = 0; i < BLOCKS; i++) {
        code[i][0] = 0xe2800001;
        code[i][1] = kind->insn != 0 ? kind->insn : 0xe2833001;
        code[i][2] = 0xea000000 | (i + 1 < BLOCKS ? 0xffffff : back);
    }
}

static void die(const char *what, const char *why)
{
    fprintf(stderr, "bench-records: %s: %s\n", what, why);
    exit(2);
}

static void require(enum armpmu_status status, const struct armpmu_error *err)
{
    if (status != ARMPMU_OK)
        die("the core model", err->message);
}

static double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Shuffled ones are in another page each time, and come to all lines. */
static uint64_t address_of(const struct kind *kind, uint64_t number)
{
    const uint64_t steps = kind->span / kind->stride;
    return DATA + (kind->shuffled ? number * (PAGE / LINE + 3) : number) % steps * kind->stride;
}

static size_t put_block(const struct kind *kind, uint64_t number, uint64_t *out)
{
    size_t n = 0;
    out[n++] = armpmu_record(ARMPMU_RECORD_BLOCK, 0) | number % BLOCKS;
    if (kind->insn == 0)
        return n;
    out[n++] = armpmu_record(kind->bursts ? ARMPMU_RECORD_BURST : ARMPMU_RECORD_ACCESS, 1) |
               address_of(kind, number);
    if (kind->bursts)
        out[n++] = kind->bursts;
    return n;
}

static double run(struct armpmu_sim *sim, const uint64_t *records, size_t n)
{
    struct armpmu_error err;
    const double start = seconds_now();
    require(armpmu_sim_run(sim, records, n, &err), &err);
    return seconds_now() - start;
}

static double measure(const struct armpmu_machine *machine, const uint64_t *records, size_t n)
{
    struct armpmu_error err;
    struct armpmu_code *blocks;
    struct armpmu_sim *sim;
    require(armpmu_code_new(lookup, NULL, &blocks, &err), &err);
    require(armpmu_sim_new(machine, blocks, &sim, &err), &err);
    const double took = run(sim, records, n);
    armpmu_sim_free(sim);
    armpmu_code_free(blocks);
    return took;
}

static const struct kind *kind_named(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    die(name, "there is no such kind; bench/records.c lists them");
    return NULL;
}

int main(int argc, char **argv)
{
    struct armpmu_error err;
    struct armpmu_machine *machine;
    double best = 1e30;

    if (argc != 5) {
        fprintf(stderr, "usage: bench-records MACHINE FOLDER_OF_MACHINES KIND N\n");
        return 2;
    }
    const struct kind *const kind = kind_named(argv[3]);
    const uint64_t n_blocks = strtoull(argv[4], NULL, 10);
    uint64_t *const records = malloc(3 * n_blocks * sizeof *records);
    size_t n = 0;
    if (records == NULL || n_blocks == 0)
        die(argv[4], "no number of blocks that fits into memory");
    require(armpmu_machine_load(argv[1], argv[2], &machine, &err), &err);
    make_code(kind);
    for (uint64_t i = 0; i < n_blocks; i++)
        n += put_block(kind, i, records + n);
    for (int round = 0; round < ROUNDS; round++) {
        const double took = measure(machine, records, n);
        best = took < best ? took : best;
    }
    printf("%.2f\n", best * 1e9 / (double)n_blocks);
    armpmu_machine_free(machine);
    free(records);
    return 0;
}
