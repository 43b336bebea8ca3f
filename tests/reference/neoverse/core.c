/* First, all accesses are looked up in the caches and TLBs in program order. Then the clock runs,
 * and a time is computed once everything it depends on is known. */
#include <stdlib.h>
#include <string.h>

#include "core_internal.h"
#include "pipes.h"

/* ---- times ---- */

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b; /* NEVER is the latest */
}

static void time_prefetch(struct slow *slow, struct line *line);

/* When a line is there that a fill brought; *beyond: since when it was waited for. */
static uint64_t fill_arrives(struct slow *slow, int number, uint64_t *beyond)
{
    const struct fill *fill = &slow->fills[number];
    struct line *line = &slow->lines[fill->line];
    if (line->asker == BY_PREFETCH)
        time_prefetch(slow, line);
    if (line->asked == NEVER)
        return NEVER;
    if (fill->lost) {
        *beyond = line->beyond;
        return line->arrives;
    }
    if (fill->from_miss) {
        if (line->passed == NEVER)
            return NEVER;
        *beyond = line->beyond;
        return line->passed;
    }
    *beyond = line->asked;
    return line->asked;
}

/* Of a line that level 2 asks for at `due`, or when it has a buffer. */
static uint64_t read_arrives(struct slow *slow, struct line *line, uint64_t due)
{
    const struct armpmu_machine *m = slow->machine;
    const int before = line->read - (int)m->l2_fill_buffers;
    const uint64_t cycles = line->l2_fill == NONE ? 0 : slow->fills[line->l2_fill].cycles;
    if (before < 0)
        return due + cycles;
    struct line *other = &slow->lines[slow->reads[line->stream != NONE][before]];
    uint64_t shared = 0; /* lines from the shared cache */
    if (other->asker == BY_PREFETCH)
        time_prefetch(slow, other);
    if (other->passed == NEVER)
        return NEVER;
    uint64_t arrives = later(due, other->passed) + cycles;
    for (int i = before + 1; i <= line->read && line->stream == NONE && !line->outer; i++)
        shared += !slow->lines[slow->reads[0][i]].outer;
    arrives = later(arrives, other->passed + shared * m->llc_line_cycles);
    return line->outer ? later(arrives, other->passed + line->transfers - other->transfers)
                       : arrives;
}

/* Returns when the data cache gets a line that level 2 holds. */
static uint64_t passed_at(struct slow *slow, const struct line *line)
{
    const struct armpmu_machine *m = slow->machine;
    const int before = line->miss - (int)m->window_misses;
    if (line->miss == NONE || before < 0 || m->l2_line_cycles == 0)
        return line->answer;
    struct line *other = &slow->lines[slow->misses[before]];
    if (other->asker == BY_PREFETCH)
        time_prefetch(slow, other);
    const bool held_up = !other->l2_missed && !other->waits;
    const uint64_t passed = held_up ? other->passed : other->answer;
    if (passed == NEVER)
        return NEVER;
    return later(line->answer, passed + (uint64_t)m->window_misses * m->l2_line_cycles);
}

/* Returns when the instruction cache gets a line that level 2 holds: after the one before it. */
static uint64_t code_passed_at(struct slow *slow, const struct line *line)
{
    for (int i = (int)(line - slow->lines) - 1; i >= 0; i--) {
        const struct line *other = &slow->lines[i];
        if (other->asker == BY_FETCH && !other->l1i_hit && !other->l2_missed && !other->waits)
            return later(line->answer, other->arrives + slow->machine->l2_line_cycles);
    }
    return line->answer;
}

/* Of a line access whose answer from level 2 is due at `answer`. */
static void answer_line(struct slow *slow, struct line *line, uint64_t answer)
{
    uint64_t beyond = 0;
    line->answer = answer;
    if (line->l2_missed) {
        line->beyond = answer;
        line->arrives = read_arrives(slow, line, answer);
        return;
    }
    const uint64_t arrives = fill_arrives(slow, line->l2_fill, &beyond);
    if (arrives == NEVER)
        return;
    line->waits = arrives > answer;
    line->arrives = line->waits               ? arrives
                    : line->asker == BY_FETCH ? code_passed_at(slow, line)
                                              : passed_at(slow, line);
    line->beyond = line->waits ? later(beyond, answer) : 0;
}

/* It is asked for when the access is that it goes ahead of. */
static void time_prefetch(struct slow *slow, struct line *line)
{
    const struct line *const trigger = line->trigger != NONE ? &slow->lines[line->trigger] : NULL;
    uint64_t asked = trigger != NULL  ? trigger->asked
                     : line->insn < 0 ? 0
                                      : slow->fates[line->insn].complete;
    if (line->on_arrival && asked != NEVER)
        asked = later(asked, trigger->arrives);
    if (line->arrives != NEVER || asked == NEVER)
        return;
    line->asked = asked + line->delay;
    if (line->l2_fill == NONE)
        line->arrives = line->asked + slow->machine->l2_hit_cycles;
    else
        answer_line(slow, line, line->asked + slow->machine->l2_hit_cycles);
    line->passed = line->arrives;
}

/* When the line of a miss is in its set, some time after the one of the set's latest miss; NEVER:
 * not known. A line that is not known yet is asked for now or later. */
static uint64_t after_fill(const struct slow *slow, const struct line *line, uint64_t arrives)
{
    for (int i = line->demand - 1; i >= 0 && slow->machine->l1d_fill_cycles != 0; i--) {
        const struct line *const other = &slow->lines[slow->demands[i]];
        if (other->name % slow->l1d.n_sets != line->name % slow->l1d.n_sets)
            continue;
        if (other->arrives == NEVER)
            return arrives < slow->now + slow->machine->l2_hit_cycles ? arrives : NEVER;
        return other->arrives <= arrives
                   ? later(arrives, other->arrives + slow->machine->l1d_fill_cycles)
                   : arrives;
    }
    return arrives;
}

