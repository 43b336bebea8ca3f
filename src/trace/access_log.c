#include "trace/access_log.h"

#include <stdlib.h>

#include "armpmu/trace.h"
#include "base/array.h"

/* A core counts one of these, or two beside each other. */
static const enum armpmu_signal signals_of[LOGGED][4] = {
    [LOGGED_LOOKUPS] = {ARMPMU_SIGNAL_L1D_ACCESS, ARMPMU_SIGNAL_L1D_READ, ARMPMU_SIGNAL_L1D_WRITE,
                        ARMPMU_SIGNAL_L1D_WORD_ACCESS},
    [LOGGED_REFILLS] = {ARMPMU_SIGNAL_L1D_REFILL, ARMPMU_SIGNAL_L1D_READ_REFILL,
                        ARMPMU_SIGNAL_L1D_WRITE_REFILL, ARMPMU_SIGNAL_L1D_WORD_MISS},
    [LOGGED_TLB_REFILLS] = {ARMPMU_SIGNAL_DTLB_WALK, ARMPMU_SIGNAL_DTLB_READ_REFILL,
                            ARMPMU_SIGNAL_DTLB_WRITE_REFILL, ARMPMU_SIGNAL_DTLB_WRITE_REFILL},
};

static uint64_t counted(const struct data_access_log *log, const uint64_t *row, unsigned what)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < 4; i++)
        if (i == 0 || signals_of[what][i] != signals_of[what][i - 1])
            sum += profile_rows_counted(row, log->n_signals, signals_of[what][i]);
    return sum;
}

void access_log_begin(struct data_access_log *log, const struct profile_block *profile,
                      const uint64_t *row, struct access_seen *seen)
{
    if (profile != NULL)
        log->context = log->paths->paths[profile->path].path.context;
    for (unsigned i = 0; i < LOGGED; i++)
        log->before[i] = counted(log, row, i);
    *seen = (struct access_seen){0};
}

static bool is_on_stack(const struct insn *insn, enum armpmu_isa isa)
{
    return isa == ARMPMU_A64 ? (insn->reads & REG_XSP) != 0
                             : insn->sum.base == REG_SP || insn->writes_back == REG_SP;
}

static uint8_t kind_of(const struct logged_access *access)
{
    const struct insn *const insn = access->insn;

    return (uint8_t)((insn->memory.load ? ARMPMU_ACCESS_LOADS : 0) |
                     (insn->memory.store ? ARMPMU_ACCESS_STORES : 0) |
                     (is_on_stack(insn, access->isa) ? ARMPMU_ACCESS_ON_STACK : 0));
}

static uint8_t base_of(const struct logged_access *access)
{
    const uint64_t base = access->isa != ARMPMU_A64 ? insn_plain_base(access->insn) : 0;

    return base != 0 ? (uint8_t)__builtin_ctzll(base) : UINT8_MAX;
}

static uint8_t bits_of(uint64_t cycles)
{
    uint8_t bits = 0;

    for (; cycles != 0; cycles >>= 1)
        bits++;
    return bits;
}

/* An access by the stack pointer is to no block, though a thread's stack is in one. */
static void find_block(const struct data_access_log *log, struct armpmu_data_access *one)
{
    const struct mapped_block *const block =
        (one->kind & ARMPMU_ACCESS_ON_STACK) == 0 ? block_map_find(&log->blocks, one->low) : NULL;

    one->allocation = block != NULL ? block->value : 0;
    one->offset = block != NULL ? one->low - block->begins : 0;
}

