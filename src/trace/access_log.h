/* The data accesses of a profile: a core model marks the begin and end of each, and the counts
 * added to the row of its instruction in between belong to the access.
 *
 * The sums over all accesses are therefore the core's events, except for events that no access
 * caused.
 *
 * The engine says which blocks of memory the program gets: an access to one is of its allocation.
 * Those of other threads are not known here. */
#ifndef TRACE_ACCESS_LOG_H
#define TRACE_ACCESS_LOG_H

#include "isa/insn.h"
#include "parts/access_table.h"
#include "parts/block_map.h"
#include "trace/call_paths.h"
#include "trace/profile_rows.h"

enum { LOGGED_LOOKUPS, LOGGED_REFILLS, LOGGED_TLB_REFILLS, LOGGED };

struct data_access_log {
    struct access_table table;
    uint64_t before[LOGGED];
    unsigned n_signals;             /* of a row */
    const struct call_paths *paths; /* of the reader */
    uint32_t context;               /* of the access that began */
    struct block_map blocks;        /* value: number of the allocation, from 1 */
    struct armpmu_allocation *allocations;
    size_t n_allocations, allocations_room;
    struct intern allocation_numbers;
    uint64_t asked, returns_to; /* of the block that is about to be told */
};

/* An access of an instruction at `pc`; cycles: of a load. */
struct logged_access {
    const struct insn *insn;
    enum armpmu_isa isa;
    uint64_t pc, address, cycles;
    uint64_t lookups; /* that the row does not have yet */
};

/* profile: the block of the instruction, NULL: of the last access. row: of the instruction, the
 * same for both. seen: what the core's memory system notes. */
void access_log_begin(struct data_access_log *log, const struct profile_block *profile,
                      const uint64_t *row, struct access_seen *seen);
void access_log_end(struct data_access_log *log, const uint64_t *row,
                    const struct access_seen *seen, const struct logged_access *access);

/* access_log_end without adding it; access_log_add does. */
struct armpmu_data_access access_log_read(const struct data_access_log *log, const uint64_t *row,
                                          const struct access_seen *seen,
                                          const struct logged_access *access);
static inline void access_log_add(struct data_access_log *log,
                                  const struct armpmu_data_access *access)
{
    access_table_add(&log->table, access);
}

/* One that was added turns out to have come from farther away, with more refills. */
void access_log_amend(struct data_access_log *log, struct armpmu_data_access *access,
                      enum armpmu_access_source source, uint64_t refills);

/* A record ARMPMU_SYSTEM_ALLOCATION; path: of what called the function that allocates. */
void access_log_allocation(struct data_access_log *log, unsigned bits, uint64_t value,
                           uint32_t path);

void access_log_free(struct data_access_log *log);

#endif
