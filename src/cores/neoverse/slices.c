/* The core in slices (cores/slices.h): its contents without time, its whole state as a digest, and
 * what is no sum over slices.
 *
 * Contents change in program order, CHOICE(amu-state-order): tags and their replacement, predictor,
 * prefetcher, streams of stores, cycles that memory passed lines for. What follows here does all
 * that on a clock of its own, which only has to advance.
 *
 * A state that two processes are in is compared relative to `base`, the cycle before which no later
 * instruction asks for anything: times up to it are all the same. Left out is what only saves the
 * host work: where lines were found last, spans of full units, room that is known to be there. */
#include "cores/slices.h"

#include <stdlib.h>
#include <string.h>

#include "cores/neoverse/core.h"
#include "trace/trace_reader_blocks.h"

/* ---- to follow ---- */

/* The clock of a core that follows: an instruction takes two cycles, and the next one finds the
 * lines that came before. Returns the cycle. */
static ALWAYS_INLINE uint64_t tick(struct neoverse *core, uint32_t n_insns)
{
    const struct memory_fills *const reads = &core->memory.reads;
    const uint64_t came = reads->latest[(reads->n - 1) % OOO_RING].ends;
    const uint64_t now = ooo_later(ooo_cycle(core->resolved) + 2 * (uint64_t)n_insns, came);

    core->window.pace.n += n_insns;
    core->resolved = ooo_time(now);
    return now;
}

static ALWAYS_INLINE void follow_fetch(struct neoverse *core, struct neoverse_fetch_group *group,
                                       uint64_t address, uint64_t now)
{
    enum ooo_hold why;

    if (group->line == core->fetch_line)
        return;
    core->fetch_line = group->line;
    if (!memory_fetch_again(&core->memory, &group->fetched))
        (void)memory_fetch(&core->memory, address + group->first->offset, now, &why,
                           &group->fetched);
}

static ALWAYS_INLINE struct memory_access access_of(const struct neoverse_step *step, uint64_t pc,
                                                    uint64_t address, bool device, uint64_t now)
{
    return (struct memory_access){.pc = pc,
                                  .dispatched = now,
                                  .address = address,
                                  .again = now,
                                  .bytes = step->bytes,
                                  .latency = step->latency,
                                  .device = device};
}

static ALWAYS_INLINE void follow_load(struct neoverse *core, const struct memory_access *access,
                                      uint64_t now)
{
    core->window.intervals.n_spans = 0; /* they are not read */
    (void)memory_load(&core->memory, access, now);
}

static ALWAYS_INLINE void follow_store(struct neoverse *core, const struct neoverse_step *step,
                                       const struct memory_access *access, uint64_t now)
{
    core->window.intervals.n_spans = 0;
    (void)memory_store(&core->memory, access, step->stride, now);
}

/* The only access of an instruction. */
static ALWAYS_INLINE void follow_access(struct neoverse *core, const struct neoverse_step *step,
                                        uint64_t pc, uint64_t address, uint64_t now)
{
    const struct memory_access access = access_of(step, pc, address, false, now);
    const bool is_plain = step->kind == KIND_LOAD && !neoverse_scatters(step, address);

    if (is_plain && memory_load_again(&core->memory, address, step->bytes, now) != MEMORY_NO_TIME) {
        memory_follow_again(&core->memory, false, step->stride, pc, address);
        return;
    }
    if (step->window.load)
        follow_load(core, &access, now);
    if (step->window.store)
        follow_store(core, step, &access, now);
}

/* Where a block led. */
static ALWAYS_INLINE void follow_exit(struct neoverse *core, struct neoverse_block *block,
                                      bool taken, uint64_t next)
{
    const bool ends_pair = core->begins_pair && block->ends_pair;
    struct tage_branch *const branch = &block->branch;

    core->begins_pair = false;
    if (block->end != ENDS_IN_BRANCH && block->end != ENDS_IN_PERFECT)
        return;
    branch->target = next;
    branch->taken = taken || !branch->conditional;
    const enum tage_result result = tage_see(&core->tage, branch, &block->memo);
    core->begins_pair = block->end == ENDS_IN_BRANCH && result == TAGE_RIGHT && branch->taken &&
                        !ends_pair && core->core.machine->branch_far_cycles != 0;
}

