/* Runs a trace of 'armpmu record --trace' through a core model alone: no emulator, no second
 * thread, and nothing unpacked meanwhile.
 *
 *   bench-replay [--blocks|--insns|--paths] [--mem] MACHINE FOLDER_OF_MACHINES FILE [ROUNDS]
 *
 * To standard error goes what it took: processor time a record and a block, the best of ROUNDS
 * (default 1), each with a new core model. To standard output go all events, "NAME count" a line as
 * in the catalogue's order: equal to those of `armpmu stat -e all` for the same program.
 *
 * With --blocks, --insns or --paths the model attributes each count to its block, to its
 * instruction, or to that and its call path: what that costs. The sums of all rows must be the
 * counts, else the exit status is 1. With --mem it also keeps data accesses, as `record --mem`.
 *
 * Host instructions, without the decoding of blocks and the reading of the file:
 *
 *   valgrind --tool=callgrind --toggle-collect=armpmu_sim_run --callgrind-out-file=out \
 *       build/bench/bench-replay cortex-a8 machines FILE
 *   callgrind_annotate --auto=yes out
 *
 * "Collected" is the number of host instructions; divide it by the records or blocks that are
 * printed. --branch-sim=yes counts what the host mispredicts, --cache-sim=yes where its caches
 * miss, --dump-instr=yes keeps single instructions apart. A block's first execution includes its
 * decoding (isa/, capstone): traces of a million records and more make that a small share. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "armpmu/machine.h"
#include "armpmu/profile.h"
#include "armpmu/sim.h"
#include "base/array.h"
#include "trace/trace_file.h"

struct trace {
    struct trace_file *file;
    struct trace_records *parts; /* each for one call of armpmu_sim_run */
    size_t n_parts, parts_room;
    uint64_t n_records, n_blocks;
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "bench-replay: %s: %s\n", what, why);
    exit(1);
}

static void require(enum armpmu_status status, const char *what, const struct armpmu_error *err)
{
    if (status != ARMPMU_OK)
        die(what, err->message);
}

/* ---- the file ---------------------------------------------------------------------------------
 */

static uint64_t count_blocks(const uint64_t *records, size_t n)
{
    uint64_t n_blocks = 0;
    bool plain = false; /* the second word of a BURST or MAP64 */

    for (size_t i = 0; i < n; i++) {
        const enum armpmu_record_kind kind = armpmu_record_kind(records[i]);
        n_blocks += !plain && kind == ARMPMU_RECORD_BLOCK;
        plain = !plain && (kind == ARMPMU_RECORD_BURST || kind == ARMPMU_RECORD_MAP64);
    }
    return n_blocks;
}

static void read_file(struct trace *trace, const char *path)
{
    struct trace_cursor *cursor;
    struct armpmu_error err;
    size_t n_threads, n;

    require(trace_file_open(path, &trace->file, &err), path, &err);
    trace_file_threads(trace->file, &n_threads);
    if (n_threads != 1)
        die(path, "is not of one thread; choose a program with a single one");
    require(trace_cursor_open(trace->file, 0, 0, &cursor, &err), path, &err);
    do {
        if (!ARRAY_RESERVE(trace->parts, trace->parts_room, trace->n_parts + 1))
            die(path, "does not fit into memory");
        struct trace_records *const part = &trace->parts[trace->n_parts++];
        require(trace_cursor_next(cursor, part, &err), path, &err);
        n = part->n;
        trace->n_records += n;
        trace->n_blocks += count_blocks(part->items, n);
    } while (n > 0);
    trace_cursor_close(cursor);
}

static void free_trace(struct trace *trace)
{
    for (size_t i = 0; i < trace->n_parts; i++)
        free(trace->parts[i].items);
    free(trace->parts);
    trace_file_close(trace->file);
}

/* ---- the run ----------------------------------------------------------------------------------
 */

static double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Feeds the whole trace. Returns the processor seconds in the core model. */
static double feed(const struct trace *trace, struct armpmu_sim *sim)
{
    size_t n_threads;
    struct armpmu_error err;
    const double start = seconds_now();

    for (size_t i = 0; i < trace->n_parts; i++)
        require(armpmu_sim_run(sim, trace->parts[i].items, trace->parts[i].n, &err), "the trace",
                &err);
    armpmu_sim_finish(sim, trace_file_threads(trace->file, &n_threads)->end);
    return seconds_now() - start;
}

struct sums {
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
    uint64_t n_rows;
};

