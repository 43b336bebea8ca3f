/* Data accesses of the Cortex-A8 model that the fast path does not take: those that miss, cross a
 * line or are unaligned, and those of blocks in which some are missing. */
#include "cores/cortex_a8/core.h"

static OUT_OF_LINE void access_lines(struct a8 *a8, const struct a8_access *access,
                                     uint32_t address)
{
    uint32_t left = access->bytes;
    for (bool first = true; left != 0; first = false) {
        const uint32_t room = LINE_BYTES - (address & (LINE_BYTES - 1));
        const uint32_t here = left < room ? left : room;
        if (!first)
            a8_add_line(access, a8->tally);
        a8_data_access(&a8->memory, address, here, access->store, access->neon, 0);
        address += here;
        left -= here;
    }
}

static void unaligned(struct a8 *a8, const struct a8_access *access, uint64_t address)
{
    a8->tally[ARMPMU_SIGNAL_UNALIGNED_RETIRED]++;
    const uint64_t boundary = access->store ? a8->machine->replay_store_boundary_bytes
                                            : a8->machine->replay_load_boundary_bytes;
    if (access->neon || (address & (boundary - 1)) + access->bytes <= boundary)
        return;
    a8->tally[ARMPMU_SIGNAL_UNALIGNED_REPLAY]++;
    a8->tally[ARMPMU_SIGNAL_REPLAY]++;
    a8->memory.now += a8->machine->replay_unaligned_cycles;
}

/* Takes back that the access was presumed to hit its first line. */
static RARE void access_device(struct a8 *a8, const struct a8_access *access, uint32_t address)
{
    a8->tally[ARMPMU_SIGNAL_L1D_ACCESS]--;
    a8->tally[ARMPMU_SIGNAL_NEON_L1D_ACCESS] -= access->neon;
    a8->tally[ARMPMU_SIGNAL_NEON_L1D_HIT] -= access->neon;
    a8_device_access(&a8->memory, address, access->bytes, access->store);
}

/* An access that not all is as usual of, so many cycles before the clock.
 *
 * CHOICE(mmu-off): while the MMU is off all data is Strongly-ordered. CHOICE(uncached): Normal
 * memory that is not cacheable is accessed as Device memory is, but may be unaligned. */
static OUT_OF_LINE void access_unusual(struct a8 *a8, const struct a8_access *access,
                                       uint32_t address, bool device, uint32_t later)
{
    if (unlikely(a8_has_vectors(a8, a8->memo->block)))
        a8_vectors_before(a8, a8->memo, access->index);
    a8->memory.now -= later;
    if (device || !a8->memory.translates) {
        access_device(a8, access, address);
    } else {
        if ((address & access->line_mask & ~LINE_MASK) != 0)
            unaligned(a8, access, address);
        if (a8_is_uncached(&a8->memory, address))
            access_device(a8, access, address);
        else
            access_lines(a8, access, address);
    }
    a8->memory.now += later;
}

/* The clock already stands at the end of the block: it goes back to the access while the memory
 * system looks at it, for what drains and arrives in between. */
void a8_access_data(struct a8 *a8, const struct a8_access *access, uint64_t word)
{
    const struct a8_schedule_memo *memo = a8->memo;
    const uint32_t later = memo->cycles - memo->issued_at[access - memo->block->accesses];
    const uint32_t address = (uint32_t)word;
    const bool device =
        word >= armpmu_record(ARMPMU_RECORD_DEVICE, 0); /* the last that is an access */
    const bool as_usual = !device && (address & access->line_mask & ~LINE_MASK) == 0 &&
                          address % LINE_BYTES + access->bytes <= LINE_BYTES &&
                          a8->memory.translates && !a8_is_uncached(&a8->memory, address) &&
                          !a8_has_vectors(a8, memo->block);
    if (likely(as_usual))
        a8_data_access(&a8->memory, address, access->bytes, access->store, access->neon, later);
    else
        access_unusual(a8, access, address, device, later);
}

/* Where a block ended early, when its accesses from `next` on are missing and execution is known
 * to have passed all instructions before `reached`: n_insns if nothing is missing. */
static unsigned first_missing(const struct a8_block *block, uint32_t next, unsigned reached)
{
    for (uint32_t i = next; i < block->n_accesses; i++) {
        const struct a8_access *access = &block->accesses[i];
        if (!access->optional || (access->mark_follows && access->index >= reached))
            return access->index;
    }
    return block->n_insns;
}