static ALWAYS_INLINE void follow_whole(void *state, const struct trace_position *position,
                                       const uint64_t *records, bool taken);
static void follow_block(void *state, const struct retired_block *executed);
static void follow_block_exit(void *state, const struct retired_block *executed,
                              enum block_exit exit, uint64_t next);

/* The part of neoverse_ops that the loop below needs. */
static const struct core_ops loop_ops = {.retire_block = follow_block,
                                         .block_exit = follow_block_exit,
                                         .retire_whole = follow_whole,
                                         ONE_POSITION_A_BLOCK};

static ALWAYS_INLINE void follow_whole(void *state, const struct trace_position *position,
                                       const uint64_t *records, bool taken)
{
    struct neoverse *const core = state;
    const struct reader_entry *const entry = position->entry;
    struct neoverse_block *const block = entry->data;
    const uint64_t now = tick(core, entry->n_insns);
    struct neoverse_fetch_group *group = block->groups, *const last = group + block->n_groups;
    uint32_t i = 0;

    neoverse_announce(core, block);
    for (; group != last; group++) {
        const uint32_t end = group->first->index + group->row.n;
        follow_fetch(core, group, entry->start, now);
        for (; i < entry->n_accesses; i++) {
            const struct reader_access *const access = reader_access_at(&loop_ops, entry, i);
            const struct neoverse_step *const step = &block->steps[access->index];
            if (access->index >= end)
                break;
            follow_access(core, step, entry->start + step->offset,
                          armpmu_record_address(records[access->at]), now);
        }
    }
    follow_exit(core, block, taken, position->next[taken]->entry->start);
}

/* All accesses of an instruction: elements are loaded, then stored. */
static void follow_accesses(struct neoverse *core, const struct neoverse_step *step, uint64_t pc,
                            const struct retired_access *first, uint32_t n)
{
    const uint64_t now = ooo_cycle(core->resolved);
    struct memory_access access;

    for (uint32_t i = 0; i < n && step->window.load; i++) {
        access = access_of(step, pc, first[i].address, first[i].device, now);
        follow_load(core, &access, now);
    }
    for (uint32_t i = 0; i < n && step->window.store; i++) {
        access = access_of(step, pc, first[i].address, first[i].device, now);
        follow_store(core, step, &access, now);
    }
}

static void follow_block(void *state, const struct retired_block *executed)
{
    struct neoverse *const core = state;
    struct neoverse_block *const block = executed->data;
    const uint64_t address = executed->block->address;
    const uint64_t now = tick(core, executed->n_executed);
    struct neoverse_fetch_group *group = block->groups;
    uint32_t i = 0, n;

    neoverse_announce(core, block);
    for (uint32_t left = executed->n_executed; left != 0; left -= n, group++) {
        n = group->row.n < left ? group->row.n : left;
        follow_fetch(core, group, address, now);
        while (i < executed->n_accesses && executed->accesses[i].index < group->first->index + n) {
            const struct retired_access *const first = &executed->accesses[i];
            const struct neoverse_step *const step = &block->steps[first->index];
            uint32_t same = 1;
            while (i + same < executed->n_accesses && first[same].index == first->index)
                same++;
            follow_accesses(core, step, address + step->offset, first, same);
            i += same;
        }
    }
}

static void follow_block_exit(void *state, const struct retired_block *executed,
                              enum block_exit exit, uint64_t next)
{
    const struct block *const block = executed->block;

    if ((exit == EXIT_SEQUENTIAL || exit == EXIT_BRANCH) &&
        executed->n_executed == block->n_insns && block->n_insns != 0)
        follow_exit(state, executed->data, exit == EXIT_BRANCH, next);
}

enum armpmu_status neoverse_follow(struct neoverse *core, const uint64_t *records, size_t n_records,
                                   struct armpmu_error *err)
{
    return trace_reader_loop(core->core.reader, &loop_ops, records, n_records, err);
}

