/* The programs of armpmu check, and what each of their runs must count: read from the index that
 * check/make_set.py writes. */
#ifndef CLI_BENCH_CHECK_SET_H
#define CLI_BENCH_CHECK_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/catalog.h"
#include "armpmu/machine.h"

/* "LEFT relation RIGHT", with = <= >= < >. */
struct check_rule {
    const char *left, *relation, *right;
};

struct check_claim {
    unsigned event;
    const char *sentence;
};

/* The result of a kernel's last run: the rise of each figure since the run before, for a round.
 */
struct check_kernel {
    const char *name, *work;                    /* work: what a round does */
    const char *instructions, *cycles;          /* names of events */
    int rounds;                                 /* more than the run before has */
    int expected_instructions, expected_cycles; /* of a round */
};

struct check_rules {
    struct check_rule *rules;
    size_t n;
};

/* A run of a program. Texts live as long as the set. */
struct check_run {
    const char *program, *label;
    char *path; /* of the program */
    struct armpmu_machine *machine;
    int status;                  /* the right exit status */
    bool bare;                   /* firmware, with */
    const char **pins, **faults; /* what armpmu run is told, NULL-terminated */
    const void *values;          /* see check_run_value */
    struct check_claim *claims;
    size_t n_claims;
    struct check_rules expect, relations, changes;
    ptrdiff_t change_since;     /* the run that changes are from; -1 for none */
    struct check_kernel kernel; /* name NULL: not a kernel's last run */
};

struct check_set {
    struct check_run *runs; /* of one core, in order */
    size_t n_runs, room;
    char *folder; /* it was read from */
    void *documents;
};

/* Reads the runs on machines of a core. The folders are looked for in the variable
 * ARMPMU_CHECK_PATH, beside the running program, and where they were installed. Returns ARMPMU_OK,
 * ARMPMU_NOT_FOUND (no programs for the core), ARMPMU_BAD_INPUT (an index that is damaged),
 * ARMPMU_BAD_CONFIG (a machine file is wrong) or ARMPMU_NO_MEMORY; check_set_free in any case. */
ARMPMU_MUST_USE enum armpmu_status
check_set_read(struct check_set *set, const struct armpmu_core *core, struct armpmu_error *err);
void check_set_free(struct check_set *set);

/* The number of a name in a run; not for names of events. */
bool check_run_value(const struct check_run *run, const char *name, int64_t *value);

#endif
