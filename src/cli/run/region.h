/* --roi and -D: the part of a run that is counted. */
#ifndef CLI_RUN_REGION_H
#define CLI_RUN_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/machine.h"
#include "armpmu/profile.h"
#include "cli/run/interval.h"
#include "cli/options.h"
#include "cli/suggest.h"
#include "profile/symbol_search.h"
#include "qemu/engine.h"

/* The options --roi and -D. */
struct region_options {
    struct option_list rois; /* none: everywhere; more than one is an error */
    bool all_marks;          /* each region that the program marks, by itself */
    struct interval_choice delay;
};

#define REGION_ROWS_TO(type, field)                                                                \
    {0, "roi", "SYM[..SYM2]|mark:NAME",                                                            \
     "count only while function SYM and its callees run; or from SYM to SYM2, each time; or a "    \
     "region marked in the program (armpmu/mark.h)",                                               \
     OPTION_LIST_TO(type, field.rois)},                                                            \
    {                                                                                              \
        'D', "delay", "SPEC",                                                                      \
            "count only after N simulated milliseconds (N), cycles (Nc) or instructions (Ni)",     \
            OPTION_CALL_TO(type, field.delay, interval_set)                                        \
    }

/* One end: a symbol, or an address in memory. */
struct region_end {
    char *name; /* NULL: there is no such end */
    bool is_address, is_found;
    uint64_t address;
};

/* A region that is marked in the program, and what was counted in it. */
struct region_marked {
    char *name;
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
};

struct region {
    struct armpmu_region region;
    struct region_end ends[2]; /* of a function only the first */
    const char *program, *sysroot;
    struct region_file *files; /* that were asked about */
    size_t n_files, files_room;
    struct suggest near[2];
    struct region_thread *threads; /* what each counted inside */
    size_t n_threads, threads_room;
    bool all_marks;               /* as they are found, in place of ends */
    struct region_marked *marked; /* in the order of the files' symbols */
    size_t n_marked, marked_room;
    bool has_too_many, lacks_memory; /* some are not in marked */
};

/* Sets up a region of which only the program and its sysroot are set, of a run with intervals or
 * without; what is given besides is borrowed. region_close in any case. Returns ARMPMU_OK,
 * ARMPMU_BAD_CONFIG or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status region_open(struct region *region,
                                               const struct region_options *options,
                                               const struct armpmu_machine *machine,
                                               bool has_intervals, struct armpmu_error *err);
void region_close(struct region *region);

static inline bool region_is_given(const struct region *region)
{
    return region->ends[0].name != NULL || region->ends[1].name != NULL ||
           region->region.delay != 0 || region->all_marks;
}

/* As an engine takes it; NULL: everywhere. Those of firmware have all code from the program. */
const struct armpmu_region *region_of(struct region *region);
const struct armpmu_region *region_of_firmware(struct region *region);

/* As run.mark. */
enum armpmu_mark region_mark(struct region *region, const struct engine_file *file,
                             uint64_t address);

/* Adds what a thread counted inside; sim is as after armpmu_sim_finish. Returns ARMPMU_OK or
 * ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status region_count(struct region *region, uint32_t process,
                                                uint32_t thread, struct armpmu_sim *sim,
                                                struct armpmu_error *err);

/* Puts what was counted inside in the place of all counts, and forgets it. */
void region_apply(struct region *region, struct run_result *result);

/* After the run: whether all symbols were there, and the region was entered. Returns ARMPMU_OK or
 * ARMPMU_NOT_FOUND. */
ARMPMU_MUST_USE enum armpmu_status region_check(const struct region *region, bool is_entered,
                                                struct armpmu_error *err);

#endif