static void follow(void *state)
{
    struct neoverse *const core = state;

    if (core->follows == NULL)
        core->follows = malloc(sizeof *core->follows);
    if (core->follows == NULL) /* slower, and the same */
        return;
    *core->follows = neoverse_ops;
    core->follows->retire_block = follow_block;
    core->follows->block_exit = follow_block_exit;
    core->follows->retire_whole = follow_whole;
    core->core.reader->model = core->follows;
}

static uint64_t latest_of(const struct memory_fills *fills)
{
    uint64_t latest = 0;

    for (unsigned i = 0; i < OOO_RING; i++)
        latest = ooo_later(latest, fills->latest[i].ends);
    return latest;
}

/* A cycle by which all has come. */
static uint64_t find_rest(const struct neoverse *core)
{
    const struct neoverse_memory *const memory = &core->memory;
    uint64_t rest = ooo_later(ooo_cycle(core->resolved), memory->drained);

    rest = ooo_later(rest, ooo_later(latest_of(&memory->reads), latest_of(&memory->writes)));
    for (unsigned i = 0; i < OOO_RING; i++)
        rest = ooo_later(rest, ooo_later(memory->passed[i], memory->miss_ends[i]));
    return rest + 1;
}

static void keep_time(void *state)
{
    struct neoverse *const core = state;
    struct ooo_pace *const pace = &core->window.pace;

    if (core->follows == NULL)
        return;
    core->core.reader->model = &neoverse_ops;
    free(core->follows);
    core->follows = NULL;
    core->window.intervals.n_spans = 0;
    core->resolved = ooo_time(find_rest(core));
    pace->delivered = pace->dispatched = pace->retired = core->resolved;
    pace->to_deliver = pace->to_dispatch = core->resolved;
}

/* ---- the state ---- */

static inline void add(struct core_digest *digest, uint64_t word)
{
    core_digest_add(digest, word);
}

/* A time that matters where it is after base. */
static inline void add_time(struct core_digest *digest, uint64_t time, uint64_t base)
{
    add(digest, time > base ? time - base : 0);
}

static uint64_t base_of(const struct neoverse *core)
{
    const struct ooo_pace *const pace = &core->window.pace;
    const uint64_t first = pace->dispatched < pace->delivered ? pace->dispatched : pace->delivered;

    return ooo_cycle(first < core->resolved ? first : core->resolved);
}

static void add_tags(struct core_digest *digest, const struct tag_array *tags)
{
    const size_t slots = (size_t)tags->sets * tags->ways;
    const struct replacement *const replacement = &tags->replacement;

    core_digest_add_bytes(digest, tags->names, slots * sizeof *tags->names);
    core_digest_add_bytes(digest, tags->latest, tags->sets * sizeof *tags->latest);
    if (replacement->used != NULL)
        core_digest_add_bytes(digest, replacement->used, slots * sizeof *replacement->used);
    if (replacement->next_victim != NULL)
        core_digest_add_bytes(digest, replacement->next_victim, tags->sets);
    add(digest, replacement->clock);
    core_digest_add_bytes(digest, &replacement->random, sizeof replacement->random);
}

static void add_tlb(struct core_digest *digest, const struct tlb *tlb)
{
    for (uint32_t i = 0; i < tlb->n_entries; i++) {
        const struct tlb_entry *const entry = &tlb->entries[i];
        add(digest, entry->valid ? entry->virtual_page + 1 : 0);
        add(digest, entry->physical_page);
        add(digest, entry->used);
    }
    add(digest, tlb->n_filled);
    add(digest, tlb->next);
    add(digest, tlb->clock);
    core_digest_add_bytes(digest, &tlb->random, sizeof tlb->random);
}

/* Who waits for a line matters only until it has come. */
static void add_line(struct core_digest *digest, const struct memory_line *line, uint64_t base)
{
    const bool comes = line->arrives > base;

    add(digest, line->dirty | line->unused << 1 | line->shared << 2 |
                    (comes && line->prefetched) << 3 |
                    (comes && line->prefetched && line->outer) << 4);
    add_time(digest, line->arrives, base);
    add(digest, comes && line->beyond != 0);
    add_time(digest, comes ? line->beyond : 0, base);
}

