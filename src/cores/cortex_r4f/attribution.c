/* Attributes the counts of the Cortex-R4F model to instructions, for a profile. A counted event
 * goes to the row of the current instruction. The counts that blocks and their schedules remember
 * are split among their instructions when they are read. Data that leave the store buffer belong to
 * the latest store to their line, whatever made them leave; by block, to the block that runs then.
 * The rules are in docs/profiling.md. */
#include <string.h>

#include "cores/cortex_r4f/core.h"
#include "trace/access_log.h"

static uint64_t *row_of(struct r4f *core, const struct r4f_block *block, unsigned index)
{
    return profile_rows_at(&core->core.reader->profile, block->profile, index);
}

void r4f_attribute_exit(struct r4f *core, const struct retired_block *executed,
                        enum block_exit exit)
{
    const uint32_t n = executed->n_executed;

    if (n != executed->block->n_insns && exit == EXIT_EXCEPTION)
        r4f_attribute_to(core, executed->profile, n);
    else if (n != 0)
        r4f_attribute_to(core, executed->profile, n - 1);
}

/* ---- cycles ---- */

/* ---- the store buffer ---- */

/* NULL for a line that was stored to before the profile began. */
static struct r4f_stored *stored_at(struct r4f *core, uint64_t line)
{
    for (uint32_t i = core->n_lines; i-- > 0;)
        if (core->stored[i].line == line)
            return &core->stored[i];
    return NULL;
}

static struct r4f_stored *add_stored(struct r4f *core, uint64_t line)
{
    struct r4f_stored *at = stored_at(core, line);

    if (at == NULL) {
        at = &core->stored[core->n_lines++];
        *at = (struct r4f_stored){.line = line, .row = core->core.reader->profile.elsewhere};
    }
    return at;
}

static bool waits(const struct r4f *core, const struct r4f_stored *stored)
{
    const struct r4f_stores *const stores = &core->memory.stores;
    uint32_t i = 0;

    while (i < stores->n_waiting && r4f_slot_line(stores->waiting[i]) != stored->line)
        i++;
    return i < stores->n_waiting || (core->storing != 0 && stored->number == core->storing);
}

/* Makes room for the lines of a store. */
static void forget_left(struct r4f *core)
{
    const uint32_t n = core->n_lines;

    if (n <= core->memory.stores.n_slots + R4F_ACCESS_LINES)
        return;
    core->n_lines = 0;
    for (uint32_t i = 0; i < n; i++)
        if (waits(core, &core->stored[i]))
            core->stored[core->n_lines++] = core->stored[i];
}

void r4f_attribute_store(struct r4f *core, uint64_t address, uint32_t bytes)
{
    const uint64_t last = (address + bytes - 1) >> R4F_LINE_SHIFT;

    if (!core->by_insn)
        return;
    forget_left(core);
    for (uint64_t line = address >> R4F_LINE_SHIFT; line <= last; line++)
        add_stored(core, line)->row = core->memory.tally;
}

static uint64_t *row_of_store(struct r4f *core, uint64_t line)
{
    const struct r4f_stored *const stored = stored_at(core, line);

    return stored != NULL ? stored->row : core->core.reader->profile.elsewhere;
}

static uint64_t leave(void *user, const struct r4f_leaving *group, uint64_t start)
{
    struct r4f *core = user;
    uint64_t *const at_hand = core->memory.tally;

    core->memory.tally = row_of_store(core, group->line);
    const uint64_t end = core->leave(&core->memory, group, start);
    core->memory.tally = at_hand;
    return end;
}

/* ---- data accesses ---- */

/* The source of an access as far as its kind of memory tells it. */
static enum armpmu_access_source source_of(enum r4f_place place, bool stores)
{
    switch (place) {
    case PLACE_WRITE_THROUGH:
        return stores ? ARMPMU_FROM_THROUGH : ARMPMU_FROM_L1;
    case PLACE_NONCACHEABLE:
        return ARMPMU_FROM_UNCACHED;
    case PLACE_DEVICE:
    case PLACE_ORDERED:
        return ARMPMU_FROM_DEVICE;
    case PLACE_ATCM:
    case PLACE_BTCM:
        return ARMPMU_FROM_TCM;
    case PLACE_WRITE_BACK:
        break;
    }
    return ARMPMU_FROM_L1;
}