/* A block whose instruction set the engine did not know has records for the worst case: BURST for
 * one access, PROGRESS where nothing is conditional. Remembers that of an access, so that the block
 * takes a faster way the next time. */
static void learn_words(struct a8_block *block, struct a8_access *access,
                        enum armpmu_record_kind kind)
{
    if (block->records == RECORDS_SINGLE || block->records == RECORDS_FIXED)
        block->records = RECORDS_MIXED;
    if (kind == ARMPMU_RECORD_PROGRESS) {
        access->marked = true;
        return;
    }
    access->multiple = kind == ARMPMU_RECORD_BURST;
    access->tag = (uint16_t)(armpmu_record(kind, access->index) >> ARMPMU_RECORD_INDEX_LSB);
}

/* What an access that happened counts, odd as its record may be. */
static void slow_access(struct a8 *a8, struct a8_block *block, struct a8_access *access,
                        uint64_t word)
{
    const enum armpmu_record_kind kind = armpmu_record_kind(word);
    if (kind != ARMPMU_RECORD_DEVICE && access->multiple != (kind == ARMPMU_RECORD_BURST))
        learn_words(block, access, kind);
    access->happened += access->optional;
    a8_access_data(a8, access, word);
}

/* What the trace says of the access of an instruction, 0 if it made none to cacheable memory, or
 * only a part. */
static uint64_t word_of(const struct a8_block *block, unsigned index, const uint64_t *word,
                        const uint64_t *end)
{
    const uint32_t bytes = block->code->insns[index].memory.bytes;
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

/* The preloads before an instruction, from number `next` on; records: of the block. Returns the
 * number of the next one. */
static uint32_t preload_before(struct a8 *a8, const struct a8_block *block, uint32_t next,
                               unsigned index, const uint64_t *records, const uint64_t *end)
{
    for (; next < block->n_preloads && block->preloads[next].index < index; next++) {
        const uint64_t beside = word_of(block, block->preloads[next].beside, records, end);
        if (beside != 0)
            a8_preload(&a8->memory, preload_at(&block->preloads[next], beside));
    }
    return next;
}

/* Accesses of a block, from number `next` on, of which some may be missing: of one with preloads
 * from the first on. Returns the record after them. */
const uint64_t *a8_slow_accesses(struct a8 *a8, struct a8_block *block, uint32_t next,
                                 const uint64_t *word, const uint64_t *end)
{
    const uint64_t *const records = word;
    unsigned reached = 0, stop = block->n_insns;
    uint32_t preload = 0;
    while (word < end && stop == block->n_insns) {
        const enum armpmu_record_kind kind = armpmu_record_kind(*word);
        if (!record_is_inside_block(*word))
            break;
        if (unlikely(!word_fits(word, end, block->n_insns)))
            return word; /* which is refused */
        const uint64_t at = *word++;
        const unsigned index = armpmu_record_index(at);
        while (next < block->n_accesses && block->accesses[next].index < index)
            next++;
        reached = index;
        preload = preload_before(a8, block, preload, index, records, end);
        if (kind == ARMPMU_RECORD_PROGRESS) {
            if (next > 0 && block->accesses[next - 1].index + 1u == index)
                learn_words(block, &block->accesses[next - 1], kind);
            continue;
        }
        const uint32_t covered = kind == ARMPMU_RECORD_BURST && word < end ? (uint32_t)*word++ : 0;
        if (next == block->n_accesses || block->accesses[next].index != index)
            continue; /* the second half of a swap or of a store-exclusive */
        if (kind == ARMPMU_RECORD_BURST && covered < block->accesses[next].bytes) {
            stop = index;
            continue;
        }
        slow_access(a8, block, &block->accesses[next++], at);
    }
    if (word < end && armpmu_record_kind(*word) == ARMPMU_RECORD_EXCEPTION) {
        preload_before(a8, block, preload, armpmu_record_index(*word), records, end);
        return word; /* which says where the block ended */
    }
    if (stop == block->n_insns)
        stop = first_missing(block, next, reached);
    preload_before(a8, block, preload, stop, records, end);
    if (unlikely(stop != block->n_insns)) {
        if (!a8->system) /* else it is open what executed */
            a8_end_vectors(a8, a8->memo, stop);
        a8_cut_short(a8, stop);
    }
    return word;
}