static void add_lines(struct core_digest *digest, const struct tag_array *tags,
                      const struct memory_line *lines, uint64_t base)
{
    add_tags(digest, tags);
    for (size_t slot = 0; slot < (size_t)tags->sets * tags->ways; slot++)
        if (tags->names[slot] != 0)
            add_line(digest, &lines[slot], base);
}

/* For lines that have come only the cycles that memory passed lines for since matter; the rest is
 * unsure (struct memory_fills). */
static void add_fills(struct core_digest *digest, const struct neoverse_memory *memory,
                      const struct memory_fills *fills, uint64_t base)
{
    add(digest, fills->n);
    for (uint64_t i = 1; i <= memory->machine->l2_fill_buffers; i++) {
        const struct memory_fill *const fill = &fills->latest[(fills->n - i) % OOO_RING];
        add(digest, memory->l2->transferred - fill->transferred);
        add(digest, fills->n_shared - fill->n_shared);
        add_time(digest, fill->ends, base);
    }
}

static bool writer_matters(const struct memory_writer *writer, uint64_t base)
{
    return writer != NULL && (writer->ready > base || writer->written > base);
}

static void add_writer(struct core_digest *digest, const struct memory_writer *writer,
                       uint64_t base)
{
    const bool matters = writer_matters(writer, base);

    add(digest, writer != NULL);
    add(digest, matters ? writer->begin | writer->bytes << 16 : 0);
    add_time(digest, matters ? writer->ready : 0, base);
    add_time(digest, matters ? writer->written : 0, base);
}

/* The store buffer and its queue, as loads and stores find them. */
static void add_stores(struct core_digest *digest, const struct neoverse_memory *memory,
                       uint64_t base)
{
    const struct armpmu_machine *const m = memory->machine;
    const uint64_t again = 2 * m->store_buffer_rewrite_cycles + 1;

    add_time(digest,
             memory->drained + m->store_buffer_drain_cycles + 8 * m->store_buffer_page_cycles,
             base);
    for (unsigned i = 0; i < MEMORY_DRAINS; i++) {
        const struct memory_drain *const drain = &memory->drains[i];
        const bool matters = drain->number != 0 && drain->at + again > base;
        add(digest, matters ? drain->number : 0);
        add(digest, matters ? drain->closed : 0);
        add_time(digest, matters ? drain->at + again : 0, base);
    }
    for (unsigned i = 0; i < MEMORY_GRANULES; i++) {
        const struct memory_granule *const granule = &memory->granules[i];
        bool matters = false;
        for (unsigned n = 0; n < 8; n++)
            matters |= writer_matters(memory_writer_of(memory, i, n), base);
        add(digest, matters ? granule->number + 1 : 0);
        add_time(digest, granule->until, base);
        for (unsigned n = 0; matters && n < 8; n++)
            add_writer(digest, memory_writer_of(memory, i, n), base);
    }
}

static void add_strides(struct core_digest *digest, const struct neoverse_memory *memory)
{
    for (unsigned stores = 0; stores < 2; stores++)
        for (unsigned i = 0; i < MEMORY_STRIDES; i++) {
            const struct memory_stride *const stride = &memory->strides[stores][i];
            add(digest, stride->address);
            add(digest, stride->line);
            add(digest, stride->stride);
            add(digest, stride->repeated);
            add(digest, (uint64_t)stride->ahead[0] << 32 | stride->ahead[1]);
        }
}

