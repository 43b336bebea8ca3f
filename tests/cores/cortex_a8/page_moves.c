/* Caches and TLBs of a system that moves its pages about, against a plain model of them: lists that
 * are searched, without any of the short cuts that the core model takes. Every replacement is round
 * robin, so that the plain model needs no randomness. */
#include <string.h>

#include "../../test.h"
#include "../model.h"

/* The levels the test looks at: two ways of two pages, so that a page has two colours. */
enum { WAYS = 2, SETS = 128, TLB_ENTRIES = 4, COLOURS = 2 };
enum { CODE_PAGES = 6, DATA_PAGES = 8, FRAMES = 6, LINES = 3 };

static const char sections[] = "[l1i]\nsize_kb = 16\nways = 2\nreplacement = round-robin\n"
                               "[l1d]\nsize_kb = 16\nways = 2\nreplacement = round-robin\n"
                               "[itlb]\nentries = 4\nreplacement = round-robin\n"
                               "[dtlb]\nentries = 4\nreplacement = round-robin\n";

/* ---- the plain model ---- */

struct plain_cache {
    uint32_t line[SETS][WAYS]; /* physical + 1, 0 for none */
    unsigned next[SETS];
};

struct plain_tlb {
    uint64_t pair[TLB_ENTRIES]; /* virtual and physical page + 1, 0 for none */
    unsigned next;
};

struct plain {
    struct plain_cache l1i, l1d;
    struct plain_tlb itlb, dtlb;
    uint32_t frame[256]; /* of each page */
    bool off;
    uint64_t itlb_walks, dtlb_walks, l1i_refills, l1d_refills, aliases, accesses;
};

static bool in_set(const struct plain_cache *cache, uint32_t set, uint32_t line, unsigned *way)
{
    for (*way = 0; *way < WAYS; (*way)++)
        if (cache->line[set][*way] == line + 1)
            return true;
    return false;
}

static void fill(struct plain_cache *cache, uint32_t set, uint32_t line)
{
    for (unsigned way = 0; way < WAYS; way++) {
        if (cache->line[set][way] == 0) {
            cache->line[set][way] = line + 1;
            return;
        }
    }
    cache->line[set][cache->next[set]] = line + 1;
    cache->next[set] = (cache->next[set] + 1) % WAYS;
}

static uint32_t translate(const struct plain *plain, struct plain_tlb *tlb, uint32_t page,
                          uint64_t *walks)
{
    if (plain->off)
        return page;
    const uint64_t pair = (uint64_t)page << 32 | (plain->frame[page] + 1);
    unsigned empty = TLB_ENTRIES;
    for (unsigned i = TLB_ENTRIES; i-- > 0;) {
        if (tlb->pair[i] == pair)
            return plain->frame[page];
        if (tlb->pair[i] == 0)
            empty = i;
    }
    ++*walks;
    if (empty == TLB_ENTRIES) {
        empty = tlb->next;
        tlb->next = (tlb->next + 1) % TLB_ENTRIES;
    }
    tlb->pair[empty] = pair;
    return plain->frame[page];
}

static void plain_fetch(struct plain *plain, uint32_t page, uint32_t line)
{
    const uint32_t frame = translate(plain, &plain->itlb, page, &plain->itlb_walks);
    const uint32_t set = (page * 64 + line) % SETS;
    unsigned way;
    if (in_set(&plain->l1i, set, frame * 64 + line, &way))
        return;
    plain->l1i_refills++;
    fill(&plain->l1i, set, frame * 64 + line);
}

static void plain_access(struct plain *plain, uint32_t page, uint32_t line, bool store, bool device)
{
    if (plain->off)
        return;
    const uint32_t frame = translate(plain, &plain->dtlb, page, &plain->dtlb_walks);
    const uint32_t set = (page * 64 + line) % SETS, physical = frame * 64 + line;
    unsigned way;
    if (device)
        return;
    plain->accesses++;
    plain->aliases += (page ^ frame) % COLOURS;
    if (in_set(&plain->l1d, set, physical, &way))
        return;
    if (in_set(&plain->l1d, set ^ 64, physical, &way)) /* under the other colour */
        plain->l1d.line[set ^ 64][way] = 0;
    if (store) /* goes to level 2 */
        return;
    plain->l1d_refills++;
    fill(&plain->l1d, set, physical);
}

static void plain_flush(struct plain_tlb *tlb, bool one, uint32_t page)
{
    for (unsigned i = 0; i < TLB_ENTRIES; i++)
        if (!one || tlb->pair[i] >> 32 == page)
            tlb->pair[i] = 0;
}

/* ---- the streams ---- */

#define CODE_PAGE 0x10
#define DATA_PAGE 0x40