/* A store, to each of its lines. */
static void amend(struct r4f *core, uint64_t number, enum armpmu_access_source source,
                  uint64_t refills)
{
    const struct armpmu_data_access *amended = NULL;

    for (uint32_t i = 0; i < core->n_lines; i++) {
        struct r4f_stored *const at = &core->stored[i];
        if (at->number != number)
            continue;
        if (amended == NULL)
            access_log_amend(core->core.reader->profile.accesses, &at->access, source, refills);
        else
            at->access = *amended;
        amended = &at->access;
    }
}

/* Data of a store leave the store buffer: only now it is known whether the cache has its line. What
 * the store that is being made counts becomes its own anyway. */
static uint64_t leave_and_tell(void *user, const struct r4f_leaving *group, uint64_t start)
{
    struct r4f *core = user;
    struct data_access_log *const log = core->core.reader->profile.accesses;
    const struct r4f_stored *const stored = stored_at(core, group->line);
    const uint64_t number = stored != NULL ? stored->number : 0;
    const uint64_t *const row = row_of_store(core, group->line);
    const uint64_t refills = row[ARMPMU_SIGNAL_L1D_REFILL];
    const struct access_seen seen = core->memory.seen;

    if (number == 0 || number == core->storing)
        return leave(core, group, start);
    core->memory.seen = (struct access_seen){0};
    const uint64_t end = leave(core, group, start);
    const uint64_t more = row[ARMPMU_SIGNAL_L1D_REFILL] - refills;
    if (row == core->memory.tally)
        log->before[LOGGED_REFILLS] += more;
    if (core->memory.seen.source != ARMPMU_FROM_L1)
        amend(core, number, core->memory.seen.source, more);
    core->memory.seen = seen;
    return end;
}

void r4f_tell_accesses(void *state)
{
    struct r4f *const core = state;

    core->memory.stores.leave = leave_and_tell;
}

/* The lines of the store that is being made. stored: NULL before it is. */
static void note_stored(struct r4f *core, uint32_t address, uint32_t bytes,
                        const struct armpmu_data_access *stored)
{
    const uint64_t last = ((uint64_t)address + bytes - 1) >> R4F_LINE_SHIFT;

    for (uint64_t line = address >> R4F_LINE_SHIFT; core->storing != 0 && line <= last; line++)
        if (stored != NULL)
            add_stored(core, line)->access = *stored;
        else
            add_stored(core, line)->number = core->storing;
}

void r4f_log_begin(struct r4f *core, const struct retired_block *executed,
                   const struct retired_access *access)
{
    const struct insn_memory *const memory = &executed->block->insns[access->index].memory;

    access_log_begin(core->core.reader->profile.accesses, executed->profile, core->memory.tally,
                     &core->memory.seen);
    access_page_from(&core->memory.seen, ARMPMU_TLB_NONE);
    forget_left(core);
    core->storing = memory->store ? ++core->n_stored : 0;
    note_stored(core, (uint32_t)access->address, memory->bytes, NULL);
}

void r4f_log_end(struct r4f *core, const struct retired_block *executed,
                 const struct retired_access *access, uint64_t cycles)
{
    struct data_access_log *const log = core->core.reader->profile.accesses;
    const struct block *const code = executed->block;
    const struct insn *const insn = &code->insns[access->index];
    const uint32_t address = (uint32_t)access->address;
    const enum r4f_place place =
        access->device ? PLACE_DEVICE : r4f_memory_place(&core->memory, address, false);

    access_comes_from(&core->memory.seen, source_of(place, insn->memory.store));
    const struct armpmu_data_access one =
        access_log_read(log, core->memory.tally, &core->memory.seen,
                        &(struct logged_access){.insn = insn,
                                                .isa = code->isa,
                                                .pc = code->address + insn->offset,
                                                .address = address,
                                                .cycles = cycles});
    access_log_add(log, &one);
    note_stored(core, address, insn->memory.bytes, &one);
    core->storing = 0;
}

/* ---- accesses of whole blocks ---- */

void r4f_attribute_hits(struct r4f *core, const struct r4f_block *block,
                        const struct r4f_point *point, uint32_t more)
{
    row_of(core, block, point->index)[ARMPMU_SIGNAL_L1D_ACCESS] += more;
}