static void add_memory(struct core_digest *digest, const struct neoverse_memory *memory,
                       uint64_t base)
{
    const struct armpmu_machine *const m = memory->machine;
    const size_t llc = (size_t)memory->llc->tags.sets * memory->llc->tags.ways;

    add_tags(digest, &memory->l1i);
    add_lines(digest, &memory->l1d, memory->l1d_lines, base);
    add_lines(digest, &memory->l2->tags, memory->l2->lines, base);
    add_tags(digest, &memory->llc->tags);
    core_digest_add_bytes(digest, memory->llc->dirty, llc * sizeof *memory->llc->dirty);
    add_tags(digest, &memory->l2tlb);
    add_tags(digest, &memory->walk_cache);
    add_tlb(digest, &memory->tlbs[SIDE_FETCH]);
    add_tlb(digest, &memory->tlbs[SIDE_DATA]);
    add(digest, memory->mmu_off | memory->no_data_cache << 1 | memory->no_code_cache << 2);
    add(digest, memory->n_misses);
    add(digest, memory->n_passed);
    add_time(digest, memory->code_passed + memory->machine->l2_line_cycles, base);
    for (uint64_t i = 1; i <= m->window_misses; i++) {
        add_time(digest, memory->miss_ends[(memory->n_misses - i) % OOO_RING], base);
        add_time(digest,
                 memory->passed[(memory->n_passed - i) % OOO_RING] +
                     m->window_misses * m->l2_line_cycles,
                 base);
    }
    for (uint32_t set = 0; set < memory->l1d.sets; set++)
        add_time(digest, memory->filled[set] + m->l1d_fill_cycles, base);
    add_fills(digest, memory, &memory->reads, base);
    add_fills(digest, memory, &memory->writes, base);
    add(digest, memory->l2->has_read);
    add(digest, memory->stream.virtual_line);
    add(digest, memory->stream.written);
    add(digest, memory->stream.n_lines);
    add_line(digest, &memory->stream.state, base);
    add_stores(digest, memory, base);
    add_strides(digest, memory);
}

/* NULL: the core does not have it. */
static void add_table(struct core_digest *digest, const void *table, size_t n, size_t bytes)
{
    if (table != NULL)
        core_digest_add_bytes(digest, table, n * bytes);
}

static void add_predictor(struct core_digest *digest, const struct tage *tage)
{
    const size_t goals = (size_t)TAGE_TABLES << tage->goals.bits;

    core_digest_add_bytes(digest, tage->base, (size_t)tage->base_mask + 1);
    add_table(digest, tage->entries, TAGE_TABLES * ((size_t)tage->index_mask[0] + 1),
              sizeof *tage->entries);
    add_table(digest, tage->goals.entries, goals, sizeof *tage->goals.entries);
    add_table(digest, tage->goals.targets, goals, sizeof *tage->goals.targets);
    add_table(digest, tage->indirect, (size_t)tage->indirect_mask + 1, sizeof *tage->indirect);
    add(digest, tage->history);
    core_digest_add_bytes(digest, &tage->folds.value, sizeof tage->folds.value);
    core_digest_add_bytes(digest, tage->path, sizeof tage->path);
    add(digest, tage->newest);
    for (unsigned i = 0; i < TAGE_LEVELS; i++) {
        const struct tage_targets *const level = &tage->levels[i];
        if (level->targets == NULL)
            continue;
        add_tags(digest, &level->branches);
        core_digest_add_bytes(digest, level->targets,
                              (size_t)level->branches.sets * level->branches.ways *
                                  sizeof *level->targets);
    }
    add(digest, tage->target_history);
    core_digest_add_bytes(digest, tage->stack, sizeof tage->stack);
    add(digest, (uint64_t)tage->stack_top << 32 | tage->stack_used);
}

/* The rings, the latest first; base: a time. */
static void add_queues(struct core_digest *digest, const struct ooo_timing *window, uint64_t base)
{
    const struct ooo_pace *const pace = &window->pace;
    const uint64_t most = ooo_later(ooo_later(window->entries, window->queue), window->width);

    for (uint64_t i = 1; i <= most; i++) {
        const uint64_t number = pace->n - i;
        add_time(digest, window->held[number & window->ring_mask].queue_free, base);
        add_time(digest, window->held[number & window->ring_mask].entry_free, base);
        add(digest, window->late_entry[number & window->ring_mask] == number + 1);
    }
    for (uint64_t i = 1; i <= window->loads; i++) {
        const uint64_t number = pace->n_loads - i;
        add_time(digest, window->load_free[number & window->load_mask], base);
        add(digest, window->late_load[number & window->load_mask] == number + 1);
    }
    for (uint64_t i = 1; i <= window->stores; i++) {
        const uint64_t number = pace->n_stores - i;
        add_time(digest, window->store_free[number & window->store_mask], base);
        add_time(digest, window->stores_free[number & window->store_mask], base);
    }
}

