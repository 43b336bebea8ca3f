/* Runs a saved trace (bench-record) through a core model alone: no emulator, no second thread.
 *
 *   bench-replay [--insns|--paths] MACHINE FOLDER_OF_MACHINES FILE [ROUNDS]
 *
 * To standard error goes what it took: processor time a record and a block, the best of ROUNDS
 * (default 1), each with a new core model. To standard output go all events, "NAME count" a line as
 * in the catalogue's order: equal to those of `armpmu stat -e all` for the same program.
 *
 * With --insns or --paths the model attributes each count to its instruction, or to that and its
 * call path: what that costs. The sums of all rows must be the counts, else the exit status is 1.
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
#include "bench/trace_file.h"

struct trace {
    uint8_t *bytes;
    size_t n_bytes;
    const uint8_t **blocks; /* by id: the definition of now, NULL for none */
    size_t blocks_room;
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

static struct trace_item item_at(const struct trace *trace, size_t at)
{
    struct trace_item item;
    memcpy(&item, trace->bytes + at, sizeof item);
    return item;
}

static size_t item_bytes(struct trace_item item)
{
    switch ((enum trace_item_kind)item.kind) {
    case TRACE_RECORDS:
        return sizeof item + item.n * sizeof(uint64_t);
    case TRACE_BLOCK:
        return sizeof item + sizeof(struct trace_block) + ((item.n + 7) & ~(size_t)7);
    case TRACE_RENAME:
    case TRACE_FINISH:
        break;
    }
    return sizeof item;
}

static const uint64_t *records_at(const struct trace *trace, size_t at)
{
    return (const uint64_t *)(const void *)(trace->bytes + at + sizeof(struct trace_item));
}

static void read_file(struct trace *trace, const char *path)
{
    uint64_t magic = 0;
    FILE *const file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        die(path, "cannot be read");
    trace->n_bytes = (size_t)ftell(file);
    rewind(file);
    trace->bytes = malloc(trace->n_bytes);
    if (trace->bytes == NULL || fread(trace->bytes, 1, trace->n_bytes, file) != trace->n_bytes)
        die(path, "cannot be read");
    fclose(file);
    if (trace->n_bytes >= sizeof magic)
        memcpy(&magic, trace->bytes, sizeof magic);
    if (magic != TRACE_FILE_MAGIC)
        die(path, "is no trace that bench-record wrote");
}

/* The file is whole, to its last item. */
static void check_file(struct trace *trace, const char *path)
{
    size_t at = sizeof(uint64_t);

    while (at + sizeof(struct trace_item) <= trace->n_bytes) {
        const struct trace_item item = item_at(trace, at);
        at += item_bytes(item);
        if (at <= trace->n_bytes && item.kind == TRACE_FINISH)
            return;
    }
    die(path, "breaks off: record it again");
}

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

static void count_records(struct trace *trace)
{
    for (size_t at = sizeof(uint64_t); at < trace->n_bytes;) {
        const struct trace_item item = item_at(trace, at);
        if (item.kind == TRACE_RECORDS) {
            trace->n_records += item.n;
            trace->n_blocks += count_blocks(records_at(trace, at), item.n);
        }
        at += item_bytes(item);
    }
}

/* ---- the run ----------------------------------------------------------------------------------
 */

static bool look_up(void *user, uint32_t id, struct armpmu_block_source *out)
{
    const struct trace *const trace = user;
    struct trace_block block;

    if (id >= trace->blocks_room || trace->blocks[id] == NULL)
        return false;
    memcpy(&block, trace->blocks[id], sizeof block);
    *out = (struct armpmu_block_source){
        .address = block.address,
        .bytes = block.has_bytes ? trace->blocks[id] + sizeof block : NULL,
        .n_bytes = block.n_bytes,
        .n_insns = block.n_insns,
        .isa = (enum armpmu_isa)block.isa,
        .it_known = block.it_known != 0,
        .it_before = block.it_before,
    };
    return true;
}

