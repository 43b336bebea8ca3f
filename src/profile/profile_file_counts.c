/* Rows of counts: by path and instruction, by interval, and of all. The profile has one row for all
 * events, the database shares what is counted between its rows, and up to version 2 had a row for
 * each event: `dense` keeps the counts until the profile's row is whole. */
#include "profile/profile_file_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

void profile_make_room_for_counts(struct file_reader *r)
{
    r->dense = calloc(r->profile->n_events + 1, sizeof *r->dense);
    if (r->dense == NULL && profile_is_sound(r))
        r->status = fail(r->err, ARMPMU_NO_MEMORY, "out of memory for '%s'", r->path);
}

static void clear_counts(struct file_reader *r)
{
    if (r->profile->n_events > 0)
        memset(r->dense, 0, r->profile->n_events * sizeof *r->dense);
    r->counted.n_counts = 0;
}

void profile_add_counted(struct file_reader *r)
{
    const struct profile_row *const row = &r->counted;

    if (row->n_counts == 0 || !profile_is_sound(r))
        return;
    r->status = profile_add_row(r->profile, row->thread, row->path, row->insn, r->dense, r->err);
    clear_counts(r);
}

static bool is_counted(const struct file_reader *r, uint32_t thread, uint32_t path, uint32_t insn)
{
    const struct profile_row *const row = &r->counted;

    return row->n_counts > 0 && row->thread == thread && row->path == path && row->insn == insn;
}

void profile_read_count_row(struct file_reader *r)
{
    const struct profile *const p = r->profile;
    const uint32_t thread = profile_column_reference(r, 0, p->n_threads),
                   path = profile_column_reference(r, 1, p->n_paths),
                   insn = profile_column_reference(r, 2, p->n_insns),
                   event = profile_column_reference(r, 3, p->n_events);
    const uint64_t n = profile_column_count(r, 4);

    if (n == 0)
        profile_row_damaged(r, "n", "is 0");
    if (!is_counted(r, thread, path, insn))
        profile_add_counted(r);
    if (!profile_is_sound(r))
        return;
    if (n > INT64_MAX - p->totals[event] - r->dense[event])
        profile_row_damaged(r, "n", "is too large");
    r->counted = (struct profile_row){thread, path, insn, 0, r->counted.n_counts + 1};
    r->dense[event] += n;
}

/* ---- since version 3 ---- */

static void begin_tally(struct file_reader *r)
{
    if (!ARRAY_RESERVE(r->tallies, r->tallies_room, r->n_tallies + 1))
        r->status = fail(r->err, ARMPMU_NO_MEMORY, "out of memory for '%s'", r->path);
    else
        r->tallies[r->n_tallies++] = (uint32_t)r->n_tally;
}

/* Events rise within a tally, and the tallies' numbers have no gaps. */
void profile_read_tally_row(struct file_reader *r)
{
    const uint64_t id = profile_column_any_number(r, 0);
    const uint32_t event = profile_column_reference(r, 1, r->profile->n_events);
    const uint64_t n = profile_column_count(r, 2);
    const bool begins = id == r->n_tallies;

    if (n == 0)
        profile_row_damaged(r, "n", "is 0");
    if (!begins && (id + 1 != r->n_tallies || event <= r->tally[r->n_tally - 1].event))
        profile_row_damaged(r, "id", "is not the next");
    if (begins && profile_is_sound(r))
        begin_tally(r);
    if (!profile_is_sound(r))
        return;
    if (ARRAY_RESERVE(r->tally, r->tally_room, r->n_tally + 1))
        r->tally[r->n_tally++] = (struct profile_count){event, n};
    else
        r->status = fail(r->err, ARMPMU_NO_MEMORY, "out of memory for '%s'", r->path);
}

void profile_end_tallies(struct file_reader *r)
{
    if (profile_is_sound(r))
        begin_tally(r);
}

void profile_read_counts_row(struct file_reader *r)
{
    const struct profile *const p = r->profile;
    const uint32_t thread = profile_column_reference(r, 0, p->n_threads),
                   path = profile_column_reference(r, 1, p->n_paths),
                   insn = profile_column_reference(r, 2, p->n_insns),
                   tally = profile_column_reference(r, 3, r->n_tallies - 1);

    for (uint32_t i = r->tallies[tally]; profile_is_sound(r) && i < r->tallies[tally + 1]; i++) {
        const struct profile_count *const count = &r->tally[i];
        if (count->n > INT64_MAX - p->totals[count->event])
            profile_row_damaged(r, "tally", "is too large");
        r->dense[count->event] = count->n;
    }
    if (profile_is_sound(r))
        r->status = profile_add_row(r->profile, thread, path, insn, r->dense, r->err);
    clear_counts(r);
}

/* ---- edges ---- */

#define EDGE_MOST (UINT64_C(1) << 52) /* so that sums of many stay below 2^64 */

void profile_read_edge_row(struct file_reader *r)
{
    const struct profile *const p = r->profile;
    const struct profile_edge edge = {profile_column_reference(r, 0, p->n_insns),
                                      profile_column_reference_or_none(r, 1, p->n_insns),
                                      profile_column_number(r, 2, EDGE_MOST),
                                      profile_column_number(r, 3, EDGE_MOST)};
    const struct profile_edge *const last = p->n_edges > 0 ? &p->edges[p->n_edges - 1] : NULL;

    if (edge.n == 0 || edge.n_mispredicted > edge.n)
        profile_row_damaged(r, "n", "is 0, or less than mispredicted");
    if (last != NULL &&
        (edge.from < last->from || (edge.from == last->from && edge.to <= last->to)))
        profile_row_damaged(r, "to_insn", "does not rise");
    if (profile_is_sound(r))
        r->status = profile_add_edge(r->profile, &edge, r->err);
}

/* ---- intervals and totals ---- */

void profile_read_interval_row(struct file_reader *r)
{
    const size_t n_events = r->profile->n_events;
    const uint64_t id = profile_column_any_number(r, 0), end_cycles = profile_column_count(r, 1);
    const uint32_t event = profile_column_reference(r, 2, n_events);
    const uint64_t n = profile_column_count(r, 3);

    if (!profile_is_sound(r))
        return;
    if (id != r->n_read / n_events || event != r->n_read % n_events)
        profile_row_damaged(r, "event", "is not the next of its interval");
    if (event > 0 && end_cycles != r->end_cycles)
        profile_row_damaged(r, "end_cycles", "differs within an interval");
    r->end_cycles = end_cycles;
    r->dense[event] = n;
    if (event == n_events - 1 && profile_is_sound(r))
        r->status = profile_add_interval(r->profile, end_cycles, r->dense, r->err);
}

void profile_read_total_row(struct file_reader *r)
{
    const uint32_t event = profile_column_reference(r, 0, r->profile->n_events);

    profile_check_row_id(r, event);
    if (profile_is_sound(r) && profile_column_count(r, 1) != r->profile->totals[event])
        profile_row_damaged(r, "n", "is not the sum of the counts");
}

void profile_end_intervals(struct file_reader *r)
{
    if (r->profile->n_intervals * r->profile->n_events != r->n_read)
        profile_row_damaged(r, "event", "is missing");
}

void profile_end_totals(struct file_reader *r)
{
    if (r->profile->n_events != r->n_read)
        profile_row_damaged(r, "event", "is missing");
}