/* A block for each line of the code pages: a load or a store, and a jump to anywhere. */
static bool lookup(void *user, uint32_t id, struct armpmu_block_source *out)
{
    (void)user;
    static const uint32_t code[2][2] = {{0xe5912000, 0xe12fff1e},  /* ldr r2, [r1]; bx lr */
                                        {0xe5810000, 0xe12fff1e}}; /* str r0, [r1]; bx lr */
    *out = (struct armpmu_block_source){
        .address = (uint64_t)(CODE_PAGE + id / 2 / LINES) << 12 | id / 2 % LINES << 6,
        .bytes = (const uint8_t *)code[id % 2],
        .n_bytes = 8,
        .n_insns = 2,
        .isa = ARMPMU_A32,
    };
    return id < 2 * CODE_PAGES * LINES;
}

static uint32_t pick(uint64_t *random, uint32_t n)
{
    *random ^= *random >> 12;
    *random ^= *random << 25;
    *random ^= *random >> 27;
    return (uint32_t)((*random * UINT64_C(0x2545f4914f6cdd1d) >> 33) % n);
}

static void random_access(struct model *model, struct plain *plain, uint64_t *random)
{
    const uint32_t code = pick(random, CODE_PAGES), code_line = pick(random, LINES);
    const uint32_t data = DATA_PAGE + pick(random, DATA_PAGES), data_line = pick(random, LINES);
    const bool store = pick(random, 3) == 0, device = pick(random, 20) == 0;
    const uint64_t page = device ? data + 0x20 : data; /* devices have pages of their own */
    const uint64_t address = page << 12 | data_line << 6;
    FEED(model, BLOCK((code * LINES + code_line) * 2 + store),
         device ? DEVICE(0, address) : ACCESS(0, address));
    plain_fetch(plain, CODE_PAGE + code, code_line);
    plain_access(plain, (uint32_t)page, data_line, store, device);
}

static void random_change(struct model *model, struct plain *plain, uint64_t *random)
{
    const bool code = pick(random, 3) == 0;
    const uint32_t page =
        code ? CODE_PAGE + pick(random, CODE_PAGES) : DATA_PAGE + pick(random, DATA_PAGES);
    switch (pick(random, 12)) {
    case 0:
        FEED(model, TLB_FLUSH);
        plain_flush(&plain->itlb, false, 0);
        plain_flush(&plain->dtlb, false, 0);
        break;
    case 1:
        FEED(model, TLB_FLUSH_PAGE(page));
        plain_flush(&plain->itlb, true, page);
        plain_flush(&plain->dtlb, true, page);
        break;
    case 2:
        plain->off = pick(random, 3) == 0;
        FEED(model, MMU(!plain->off));
        break;
    default:
        plain->frame[page] = (code ? 0x80 : 0xa0) + pick(random, FRAMES);
        FEED(model, MAP(page, plain->frame[page]));
    }
}

static void expect(const struct model *model, const struct plain *plain, uint64_t seed, int step)
{
    const struct {
        enum armpmu_signal signal;
        uint64_t want;
    } rows[] = {
        {ARMPMU_SIGNAL_ITLB_WALK, plain->itlb_walks},
        {ARMPMU_SIGNAL_DTLB_WALK, plain->dtlb_walks},
        {ARMPMU_SIGNAL_L1I_REFILL, plain->l1i_refills},
        {ARMPMU_SIGNAL_L1D_REFILL, plain->l1d_refills},
        {ARMPMU_SIGNAL_L1D_COLOUR_ALIAS, plain->aliases},
        {ARMPMU_SIGNAL_L1D_ACCESS, plain->accesses},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t have = model_signal(model, rows[i].signal);
        if (have != rows[i].want)
            fail_msg("seed %d, step %d: %s %llu, want %llu", (int)seed, step,
                     armpmu_signal_name(rows[i].signal), (unsigned long long)have,
                     (unsigned long long)rows[i].want);
    }
}

static void compare(uint64_t seed)
{
    enum { STEPS = 4000 };
    struct model model =
        model_of(model_machine("small", "cortex-a8-plain", "%s", sections), lookup, NULL);
    static struct plain plain;
    uint64_t random = seed;
    memset(&plain, 0, sizeof plain);
    for (uint32_t page = 0; page < 256; page++)
        plain.frame[page] = page;
    FEED(&model, MAP(0, 0)); /* from here on every page is at home until it moves */
    for (int step = 0; step < STEPS; step++) {
        if (pick(&random, 6) == 0)
            random_change(&model, &plain, &random);
        else
            random_access(&model, &plain, &random);
        expect(&model, &plain, seed, step);
    }
    assert_true(plain.l1d_refills > 100 && plain.dtlb_walks > 100 && plain.l1i_refills > 50);
    model_free(&model);
}

TEST(moving_pages_count_as_in_a_plain_model)
{
    for (uint64_t seed = 1; seed <= 40; seed++)
        compare(seed);
}