static void time_line(struct slow *slow, struct line *line, uint64_t base)
{
    const struct armpmu_machine *m = slow->machine;
    if (line->arrives != NEVER)
        return;
    line->base = base;
    line->asked = base + line->delay;
    if (line->asker == BY_FETCH) {
        if (line->l1i_hit)
            line->arrives = line->asked;
        else
            answer_line(slow, line, line->asked + m->l2_hit_cycles);
    } else if (line->asker == BY_DEVICE_LOAD) {
        line->beyond = line->asked + slow->insns[line->insn].op.window.latency;
        line->arrives = line->beyond + m->memory_latency_cycles;
    } else if (line->stream != NONE) {
        const struct line *first = &slow->lines[line->stream];
        line->answer = line->asked + m->l2_hit_cycles;
        line->arrives = first != line     ? first->arrives
                        : line->l2_missed ? read_arrives(slow, line, line->answer)
                                          : line->answer;
    } else if (line->miss == NONE) {
        struct line *bringer = &slow->lines[slow->misses[line->hit_miss]];
        if (bringer->asker == BY_PREFETCH)
            time_prefetch(slow, bringer);
        line->arrives = bringer->arrives;
        line->beyond = bringer->beyond;
    } else {
        const int before = line->demand - (int)m->window_misses;
        const uint64_t free_at = before < 0 ? 0 : slow->lines[slow->demands[before]].arrives;
        if (free_at != NEVER)
            answer_line(slow, line, later(line->asked, free_at) + m->l2_hit_cycles);
    }
    line->passed = line->arrives;
    if (line->demand != NONE && line->arrives != NEVER)
        line->arrives = after_fill(slow, line, line->arrives);
}

/* A demand access waits: misses are intervals. */
static void tell_spans(struct slow *slow, unsigned i, enum asker asker)
{
    for (int n = 0; n < slow->n_lines_of[i]; n++) {
        const struct line *line = &slow->lines[slow->first_line[i] + n];
        if (line->asker != asker || line->beyond == 0)
            continue;
        for (uint64_t t = later(line->asked, line->beyond); t < line->arrives; t++)
            if (t < slow->max_cycles)
                slow->intervals[t] = true;
    }
}

/* The latest store before instruction i that stands in the place of an 8-byte granule, or of those
 * that write a byte; NONE if one to another granule came to the place later. */
static int writer_of(const struct slow *slow, unsigned i, uint64_t granule, const uint64_t *byte)
{
    for (int at = (int)i - 1; at >= 0; at--) {
        const struct slow_insn *insn = &slow->insns[at];
        if (!insn->accesses || !insn->op.window.store)
            continue;
        const uint64_t first = insn->address, last = insn->address + insn->op.bytes - 1;
        for (uint64_t wrote = last / 8 + 1; wrote-- > first / 8;) {
            if (wrote % MEMORY_GRANULES != granule % MEMORY_GRANULES)
                continue;
            if (wrote != granule)
                return NONE;
            if (byte == NULL || (*byte >= first && *byte <= last))
                return at;
        }
    }
    return NONE;
}

/* Returns whether it loads 16 bytes, or several times 16, that are not aligned to 4. */
static bool loads_unaligned_quads(const struct slow *slow, unsigned i)
{
    const struct slow_insn *insn = &slow->insns[i];
    return insn->op.quads != 0 && insn->accesses && !insn->device && insn->address % 4 != 0;
}

bool slow_is_split(const struct slow *slow, unsigned i)
{
    const struct slow_insn *insn = &slow->insns[i];
    const uint64_t line = slow->machine->l1d_line_bytes, row = slow->machine->units_load_row_bytes,
                   bytes = insn->op.bytes;
    if (!insn->accesses || insn->device)
        return false;
    if (loads_unaligned_quads(slow, i))
        return true;
    if (insn->op.window.load && row != 0 &&
        (insn->address + bytes - 1) / row - insn->address / row > (bytes - 1) / row)
        return true;
    return insn->address % line + bytes > line;
}

/* When a store has left the registers; NEVER: not known yet. */
static uint64_t stored_at(const struct slow *slow, unsigned i)
{
    const uint64_t at = slow_is_split(slow, i) ? slow->fates[i].again : slow->fates[i].issued;
    return at == NEVER ? NEVER : at + 1;
}

/* What a byte of a load comes from that is ready in the cycle `at`: the part of a store that is not
 * written by then, of at most 32 bytes from its first. */
struct origin {
    int store; /* NONE: from the cache; UNKNOWN */
    uint64_t begin, end;
};
#define UNKNOWN (NONE - 1)

static struct origin origin_of(const struct slow *slow, unsigned i, uint64_t byte, uint64_t at)
{
    const int writer = writer_of(slow, i, byte / 8, &byte);
    if (writer == NONE ||
        (slow->fates[writer].written != NEVER && slow->fates[writer].written <= at))
        return (struct origin){.store = NONE};
    if (slow->fates[writer].written == NEVER && slow->now < at) /* it is written later than now */
        return (struct origin){.store = UNKNOWN};
    const uint64_t first = slow->insns[writer].address, end = first + slow->insns[writer].op.bytes,
                   begin = first + (byte - first) / 32 * 32;
    return (struct origin){writer, begin, begin + 32 < end ? begin + 32 : end};
}

/* Whether bytes all come from the cache, or from one part of a store, as its first ones or from its
 * middle on. */
static bool are_together(const struct slow *slow, unsigned i, uint64_t first, uint64_t end,
                         uint64_t at)
{
    const struct origin from = origin_of(slow, i, first, at);
    for (uint64_t byte = first; byte < end; byte++) {
        const struct origin other = origin_of(slow, i, byte, at);
        if (from.store == NONE
                ? other.store != NONE
                : other.store == NONE || other.begin != from.begin || other.end != from.end)
            return false;
    }
    return from.store == NONE || first == from.begin || first - from.begin == from.end - first;
}

/* Whether older stores forward what a load wants of them. */
static bool is_forwarded(const struct slow *slow, unsigned i, uint64_t at)
{
    const uint64_t address = slow->insns[i].address, bytes = slow->insns[i].op.bytes;
    for (uint64_t done = 0; done < bytes; done += 16) {
        const uint64_t first = address + done, n = bytes - done < 16 ? bytes - done : 16;
        if (are_together(slow, i, first, first + n, at))
            continue;
        if (n < 8 || !are_together(slow, i, first, first + n / 2, at) ||
            !are_together(slow, i, first + n / 2, first + n, at))
            return false;
    }
    return true;
}

/* When a load can look into the cache, and whether the store queue has all it wants. Returns false
 * while that is not known. */
