/* A trace in the JSON that Perfetto and Chrome read: a counter for each event with its count in
 * each interval, in simulated time; and the call paths as slices, a track for each event, where one
 * nanosecond is one event. Those are in no order of time: the order of execution is not known. */
#include <inttypes.h>
#include <stdlib.h>

#include "export/call_tree.h"
#include "export/json_text.h"

enum { COUNTERS = 1, CALL_PATHS };

static void print_name(const char *what, int process, size_t track, const char *name, FILE *out)
{
    fprintf(out,
            ",\n{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%d,\"tid\":%zu,\"args\":{\"name\":", what,
            process, track);
    json_text(name, out);
    fputs("}}", out);
}

static void print_counter(const char *name, double microseconds, uint64_t n, FILE *out)
{
    fputs(",\n{\"ph\":\"C\"", out);
    json_member("name", name, out);
    fprintf(out, ",\"pid\":%d,\"ts\":%.3f,\"args\":{\"count\":%" PRIu64 "}}", COUNTERS,
            microseconds, n);
}

static double microseconds(const struct profile *p, uint64_t cycles)
{
    return (double)cycles / (p->setup.clock_mhz > 0 ? p->setup.clock_mhz : 1);
}

/* A value holds from its time to the next one's. */
static void print_counters(const struct export_job *job, FILE *out)
{
    const struct profile *const p = job->profile;
    uint64_t start = 0;

    if (p->n_intervals == 0)
        return;
    print_name("process_name", COUNTERS, 0, "Events in each interval", out);
    for (size_t i = 0; i <= p->n_intervals; i++) {
        for (size_t e = 0; e < job->n_events; e++)
            print_counter(export_event(job, e)->name, microseconds(p, start),
                          i < p->n_intervals ? p->intervals[i].counts[job->events[e]] : 0, out);
        start = i < p->n_intervals ? p->intervals[i].end_cycles : start;
    }
}

static void print_slice(const struct call_tree *tree, uint32_t node, size_t event, uint64_t start,
                        FILE *out)
{
    const size_t n = tree->job->n_events;
    const uint64_t wide = tree->inclusive[node * n + event];

    fputs(",\n{\"ph\":\"X\"", out);
    json_member("name", tree->frames[tree->nodes[node].frame].name, out);
    fprintf(out,
            ",\"pid\":%d,\"tid\":%zu,\"ts\":%" PRIu64 ".%03u,\"dur\":%" PRIu64
            ".%03u,\"args\":{\"self\":%" PRIu64 "}}",
            CALL_PATHS, event + 1, start / 1000, (unsigned)(start % 1000), wide / 1000,
            (unsigned)(wide % 1000), tree->self[node * n + event]);
}

/* A slice begins where what its caller did itself, and its elder siblings, end. at: of each node,
 * where its next child begins. */
static void print_slices(const struct call_tree *tree, size_t event, uint64_t *at, FILE *out)
{
    const size_t n = tree->job->n_events;
    uint32_t node = call_tree_next(tree, CALL_TREE_ROOT);

    at[CALL_TREE_ROOT] = 0;
    while (node != 0) {
        const uint64_t wide = tree->inclusive[node * n + event];
        uint64_t *const parent_at = &at[tree->nodes[node].parent];
        if (wide > 0) {
            print_slice(tree, node, event, *parent_at, out);
            at[node] = *parent_at + tree->self[node * n + event];
            *parent_at += wide;
        }
        node = wide > 0 ? call_tree_next(tree, node) : call_tree_skip(tree, node);
    }
}

static enum armpmu_status print_call_paths(const struct call_tree *tree, FILE *out,
                                           struct armpmu_error *err)
{
    uint64_t *const at = export_new_sums(tree->job, tree->n_nodes);

    if (at == NULL)
        return export_no_memory(err);
    print_name("process_name", CALL_PATHS, 0, "Call paths, 1 ns an event, in no order of time",
               out);
    for (size_t i = 0; i < tree->job->n_events; i++) {
        print_name("thread_name", CALL_PATHS, i + 1, export_event(tree->job, i)->name, out);
        print_slices(tree, i, at, out);
    }
    free(at);
    return ARMPMU_OK;
}

enum armpmu_status export_perfetto(const struct export_job *job, FILE *out,
                                   struct armpmu_error *err)
{
    const struct profile_setup *const setup = &job->profile->setup;
    struct call_tree tree;
    enum armpmu_status status = call_tree_init(&tree, job, err);

    if (status == ARMPMU_OK) {
        fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"exporter\":\"armpmu " ARMPMU_VERSION
              "\"",
              out);
        json_member("command", setup->command, out);
        json_member("machine", setup->machine, out);
        json_member("core", setup->core, out);
        fputs("},\n\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"trace\",\"pid\":0,\"args\":{}}",
              out);
        print_counters(job, out);
        status = print_call_paths(&tree, out, err);
        fputs("\n]}\n", out);
    }
    call_tree_free(&tree);
    return status;
}