static bool add_row(void *user, const struct armpmu_profile_row *row)
{
    struct sums *const sums = user;
    for (unsigned i = 0; i < ARMPMU_SIGNAL_COUNT; i++)
        sums->signals[i] += row->signals[i];
    sums->n_rows++;
    return true;
}

static bool check_profile(struct armpmu_sim *sim, const uint64_t *signals)
{
    struct armpmu_error err;
    struct sums sums = {{0}, 0};
    size_t n_paths;
    bool same = true;

    require(armpmu_sim_profile(sim, add_row, &sums, &err), "the profile", &err);
    armpmu_sim_profile_paths(sim, &n_paths);
    for (unsigned i = 0; i < ARMPMU_SIGNAL_COUNT; i++) {
        if (sums.signals[i] == signals[i])
            continue;
        same = false;
        fprintf(stderr, "%s: %" PRIu64 " in all, %" PRIu64 " in the rows\n",
                armpmu_signal_name((enum armpmu_signal)i), signals[i], sums.signals[i]);
    }
    fprintf(stderr, "%" PRIu64 " rows, %zu paths\n", sums.n_rows, n_paths);
    return same;
}

/* What the model keeps beside its counts. */
struct kept {
    enum armpmu_profile_detail detail;
    bool accesses;
};

static double run(const struct trace *trace, const struct armpmu_machine *machine,
                  const struct kept *kept, uint64_t *signals)
{
    struct armpmu_error err;
    struct armpmu_code *code;
    struct armpmu_sim *sim;

    require(armpmu_code_new(trace_file_look_up, trace->file, &code, &err), "the code", &err);
    require(armpmu_sim_new(machine, code, &sim, &err), "the core model", &err);
    require(armpmu_sim_set_profile(sim, kept->detail, &err), "the profile", &err);
    if (kept->accesses)
        require(armpmu_sim_keep_accesses(sim, &err), "the accesses", &err);
    const double seconds = feed(trace, sim);
    armpmu_sim_signals(sim, signals);
    if (kept->detail != ARMPMU_PROFILE_OFF && !check_profile(sim, signals))
        exit(1);
    armpmu_sim_free(sim);
    armpmu_code_free(code);
    return seconds;
}

static void print_events(const struct armpmu_core *core, const uint64_t *signals)
{
    for (size_t i = 0; i < core->n_events; i++)
        if (core->events[i].name[0] != '\0')
            printf("%s %" PRIu64 "\n", core->events[i].name,
                   armpmu_event_count(&core->events[i], signals));
}

static enum armpmu_profile_detail detail_of(const char *word)
{
    static const char *const words[] = {[ARMPMU_PROFILE_INSNS] = "--insns",
                                        [ARMPMU_PROFILE_PATHS] = "--paths",
                                        [ARMPMU_PROFILE_BLOCKS] = "--blocks"};

    for (int i = ARMPMU_PROFILE_INSNS; word != NULL && i <= ARMPMU_PROFILE_BLOCKS; i++)
        if (strcmp(word, words[i]) == 0)
            return (enum armpmu_profile_detail)i;
    return ARMPMU_PROFILE_OFF;
}

int main(int argc, char **argv)
{
    struct kept kept = {detail_of(argv[1]), false};
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
    struct armpmu_error err = {0};
    struct armpmu_machine *machine;
    struct trace trace = {0};
    double best = 1e30;

    if (kept.detail != ARMPMU_PROFILE_OFF) {
        argc--;
        argv++;
    }
    if (argc > 1 && strcmp(argv[1], "--mem") == 0) {
        kept.accesses = true;
        argc--;
        argv++;
    }
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: bench-replay [--blocks|--insns|--paths] [--mem] MACHINE "
                        "FOLDER_OF_MACHINES FILE [ROUNDS]\n");
        return 2;
    }
    require(armpmu_machine_load(argv[1], argv[2], &machine, &err), argv[1], &err);
    read_file(&trace, argv[3]);
    for (int left = argc == 5 ? atoi(argv[4]) : 1; left > 0; left--) {
        const double seconds = run(&trace, machine, &kept, signals);
        best = seconds < best ? seconds : best;
    }
    fprintf(stderr, "%" PRIu64 " records, %" PRIu64 " blocks: %.2f ns a record, %.2f ns a block\n",
            trace.n_records, trace.n_blocks, best * 1e9 / (double)trace.n_records,
            best * 1e9 / (double)trace.n_blocks);
    print_events(armpmu_machine_core(machine), signals);
    armpmu_machine_free(machine);
    free_trace(&trace);
    return 0;
}
