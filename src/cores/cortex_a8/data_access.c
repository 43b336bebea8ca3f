/* Data accesses of the Cortex-A8 model that the fast path does not take: those that miss, cross a
 * line or are unaligned; preloads. */
#include "cores/cortex_a8/core.h"

/* Bytes of one line, which may be known to hit. */
static void access_line(struct a8 *a8, const struct a8_access *access, uint32_t address,
                        uint32_t bytes)
{
    struct a8_memory *const memory = &a8->memory;
    const uint32_t known = line_filter_entry(&memory->data[access->store], address, LINE_SHIFT);
    if (line_filter_matches(known, address, LINE_MASK, FILTER_ALIAS))
        memory->tally[ARMPMU_SIGNAL_L1D_COLOUR_ALIAS] += (known & FILTER_ALIAS) != 0;
    else
        a8_data_access(memory, address, bytes, access->store, access->neon, 0);
}

static OUT_OF_LINE void access_lines(struct a8 *a8, const struct a8_access *access,
                                     uint32_t address)
{
    uint32_t left = access->known.bytes;
    for (bool first = true; left != 0; first = false) {
        const uint32_t room = LINE_BYTES - (address & (LINE_BYTES - 1));
        const uint32_t here = left < room ? left : room;
        if (!first)
            a8_add_line(access, a8->memory.tally);
        access_line(a8, access, address, here);
        address += here;
        left -= here;
    }
}

/* Returns whether the address of an access is not aligned as its instruction asks. */
static inline bool is_unaligned(const struct a8_access *access, uint32_t address)
{
    return (address & a8_line_mask(access) & ~LINE_MASK) != 0;
}

static void unaligned(struct a8 *a8, const struct a8_access *access, uint64_t address)
{
    a8->memory.tally[ARMPMU_SIGNAL_UNALIGNED_RETIRED]++;
    const uint64_t boundary = access->store ? a8->core.machine->replay_store_boundary_bytes
                                            : a8->core.machine->replay_load_boundary_bytes;
    if (access->neon || (address & (boundary - 1)) + access->known.bytes <= boundary)
        return;
    a8->memory.tally[ARMPMU_SIGNAL_UNALIGNED_REPLAY]++;
    a8->memory.tally[ARMPMU_SIGNAL_REPLAY]++;
    a8->memory.tally[ARMPMU_SIGNAL_STALL_BACKEND_REPLAY] +=
        a8->core.machine->replay_unaligned_cycles;
    a8->memory.now += a8->core.machine->replay_unaligned_cycles;
}

static RARE void access_device(struct a8 *a8, const struct a8_access *access, uint32_t address,
                               enum armpmu_access_source source)
{
    a8->is_of_system = true;
    access_comes_from(&a8->memory.seen, source);
    a8_remove_line(access, a8->memory.tally);
    a8_device_access(&a8->memory, address, access->known.bytes, access->store);
}

/* An unusual access, a number of cycles after the clock.
 *
 * CHOICE(mmu-off): while the MMU is off all data is Strongly-ordered. CHOICE(uncached): Normal
 * memory that is not cacheable is accessed as Device memory is, but may be unaligned. */
static OUT_OF_LINE void access_unusual(struct a8 *a8, const struct a8_access *access,
                                       uint32_t address, bool device, uint32_t later)
{
    a8->memory.now += later;
    if (device || !a8->memory.translates) {
        access_device(a8, access, address, device ? ARMPMU_FROM_DEVICE : ARMPMU_FROM_UNCACHED);
    } else {
        if (is_unaligned(access, address))
            unaligned(a8, access, address);
        if (a8_is_uncached(&a8->memory, address))
            access_device(a8, access, address, ARMPMU_FROM_UNCACHED);
        else
            access_lines(a8, access, address);
    }
    a8->memory.now -= later;
}

/* The cycle of an access, from the start of its block. */
static inline uint32_t access_at(const struct a8_schedule_memo *memo,
                                 const struct a8_access *access)
{
    return memo->issued_at[access->number];
}

/* Returns whether an access is to one line, aligned, and not to a device. */
static inline bool is_one_line(const struct a8_access *access, uint64_t record)
{
    const uint32_t address = (uint32_t)record;
    return record < armpmu_record(ARMPMU_RECORD_DEVICE, 0) && /* the last that is an access */
           !is_unaligned(access, address) &&
           address % LINE_BYTES + access->known.bytes <= LINE_BYTES;
}

