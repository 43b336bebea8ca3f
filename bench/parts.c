/* Nanoseconds per call of the structures that the core models are made of, in the Cortex-A8's
 * geometry. The best of several rounds: other load on the host only ever makes a round slower. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "parts/cache.h"
#include "parts/page_map.h"
#include "parts/branch_predictor.h"
#include "parts/store_buffer.h"
#include "parts/tlb.h"

#define CALLS  (1 << 18)
#define ROUNDS 9

static uint64_t sum; /* of every result, printed at the end: no call can be left out */

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* round: makes CALLS calls on the structure. */
static void measure(const char *name, void (*round)(void *), void *structure)
{
    double best = 1e30;
    for (int i = 0; i < ROUNDS; i++) {
        double start = now_ns();
        round(structure);
        double took = now_ns() - start;
        if (took < best)
            best = took;
    }
    printf("%-44s %7.2f ns\n", name, best / CALLS);
}

static void require(enum armpmu_status status, const struct armpmu_error *err)
{
    if (status == ARMPMU_OK)
        return;
    fprintf(stderr, "parts: %s\n", err->message);
    exit(1);
}

/* ---- caches: lines 0 to sets * ways - 1 are in, others are not ---- */

struct cache_case {
    struct cache cache;
    uint64_t line[CALLS]; /* looked up, or filled, in this order */
};

static struct cache_case *new_cache(uint32_t sets, uint32_t ways, enum machine_replacement policy,
                                    uint64_t first_line)
{
    struct cache_case *made = malloc(sizeof *made);
    struct armpmu_error err;
    struct cache_line victim;
    if (made == NULL)
        exit(1);
    require(cache_init(&made->cache, sets, ways, policy, 1, &err), &err);
    for (uint64_t line = 0; line < (uint64_t)sets * ways; line++)
        cache_fill(&made->cache, line, line, &victim);
    struct random random = {2};
    for (int i = 0; i < CALLS; i++)
        made->line[i] = first_line + random_below(&random, sets * ways);
    return made;
}

static void look_up_lines(void *structure)
{
    struct cache_case *c = structure;
    for (int i = 0; i < CALLS; i++)
        sum += cache_lookup(&c->cache, c->line[i], c->line[i]) != NULL;
}

static void fill_lines(void *structure)
{
    static uint64_t fresh = UINT64_C(1) << 40;
    struct cache_case *c = structure;
    struct cache_line victim;
    for (int i = 0; i < CALLS; i++, fresh++) {
        cache_fill(&c->cache, fresh, fresh, &victim);
        sum += victim.physical;
    }
}

static void measure_caches(void)
{
    static const struct {
        const char *name;
        uint32_t sets, ways;
        enum machine_replacement policy;
        bool present;
        void (*round)(void *);
    } cases[] = {
        {"cache_lookup hit, 16 KiB/4 random", 64, 4, REPLACEMENT_RANDOM, true, look_up_lines},
        {"cache_lookup hit, 16 KiB/4 LRU", 64, 4, REPLACEMENT_LRU, true, look_up_lines},
        {"cache_lookup miss, 16 KiB/4 random", 64, 4, REPLACEMENT_RANDOM, false, look_up_lines},
        {"cache_lookup hit, 256 KiB/8 random", 512, 8, REPLACEMENT_RANDOM, true, look_up_lines},
        {"cache_lookup hit, 256 KiB/8 LRU", 512, 8, REPLACEMENT_LRU, true, look_up_lines},
        {"cache_lookup miss, 256 KiB/8 random", 512, 8, REPLACEMENT_RANDOM, false, look_up_lines},
        {"cache_fill, 16 KiB/4 random", 64, 4, REPLACEMENT_RANDOM, true, fill_lines},
        {"cache_fill, 256 KiB/8 LRU", 512, 8, REPLACEMENT_LRU, true, fill_lines},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t first = cases[i].present ? 0 : UINT64_C(1) << 30;
        struct cache_case *c = new_cache(cases[i].sets, cases[i].ways, cases[i].policy, first);
        measure(cases[i].name, cases[i].round, c);
        cache_free(&c->cache);
        free(c);
    }
}

/* ---- TLB: pages 0 to 31 are in ---- */

struct tlb_case {
    struct tlb tlb;
    uint64_t page[CALLS];
};

static void look_up_pages(void *structure)
{
    struct tlb_case *c = structure;
    for (int i = 0; i < CALLS; i++)
        sum += tlb_lookup(&c->tlb, c->page[i]) != NULL;
}

static void fill_pages(void *structure)
{
    static uint64_t fresh = UINT64_C(1) << 30;
    struct tlb_case *c = structure;
    struct tlb_entry victim;
    for (int i = 0; i < CALLS; i++, fresh++)
        sum += tlb_fill(&c->tlb, fresh, fresh, &victim)->physical_page;
}

