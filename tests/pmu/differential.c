/* The device library against the plain references: random operations, and after each of them the
 * outcome, the value read, every line and everything the callbacks were told must agree.
 *
 * usage: differential [CORE|all [OPERATIONS [SEED]]]
 *
 * A list that shows a difference is cut down and printed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../seeds.h"
#include "pair.h"

#define LIST_LENGTH 400

static struct pair pair;
static uint64_t overflows; /* in all lists of a core: else little is shown */

/* Runs a list from the beginning; false at the first difference. */
static bool agrees(const struct armpmu_config *config, const struct operation *list, size_t count)
{
    if (!pair_create(&pair, config))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!pair_do(&pair, &list[i]))
            return false;
    return pair_do(&pair, &(struct operation){.kind = OPERATION_COMPARE});
}

static bool fails(const struct operation *list, size_t count, void *user)
{
    return !agrees(user, list, count);
}

static void report(const struct maker *maker, uint64_t seed, struct operation *list, size_t count)
{
    struct armpmu_config config = maker->config;

    shrink(list, &count, fails, &config);
    agrees(&config, list, count);
    fprintf(stderr, "%s, list seed %#" PRIx64 ": %s\n", maker->core->name, seed, pair.difference);
    for (size_t i = 0; i < count; i++) {
        fputs("    ", stderr);
        operation_print(stderr, &list[i]);
    }
}

/* One list of operations; false, and a report, when the two sides differ. */
static bool run_list(const struct armpmu_core *core, uint64_t seed)
{
    static struct operation list[LIST_LENGTH];
    static struct maker maker;

    maker_start(&maker, core, seed);
    for (size_t i = 0; i < LIST_LENGTH; i++)
        list[i] = maker_next(&maker);
    if (agrees(&maker.config, list, LIST_LENGTH)) {
        for (unsigned i = 0; i < REFERENCE_COUNTERS; i++)
            overflows += pair.told.overflows[i];
        return true;
    }
    report(&maker, seed, list, LIST_LENGTH);
    return false;
}

static bool run_core(const struct armpmu_core *core, uint64_t operations, uint64_t seed)
{
    struct random seeds = {seed};
    const clock_t began = clock();
    uint64_t done = 0;

    overflows = 0;
    for (; done < operations; done += LIST_LENGTH)
        if (!run_list(core, random_bits(&seeds)))
            return false;
    printf("%s: %" PRIu64 " operations agree, %" PRIu64 " overflows, seed %" PRIu64 ", %.1f s\n",
           core->name, done, overflows, seed, (double)(clock() - began) / CLOCKS_PER_SEC);
    const bool has_flags = core->counters[0].flag.slot != ARMPMU_SLOT_NONE;
    return overflows > 0 || !has_flags;
}

int main(int argc, char **argv)
{
    const char *const name = argc > 1 ? argv[1] : "all";
    const uint64_t operations = argc > 2 ? strtoull(argv[2], NULL, 0) : seeds_of(400000);
    const uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    size_t count, ran = 0;
    const struct armpmu_core *const *const cores = armpmu_cores(&count);
    bool agreed = true;

    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, "all") != 0 && strcmp(name, cores[i]->name) != 0)
            continue;
        ran++;
        if (!reference_knows(cores[i]->name)) {
            fprintf(stderr, "%s: no model of it in tests/reference/pmu\n", cores[i]->name);
            agreed = false;
            continue;
        }
        agreed = run_core(cores[i], operations, seed) && agreed;
    }
    if (ran == 0)
        fprintf(stderr, "differential: no core is called '%s'\n", name);
    return agreed && ran > 0 ? 0 : 1;
}
