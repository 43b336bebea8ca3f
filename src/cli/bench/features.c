#include "cli/bench/features.h"

#include <stdlib.h>
#include <string.h>

#define BYTES_A_PAGE 4096
#define STEPS_A_PAGE 64
#define SMALLEST     1024u /* bytes of the shortest chase */
#define PAGES_FIRST  8u
#define PAGES_LAST   127u
#define BRANCHES_MIN 16u
#define WHOLE        1000 /* one cycle, byte or entry */

/* A curve rises where twice the argument gives a value greater by more than this percentage. */
#define RISE_LEVEL1 120
#define RISE_LEVEL2 150
#define RISE_LINE   115

static bool has_no(struct features *f, const char *what)
{
    snprintf(f->why, sizeof f->why, "%.100s", what);
    return false;
}

/* The feature of a name, or the reason why there is none. */
static bool feature(struct features *f, const char *name, int64_t *value)
{
    return feature_value(f, name, value);
}

static bool point(struct features *f, const char *curve, uint64_t at, int64_t *value)
{
    if (measurement_point(f->measured, curve, (unsigned)at, value))
        return true;
    snprintf(f->why, sizeof f->why, "the line %s_%u is missing", curve, (unsigned)at);
    return false;
}

/* ---- sizes ---- */

/* In percent: what a curve has at twice the argument. 0 at its end. */
static int64_t rise(const struct features *f, const char *curve, unsigned at)
{
    int64_t here = 0, next = 0;

    if (!measurement_point(f->measured, curve, at, &here) || here == 0 ||
        !measurement_point(f->measured, curve, 2 * at, &next))
        return 0;
    return next * 100 / here;
}

/* Returns whether the curve rises after an argument, and with twice as much is halfway from its
 * beginning to where it is with four times as much: few misses before, most after. */
static bool rises(const struct features *f, const char *curve, unsigned from, unsigned at,
                  int64_t percent)
{
    int64_t begin = 0, twice = 0, four_times = 0;

    return rise(f, curve, at) >= percent && measurement_point(f->measured, curve, from, &begin) &&
           measurement_point(f->measured, curve, 2 * at, &twice) &&
           (!measurement_point(f->measured, curve, 4 * at, &four_times) ||
            twice - begin >= (four_times - begin) / 2);
}

/* The first argument after which the curve rises. */
static bool first_rise(struct features *f, const char *curve, unsigned from, int64_t percent,
                       int64_t *value)
{
    for (unsigned at = from; at <= 1u << 29 && rise(f, curve, at) != 0; at *= 2) {
        *value = (int64_t)at * WHOLE;
        if (rises(f, curve, from, at, percent))
            return true;
    }
    snprintf(f->why, sizeof f->why, "the values %s_%u and on do not rise", curve, from);
    return false;
}

/* The argument after which it rises most; 0 when it does not. */
static int64_t steepest_rise(const struct features *f, const char *curve, unsigned from)
{
    int64_t found = 0, most = RISE_LEVEL2 - 1;

    for (unsigned at = from; at <= 1u << 29 && rise(f, curve, at) != 0; at *= 2) {
        const int64_t percent = rise(f, curve, at);
        if (percent <= most)
            continue;
        most = percent;
        found = (int64_t)at * WHOLE;
    }
    return found;
}

static bool l1d_bytes(struct features *f, int64_t *value)
{
    return first_rise(f, "chase", SMALLEST, RISE_LEVEL1, value);
}

static bool l1i_bytes(struct features *f, int64_t *value)
{
    return first_rise(f, "code", SMALLEST, RISE_LEVEL1, value);
}

/* Beyond twice level 1, where misses there become certain. 0: there is no level 2. */
static bool l2_bytes(struct features *f, int64_t *value)
{
    int64_t level1 = 0;

    if (!feature(f, "l1d_bytes", &level1))
        return false;
    *value = steepest_rise(f, "chase", (unsigned)(2 * level1 / WHOLE));
    return true;
}