void r4f_attribute_access(struct r4f *core, const struct r4f_block *block,
                          const struct r4f_point *point, uint64_t address)
{
    r4f_attribute_to(core, block->profile, point->index);
    if (point->store)
        r4f_attribute_store(core, address, point->bytes);
}

/* ---- fetches ---- */

/* Where instruction n of a block begins, or the block ends. */
static uint64_t begin_of(const struct r4f_block *block, uint32_t n)
{
    return n == block->code->n_insns ? block->end : block->start + block->code->insns[n].offset;
}

/* The one of the first n instructions that has the byte at an address. */
static uint32_t insn_at(const struct r4f_block *block, uint32_t n, uint64_t address)
{
    while (n > 1 && begin_of(block, n - 1) > address)
        n--;
    return n - 1;
}

static void add_groups(struct r4f *core, const struct r4f_block *block, uint32_t n, bool jumped,
                       uint64_t times)
{
    uint64_t before = 0;

    for (uint32_t i = 0; i < n; i++) {
        const uint64_t groups =
            r4f_fetch_groups(&core->memory, block->start, begin_of(block, i + 1), jumped);
        row_of(core, block, i)[ARMPMU_SIGNAL_L1I_ACCESS] += times * (groups - before);
        before = groups;
    }
}

/* A line belongs to the first instruction that begins in it. */
static void fetch_lines(struct r4f *core, const struct r4f_block *block, uint32_t n)
{
    const uint64_t last = (begin_of(block, n) - 1) >> R4F_LINE_SHIFT;

    for (uint64_t line = block->start >> R4F_LINE_SHIFT, i = 0; line <= last; line++) {
        const uint64_t since = core->memory.now;
        while (i + 1 < n && begin_of(block, (uint32_t)i) < line << R4F_LINE_SHIFT)
            i++;
        r4f_attribute_to(core, block->profile, (unsigned)i);
        r4f_memory_fetch_line(&core->memory, line);
        r4f_attribute_time(core, since);
    }
}

/* Code that is in no cache, in aligned pieces: each belongs to the instruction whose bytes it
 * brings first. */
static void fetch_uncached(struct r4f *core, const struct r4f_block *block, uint32_t n,
                           uint64_t bytes)
{
    const uint64_t end = begin_of(block, n);

    for (uint64_t at = block->start, next; at < end; at = next) {
        const uint64_t since = core->memory.now, whole = (at & ~(bytes - 1)) + bytes;
        next = whole < end ? whole : end;
        r4f_attribute_to(core, block->profile, insn_at(block, n, at));
        r4f_memory_fetch(&core->memory, at, next, core->jumped && at == block->start);
        r4f_attribute_time(core, since);
    }
}

/* Code in a TCM without errors: all that can happen is the wait for the first doubleword. */
static void fetch_first(struct r4f *core, const struct r4f_block *block)
{
    const uint64_t since = core->memory.now;

    r4f_attribute_to(core, block->profile, 0);
    r4f_memory_fetch(&core->memory, block->start, block->end, core->jumped);
    r4f_attribute_time(core, since);
}

void r4f_attribute_fetch(struct r4f *core, const struct r4f_block *block, uint32_t n)
{
    switch (r4f_memory_place(&core->memory, block->start, true)) {
    case PLACE_WRITE_BACK:
    case PLACE_WRITE_THROUGH:
        add_groups(core, block, n, core->jumped, 1);
        fetch_lines(core, block, n);
        break;
    case PLACE_NONCACHEABLE:
    case PLACE_DEVICE:
    case PLACE_ORDERED:
        fetch_uncached(core, block, n, core->core.machine->l1i_fetch_bytes);
        break;
    case PLACE_ATCM:
    case PLACE_BTCM:
        if (core->memory.n_errors != 0)
            fetch_uncached(core, block, n, R4F_SLOT_BYTES);
        else
            fetch_first(core, block);
        break;
    }
}

/* ---- what blocks hold ---- */

void r4f_attribute_insns(struct r4f *core, const struct r4f_block *block, uint32_t n,
                         const struct r4f_issue_state *state, uint64_t runs)
{
    struct r4f_issue_result part = {.after = *state};

    for (uint32_t i = 0; i < n; i++) {
        const struct r4f_issue_state before = part.after;
        uint64_t *const row = row_of(core, block, i);
        r4f_issue_run(core->core.machine, block->code, i, i + 1, &before, &part);
        r4f_add_insn(&block->code->insns[i], runs, row);
        r4f_add_schedule(&part.counts, runs, row);
        r4f_attribute_cycles(core, row, runs * part.counts.cycles);
    }
}