/* Units are taken after the cycle of dispatch, as far ahead as is clean. */
static void add_units(struct core_digest *digest, const struct ooo_timing *window)
{
    const uint64_t first = ooo_cycle(window->pace.dispatched) + 1;
    const uint64_t end = ooo_cycle(window->clean_until) + OOO_HORIZON;

    for (uint64_t cycle = first; cycle < end; cycle++)
        if (window->taken[cycle % OOO_SLOTS] != window->nothing_taken) {
            add(digest, cycle - first);
            add(digest, window->taken[cycle % OOO_SLOTS]);
        }
    for (unsigned i = 0; i < OOO_DIVIDERS; i++)
        add_time(digest, window->divider_free[i], ooo_time(first));
}

/* Banks are read in these cycles, too. */
static void add_banks(struct core_digest *digest, const struct ooo_timing *window)
{
    const struct ooo_banks *const banks = &window->banks;
    const uint64_t first = ooo_cycle(window->pace.dispatched) + 1;

    for (uint64_t bank = 0; bank <= banks->bank_bits && banks->row_bits != 0; bank += 8)
        for (uint64_t cycle = first; cycle < first + OOO_HORIZON; cycle++) {
            const uint64_t read = banks->reads[ooo_bank_read(banks, bank, cycle)];
            if (read >> 32 != (uint32_t)cycle)
                continue;
            add(digest, bank);
            add(digest, cycle - first);
            add(digest, (uint32_t)read);
        }
}

/* In order: what early operands and addresses wait for, and whether for a late load. */
static void add_in_order(struct core_digest *digest, const struct ooo_timing *window,
                         uint64_t early, uint64_t base)
{
    for (unsigned i = 0; i < OOO_READY; i++) {
        const bool matters = window->ready[i] + early > base;
        add_time(digest, window->ready[i] + early, base);
        add_time(digest, window->for_address[i], base);
        add(digest, (matters || window->for_address[i] > base) &&
                        window->from_late_load[i] == window->ready[i]);
    }
    for (uint64_t i = 1; i <= window->after; i++)
        add_time(digest, window->load_until[(window->pace.n - i) & window->ring_mask], base);
}

static void add_window(struct core_digest *digest, const struct ooo_timing *window, uint64_t base)
{
    const struct ooo_pace *const pace = &window->pace;
    const uint64_t time = ooo_time(base);

    add(digest, pace->delivered - time);
    add(digest, pace->dispatched - time);
    add(digest, pace->retired - time);
    add(digest, pace->to_deliver - time);
    add(digest, pace->to_dispatch - time);
    add(digest, pace->n);
    add(digest, window->held_for);
    add_time(digest, window->serialized, time);
    for (unsigned i = 0; i < OOO_READY; i++) {
        const bool matters = window->accumulated[i] > time;
        add_time(digest, window->ready[i], time);
        add_time(digest, window->accumulated[i], time);
        add_time(digest, matters ? window->early[i] : 0, time);
    }
    add_queues(digest, window, time);
    add_units(digest, window);
    add_banks(digest, window);
    for (size_t i = 0; i < window->intervals.n_spans; i++) {
        const struct miss_intervals_span *const span = &window->intervals.spans[i];
        if (span->until <= base)
            continue;
        add_time(digest, span->from, base);
        add_time(digest, span->until, base);
    }
}

static void add_state(const void *state, struct core_digest *digest)
{
    const struct neoverse *const core = state;
    const uint64_t base = base_of(core), time = ooo_time(base);
    const uint64_t ahead = ooo_time(core->core.machine->branch_ahead_cycles);

    add_window(digest, &core->window, base);
    add_memory(digest, &core->memory, base);
    add_predictor(digest, &core->tage);
    add(digest, core->begins_pair);
    if (core->window.in_order)
        add_in_order(digest, &core->window, ooo_time(core->core.machine->latency_early), time);
    add_time(digest, core->predicted + ahead, core->window.pace.delivered);
    add_time(digest, core->restarted + ahead, core->window.pace.delivered);
    add(digest, core->fetch_line);
    add(digest, core->resolved - time);
    add(digest, core->announced);
}

