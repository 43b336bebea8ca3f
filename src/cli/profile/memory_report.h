/* `armpmu report` of data accesses (record --mem): by where their data came from, what it is, and
 * the usual keys. */
#ifndef CLI_PROFILE_MEMORY_REPORT_H
#define CLI_PROFILE_MEMORY_REPORT_H

#include <stdio.h>

#include "cli/table/table.h"
#include "cli/table/table_options.h"
#include "profile/profile.h"

enum memory_key {
    MEMORY_SOURCE,
    MEMORY_TLB,
    MEMORY_LATENCY,
    MEMORY_DATA,
    MEMORY_TYPE,
    MEMORY_MEMBER,
    MEMORY_SYMBOL,
    MEMORY_OBJECT,
    MEMORY_LINE,
    MEMORY_INSN,
    MEMORY_THREAD,
    MEMORY_KEYS
};

#define MEMORY_NO_TYPE "[type not known]"

struct memory_keys {
    enum memory_key at[MEMORY_KEYS];
    unsigned n;
    double limit;      /* rows have at least this percentage of all refills or accesses */
    const bool *insns; /* of each instruction whether its accesses are shown; NULL: all are */
};

/* True if a list of keys has one that only accesses have. */
bool memory_keys_wanted(const char *list);

/* Reads a list of keys, "mem,symbol". Returns ARMPMU_OK or ARMPMU_BAD_CONFIG. */
ARMPMU_MUST_USE enum armpmu_status memory_keys_parse(const char *list, struct memory_keys *keys,
                                                     struct armpmu_error *err);

/* Prints the accesses by the keys. Returns ARMPMU_OK, ARMPMU_NO_MEMORY, or ARMPMU_BAD_INPUT where
 * the profile has none. */
ARMPMU_MUST_USE enum armpmu_status memory_report(const struct profile *profile,
                                                 const struct memory_keys *keys,
                                                 const struct table_options *options, FILE *stream,
                                                 struct armpmu_error *err);

/* Counts of accesses that reports add up. */
struct access_sum {
    uint64_t n, lookups, refills, tlb_refills, loads, cycles;
};

struct access_sum access_sum_of(const struct armpmu_data_access *access);
void access_sum_add(struct access_sum *to, const struct access_sum *more);

/* Returns true if a part has at least a percentage of the refills or the accesses of all. */
bool access_sum_reaches(const struct access_sum *part, const struct access_sum *all, double limit);

/* Puts the cells of a part of all accesses. */
void access_sum_put(struct report_table *t, const struct access_sum *part,
                    const struct access_sum *all);

/* Returns ARMPMU_OK, or ARMPMU_BAD_INPUT if the profile has no accesses. */
ARMPMU_MUST_USE enum armpmu_status memory_check(const struct profile *profile,
                                                struct armpmu_error *err);

/* Cells that reports of accesses share: the name of what was accessed, a line of source, a thread.
 */
const char *memory_data_name(const struct profile *p, const struct profile_access *access);
void memory_put_line(struct report_table *t, const char *key, const struct profile *p,
                     struct profile_line line);
void memory_put_thread(struct report_table *t, const struct profile_thread *thread);

#endif