static bool wait_for_stores(struct slow *slow, unsigned i)
{
    const struct slow_insn *insn = &slow->insns[i];
    const uint64_t first = insn->address, last = insn->address + insn->op.bytes - 1;
    const uint32_t unforwarded = slow->machine->store_buffer_unforwarded_cycles;
    uint64_t at = slow->fates[i].read, written = 0;
    bool all = true;
    for (uint64_t byte = first; byte <= last; byte++) {
        const int writer = writer_of(slow, i, byte / 8, &byte);
        if (writer == NONE) {
            all = false;
            continue;
        }
        at = later(at, stored_at(slow, (unsigned)writer));
        if (at == NEVER)
            return false;
    }
    for (uint64_t byte = first; byte <= last && unforwarded != 0; byte++) {
        const struct origin from = origin_of(slow, i, byte, at);
        if (from.store == UNKNOWN)
            return false;
        if (from.store != NONE)
            written = later(written, slow->fates[from.store].written);
    }
    if (unforwarded != 0 && !is_forwarded(slow, i, at)) {
        if (written == NEVER)
            return false;
        slow->fates[i].at = written + unforwarded;
        slow->fates[i].forwarded = false;
        return true;
    }
    for (uint64_t granule = first / 8; granule <= last / 8 && all; granule++) {
        const int writer = writer_of(slow, i, granule, NULL);
        if (slow->fates[writer].written == NEVER) {
            if (slow->now < at) /* it is written later than now */
                return false;
        } else {
            all = slow->fates[writer].written > at;
        }
    }
    slow->fates[i].at = at;
    slow->fates[i].forwarded = all;
    return true;
}

/* It waits for no store. */
static void time_device_load(struct slow *slow, unsigned i)
{
    struct line *line = &slow->lines[slow->first_line[i]];
    time_line(slow, line, slow->fates[i].issued);
    slow->fates[i].complete = line->arrives;
    tell_spans(slow, i, BY_DEVICE_LOAD);
}

/* Returns false while it is not asked for. */
static bool time_load_line(struct slow *slow, unsigned i, struct line *line)
{
    const uint64_t issued = line->first ? slow->fates[i].read : slow->fates[i].again;
    if (issued == NEVER)
        return false;
    time_line(slow, line, later(slow->fates[i].at, issued));
    return true;
}

/* All its lines, also those behind one that is not known yet: younger misses wait for them. */
static void time_load(struct slow *slow, unsigned i)
{
    const struct slow_insn *insn = &slow->insns[i];
    const uint64_t extra = insn->op.window.latency - slow->machine->latency_load;
    uint64_t done;
    bool all_known = true;
    if (slow->fates[i].at == NEVER && !wait_for_stores(slow, i))
        return;
    done = slow->fates[i].at + insn->op.window.latency;
    for (int n = 0; n < slow->n_lines_of[i]; n++) {
        struct line *line = &slow->lines[slow->first_line[i] + n];
        if (line->asker != BY_LOAD)
            continue;
        if (!time_load_line(slow, i, line)) {
            all_known = false;
            continue;
        }
        done = later(done, line->asked + insn->op.window.latency);
        if (slow->fates[i].forwarded)
            continue;
        all_known &= line->arrives != NEVER;
        done = later(done, line->arrives + extra);
    }
    if (slow_is_split(slow, i)) {
        all_known &= slow->fates[i].again != NEVER;
        done = later(done, slow->fates[i].again + insn->op.window.latency);
    }
    if (!all_known)
        return;
    slow->fates[i].complete = done;
    if (!slow->fates[i].forwarded)
        tell_spans(slow, i, BY_LOAD);
}

/* The latest entry in the place of a number; NULL if it has another number. */
static const struct drain *entry_of(const struct slow *slow, uint64_t number)
{
    for (unsigned n = slow->n_drains; n-- > 0;)
        if (slow->drains[n].merges &&
            slow->drains[n].number % MEMORY_DRAINS == number % MEMORY_DRAINS)
            return slow->drains[n].number == number ? &slow->drains[n] : NULL;
    return NULL;
}

/* An entry of the store buffer, which is written when its turn comes, unless one waits already. */
static uint64_t write_entry(struct slow *slow, const struct line *line, struct drain drain)
{
    const struct drain *entry = drain.merges ? entry_of(slow, drain.number) : NULL;
    if (entry != NULL && entry->filled == 0 && drain.filled == 0 && line->miss == NONE &&
        entry->at >= line->asked)
        return entry->at;
    slow->drained = later(later(line->asked, line->arrives),
                          slow->drained + slow->machine->store_buffer_drain_cycles);
    if (entry != NULL && entry->filled != 0)
        slow->drained = later(
            slow->drained, entry->at + entry->filled * slow->machine->store_buffer_rewrite_cycles);
    drain.at = slow->drained;
    slow->drains[slow->n_drains++] = drain;
    return slow->drained;
}

/* The entries of a store in one line, from the address `at` to `last`. */
static uint64_t write_line(struct slow *slow, const struct line *line, uint64_t at, uint64_t last,
                           bool merges)
{
    const struct armpmu_machine *m = slow->machine;
    const uint64_t merge = m->store_buffer_merge_bytes,
                   bytes = merge == 0 || merge > m->l1d_line_bytes ? m->l1d_line_bytes : merge;
    const unsigned before = slow->n_drains;
    uint64_t written = 0;
    unsigned n_filled = 0;
    for (uint64_t entry = at / bytes; entry <= last / bytes; entry++)
        n_filled += entry * bytes >= at && entry * bytes + bytes - 1 <= last;
    for (; at <= last; at = (at / bytes + 1) * bytes) {
        const bool filled = at % bytes == 0 && last - at >= bytes - 1;
        const struct drain drain = {
            .number = at / bytes, .merges = merges, .filled = filled ? n_filled > 1 ? 2 : 1 : 0};
        written = later(written, write_entry(slow, line, drain));
    }
    slow->counts.store_accesses += slow->n_drains != before;
    return written;
}

