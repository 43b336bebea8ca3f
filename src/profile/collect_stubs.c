/* Gives the call paths of stubs, which only jump, the name of the jump's target. */
#include <stdlib.h>

#include "base/error.h"
#include "base/order.h"
#include "profile/collect.h"
#include "profile/collect_internal.h"

/* A stub has no more instructions: those of Arm's and AArch64's linkers have three and four. */
#define STUB_INSNS 4

/* Instructions of a function that ran in a path. */
struct share {
    uint32_t path, function;
    uint64_t retired;
};

static int by_place(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    return ORDER(x->path, y->path, x->function, y->function);
}

static size_t count_rows(const struct profile_collection *collection)
{
    size_t n = 0;
    for (size_t i = 0; i < collection->n_threads; i++)
        n += collection->threads[i].n_rows;
    return n;
}

/* One for each path and function, in their order. Returns how many. */
static size_t take_shares(const struct profile_collection *collection,
                          const struct profile *profile, struct share *shares)
{
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < collection->n_threads; i++) {
        const struct collected_thread *const thread = &collection->threads[i];
        for (size_t row = 0; row < thread->n_rows; row++)
            shares[n++] = (struct share){thread->path_numbers[thread->rows[row].path],
                                         profile->insns[thread->insn_numbers[row]].function,
                                         thread->rows[row].retired};
    }
    qsort(shares, n, sizeof *shares, by_place);
    for (size_t i = 0; i < n; i++) {
        if (kept != 0 && by_place(&shares[kept - 1], &shares[i]) == 0)
            shares[kept - 1].retired += shares[i].retired;
        else
            shares[kept++] = shares[i];
    }
    return kept;
}

/* The function that a path's execution came to; PROFILE_NONE if it stays in the one that was
 * called. shares: n of them, of that path. */
static uint32_t jumps_to(const struct profile_path *path, const struct share *shares, size_t n)
{
    const struct share *most = NULL;
    uint64_t own = 0;

    for (size_t i = 0; i < n; i++) {
        if (shares[i].function == path->function)
            own = shares[i].retired;
        else if (most == NULL || shares[i].retired > most->retired)
            most = &shares[i];
    }
    const bool is_stub = path->caller != PROFILE_NONE && own <= STUB_INSNS * path->n_calls;
    return most != NULL && most->retired != 0 && is_stub ? most->function : PROFILE_NONE;
}

/* Paths whose own function calls others: by no stub. */
static bool *find_callers(const struct profile *profile)
{
    bool *const calls = calloc(profile->n_paths, sizeof *calls);
    for (size_t i = 1; calls != NULL && i < profile->n_paths; i++) {
        const struct profile_path *const path = &profile->paths[i];
        calls[path->parent] |=
            path->caller != PROFILE_NONE &&
            profile->insns[path->caller].function == profile->paths[path->parent].function;
    }
    return calls;
}

enum armpmu_status profile_collection_skip_stubs(const struct profile_collection *collection,
                                                 struct profile *profile, struct armpmu_error *err)
{
    struct share *const shares = malloc(count_rows(collection) * sizeof *shares + 1);
    bool *const calls = find_callers(profile);
    const bool made = shares != NULL && calls != NULL;
    const size_t n = made ? take_shares(collection, profile, shares) : 0;

    for (size_t first = 0, end; first < n; first = end) {
        const uint32_t path = shares[first].path;
        for (end = first + 1; end < n && shares[end].path == path;)
            end++;
        const uint32_t function =
            calls[path] ? PROFILE_NONE
                        : jumps_to(&profile->paths[path], shares + first, end - first);
        if (function != PROFILE_NONE)
            profile_name_path(profile, path, function);
    }
    free(calls);
    free(shares);
    return made ? ARMPMU_OK : fail_no_memory(err, "the names of call paths");
}