/* The stride from which on each access has a line of its own: the curve rises no more. */
static bool line_bytes(struct features *f, int64_t *value)
{
    if (rise(f, "stride", 8) < RISE_LINE)
        return has_no(f, "the values stride_N do not rise");
    for (unsigned stride = 16; rise(f, "stride", stride) != 0; stride *= 2)
        if (rise(f, "stride", stride) < RISE_LINE) {
            *value = (int64_t)stride * WHOLE;
            return true;
        }
    return has_no(f, "the values stride_N rise to the end");
}

static bool btb_entries(struct features *f, int64_t *value)
{
    *value = steepest_rise(f, "branches", BRANCHES_MIN);
    return *value != 0 || has_no(f, "the values branches_N do not rise");
}

/* ---- TLBs ---- */

/* The most pages of which hardly one is missing: a sixteenth of the way from few to many, so that a
 * TLB with random replacement rises as early as one that goes round. Many take a cycle more. */
static bool tlb_entries(struct features *f, const char *curve, int64_t *value)
{
    int64_t few = 0, many = 0, here = 0;
    unsigned pages = PAGES_FIRST;

    if (!point(f, curve, PAGES_FIRST, &few) || !point(f, curve, PAGES_LAST, &many))
        return false;
    if (many < few + WHOLE)
        return has_no(f, "up to 127 pages take the same time");
    while (measurement_point(f->measured, curve, pages, &here) && here < few + (many - few) / 16)
        pages++;
    *value = ((int64_t)pages - 1) * WHOLE;
    return true;
}

static bool dtlb_entries(struct features *f, int64_t *value)
{
    return tlb_entries(f, "pages", value);
}

static bool itlb_entries(struct features *f, int64_t *value)
{
    return tlb_entries(f, "code_pages", value);
}

/* The further time of a page, with more pages than a TLB has. */
static bool walk(struct features *f, int64_t *value)
{
    int64_t entries = 0, few = 0, many = 0;

    if (!feature(f, "dtlb_entries", &entries) || !point(f, "pages", PAGES_FIRST, &few) ||
        !point(f, "pages", PAGES_LAST, &many))
        return false;
    *value = many - few;
    return true;
}

/* Cost of a line when this number of bytes is read page after page. entries: the TLB's. A TLB
 * that has them all costs nothing. */
static int64_t walks(struct features *f, const char *entries, uint64_t bytes)
{
    int64_t has = 0, cycles = 0;

    if (!feature(f, entries, &has) || !feature(f, "walk", &cycles) ||
        bytes / BYTES_A_PAGE <= (uint64_t)(has / WHOLE))
        return 0;
    return cycles / STEPS_A_PAGE;
}

/* ---- level 2 and memory ---- */

/* The most bytes of a curve that miss level 1 and fit level 2: three quarters of it at most, so
 * that it need not be all ours. */
static bool level2_bytes(struct features *f, const char *level1, uint64_t *bytes)
{
    int64_t l1 = 0, l2 = 0;

    if (!feature(f, level1, &l1) || !feature(f, "l2_bytes", &l2))
        return false;
    *bytes = (uint64_t)(l2 / WHOLE) / 4 * 3;
    return *bytes > (uint64_t)(2 * l1 / WHOLE) ||
           has_no(f, l2 == 0 ? "there is no level 2" : "level 2 is not larger than level 1");
}

static bool l2_lap(struct features *f, int64_t *value)
{
    uint64_t bytes = 0;
    return level2_bytes(f, "l1d_bytes", &bytes) && point(f, "chase", bytes, value);
}

static bool l2_walks(struct features *f, int64_t *value)
{
    uint64_t bytes = 0;
    if (!level2_bytes(f, "l1d_bytes", &bytes))
        return false;
    *value = walks(f, "dtlb_entries", bytes);
    return true;
}