struct armpmu_data_access access_log_read(const struct data_access_log *log, const uint64_t *row,
                                          const struct access_seen *seen,
                                          const struct logged_access *access)
{
    struct armpmu_data_access one = {
        .insn = access->pc,
        .context = log->context,
        .low = access->address,
        .n = 1,
        .lookups =
            access->lookups + counted(log, row, LOGGED_LOOKUPS) - log->before[LOGGED_LOOKUPS],
        .refills = counted(log, row, LOGGED_REFILLS) - log->before[LOGGED_REFILLS],
        .tlb_refills = counted(log, row, LOGGED_TLB_REFILLS) - log->before[LOGGED_TLB_REFILLS],
        .cycles = access->insn->memory.load ? access->cycles : 0,
        .kind = kind_of(access),
        .source = seen->source,
        .tlb = seen->tlb,
        .latency = access->insn->memory.load ? bits_of(access->cycles) : 0,
        .bytes = access->insn->memory.bytes,
        .base = base_of(access),
        .displacement = access->insn->sum.number,
    };

    find_block(log, &one);
    return one;
}

void access_log_end(struct data_access_log *log, const uint64_t *row,
                    const struct access_seen *seen, const struct logged_access *access)
{
    const struct armpmu_data_access one = access_log_read(log, row, seen, access);

    access_log_add(log, &one);
}

void access_log_amend(struct data_access_log *log, struct armpmu_data_access *access,
                      enum armpmu_access_source source, uint64_t refills)
{
    const struct armpmu_data_access before = *access;

    access->source = source > access->source ? (uint8_t)source : access->source;
    access->refills += refills;
    access_table_move(&log->table, &before, access);
}

/* ---- blocks that the program gets ---- */

static bool is_same(const void *allocations, uint32_t number, const void *key)
{
    const struct armpmu_allocation *const a = (const struct armpmu_allocation *)allocations +
                                              number,
                                          *const b = key;

    return a->returns_to == b->returns_to && a->path == b->path && a->is_mapped == b->is_mapped;
}

/* The number of where a block is from, from 1; 0 without memory. */
static uint32_t number_of(struct data_access_log *log, const struct armpmu_allocation *from)
{
    uint32_t hash = hash_bytes(HASH_START, &from->returns_to, sizeof from->returns_to);
    hash = hash_bytes(hash, &from->path, sizeof from->path);
    const uint32_t found =
        intern_find(&log->allocation_numbers, hash, is_same, log->allocations, from);

    if (found != INTERN_NONE)
        return found + 1;
    if (!ARRAY_RESERVE(log->allocations, log->allocations_room, log->n_allocations + 1) ||
        !intern_add(&log->allocation_numbers, hash, (uint32_t)log->n_allocations))
        return 0;
    log->allocations[log->n_allocations++] = *from;
    return (uint32_t)log->n_allocations;
}

static void add_block(struct data_access_log *log, const struct armpmu_allocation *from,
                      uint64_t start)
{
    const uint32_t number = number_of(log, from);
    const uint64_t bytes = from->largest;

    if (start + bytes <= start)
        return;
    if (number == 0 || !block_map_add(&log->blocks, start, start + bytes, number)) {
        log->table.lost = true;
        return;
    }
    struct armpmu_allocation *const to = &log->allocations[number - 1];
    to->n++;
    to->bytes += bytes;
    to->smallest = bytes < to->smallest ? bytes : to->smallest;
    to->largest = bytes > to->largest ? bytes : to->largest;
}

void access_log_allocation(struct data_access_log *log, unsigned bits, uint64_t value,
                           uint32_t path)
{
    const struct armpmu_allocation from = {.returns_to = log->returns_to,
                                           .path = path,
                                           .is_mapped = bits == ARMPMU_ALLOCATION_MAPPED,
                                           .smallest = log->asked,
                                           .largest = log->asked};

    if (bits == ARMPMU_ALLOCATION_BYTES)
        log->asked = value;
    else if (bits == ARMPMU_ALLOCATION_RETURNS)
        log->returns_to = value;
    else if (bits == ARMPMU_ALLOCATION_BLOCK || bits == ARMPMU_ALLOCATION_MAPPED)
        add_block(log, &from, value);
}

void access_log_free(struct data_access_log *log)
{
    access_table_free(&log->table);
    block_map_free(&log->blocks);
    free(log->allocations);
    intern_free(&log->allocation_numbers);
}