/* All entries of a store whose lines are known. */
static uint64_t write_entries(struct slow *slow, unsigned i)
{
    const struct armpmu_machine *m = slow->machine;
    const uint64_t first = slow->insns[i].address, end = first + slow->insns[i].op.bytes;
    const bool merges = m->store_buffer_merge_bytes != 0 && !slow->crosses[i];
    uint64_t written = 0, at = first;
    for (int n = slow->first_line[i]; at < end; n++) {
        if (slow->lines[n].asker != BY_STORE)
            continue;
        const uint64_t next = (at / m->l1d_line_bytes + 1) * m->l1d_line_bytes;
        if (at != first && at % 4096 == 0 && slow->crosses[i])
            slow->drained += m->store_buffer_page_cycles;
        written = later(written, write_line(slow, &slow->lines[n], at,
                                            next < end ? next - 1 : end - 1, merges));
        at = next;
    }
    return written;
}

/* All its lines, as those of a load. Returns whether they are known. */
static bool time_store_lines(struct slow *slow, unsigned i)
{
    bool known = true;
    for (int n = 0; n < slow->n_lines_of[i]; n++) {
        struct line *line = &slow->lines[slow->first_line[i] + n];
        if (line->asker != BY_STORE)
            continue;
        time_line(slow, line, slow->fates[i].retired + 1);
        known &= line->arrives != NEVER;
    }
    return known;
}

static void write_store(struct slow *slow, unsigned i)
{
    slow->fates[i].written = slow->fates[i].retired;
    if (slow->insns[i].accesses && slow->insns[i].device)
        slow->fates[i].written = slow->drained = later(slow->fates[i].retired + 1, slow->drained);
    else if (slow->insns[i].accesses)
        slow->fates[i].written = write_entries(slow, i);
    tell_spans(slow, i, BY_STORE);
}

/* ---- the clock ---- */

/* Whether all times of an instruction are known. */
static bool is_settled(const struct slow *slow, unsigned i)
{
    for (int n = 0; n < slow->n_lines_of[i]; n++) {
        const struct line *line = &slow->lines[slow->first_line[i] + n];
        if (line->asker != BY_PREFETCH && line->arrives == NEVER)
            return false;
    }
    return slow->fates[i].retired != NEVER &&
           (!slow->insns[i].op.window.store || slow->fates[i].written != NEVER);
}

static void settle(struct slow *slow)
{
    for (; slow->n_settled < slow->n_retired && is_settled(slow, slow->n_settled);
         slow->n_settled++)
        if (slow->insns[slow->n_settled].op.window.store && slow->insns[slow->n_settled].accesses)
            slow->written = slow->fates[slow->n_settled].written;
}

static void time_accesses(struct slow *slow)
{
    settle(slow);
    uint64_t before = slow->written;
    for (unsigned i = slow->n_settled; i < slow->n_dispatched; i++) {
        const struct slow_insn *insn = &slow->insns[i];
        if (insn->accesses && insn->op.window.load && slow->fates[i].read != NEVER &&
            slow->fates[i].complete == NEVER) {
            if (insn->device)
                time_device_load(slow, i);
            else
                time_load(slow, i);
        }
        /* Forwarded loads are done before their lines are there. */
        for (int n = 0; n < slow->n_lines_of[i] && slow->fates[i].forwarded; n++)
            if (slow->lines[slow->first_line[i] + n].asker == BY_LOAD)
                time_load_line(slow, i, &slow->lines[slow->first_line[i] + n]);
        if (!insn->op.window.store)
            continue;
        if (slow->fates[i].written == NEVER && slow->fates[i].retired != NEVER &&
            time_store_lines(slow, i) && before != NEVER)
            write_store(slow, i);
        if (insn->accesses)
            before = slow->fates[i].written;
    }
}

static void retire(struct slow *slow)
{
    for (unsigned n = 0; n < slow->machine->dispatch_width; n++) {
        if (slow->n_retired == slow->n_dispatched ||
            slow->fates[slow->n_retired].complete > slow->now)
            return;
        slow->fates[slow->n_retired++].retired = slow->now;
    }
}

/* When the predictor has the target of a taken branch: one after the other, ahead of delivery. */
static uint64_t predicted(struct slow *slow, unsigned i)
{
    const uint64_t ahead = slow->machine->branch_ahead_cycles, from = slow->fates[i].delivered;
    int before = (int)i - 1;
    if (slow->machine->branch_far_cycles == 0)
        return 0;
    if (slow->fates[i].predicted == NEVER) {
        while (before >= 0 && slow->fates[before].predicted == NEVER)
            before--;
        slow->fates[i].predicted = before >= 0 ? slow->fates[before].predicted : 0;
        if (slow->insns[i].predictor_cycles != 0) /* else with the one before */
            slow->fates[i].predicted =
                later(slow->fates[i].predicted, from > ahead ? from - ahead : 0) +
                slow->insns[i].predictor_cycles;
    }
    return slow->fates[i].predicted;
}

/* When the front end may go on behind instruction i; NEVER: not known yet. */
static uint64_t go_on_behind(struct slow *slow, unsigned i)
{
    const struct armpmu_machine *m = slow->machine;
    const uint64_t from = slow->fates[i].delivered, complete = slow->fates[i].complete,
                   retired = slow->fates[i].retired;
    switch (slow->insns[i].flow) {
    case SLOW_ON:
        break;
    case SLOW_TAKEN:
        return later(from + 1, predicted(slow, i));
    case SLOW_LATE:
        return from + 1 + m->branch_late_cycles;
    case SLOW_FLUSH:
        return complete == NEVER ? NEVER : later(from, complete + m->branch_mispredict_cycles);
    case SLOW_EXCEPTION:
        return retired == NEVER ? NEVER
                                : later(from, retired + later(m->exception_entry_cycles,
                                                              m->exception_return_cycles));
    case SLOW_SYNCHRONIZE:
        return retired == NEVER ? NEVER : later(from, retired + m->barrier_instruction_cycles);
    case SLOW_EXCEPTION_RETURN:
        return retired == NEVER ? NEVER : later(from, retired + m->exception_return_cycles);
    }
    return from;
}

/* When the line of instruction i is asked for, whose delivery may begin at `from`: as far ahead as
 * the predictor, which began again behind what it did not have. */
static uint64_t asked_ahead(struct slow *slow, unsigned i, uint64_t from)
{
    const uint64_t ahead = slow->machine->branch_ahead_cycles;
    uint64_t begun = 0;
    if (slow->machine->branch_directs_fetch == YESNO_NO)
        return from;
    for (unsigned before = 0; before < i; before++) {
        const enum slow_flow flow = slow->insns[before].flow;
        if (flow == SLOW_TAKEN)
            begun = later(begun, predicted(slow, before));
        else if (flow != SLOW_ON)
            begun = later(begun, go_on_behind(slow, before));
    }
    return from > begun + ahead ? from - ahead : begun;
}