/* ---- power mitigation ----
 *
 * Its periods are cycles from the trace's start on, and a slice does not know how many were before
 * it. So it counts for each cycle of a period in which its first one may begin. Cycles are the
 * slice's, from that of the latest instruction dispatched before it on. */

struct neoverse_phases {
    uint64_t period, first; /* cycles of a period; the core's cycle in which the slice's first is */
    uint64_t now;           /* the next cycle */
    uint64_t sum;           /* active instructions of the `period` cycles before it */
    uint64_t *head;         /* ...of the first `period` cycles, of each */
    uint64_t *recent;       /* ...of the ones before `now`, by their number modulo `period` */
    uint64_t *over;         /* periods above each threshold, by where they begin: not in cycle 0 */
    uint64_t words[];
};

enum { PHASES_PERIOD, PHASES_CYCLES, PHASES_HEAD };
#define PHASES_ARRAYS (2 + AMUV1_GEARS)

/* In-order cores have no periods, and no active instructions. */
static uint64_t period_of(const struct armpmu_machine *machine)
{
    return machine->mpmm_period_cycles != 0 ? machine->mpmm_period_cycles : 1;
}

/* Adds the active instructions of the next cycle. The period before it has ended then: not with its
 * own last cycle, in which the next slice may begin. */
static void pass_cycle(struct neoverse_phases *phases, const uint32_t *thresholds, uint64_t active)
{
    const uint64_t at = phases->now % phases->period;

    if (phases->now > phases->period)
        for (unsigned gear = 0; gear < AMUV1_GEARS; gear++)
            phases->over[gear * phases->period + at] += phases->sum > thresholds[gear];
    phases->sum += active - phases->recent[at];
    phases->recent[at] = active;
    if (phases->now < phases->period)
        phases->head[phases->now] = active;
    phases->now++;
}

/* All cycles up to one pass, without any. Above no threshold nothing happens in empty ones. */
static void pass_to(struct neoverse_phases *phases, const uint32_t *thresholds, uint64_t cycle)
{
    while (phases->now < cycle && phases->sum != 0)
        pass_cycle(phases, thresholds, 0);
    phases->now = ooo_later(phases->now, cycle);
}

/* Those of the latest cycle that had any. */
static void pass_active(struct neoverse *core)
{
    struct neoverse_phases *const phases = core->phases;

    if (core->activity == 0)
        return;
    pass_to(phases, core->thresholds, ooo_cycle(core->period_end) - 1 - phases->first);
    pass_cycle(phases, core->thresholds, core->activity);
    core->activity = 0;
}

void neoverse_note_activity(struct neoverse *core, uint64_t dispatched)
{
    pass_active(core);
    core->period_end = dispatched + OOO_CYCLE;
    core->next_threshold = UINT32_MAX;
}

static void begin_fills(struct neoverse_memory *memory, struct memory_fills *fills, uint64_t base)
{
    fills->n_before_slice = fills->n + memory->machine->l2_fill_buffers;
    fills->came_by = base;
    fills->is_unsure = false;
}

static enum armpmu_status begin(void *state)
{
    struct neoverse *const core = state;
    const uint64_t period = period_of(core->core.machine);
    const size_t n = PHASES_ARRAYS * period;

    free(core->phases);
    core->phases = calloc(1, sizeof *core->phases + n * sizeof core->phases->words[0]);
    if (core->phases == NULL)
        return ARMPMU_NO_MEMORY;
    core->phases->period = period;
    core->phases->first = ooo_cycle(core->window.pace.dispatched);
    core->phases->head = core->phases->words;
    core->phases->recent = core->phases->head + period;
    core->phases->over = core->phases->recent + period;
    core->activity = 0;
    core->period_end = 0;
    begin_fills(&core->memory, &core->memory.reads, base_of(core));
    begin_fills(&core->memory, &core->memory.writes, base_of(core));
    return ARMPMU_OK;
}

