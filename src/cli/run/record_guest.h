/* `armpmu record --guest`: a machine under QEMU, its kernel and its programs. */
#ifndef CLI_RUN_RECORD_GUEST_H
#define CLI_RUN_RECORD_GUEST_H

#include <stdbool.h>

#include "cli/run/guest_devices.h"
#include "cli/options.h"
#include "cli/run/session.h"
#include "profile/collect.h"
#include "profile/symbols.h"
#include "qemu/engine.h"

struct record_guest_options {
    bool is_chosen; /* --guest */
    char irq[GUEST_IRQ_BYTES];
    const char *kernel, *kallsyms; /* files; NULL: none */
    uint64_t kernel_text;          /* where _text was; 0: where the file says */
    struct option_list symbols;    /* NAME=FILE of programs */
};

extern const struct option_row record_guest_rows[];

struct guest_processor {
    uint32_t *contexts; /* of its paths */
    size_t n, room;
};

/* A program of a machine: the number of its file, and its process. */
struct guest_program {
    uint32_t file, process;
};

/* A recorded machine, before and after its run. Zeroed but for options and collection, which are
 * borrowed. */
struct record_guest {
    const struct record_guest_options *options;
    struct profile_collection *collection;
    const char *access_latency; /* of the machine's core */
    struct kernel_symbols kernel_symbols;
    uint64_t kernel_first, kernel_end, kernel_bias; /* of the code of --kernel, in memory */
    struct guest_processor processors[ENGINE_GUEST_CPUS_MAX];
    struct collected_file *files; /* by number - 1; paths are owned */
    size_t n_files, files_room;
    struct guest_program *programs; /* by context - 1 */
    size_t n_contexts, contexts_room;
    uint32_t *module_files; /* the same by module, 0: none yet */
    size_t modules_room;
    size_t n_tasks, n_known, n_unknown; /* unknown: instructions of a kernel that no file names */
    struct symbol_source *sources;
    size_t n_sources, sources_room;
};

/* Reads what names the kernel; output is where the profile goes. Returns ARMPMU_OK, or what is
 * wrong with the options or files. */
ARMPMU_MUST_USE enum armpmu_status record_guest_prepare(struct record_guest *guest,
                                                        const struct armpmu_machine *machine,
                                                        const char *output,
                                                        struct armpmu_error *err);

/* Runs QEMU and collects; as session_run, or ARMPMU_IO when QEMU ended before it had told
 * all. */
ARMPMU_MUST_USE enum armpmu_status record_guest_run(struct record_guest *guest,
                                                    struct session *run);

/* After that: where symbols are. Returns ARMPMU_OK or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status record_guest_sources(struct record_guest *guest,
                                                        struct armpmu_error *err);

/* Says on standard error what could not be told apart or named. */
void record_guest_say(const struct record_guest *guest);

void record_guest_free(struct record_guest *guest);

#endif