static void deliver(struct slow *slow)
{
    for (unsigned n = 0; n < slow->machine->dispatch_width; n++) {
        const unsigned i = slow->n_delivered, queue = slow->machine->dispatch_queue;
        if (i == slow->n_insns)
            return;
        uint64_t from = i > 0 ? go_on_behind(slow, i - 1) : 0;
        if (from == NEVER)
            return;
        if (slow->fetch_of[i] != NONE) {
            struct line *line = &slow->lines[slow->fetch_of[i]];
            time_line(slow, line, asked_ahead(slow, i, from));
            from = later(from, line->arrives);
        }
        if (slow->now < from || (i >= queue && slow->fates[i - queue].dispatched >= slow->now))
            return;
        slow->fates[i].delivered = slow->now;
        slow->n_delivered++;
    }
}

static int nth_before(const struct slow *slow, unsigned i, unsigned n, bool stores)
{
    for (int at = (int)i - 1; at >= 0; at--)
        if ((stores ? slow->insns[at].op.window.store : slow->insns[at].op.window.load) && --n == 0)
            return at;
    return NONE;
}

unsigned slow_entries(const struct slow *slow)
{
    return slow->machine->dispatch_in_order == YESNO_YES ? OOO_RING : slow->machine->window_entries;
}

/* When all is done that a barrier before instruction i waits for, or i itself if `too`; NEVER: not
 * known yet. */
static uint64_t ordered_from(const struct slow *slow, unsigned i, bool too)
{
    bool loads = false, stores = false;
    uint64_t from = 0;
    for (int at = (int)i - !too; at >= 0 && !(loads && stores); at--) {
        const struct ooo_op *const op = &slow->insns[at].op.window;
        const bool by_loads = op->barrier != OOO_NO_BARRIER && op->after_loads && !loads;
        const bool by_stores = op->barrier != OOO_NO_BARRIER && op->after_stores && !stores;
        loads |= by_loads;
        stores |= by_stores;
        if (by_loads && at > 0)
            from = later(from, slow->fates[at - 1].retired);
        for (int older = at - 1; older >= 0 && by_stores; older--)
            if (slow->insns[older].op.window.store)
                from = slow->fates[older].written == NEVER
                           ? NEVER
                           : later(from, slow->fates[older].written + 1);
    }
    return from;
}

/* An older instruction holds up all after it. */
static bool is_held_by_barrier(const struct slow *slow, unsigned i)
{
    for (int at = (int)i - 1; at >= 0; at--)
        if (slow->insns[at].op.window.barrier == OOO_SERIALIZES)
            return slow->fates[at].complete == NEVER || slow->fates[at].complete > slow->now;
    return false;
}

static bool has_room(const struct slow *slow, unsigned i)
{
    const struct armpmu_machine *m = slow->machine;
    const struct ooo_op *op = &slow->insns[i].op.window;
    const int load = op->load ? nth_before(slow, i, m->window_loads, false) : NONE;
    const int store = op->store ? nth_before(slow, i, m->window_stores, true) : NONE;
    if (m->dispatch_in_order == YESNO_YES)
        return true;
    if (is_held_by_barrier(slow, i))
        return false;
    return (i < m->window_entries || slow->fates[i - m->window_entries].retired < slow->now) &&
           (load == NONE || slow->fates[load].retired < slow->now) &&
           (store == NONE || slow->fates[store].written < slow->now);
}

static void dispatch(struct slow *slow)
{
    const bool in_order = slow->machine->dispatch_in_order == YESNO_YES;
    const unsigned width = slow->machine->dispatch_width;
    unsigned slots = slow->now < slow->taken_until ? width : 0;
    while (slow->n_dispatched < slow->n_delivered && slots < width) {
        const unsigned i = slow->n_dispatched;
        const unsigned left = slow->insns[i].op.window.slots - slow->begun;
        if (in_order ? slots + left > width || !slow_dispatch_in_order(slow, i, slots)
                     : slow->begun == 0 && !has_room(slow, i))
            break;
        if (slots + left > width) { /* the others in the next cycle */
            slow->begun += width - slots;
            slots = width;
            break;
        }
        slots += left;
        slow->begun = 0;
        slow->fates[i].dispatched = slow->now;
        slow->n_dispatched++;
    }
    slow->slots[slow->now] = slots;
    slow->lost[slow->now] = slots == 0 && slow->n_dispatched < slow->n_delivered;
}

/* When the base that instruction i updates is there; NEVER: not known yet. A store's is a sum
 * beside it, which waits for the base before. */
uint64_t slow_base_there(struct slow *slow, unsigned i)
{
    const struct ooo_op *op = &slow->insns[i].op.window;
    uint64_t from = slow->fates[i].issued;
    if (slow->fates[i].base != NEVER)
        return slow->fates[i].base;
    if (op->store) {
        int at = (int)i - 1;
        while (at >= 0 &&
               ((slow->insns[at].op.window.writes | slow->insns[at].op.window.writes_back) &
                op->writes_back) == 0)
            at--;
        from = slow->fates[i].dispatched + 1;
        if (at >= 0)
            from = later(from, (slow->insns[at].op.window.writes_back & op->writes_back) != 0
                                   ? slow_base_there(slow, (unsigned)at)
                                   : slow->fates[at].complete);
    }
    if (from != NEVER)
        slow->fates[i].base = from + slow->machine->latency_alu;
    return slow->fates[i].base;
}

/* When an accumulator lets instruction i be issued. What another one that accumulates wrote may
 * come late: what was written when the latest of these wrote it. Where each of two pipes forwards
 * to itself alone, not after one that did so. */