/* Code goes to 256 KB. */
static bool code_bytes(struct features *f, uint64_t *bytes)
{
    int64_t value;
    if (!level2_bytes(f, "l1i_bytes", bytes))
        return false;
    while (*bytes > SMALLEST && !measurement_point(f->measured, "code", (unsigned)*bytes, &value))
        *bytes /= 2;
    return true;
}

static bool l2_code_lap(struct features *f, int64_t *value)
{
    uint64_t bytes = 0;
    return code_bytes(f, &bytes) && point(f, "code", bytes, value);
}

static bool l2_code_walks(struct features *f, int64_t *value)
{
    uint64_t bytes = 0;
    if (!code_bytes(f, &bytes))
        return false;
    *value = walks(f, "itlb_entries", bytes);
    return true;
}

/* The time of level 2 beyond that of level 1; without level 2 it takes nothing. */
static bool l2_hit(struct features *f, int64_t *value)
{
    int64_t l2 = 0, lap = 0, near = 0, page = 0;

    *value = 0;
    if (feature(f, "l2_bytes", &l2) && l2 == 0)
        return true;
    if (!l2_lap(f, &lap) || !l2_walks(f, &page) || !point(f, "chase", SMALLEST, &near))
        return false;
    *value = lap - near - page;
    return true;
}

#define LONGEST_CHASE (UINT64_C(16) << 20)

static bool memory_lap(struct features *f, int64_t *value)
{
    int64_t l2 = 0;

    if (!feature(f, "l2_bytes", &l2))
        return false;
    if (l2 / WHOLE * 8 > (int64_t)LONGEST_CHASE)
        return has_no(f, "16 MB are less than eight times level 2");
    return point(f, "chase", LONGEST_CHASE, value);
}

static bool memory_walks(struct features *f, int64_t *value)
{
    *value = walks(f, "dtlb_entries", LONGEST_CHASE);
    return true;
}

/* Time of the bus for the next 8 bytes of a line: the first step waits for memory, the others
 * for the bus. It shows where it takes longer than a load does anyway. */
static bool bus_step(struct features *f, const char *curve, unsigned line, int64_t *value)
{
    const int64_t steps = line / 8;
    int64_t near = 0, each = 0, first = 0;

    if (!point(f, "chase", SMALLEST, &near) || !point(f, curve, 8, &each) ||
        !point(f, curve, line, &first))
        return false;
    *value = (steps * each - first) / (steps - 1);
    return *value >= near + WHOLE / 2 || has_no(f, "8 bytes of a line come as fast as a load");
}

static bool line_32_step(struct features *f, int64_t *value)
{
    return bus_step(f, "stride", 32, value);
}

static bool line_64_step(struct features *f, int64_t *value)
{
    return bus_step(f, "far_stride", 64, value);
}

/* Time of 8 bytes that are written to memory, line after line, if level 2 does not allocate for
 * stores; the share of 16 MB that it holds takes the time of near lines. It shows where it is
 * more than that. */
static bool write_step(struct features *f, int64_t *value)
{
    const char *const allocates = armpmu_machine_value(f->base, "l2.write_allocate");
    int64_t l2 = 0, near = 0, far = 0;

    if (!feature(f, "l2_bytes", &l2) || !feature(f, "store_near", &near) ||
        !feature(f, "store_far", &far))
        return false;
    if (allocates == NULL || strcmp(allocates, "no") != 0)
        return has_no(f, "the base's level 2 allocates for stores");
    const int64_t here = l2 / WHOLE, all = (int64_t)LONGEST_CHASE;
    if (here >= all || far * 100 < near * RISE_LINE)
        return has_no(f, "lines far away are written as fast as near ones");
    *value = (far * (all / 1024) - near * (here / 1024)) / ((all - here) / 1024) / 8;
    return true;
}

/* ---- instructions ---- */

/* The least boundary whose crossing takes a cycle more. */
static bool boundary(struct features *f, const char *curve, const char *aligned, int64_t *value)
{
    int64_t plain = 0, here = 0;

    if (!feature(f, aligned, &plain))
        return false;
    for (unsigned at = 4; measurement_point(f->measured, curve, at, &here); at *= 2)
        if (here >= plain + WHOLE) {
            *value = (int64_t)at * WHOLE;
            return true;
        }
    return has_no(f, "no unaligned access takes longer");
}

