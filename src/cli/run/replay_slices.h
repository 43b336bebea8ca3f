/* The slices of `armpmu replay`: one of a trace as a file, and the files of all. */
#ifndef CLI_RUN_REPLAY_SLICES_H
#define CLI_RUN_REPLAY_SLICES_H

#include "armpmu/status.h"
#include "cli/run/stat_options.h"
#include "qemu/launcher/trace_slices.h"
#include "trace/trace_file.h"

/* Counts the slice of --slice on a machine, into the file of -o. Returns the exit status of the
 * command; where it is not 0, err says why. */
int replay_slice(const struct stat_options *options, struct trace_file *trace,
                 struct armpmu_error *err);

/* Reads the files of a trace's slices on a machine; names: NULL-terminated. *slices is freed by
 * trace_slices_free in any case. Returns ARMPMU_OK, ARMPMU_IO (one cannot be read),
 * ARMPMU_BAD_INPUT (it is damaged, or of something else), ARMPMU_BAD_CONFIG or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status replay_gather(const struct stat_options *options,
                                                 struct trace_file *trace, char *const *names,
                                                 struct trace_slices *slices,
                                                 struct armpmu_error *err);

#endif