static bool accumulator_is_there(struct slow *slow, unsigned i)
{
    const struct ooo_op *op = &slow->insns[i].op.window;
    uint64_t there = 0;
    int at = (int)i - 1;
    while (at >= 0 && (slow->insns[at].op.window.writes & op->accumulator) == 0 &&
           (slow->insns[at].op.window.writes_back & op->accumulator) == 0)
        at--;
    if (at >= 0)
        there = (slow->insns[at].op.window.writes_back & op->accumulator) != 0
                    ? slow_base_there(slow, (unsigned)at)
                    : slow->fates[at].complete;
    if (there == NEVER)
        return false;
    while (at >= 0 && (slow->insns[at].op.window.accumulator == 0 ||
                       (slow->insns[at].op.window.writes & op->accumulator) == 0))
        at--;
    slow->fates[i].linked = op->within_pipe && there > slow->now;
    if (at >= 0 && slow->fates[at].complete == there && !slow->fates[at].linked)
        there -= slow->insns[at].op.window.forward;
    return there <= slow->now;
}

/* The register that is needed before the others. */
static bool first_is_there(struct slow *slow, unsigned i)
{
    const struct ooo_op *op = &slow->insns[i].op.window;
    for (int at = (int)i - 1; at >= 0 && op->first != 0; at--) {
        const struct ooo_op *older = &slow->insns[at].op.window;
        const bool as_base = (older->writes_back & op->first) != 0;
        const uint64_t there =
            as_base ? slow_base_there(slow, (unsigned)at) : slow->fates[at].complete;
        if (as_base || (older->writes & op->first) != 0)
            return there != NEVER && there + op->first_by <= slow->now;
    }
    return true;
}

static bool operands_are_there(struct slow *slow, unsigned i)
{
    uint64_t left = slow->insns[i].op.window.reads & ~slow->insns[i].op.window.accumulator;
    if (!first_is_there(slow, i))
        return false;
    uint32_t predicates = slow->insns[i].op.window.predicate_reads;
    bool flags = slow->insns[i].op.window.reads_flags;
    for (int at = (int)i - 1; at >= (int)slow->n_retired && (left != 0 || predicates != 0 || flags);
         at--) {
        const struct ooo_op *op = &slow->insns[at].op.window;
        const uint64_t complete = slow->fates[at].complete;
        if ((left & op->writes_back) != 0 && slow_base_there(slow, (unsigned)at) > slow->now)
            return false;
        left &= ~op->writes_back;
        if (((left & op->writes) != 0 || (predicates & op->predicate_writes) != 0 ||
             (flags && op->writes_flags)) &&
            (complete == NEVER || complete > slow->now))
            return false;
        left &= ~op->writes;
        predicates &= ~op->predicate_writes;
        flags &= !op->writes_flags;
    }
    return slow->insns[i].op.window.accumulator == 0 || accumulator_is_there(slow, i);
}

static bool barriers_let(const struct slow *slow, unsigned i)
{
    const struct ooo_op *op = &slow->insns[i].op.window;
    const bool serializes = op->barrier == OOO_SERIALIZES;
    if (op->barrier == OOO_WAITS && i > 0 && slow->fates[i - 1].retired > slow->now)
        return false;
    return !(op->load || op->store || serializes) || ordered_from(slow, i, serializes) <= slow->now;
}

static bool divider_is_free(const struct slow *slow, unsigned i)
{
    const struct ooo_op *op = &slow->insns[i].op.window;
    for (unsigned at = 0; at < i && op->divides; at++) {
        const struct ooo_op *older = &slow->insns[at].op.window;
        if (older->divides && older->divider == op->divider &&
            (slow->fates[at].issued == NEVER ||
             slow->fates[at].issued + older->divide_cycles > slow->now))
            return false;
    }
    return true;
}

/* An instruction that is fused with the one before it needs no unit: it is done when its operands
 * are there, and not before the cycle after its dispatch. */
static void finish_fused(struct slow *slow, unsigned i)
{
    uint64_t done = slow->fates[i].dispatched + 1;
    for (uint64_t left = slow->insns[i].op.window.reads; left != 0; left &= left - 1) {
        const uint64_t reg = left & -left;
        int at = (int)i - 1;
        while (at >= 0 && (slow->insns[at].op.window.writes & reg) == 0 &&
               (slow->insns[at].op.window.writes_back & reg) == 0)
            at--;
        if (at < 0)
            continue;
        if (slow->fates[at].complete == NEVER)
            return;
        done = later(done, slow->fates[at].complete);
    }
    slow->fates[i].issued = slow->fates[i].read = slow->fates[i].complete = done;
}

/* Units that nobody has taken in a cycle, the instructions that have pipes, and the loads that read
 * the data cache. */
struct units_left {
    unsigned of[OOO_UNITS];
    struct given_pipes given;
    uint64_t reads[32];
    unsigned n_reads;
};

/* Takes a unit of a kind; returns whether there was one. */
static bool take_unit(struct units_left *left, enum ooo_unit unit, const struct armpmu_machine *m)
{
    const unsigned pipes = pipes_for(unit, m->units_vector);
    return pipes != 0 ? pipes_give(&left->given, pipes) : unit_take(left->of, unit, m);
}

/* The one or two units of an instruction, both or none. */
static bool take_units(struct units_left *left, const struct ooo_op *op,
                       const struct armpmu_machine *m)
{
    struct units_left after = *left;
    if (!take_unit(&after, op->unit, m) ||
        (op->also != UNIT_INTEGER && op->also != UNIT_NONE && !take_unit(&after, op->also, m)))
        return false;
    *left = after;
    return true;
}

/* It takes its units several times. */
static bool wants_more(const struct slow *slow, unsigned i)
{
    const unsigned times = slow->insns[i].op.window.times;

    return times > 1 && slow->fates[i].taken < times;
}

static void take_more(struct slow *slow, unsigned i, struct units_left *left)
{
    const struct ooo_op *op = &slow->insns[i].op.window;
    if (slow->now - slow->fates[i].dispatched >= OOO_HORIZON)
        slow->fates[i].taken = op->times;
    else if (take_units(left, op, slow->machine))
        slow->fates[i].taken++;
}

/* An instruction that has its unit reads the data cache if it loads, unless its bank gives another
 * row to an older load. */
static void read_bank(struct slow *slow, unsigned i, struct units_left *left)
{
    const struct slow_insn *insn = &slow->insns[i];
    const uint32_t banks = slow->machine->l1d_banks, bytes = slow->machine->l1d_bank_bytes;
    const bool reads = insn->accesses && insn->op.window.load && !insn->device && banks != 0;
    for (unsigned n = 0; n < left->n_reads && reads; n++)
        if (left->reads[n] / bytes % banks == insn->address / bytes % banks &&
            (uint32_t)left->reads[n] / bytes != (uint32_t)insn->address / bytes)
            return;
    if (reads)
        left->reads[left->n_reads++] = insn->address;
    slow->fates[i].read = slow->now;
}