/* Unaligned, of several lines, or of a system that is special. */
static OUT_OF_LINE void access_closely(struct a8 *a8, const struct a8_schedule_memo *memo,
                                       const struct a8_access *access, uint64_t record)
{
    const struct a8_block *block = a8_memo_block(memo);
    const uint32_t later = access_at(memo, access), address = (uint32_t)record;
    if (unlikely(a8_has_vectors(a8, block)))
        a8_vectors_before(a8, memo, access->known.index);
    a8_attribute(a8, block, access->known.index);
    const uint64_t since = a8->memory.now;
    if (likely(is_one_line(access, record) && a8->memory.translates &&
               !a8_is_uncached(&a8->memory, address)))
        a8_data_access(&a8->memory, address, access->known.bytes, access->store, access->neon,
                       later);
    else
        access_unusual(a8, access, address, record >= armpmu_record(ARMPMU_RECORD_DEVICE, 0),
                       later);
    a8_charge(a8, since);
}

/* access_closely of a profile that keeps accesses. A line is counted by the block, not here. */
static OUT_OF_LINE void access_logged(struct a8 *a8, const struct a8_schedule_memo *memo,
                                      const struct a8_access *access, uint64_t record)
{
    const struct a8_block *const block = a8_memo_block(memo);
    const struct insn *const insn = &block->entry.code->insns[access->known.index];
    struct data_access_log *const log = a8->core.reader->profile.accesses;

    a8_attribute(a8, block, access->known.index);
    access_log_begin(log, block->entry.profile, a8->memory.tally, &a8->memory.seen);
    const uint64_t before = a8->memory.now;
    access_closely(a8, memo, access, record);
    if (!a8->memory.translates)
        access_page_from(&a8->memory.seen, ARMPMU_TLB_NONE);
    access_log_end(log, a8->memory.tally, &a8->memory.seen,
                   &(struct logged_access){.insn = insn,
                                           .isa = block->entry.code->isa,
                                           .pc = block->entry.start + insn->offset,
                                           .address = (uint32_t)record,
                                           .cycles = a8->memory.now - before,
                                           .lookups = 1});
}

/* Returns whether the data TLB had a page at a time before now, when the place accesses it: a PLD
 * brings in no page. Known for those that came in last. */
static bool page_was_there(struct a8 *a8, uint32_t page, uint64_t now, uint64_t then)
{
    struct a8_new_page *const latest = &a8->new_pages[page % A8_NEW_PAGES];

    if (!a8_has_page(&a8->memory, page))
        *latest = (struct a8_new_page){.page = page, .since = now};
    return latest->page != page || latest->since <= then;
}

/* Its lines, by PLDs some turns ago. */
static void preload_earlier(struct a8 *a8, const struct a8_schedule_memo *memo,
                            const struct a8_access *access, uint32_t address)
{
    const struct reader_entry *const entry = &a8_memo_block(memo)->entry;
    const uint64_t pc = entry->start + entry->code->insns[access->known.index].offset;
    const uint64_t at = core_turns_ago(&a8->core, pc, a8->memory.now + access_at(memo, access));
    const uint32_t end = address + access->known.bytes;

    for (; address < end; address = (address & LINE_MASK) + LINE_BYTES)
        if (page_was_there(a8, address >> PAGE_SHIFT, a8->memory.now, at))
            a8_cure_by_preload(&a8->memory, address, at);
}

/* Before an access that is cured. */
static OUT_OF_LINE void cure_access(struct a8 *a8, const struct a8_schedule_memo *memo,
                                    const struct a8_access *access, uint32_t address)
{
    const enum cure kind = a8->core.machine->cures->kind;
    const uint32_t last = (address + access->known.bytes - 1) >> LINE_SHIFT;
    void (*const cure)(struct a8_memory *, uint32_t) = kind == CURE_TLB      ? a8_cure_page
                                                       : kind == CURE_LEVEL2 ? a8_cure_level2
                                                                             : a8_cure_level1;

    if (kind == CURE_PREFETCH) {
        preload_earlier(a8, memo, access, address);
        return;
    }
    for (uint32_t line = address >> LINE_SHIFT; line <= last; line++)
        cure(&a8->memory, line << LINE_SHIFT);
}

static bool is_cured(const struct a8 *a8, const struct a8_access *access, uint64_t record)
{
    return unlikely(access->cured) && record < armpmu_record(ARMPMU_RECORD_DEVICE, 0) &&
           (!a8->core.machine->cures->of_data || core_cures_data(&a8->core, (uint32_t)record));
}

/* One that is cured, or kept, or that access_closely looks at. */
static OUT_OF_LINE void access_specially(struct a8 *a8, const struct a8_schedule_memo *memo,
                                         const struct a8_access *access, uint64_t record)
{
    if (is_cured(a8, access, record))
        cure_access(a8, memo, access, (uint32_t)record);
    if (unlikely(a8->busy != NULL) && a8->core.reader->profile.accesses != NULL)
        access_logged(a8, memo, access, record);
    else
        access_closely(a8, memo, access, record);
}