static void define(struct trace *trace, size_t at)
{
    struct trace_block block;

    memcpy(&block, trace->bytes + at + sizeof(struct trace_item), sizeof block);
    if (!ARRAY_RESERVE(trace->blocks, trace->blocks_room, (size_t)block.id + 1))
        die("the blocks", "do not fit into memory");
    trace->blocks[block.id] = trace->bytes + at + sizeof(struct trace_item);
}

/* Defines the blocks that the core model asked for during the item at `at`. */
static void define_named(struct trace *trace, size_t at)
{
    for (at += item_bytes(item_at(trace, at)); item_at(trace, at).kind == TRACE_BLOCK;
         at += item_bytes(item_at(trace, at)))
        define(trace, at);
}

static double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Feeds the whole trace. Returns the processor seconds in the core model. */
static double feed(struct trace *trace, struct armpmu_sim *sim)
{
    double seconds = 0;
    struct armpmu_error err;

    for (size_t at = sizeof(uint64_t);; at += item_bytes(item_at(trace, at))) {
        const struct trace_item item = item_at(trace, at);
        const double start = seconds_now();
        if (item.kind == TRACE_FINISH) {
            armpmu_sim_finish(sim, (enum armpmu_end)item.n);
            return seconds + seconds_now() - start;
        }
        if (item.kind == TRACE_BLOCK)
            continue;
        define_named(trace, at);
        if (item.kind == TRACE_RENAME)
            armpmu_sim_rename(sim);
        else
            require(armpmu_sim_run(sim, records_at(trace, at), item.n, &err), "the trace", &err);
        seconds += seconds_now() - start;
    }
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

static double run(struct trace *trace, const struct armpmu_machine *machine,
                  enum armpmu_profile_detail detail, uint64_t *signals)
{
    struct armpmu_error err;
    struct armpmu_code *code;
    struct armpmu_sim *sim;

    memset(trace->blocks, 0, trace->blocks_room * sizeof *trace->blocks);
    require(armpmu_code_new(look_up, trace, &code, &err), "the code", &err);
    require(armpmu_sim_new(machine, code, &sim, &err), "the core model", &err);
    require(armpmu_sim_set_profile(sim, detail, &err), "the profile", &err);
    const double seconds = feed(trace, sim);
    armpmu_sim_signals(sim, signals);
    if (detail != ARMPMU_PROFILE_OFF && !check_profile(sim, signals))
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
    if (word != NULL && strcmp(word, "--insns") == 0)
        return ARMPMU_PROFILE_INSNS;
    return word != NULL && strcmp(word, "--paths") == 0 ? ARMPMU_PROFILE_PATHS : ARMPMU_PROFILE_OFF;
}

int main(int argc, char **argv)
{
    const enum armpmu_profile_detail detail = detail_of(argv[1]);
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
    struct armpmu_error err = {0};
    struct armpmu_machine *machine;
    struct trace trace = {0};
    double best = 1e30;

    if (detail != ARMPMU_PROFILE_OFF) {
        argc--;
        argv++;
    }
    if (argc != 4 && argc != 5) {
        fprintf(stderr,
                "usage: bench-replay [--insns|--paths] MACHINE FOLDER_OF_MACHINES FILE [ROUNDS]\n");
        return 2;
    }
    require(armpmu_machine_load(argv[1], argv[2], &machine, &err), argv[1], &err);
    read_file(&trace, argv[3]);
    check_file(&trace, argv[3]);
    count_records(&trace);
    if (!ARRAY_RESERVE(trace.blocks, trace.blocks_room, 1))
        die("the blocks", "do not fit into memory");
    for (int left = argc == 5 ? atoi(argv[4]) : 1; left > 0; left--) {
        const double seconds = run(&trace, machine, detail, signals);
        best = seconds < best ? seconds : best;
    }
    fprintf(stderr, "%" PRIu64 " records, %" PRIu64 " blocks: %.2f ns a record, %.2f ns a block\n",
            trace.n_records, trace.n_blocks, best * 1e9 / (double)trace.n_records,
            best * 1e9 / (double)trace.n_blocks);
    print_events(armpmu_machine_core(machine), signals);
    armpmu_machine_free(machine);
    free(trace.blocks);
    free(trace.bytes);
    return 0;
}