/* The same of one that its bank has held up, which takes its unit once more. */
static void read_again(struct slow *slow, unsigned i, struct units_left *left)
{
    const struct ooo_op *op = &slow->insns[i].op.window;
    if (slow->now - slow->fates[i].dispatched >= OOO_HORIZON)
        slow->fates[i].read = slow->now;
    else if (take_units(left, op, slow->machine))
        read_bank(slow, i, left);
}

/* An access of several lines takes its unit once more, quads that are not aligned for each of them.
 */
static void issue_again(struct slow *slow, unsigned i, struct units_left *left)
{
    const struct ooo_op *op = &slow->insns[i].op.window;
    const bool quads = loads_unaligned_quads(slow, i);
    if (slow->now - slow->fates[i].dispatched < OOO_HORIZON && !take_units(left, op, slow->machine))
        return;
    if (quads && ++slow->fates[i].n_quads < slow->insns[i].op.quads)
        return;
    slow->fates[i].again = slow->now + (quads ? slow->machine->latency_unaligned_quad - 1 : 0);
    if (!op->load)
        slow->fates[i].complete = slow->now + op->latency;
}

/* The oldest first. An instruction that still waits OOO_HORIZON cycles after its dispatch needs no
 * unit from then on, as the header of the window says: it finds one free, and takes none from
 * others. */
static void issue(struct slow *slow)
{
    const struct armpmu_machine *m = slow->machine;
    struct units_left left = {.of = {[UNIT_INTEGER] = m->units_integer,
                                     [UNIT_MULTICYCLE] = m->units_multicycle,
                                     [UNIT_BRANCH] = m->units_branch,
                                     [UNIT_LOAD] = m->units_load,
                                     [UNIT_STORE] = m->units_store,
                                     [UNIT_M0] = 1,
                                     [UNIT_LOAD01] = 2,
                                     [UNIT_FLAGS] = m->units_flags}};
    for (unsigned i = 0; i < slow->n_retired; i++)
        if (wants_more(slow, i))
            take_more(slow, i, &left);
    for (unsigned i = slow->n_retired; i < slow->n_dispatched; i++) {
        const struct slow_insn *insn = &slow->insns[i];
        const struct ooo_op *op = &insn->op.window;
        if (slow->fates[i].issued == NEVER && op->unit == UNIT_NONE) {
            finish_fused(slow, i);
            continue;
        }
        if (slow->fates[i].issued < slow->now && wants_more(slow, i))
            take_more(slow, i, &left);
        if (slow->fates[i].issued < slow->now && slow->fates[i].read == NEVER) {
            read_again(slow, i, &left);
            continue;
        }
        if (slow_is_split(slow, i) && slow->fates[i].read < slow->now &&
            slow->fates[i].again == NEVER) {
            issue_again(slow, i, &left);
            continue;
        }
        if (slow->fates[i].issued != NEVER || slow->fates[i].dispatched >= slow->now ||
            !operands_are_there(slow, i) || !divider_is_free(slow, i) || !barriers_let(slow, i))
            continue;
        const bool is_late = slow->now - slow->fates[i].dispatched >= OOO_HORIZON;
        if (!is_late && !take_units(&left, op, m))
            continue;
        slow->fates[i].issued = slow->now;
        slow->fates[i].taken = 1;
        if (is_late)
            slow->fates[i].read = slow->now;
        else
            read_bank(slow, i, &left);
        if (!insn->accesses || (!op->load && !slow_is_split(slow, i)))
            slow->fates[i].complete = slow->now + op->latency;
    }
}

/* The periods in which more than a gear's threshold of active instructions were dispatched. */
static void count_gears(struct slow *slow)
{
    const struct armpmu_machine *m = slow->machine;
    const uint32_t thresholds[AMUV1_GEARS] = {m->mpmm_gear0_threshold, m->mpmm_gear1_threshold,
                                              m->mpmm_gear2_threshold};
    const uint64_t n_periods = slow->max_cycles / m->mpmm_period_cycles + 1;
    uint32_t *active = calloc(n_periods, sizeof *active);
    for (unsigned i = 0; i < slow->n_insns; i++)
        active[slow->fates[i].dispatched / m->mpmm_period_cycles] += slow->insns[i].op.active;
    for (uint64_t period = 0; period < n_periods; period++)
        for (unsigned gear = 0; gear < AMUV1_GEARS; gear++)
            slow->counts.gears[gear] += active[period] > thresholds[gear];
    free(active);
}

/* What instruction i, a branch that is predicted wrongly, dispatches from the wrong path: the
 * as many operations as the window has free entries when the branch is complete, one a slot. The
 * slots that are left find no room. Returns when dispatch has recovered. */
static uint64_t go_wrong(struct slow *slow, unsigned i)
{
    const struct armpmu_machine *m = slow->machine;
    const uint64_t penalty = m->branch_mispredict_cycles,
                   wrong = earlier(m->branch_wrong_path_cycles, penalty),
                   recovery = earlier(m->branch_recovery_cycles, penalty - wrong),
                   until = slow->fates[i].complete + wrong;
    unsigned room = 0;

    for (unsigned k = 0; k < slow_entries(slow); k++) {
        const int older = (int)(i + 1 + k) - (int)slow_entries(slow);
        room += older < 0 || (older <= (int)i && slow->fates[older].retired < until);
    }
    for (uint64_t t = later(slow->fates[i].dispatched, slow->fates[i].delivered + 1); t < until;
         t++) {
        const bool is_empty = slow->slots[t] == 0;
        const unsigned left = m->dispatch_width - slow->slots[t], n = left < room ? left : room;
        slow->slots[t] += n;
        room -= n;
        slow->counts.wrong_operations += n;
        slow->wrong[t] = is_empty && n != 0;
        slow->recovers[t] = n < left ? HAS_NO_ROOM : GOES_ON;
    }
    for (uint64_t t = until; t < until + recovery; t++)
        slow->recovers[t] = RECOVERS;
    return until + recovery;
}