/* With NEON in the block. */
static OUT_OF_LINE void access_beside_vectors(struct a8 *a8, const struct a8_schedule_memo *memo,
                                              const struct a8_access *access, uint32_t address,
                                              uint64_t *row)
{
    a8_vectors_before(a8, memo, access->known.index);
    a8->memory.tally = row;
    const uint64_t since = a8->memory.now;
    a8_data_access(&a8->memory, address, access->known.bytes, access->store, access->neon,
                   access_at(memo, access));
    a8_charge(a8, since);
}

/* The clock is at the start of the block; it is moved to the access while the memory system
 * looks at it, for what drains and arrives before. */
void a8_access_data(struct a8 *a8, const struct a8_schedule_memo *memo,
                    const struct a8_access *access, uint64_t record)
{
    const uint32_t address = (uint32_t)record;
    uint64_t *row = a8->memory.tally;
    if (unlikely(a8->busy != NULL))
        row = profile_rows_known(&a8->core.reader->profile, memo->position.entry->profile,
                                 access->known.index);
    if (unlikely(row == NULL || !a8->memory.is_plain || is_unaligned(access, address))) {
        access_specially(a8, memo, access, record);
        return;
    }
    if (unlikely(a8_has_vectors(a8, a8_memo_block(memo)))) {
        access_beside_vectors(a8, memo, access, address, row);
        return;
    }
    a8->memory.tally = row;
    if (access->store)
        a8_store(&a8->memory, address, access->known.bytes, access_at(memo, access));
    else
        a8_load(&a8->memory, address, access_at(memo, access));
}

/* Returns whether an access that crosses a line lies in two that are both known to hit; *aliased:
 * FILTER_ALIAS for each that is a colour alias. */
static inline bool hits_two_lines(const struct a8 *a8, const struct a8_access *access,
                                  uint64_t record, uint32_t *aliased)
{
    const struct line_filter *filter = &a8->memory.data[access->store];
    const uint32_t address = (uint32_t)record, last = address + access->span;
    if (access->span >= LINE_BYTES || record >= armpmu_record(ARMPMU_RECORD_DEVICE, 0))
        return false;
    const uint32_t first_known = line_filter_entry(filter, address, LINE_SHIFT);
    const uint32_t last_known = line_filter_entry(filter, last, LINE_SHIFT);
    *aliased = (first_known & FILTER_ALIAS) + (last_known & FILTER_ALIAS);
    return line_filter_matches(first_known, address, a8_line_mask(access), FILTER_ALIAS) &&
           line_filter_matches(last_known, last, LINE_MASK, FILTER_ALIAS);
}

void a8_access_crossing(struct a8 *a8, const struct a8_schedule_memo *memo,
                        const struct a8_access *access, uint64_t record)
{
    uint32_t aliased;
    if (!hits_two_lines(a8, access, record, &aliased)) {
        access_specially(a8, memo, access, record);
        return;
    }
    a8_attribute(a8, a8_memo_block(memo), access->known.index);
    a8_add_line(access, a8->memory.tally);
    a8->memory.tally[ARMPMU_SIGNAL_L1D_COLOUR_ALIAS] += aliased / FILTER_ALIAS;
}

/* The trace's record of an instruction's access; 0 if it made none to cacheable memory, or only
 * a part. */
static uint64_t word_of(const struct a8_block *block, unsigned index, const uint64_t *word,
                        const uint64_t *end)
{
    const uint32_t bytes = block->entry.code->insns[index].memory.bytes;
    for (; word < end; word++) {
        const enum armpmu_record_kind kind = armpmu_record_kind(*word);
        if (!record_is_inside_block(*word))
            break;
        const bool found = armpmu_record_index(*word) == index;
        if (kind == ARMPMU_RECORD_BURST && (++word == end || (found && *word < bytes)))
            break;
        if (found && kind != ARMPMU_RECORD_PROGRESS)
            return kind == ARMPMU_RECORD_BURST    ? word[-1]
                   : kind == ARMPMU_RECORD_ACCESS ? *word
                                                  : 0;
    }
    return 0;
}

void a8_reached(void *core, const struct reader_entry *entry, unsigned first, unsigned index,
                const uint64_t *records, const uint64_t *end)
{
    struct a8 *a8 = core;
    const struct a8_block *block = a8_block_of(entry);
    const struct a8_schedule_memo *memo = a8_memo_of(a8->core.reader->position);
    for (uint32_t i = 0; i < block->n_preloads; i++) {
        const struct preload *preload = &block->preloads[i];
        if (preload->index < first || preload->index >= index)
            continue;
        const uint64_t beside = word_of(block, preload->beside, records, end);
        if (beside == 0)
            continue;
        a8_vectors_reached(a8, memo, preload->index);
        const uint64_t since = a8->memory.now;
        a8_attribute(a8, block, preload->index);
        a8_preload(&a8->memory, preload_at(preload, beside), memo->asked_at[i]);
        a8_charge(a8, since);
    }
}
