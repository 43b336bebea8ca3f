/* A sweep of many programs as an array of jobs: a folder with a script for Slurm, which runs the
 * programs by number, and what they counted.
 *
 *   DIR/sweep.sh      the script: for sbatch, or to be run with a shard's number
 *   DIR/programs      a command line each, in the words of the shell
 *   DIR/machines      the identity of results (sweep_report.h): of their machines and variables
 *   DIR/results/N.csv what program N counted, from 1 on, with comments: there when it is whole
 *   DIR/results/N.log what it and armpmu said
 *
 * A shard is a row of programs; one that has a result is not run again, so a shard that was killed
 * is run once more, and a shard may run twice at a time. */
#ifndef CLI_RUN_SWEEP_SHARDS_H
#define CLI_RUN_SWEEP_SHARDS_H

#include <stdio.h>

#include "armpmu/status.h"
#include "cli/table/table_options.h"

/* Slurm's default for MaxArraySize is 1001. */
#define SWEEP_SHARDS_MAX 1000

struct sweep_shards {
    const char *folder;
    const char *programs;         /* a file of command lines; NULL: `program` is the only one */
    const char *const *program;   /* and its arguments, NULL-terminated */
    const char *const *arguments; /* of armpmu sweep, NULL-terminated */
    const char *identity;         /* of sweep_identity */
};

/* Writes the folder, which may be there; results that are there stay. Prints to out how to submit
 * it. Returns ARMPMU_OK, ARMPMU_BAD_CONFIG (no program, a folder of other programs or machines),
 * ARMPMU_IO or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status sweep_shards_write(const struct sweep_shards *shards, FILE *out,
                                                      struct armpmu_error *err);

/* Prints the results as one table, with a column for the program before the others; nothing where
 * there is no result. All are of one version, with the same machines and variables. *missing: the
 * number of programs without a result, which standard error names with how to submit them. Returns
 * ARMPMU_OK, ARMPMU_BAD_INPUT, ARMPMU_NOT_FOUND, ARMPMU_IO or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status sweep_shards_gather(const char *folder,
                                                       const struct table_options *options,
                                                       FILE *out, size_t *missing,
                                                       struct armpmu_error *err);

#endif