static enum armpmu_status end(void *state, struct sim_slice *slice)
{
    struct neoverse *const core = state;
    struct neoverse_phases *const phases = core->phases;
    const uint64_t cycles = ooo_cycle(core->window.pace.dispatched) - phases->first;
    const size_t n = PHASES_ARRAYS * phases->period;

    slice->is_unsure = core->memory.reads.is_unsure || core->memory.writes.is_unsure;
    slice->n_more = PHASES_HEAD + n;
    slice->more = malloc(slice->n_more * sizeof *slice->more);
    if (slice->more == NULL)
        return ARMPMU_NO_MEMORY;
    pass_active(core);
    pass_to(phases, core->thresholds, cycles + 1);
    slice->more[PHASES_PERIOD] = phases->period;
    slice->more[PHASES_CYCLES] = cycles;
    memcpy(slice->more + PHASES_HEAD, phases->words, n * sizeof *slice->more);
    return ARMPMU_OK;
}

/* Where the sum over all slices has come to. */
struct mitigation {
    const struct armpmu_machine *machine;
    uint64_t cycle, active; /* from the start on; of the period that has not ended */
    uint64_t *signals;
};

static void end_period(struct mitigation *m)
{
    m->signals[ARMPMU_SIGNAL_MPMM_GEAR0] += m->active > m->machine->mpmm_gear0_threshold;
    m->signals[ARMPMU_SIGNAL_MPMM_GEAR1] += m->active > m->machine->mpmm_gear1_threshold;
    m->signals[ARMPMU_SIGNAL_MPMM_GEAR2] += m->active > m->machine->mpmm_gear2_threshold;
    m->active = 0;
}

/* The first period that begins in a slice, after its cycle 0, ends the one before. */
static void add_phases(struct mitigation *m, const uint64_t *more)
{
    const uint64_t period = more[PHASES_PERIOD], cycles = more[PHASES_CYCLES];
    const uint64_t *const head = more + PHASES_HEAD, *const recent = head + period,
                          *const over = recent + period;
    const uint64_t first = period - m->cycle % period;

    m->cycle += cycles;
    for (uint64_t i = 0; i < first && i <= cycles; i++)
        m->active += head[i];
    if (cycles < first)
        return;
    end_period(m);
    m->signals[ARMPMU_SIGNAL_MPMM_GEAR0] += over[first % period];
    m->signals[ARMPMU_SIGNAL_MPMM_GEAR1] += over[period + first % period];
    m->signals[ARMPMU_SIGNAL_MPMM_GEAR2] += over[2 * period + first % period];
    for (uint64_t i = first + (cycles - first) / period * period; i <= cycles; i++)
        m->active += recent[i % period];
}

static bool join(const struct armpmu_machine *machine, const struct sim_slice *slices, size_t n,
                 uint64_t *signals)
{
    struct mitigation m = {.machine = machine, .signals = signals};
    const uint64_t period = period_of(machine);

    signals[ARMPMU_SIGNAL_CONSTANT_CYCLES] = neoverse_constant_cycles(
        signals[ARMPMU_SIGNAL_CPU_CYCLES], machine->clock_counter_khz, machine->clock_mhz);
    signals[ARMPMU_SIGNAL_MPMM_GEAR0] = signals[ARMPMU_SIGNAL_MPMM_GEAR1] =
        signals[ARMPMU_SIGNAL_MPMM_GEAR2] = 0;
    for (size_t i = 0; i < n; i++) {
        if (slices[i].n_more != PHASES_HEAD + PHASES_ARRAYS * period ||
            slices[i].more[PHASES_PERIOD] != period)
            return false;
        add_phases(&m, slices[i].more);
    }
    end_period(&m);
    return true;
}

/* ---- all ---- */

static bool fits(const struct armpmu_machine *machine)
{
    return machine->cures == NULL;
}

const struct core_slicing neoverse_slicing = {
    .fits = fits,
    .follow = follow,
    .keep_time = keep_time,
    .begin = begin,
    .end = end,
    .digest = add_state,
    .join = join,
};