static bool load_boundary(struct features *f, int64_t *value)
{
    return boundary(f, "unaligned_load", "aligned_load", value);
}

static bool store_boundary(struct features *f, int64_t *value)
{
    return boundary(f, "unaligned_store", "aligned_store", value);
}

static bool unaligned_load(struct features *f, int64_t *value)
{
    int64_t at = 0;
    return load_boundary(f, &at) && point(f, "unaligned_load", (uint64_t)(at / WHOLE), value);
}

static bool way_replay(struct features *f, int64_t *value)
{
    int64_t pair = 0, near = 0;

    if (!feature(f, "pair", &pair) || !point(f, "chase", SMALLEST, &near))
        return false;
    *value = pair - near;
    return *value >= WHOLE || has_no(f, "no two lines take longer in turn");
}

/* The time that a move adds to a chain; alone in its cycle it adds at least one. */
static bool move(struct features *f, int64_t *value)
{
    int64_t two = 0, plain = 0, with_move = 0;

    if (!feature(f, "pair_free", &two) || !feature(f, "add", &plain) ||
        !feature(f, "add_mov", &with_move))
        return false;
    *value = with_move - plain;
    return two < 3 * WHOLE / 2 || has_no(f, "one instruction issues in a cycle");
}

/* The most registers that a list loads in a cycle. */
static bool list_registers(struct features *f, int64_t *value)
{
    int64_t took = 0;
    unsigned n = 2;

    int64_t least = 0;

    if (!point(f, "load", n, &least))
        return false;
    while (measurement_point(f->measured, "load", n, &took) && took < least + WHOLE / 2)
        n++;
    *value = ((int64_t)n - 1) * WHOLE;
    return true;
}

/* ---- names ---- */

static const struct {
    const char *name;
    bool (*find)(struct features *f, int64_t *value);
} features[] = {
#define FEATURE(name)                                                                              \
    {                                                                                              \
#name, name                                                                                \
    }
    FEATURE(btb_entries),   FEATURE(dtlb_entries),   FEATURE(itlb_entries),
    FEATURE(l1d_bytes),     FEATURE(l1i_bytes),      FEATURE(l2_bytes),
    FEATURE(l2_code_lap),   FEATURE(l2_code_walks),  FEATURE(l2_hit),
    FEATURE(l2_lap),        FEATURE(l2_walks),       FEATURE(line_bytes),
    FEATURE(line_32_step),  FEATURE(line_64_step),   FEATURE(list_registers),
    FEATURE(load_boundary), FEATURE(memory_lap),     FEATURE(memory_walks),
    FEATURE(move),          FEATURE(store_boundary), FEATURE(unaligned_load),
    FEATURE(walk),          FEATURE(way_replay),     FEATURE(write_step),
#undef FEATURE
};

static bool base_value(const struct armpmu_machine *base, const char *name, int64_t *value)
{
    static const struct {
        const char *name, *key;
    } keys[] = {{"base_levels", "walk.levels"},
                {"base_minimum", "memory.minimum_cycles"},
                {"base_width", "bus.width_bits"}};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *const text = armpmu_machine_value(base, keys[i].key);
        if (strcmp(name, keys[i].name) != 0 || text == NULL)
            continue;
        *value = strtoll(text, NULL, 10) * WHOLE;
        return true;
    }
    return false;
}

bool feature_value(void *user, const char *name, int64_t *value)
{
    struct features *const f = user;

    if (measurement_value(f->measured, name, value))
        return true;
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++)
        if (strcmp(name, features[i].name) == 0)
            return features[i].find(f, value);
    if (base_value(f->base, name, value))
        return true;
    snprintf(f->why, sizeof f->why, "the line %.40s is missing", name);
    return false;
}