static void measure_tlb(void)
{
    static struct tlb_case c;
    struct armpmu_error err;
    struct tlb_entry victim;
    struct random random = {3};
    require(tlb_init(&c.tlb, 32, REPLACEMENT_ROUND_ROBIN, 1, &err), &err);
    for (uint64_t page = 0; page < 32; page++)
        tlb_fill(&c.tlb, page, page, &victim);
    for (int i = 0; i < CALLS; i++)
        c.page[i] = random_below(&random, 32);
    measure("tlb_lookup hit, 32 entries", look_up_pages, &c);
    for (int i = 0; i < CALLS; i++)
        c.page[i] += 0x1000;
    measure("tlb_lookup miss, 32 entries", look_up_pages, &c);
    measure("tlb_fill, 32 entries round robin", fill_pages, &c);
    tlb_free(&c.tlb);
}

/* ---- predictor ---- */

struct branch_predictor_case {
    struct branch_predictor predictor;
    struct flow flow[CALLS];
};

static void run_branches(void *structure)
{
    struct branch_predictor_case *c = structure;
    uint64_t wrong_path = 0;
    for (int i = 0; i < CALLS; i++)
        sum += branch_predictor_branch(&c->predictor, &c->flow[i], &wrong_path);
    sum += wrong_path;
}

static const struct armpmu_machine cortex_a8 = {.branch_prediction = YESNO_YES,
                                                .branch_btb_entries = 512,
                                                .branch_btb_ways = 2,
                                                .branch_history_bits = 10,
                                                .branch_counters = 4096,
                                                .branch_return_stack = 8};

/* n_sites branches in turn, every third a conditional one; one conditional branch in wild goes
 * either way at random, the others always the same way. */
static void measure_branches(const char *name, unsigned n_sites, unsigned wild)
{
    static struct branch_predictor_case c;
    struct armpmu_error err;
    struct random random = {4};
    require(branch_predictor_init(&c.predictor, &cortex_a8, &err), &err);
    for (unsigned i = 0; i < CALLS; i++) {
        unsigned site = i % n_sites;
        uint64_t pc = 0x10000 + 4 * (uint64_t)site;
        c.flow[i] = (struct flow){.pc = pc,
                                  .fall_through = pc + 4,
                                  .target = pc + 0x80,
                                  .conditional = site % 3 == 0,
                                  .taken = site % 9 != 0};
        if (c.flow[i].conditional && wild != 0 && site % wild == 0)
            c.flow[i].taken = random_below(&random, 2);
    }
    measure(name, run_branches, &c);
    branch_predictor_free(&c.predictor);
}

static void measure_calls(void)
{
    static struct branch_predictor_case c;
    struct armpmu_error err;
    require(branch_predictor_init(&c.predictor, &cortex_a8, &err), &err);
    for (unsigned i = 0; i < CALLS; i++) {
        uint64_t caller = 0x10000 + 4 * (uint64_t)(i / 2 % 50), function = 0x20000;
        bool calls = i % 2 == 0;
        c.flow[i] = (struct flow){.pc = calls ? caller : function,
                                  .fall_through = (calls ? caller : function) + 4,
                                  .target = calls ? function : caller + 4,
                                  .taken = true,
                                  .is_return = !calls,
                                  .links = calls};
    }
    measure("branch_predictor_branch, calls and returns", run_branches, &c);
    branch_predictor_free(&c.predictor);
}

static void measure_predictor(void)
{
    measure_branches("branch_predictor_branch, BTB hits, steady", 300, 0);
    measure_branches("branch_predictor_branch, one in 3 random outcomes", 300, 1);
    measure_branches("branch_predictor_branch, BTB misses", 5000, 0);
    measure_calls();
}

/* ---- store buffer and page map ---- */

static void store(void *structure)
{
    static uint64_t cycle;
    struct store_buffer *buffer = structure;
    for (uint64_t i = 0; i < CALLS; i++) {
        uint64_t line = i / 4;
        store_buffer_advance(buffer, ++cycle);
        if (store_buffer_merges(buffer, line))
            continue;
        cycle += store_buffer_full_for(buffer, cycle);
        store_buffer_advance(buffer, cycle);
        store_buffer_push(buffer, cycle, line, 4, true);
    }
    sum += cycle;
}

static void map_pages(void *structure)
{
    for (uint64_t page = 0; page < CALLS; page++)
        sum += page_map_physical(structure, page);
}

int main(void)
{
    struct store_buffer buffer;
    struct page_map map;
    measure_caches();
    measure_tlb();
    measure_predictor();
    store_buffer_init(&buffer, 8);
    measure("a store, 8 entries, 4 stores a line", store, &buffer);
    page_map_init(&map, PAGE_MAP_SCATTERED, 1);
    measure("page_map_physical, scattered", map_pages, &map);
    printf("checksum %" PRIx64 "\n", sum);
    return 0;
}
