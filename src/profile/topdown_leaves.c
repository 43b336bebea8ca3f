#include "profile/topdown_leaves.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/order.h"

#define MEANING_BYTES 80

/* Rows of the tree: of a group event.name is NULL. */
static const struct tree_row {
    const char *name;
    struct armpmu_event event;
} rows[] = {
#define GROUP(depth, text, meaning) {text, {0}},
#define LEAF(depth, text, signal)                                                                  \
    {text,                                                                                         \
     {.name = "TOPDOWN_" #signal,                                                                  \
      .unit = ARMPMU_UNIT_CYCLES,                                                                  \
      .fidelity = ARMPMU_MODELLED,                                                                 \
      .signals = {ARMPMU_SIGNAL_##signal},                                                         \
      .n_signals = 1}},
#include "armpmu/topdown.def"
#undef LEAF
#undef GROUP
};

#define N_TREE_ROWS (sizeof rows / sizeof *rows)

static_assert(N_TREE_ROWS < TOPDOWN_LEAVES_MOST, "there is room for each leaf, and for the rest");

/* The row of a leaf, and its group; N_TREE_ROWS after the last. */
static size_t row_of(size_t leaf, const char **group)
{
    size_t i = 0;

    for (; i < N_TREE_ROWS; i++) {
        if (rows[i].event.name == NULL)
            *group = rows[i].name;
        else if (leaf-- == 0)
            break;
    }
    return i;
}

const struct armpmu_event *topdown_leaf_event(size_t leaf)
{
    const char *group;
    const size_t row = row_of(leaf, &group);

    return row < N_TREE_ROWS ? &rows[row].event : NULL;
}

enum armpmu_status topdown_leaves_add(struct profile *profile, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    const char *group = "";
    size_t row;

    for (size_t i = 0; status == ARMPMU_OK && (row = row_of(i, &group)) < N_TREE_ROWS; i++) {
        char meaning[MEANING_BYTES];
        uint32_t number;
        snprintf(meaning, sizeof meaning, "%s: %s", group, rows[row].name);
        const struct profile_event made = {
            .name = rows[row].event.name,
            .meaning = meaning,
            .fidelity = armpmu_fidelity_name(rows[row].event.fidelity),
            .unit = armpmu_unit_name(rows[row].event.unit),
            .number = TOPDOWN_NUMBER + (uint32_t)i,
        };
        status = profile_add_event(profile, &made, &number, err);
    }
    return status;
}

static int greatest_first(const void *left, const void *right)
{
    const struct topdown_part *a = left, *b = right;

    return ORDER(b->cycles, a->cycles, a->event, b->event);
}

static struct topdown_part part_of(const char *name, uint32_t event, uint64_t cycles, uint64_t all)
{
    return (struct topdown_part){name, event, cycles,
                                 all != 0 ? 100.0 * (double)cycles / (double)all : 0};
}

size_t topdown_parts(const struct profile *profile, const uint64_t *counts,
                     struct topdown_part parts[TOPDOWN_LEAVES_MOST])
{
    const char *const name = profile->setup.core;
    const struct armpmu_core *const core = name != NULL ? armpmu_core_find(name) : NULL;
    const uint32_t cycles =
        core != NULL ? profile_find_number(profile, core->cycles_event) : PROFILE_NONE;
    uint64_t rest = cycles != PROFILE_NONE ? counts[cycles] : 0;
    uint64_t known = 0; /* of the whole run */
    size_t n = 0;
    bool has_leaves = false;

    for (uint32_t i = 0; cycles != PROFILE_NONE && i < profile->n_events; i++) {
        const bool is_leaf = topdown_is_leaf(profile->events[i].number);
        has_leaves |= is_leaf;
        known += is_leaf ? profile->totals[i] : 0;
        if (!is_leaf || counts[i] == 0 || n == TOPDOWN_LEAVES_MOST - 1)
            continue;
        parts[n++] = part_of(profile->events[i].meaning, i, counts[i], counts[cycles]);
        rest -= counts[i] < rest ? counts[i] : rest;
    }
    if (n > 0)
        qsort(parts, n, sizeof *parts, greatest_first);
    if (has_leaves && rest > 0)
        parts[n++] =
            part_of(known + rest > profile->totals[cycles] ? "waits that count at other code"
                                                           : "the model does not say what for",
                    PROFILE_NONE, rest, counts[cycles]);
    return n;
}