/* The counts that retire_whole leaves to be added: of a load one hit, too. */
static void add_whole(struct r4f *core, const struct r4f_block *block, const uint64_t *exits)
{
    const uint64_t whole = exits[0] + exits[1];

    if (whole == 0)
        return;
    for (uint32_t i = 0; i < block->n_points; i++) {
        const unsigned index = block->points[i].index;
        const struct insn_memory *const memory = &block->code->insns[index].memory;
        uint64_t *const row = row_of(core, block, index);
        row[ARMPMU_SIGNAL_LOAD_RETIRED] += memory->load ? whole : 0;
        row[ARMPMU_SIGNAL_STORE_RETIRED] += memory->store ? whole : 0;
        row[ARMPMU_SIGNAL_L1D_ACCESS] += memory->store ? 0 : whole;
    }
    r4f_add_branches(block, whole, exits[1], row_of(core, block, block->code->n_insns - 1));
}

static void add_memo(struct r4f *core, const struct r4f_block *block,
                     const struct r4f_schedule_memo *memo)
{
    const struct r4f_issue_state *const state = schedule_states_at(&core->states, memo->memo.key);
    const uint64_t runs = r4f_runs(memo);

    if (runs != 0)
        r4f_attribute_insns(core, block, block->code->n_insns, state, runs);
    if (memo->flushes != 0) {
        uint64_t *const row = row_of(core, block, block->code->n_insns - 1u);
        r4f_add_flushes(&memo->flush, memo->flushes, row);
        r4f_attribute_cycles(core, row, r4f_memo_flushed(memo));
    }
    add_whole(core, block, memo->exits);
}

/* In a profile by block: what is counted without a profile, and the cycles of the schedules. */
static void attribute_whole(struct r4f *core, const struct r4f_block *block)
{
    uint64_t *const row = row_of(core, block, 0);

    for (const struct schedule_memo *memo = block->memos.memos.all; memo != NULL;
         memo = memo->sibling) {
        const struct r4f_schedule_memo *const of = (const struct r4f_schedule_memo *)memo;
        r4f_attribute_cycles(core, row, r4f_runs(of) * memo->cycles + r4f_memo_flushed(of));
    }
    r4f_add_block(block, row);
}

static void attribute_each(struct r4f *core, const struct r4f_block *block)
{
    const uint32_t n = block->code->n_insns;

    for (const struct schedule_memo *memo = block->memos.memos.all; memo != NULL;
         memo = memo->sibling)
        add_memo(core, block, (const struct r4f_schedule_memo *)memo);
    for (unsigned jumped = 0; jumped < 2; jumped++)
        if (block->fetches[jumped] != 0)
            add_groups(core, block, n, jumped, block->fetches[jumped]);
}

void r4f_attribute_block(struct r4f *core, const struct r4f_block *block)
{
    struct trace_reader *const reader = core->core.reader;
    const bool packs = reader_open_rows(reader, block->profile);

    if (core->by_insn)
        attribute_each(core, block);
    else
        attribute_whole(core, block);
    profile_rows_close(&reader->profile, block->profile, packs);
}

/* ---- what the profile asks ---- */

void r4f_pack_rows(void *state)
{
    struct r4f *const core = state;
    uint64_t *held[sizeof core->stored / sizeof core->stored[0] + 1] = {core->memory.tally};

    for (uint32_t i = 0; i < core->n_lines; i++)
        held[i + 1] = core->stored[i].row;
    profile_rows_pack(&core->core.reader->profile, held, core->n_lines + 1);
}

enum armpmu_status r4f_attribute_all(void *state)
{
    struct r4f *core = state;

    core->is_attributing = true;
    core->by_insn = core->core.reader->profile.detail != ARMPMU_PROFILE_BLOCKS;
    core->memory.tally = core->core.reader->profile.elsewhere;
    if (!core->by_insn)
        return ARMPMU_OK;
    core->leave = core->memory.stores.leave;
    core->memory.stores.leave = leave;
    core->memory.stores.user = core;
    return ARMPMU_OK;
}

void r4f_sync_rows(void *state)
{
    struct r4f *core = state;

    r4f_sync(core);
}