/* Up to the cycle in which the last instruction is dispatched, whose slots are still open. What is
 * empty is the front end's unless an instruction waits there. */
static void count_stalls(struct slow *slow)
{
    unsigned next = 0;
    uint64_t end = slow->n_insns != 0 ? slow->fates[slow->n_insns - 1].dispatched : 0;
    uint64_t *const ends = calloc(slow->n_insns + 1, sizeof *ends);
    for (unsigned i = 0; i < slow->n_insns; i++) {
        ends[i] = slow->fates[i].dispatched + later(slow->insns[i].op.in_order.cycles, 1);
        if (slow->insns[i].flow == SLOW_FLUSH) {
            ends[i] = go_wrong(slow, i);
            end = later(end, ends[i]);
        }
    }
    slow_count_waits(slow, ends);
    free(ends);
    for (uint64_t t = 1; t < end; t++) {
        const unsigned empty = slow->machine->dispatch_width - slow->slots[t];
        while (next < slow->n_insns && slow->fates[next].dispatched <= t)
            next++;
        const bool waits = slow->recovers[t] != GOES_ON ||
                           (next < slow->n_insns && slow->fates[next].delivered <= t);
        *(waits ? &slow->counts.back_slots : &slow->counts.front_slots) += empty;
        slow->counts.wrong_cycles += slow->wrong[t] || (slow->recovers[t] == RECOVERS);
        if (slow->slots[t] == 0)
            ++*(waits ? &slow->counts.back_cycles : &slow->counts.front_cycles);
    }
}

static void run_clock(struct slow *slow)
{
    for (slow->now = 1; slow->n_retired < slow->n_insns; slow->now++) {
        if (slow->now == slow->max_cycles)
            abort();
        retire(slow);
        time_accesses(slow);
        deliver(slow);
        dispatch(slow);
        issue(slow);
        time_accesses(slow);
    }
    slow->counts.cycles = slow->now - 1;
    slow_find_late(slow);
    count_stalls(slow);
    for (uint64_t t = 0; t < slow->max_cycles; t++)
        slow->counts.memory_stall +=
            (slow->lost[t] || (slow->recovers[t] == HAS_NO_ROOM && slow->slots[t] == 0)) &&
            slow->intervals[t];
    count_gears(slow);
}

/* ---- all ---- */

/* log2 of the pages that a way of level 1 holds, if that is indexed by virtual addresses. */
static unsigned slow_kept_shift(const struct armpmu_machine *machine)
{
    const uint32_t way_bytes = machine->l1d_size_kb * 1024 / machine->l1d_ways;
    unsigned shift = 0;

    while (machine->l1d_index == INDEX_VIRTUAL &&
           way_bytes % (machine->memory_page_kb * 2048 << shift) == 0)
        shift++;
    return shift;
}

struct slow_counts slow_run(const struct armpmu_machine *machine, const struct slow_insn *insns,
                            unsigned n_insns)
{
    struct slow slow = {.machine = machine,
                        .insns = insns,
                        .n_insns = n_insns,
                        .max_lines = (int)n_insns * 64,
                        .max_fills = (int)n_insns * 256,
                        .max_cycles = (uint64_t)n_insns * 2000 + 10000};
    slow_caches_new(&slow);
    page_map_init(&slow.pages, machine->memory_page_map, machine->random_seed);
    slow.pages.run_shift = (unsigned)__builtin_ctz(machine->memory_page_run);
    slow.pages.kept_shift = slow_kept_shift(machine);
    slow.huge_pages = slow.pages;
    slow.huge_pages.run_shift = 9;
    slow.lines = calloc((size_t)slow.max_lines, sizeof *slow.lines);
    slow.misses = calloc((size_t)slow.max_lines, sizeof *slow.misses);
    slow.demands = calloc((size_t)slow.max_lines, sizeof *slow.demands);
    for (int streams = 0; streams < 2; streams++)
        slow.reads[streams] = calloc((size_t)slow.max_lines, sizeof *slow.reads[streams]);
    slow.dirty_l1d = calloc((size_t)slow.max_lines, sizeof *slow.dirty_l1d);
    slow.fills = calloc((size_t)slow.max_fills, sizeof *slow.fills);
    slow.dirty_l2 = calloc((size_t)slow.max_fills, sizeof *slow.dirty_l2);
    slow.first_line = calloc(n_insns, sizeof *slow.first_line);
    slow.n_lines_of = calloc(n_insns, sizeof *slow.n_lines_of);
    slow.fetch_of = calloc(n_insns, sizeof *slow.fetch_of);
    slow.fates = malloc(n_insns * sizeof *slow.fates);
    slow.drains = calloc((size_t)slow.max_lines, sizeof *slow.drains);
    slow.placed = calloc(n_insns, sizeof *slow.placed);
    slow.mapped = calloc(n_insns, sizeof *slow.mapped);
    slow.crosses = calloc(n_insns, sizeof *slow.crosses);
    slow.lost = calloc(slow.max_cycles, sizeof *slow.lost);
    slow.slots = calloc(slow.max_cycles, sizeof *slow.slots);
    slow.intervals = calloc(slow.max_cycles, sizeof *slow.intervals);
    slow.wrong = calloc(slow.max_cycles, sizeof *slow.wrong);
    slow.recovers = calloc(slow.max_cycles, sizeof *slow.recovers);
    for (unsigned i = 0; i < n_insns; i++) {
        memset(&slow.fates[i], 0xff, sizeof slow.fates[i]);
        slow.fates[i].forwarded = false;
        slow.fates[i].taken = slow.fates[i].n_quads = 0;
    }
    slow_find_all(&slow);
    run_clock(&slow);
    slow_caches_free(&slow);
    free(slow.lines);
    free(slow.misses);
    free(slow.demands);
    free(slow.reads[0]);
    free(slow.reads[1]);
    free(slow.dirty_l1d);
    free(slow.fills);
    free(slow.dirty_l2);
    free(slow.first_line);
    free(slow.n_lines_of);
    free(slow.fetch_of);
    free(slow.fates);
    free(slow.placed);
    free(slow.mapped);
    free(slow.drains);
    free(slow.crosses);
    free(slow.lost);
    free(slow.slots);
    free(slow.intervals);
    free(slow.wrong);
    free(slow.recovers);
    return slow.counts;
}
