#include "qemu/launcher/trace_slices.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/write_all.h"
#include "qemu/launcher/trace_replay_internal.h"
#include "trace/trace_file.h"

#define RECORDS_MIN 131072u /* of a slice, on average */

/* A slice is shorter than the one before by the time that following takes: three eighths. */
#define SHRINKS_BY  5u
#define SHRINKS_OF  8u
#define FIRST_SHARE (UINT64_C(1) << 24)

/* ---- where slices begin --------------------------------------------------------------------- */

/* The number of slices of a thread. */
static unsigned slices_of(uint64_t n_records, unsigned wanted)
{
    const uint64_t most = n_records / RECORDS_MIN;
    const uint64_t n = most < wanted ? most : wanted;

    return n < 1 ? 1 : n < TRACE_SLICES_MAX ? (unsigned)n : TRACE_SLICES_MAX;
}

/* The record after which a slice ends. Lengths stop shrinking where records are few. */
static uint64_t edge_of(uint64_t n_records, unsigned n, unsigned number)
{
    uint64_t share = FIRST_SHARE, sum = 0, up_to = 0;

    for (unsigned i = 0; i < n; i++) {
        sum += share;
        up_to += i < number ? share : 0;
        if (share > FIRST_SHARE / SHRINKS_OF)
            share = share / SHRINKS_OF * SHRINKS_BY;
    }
    return (uint64_t)((double)n_records * ((double)up_to / (double)sum));
}

/* ---- a thread's records ---------------------------------------------------------------------- */

/* Who counts slices of a thread. */
struct slicer {
    struct replay *replay;
    const struct trace_thread *traced;
    size_t index;
    unsigned n; /* slices of the thread */
    struct trace_cursor *cursor;
    struct trace_ahead *ahead; /* unpacks its records */
    struct armpmu_sim *sim;
    uint64_t at; /* records that the model has had */
    bool is_over;
    int parent; /* the socket to it; -1: it is the parent */
};

/* The parent has ended, and this process counts for no reader. */
static bool is_alone(const struct slicer *s)
{
    char byte;

    return s->parent >= 0 && recv(s->parent, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* Opens the trace after the records that the model has had. */
static enum armpmu_status open_records(struct slicer *s, struct armpmu_error *err)
{
    uint64_t left = s->at;
    const uint64_t *records;
    size_t n = 1;
    enum armpmu_status status =
        trace_cursor_open(s->replay->job->trace_from, s->index, 0, &s->cursor, err);

    s->ahead = NULL;
    if (status == ARMPMU_OK)
        status = trace_cursor_pass(s->cursor, &left, err);
    if (status == ARMPMU_OK)
        status = trace_ahead_new(s->cursor, &s->ahead, err);
    while (status == ARMPMU_OK && left != 0 && n != 0) {
        status = trace_ahead_next(s->ahead, &records, &n, err);
        left -= n < left ? n : left;
    }
    return status;
}

static void close_records(struct slicer *s)
{
    trace_ahead_free(s->ahead);
    trace_cursor_close(s->cursor);
}

/* Runs records up to a number of them from the first on, or all. */
static enum armpmu_status run_to(struct slicer *s, uint64_t end, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    const uint64_t *records;
    size_t n;

    while (status == ARMPMU_OK && !s->is_over && s->at < end && !s->replay->stops && !is_alone(s)) {
        status = trace_ahead_next(s->ahead, &records, &n, err);
        s->is_over = status != ARMPMU_OK || n == 0;
        if (!s->is_over)
            status = armpmu_sim_run(s->sim, records, n, err);
        s->at += n;
    }
    return status;
}

static uint64_t edge(const struct slicer *s, unsigned number)
{
    return number == s->n ? UINT64_MAX : edge_of(s->traced->n_records, s->n, number);
}

/* Where time is kept from on. */
static uint64_t warm_up_of(const struct slicer *s, unsigned number)
{
    const uint64_t begin = edge(s, number - 1), warm_up = s->replay->job->warm_up;

    return begin > warm_up ? begin - warm_up : 0;
}

/* Counts a slice: the model has come to its warm-up, or to its start. */
static enum armpmu_status count_slice(struct slicer *s, unsigned number, struct sim_slice *slice,
                                      struct armpmu_error *err)
{
    sim_keep_time(s->sim);
    enum armpmu_status status = run_to(s, edge(s, number - 1), err);
    if (status == ARMPMU_OK)
        status = sim_slice_begin(s->sim, slice, err);
    if (status == ARMPMU_OK)
        status = run_to(s, edge(s, number), err);
    if (status == ARMPMU_OK && number == s->n)
        armpmu_sim_finish(s->sim, s->traced->end);
    return status == ARMPMU_OK ? sim_slice_end(s->sim, slice, err) : status;
}

/* ---- processes at once ----------------------------------------------------------------------- */

/* The message about a slice; slice.n_more words follow. */
struct slice_message {
    enum armpmu_status status;
    struct armpmu_error error;
    struct sim_slice slice;
};

struct slice_process {
    pid_t pid;  /* 0: it has ended */
    int socket; /* to it */
};

static bool read_whole(int fd, void *to, size_t n)
{
    for (char *next = to; n > 0;) {
        const ssize_t got = recv(fd, next, n, MSG_WAITALL);
        if (got <= 0)
            return false;
        next += got;
        n -= (size_t)got;
    }
    return true;
}

/* A child: counts slices from one on, as long as the parent asks for the next. The thread that
 * unpacks records stayed in the parent. */
static _Noreturn void be_process(struct slicer *s, unsigned number, int parent)
{
    char go_on = 1;
    struct armpmu_error error;
    const enum armpmu_status status = open_records(s, &error);

    s->parent = parent;
    for (; go_on != 0 && number <= s->n; number++) {
        struct slice_message message = {.status = status, .error = error};
        if (status == ARMPMU_OK)
            message.status = count_slice(s, number, &message.slice, &message.error);
        if (!write_all(parent, (const char *)&message, sizeof message) ||
            (message.status == ARMPMU_OK &&
             !write_all(parent, (const char *)message.slice.more,
                        message.slice.n_more * sizeof *message.slice.more)) ||
            !read_whole(parent, &go_on, 1))
            break;
        free(message.slice.more);
    }
    _exit(0);
}

static enum armpmu_status start_process(struct slicer *s, unsigned number,
                                        struct slice_process *processes, struct armpmu_error *err)
{
    int sockets[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return fail(err, ARMPMU_IO, "no sockets for a process that counts a slice");
    const pid_t pid = fork();
    if (pid == 0) {
        for (unsigned i = 1; i < number; i++)
            close(processes[i - 1].socket);
        close(sockets[0]);
        be_process(s, number, sockets[1]);
    }
    close(sockets[1]);
    processes[number - 1] = (struct slice_process){pid > 0 ? pid : 0, sockets[0]};
    if (pid < 0)
        return fail(err, ARMPMU_NO_MEMORY,
                    "the system refused a process to count a slice: no memory for it, or raise the "
                    "limit (ulimit -u)");
    return ARMPMU_OK;
}

static void end_process(struct slice_process *process)
{
    if (process->pid == 0)
        return;
    kill(process->pid, SIGKILL);
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    close(process->socket);
    process->pid = 0;
}

/* Waits for the next slice of a process. */
static enum armpmu_status receive(const struct slice_process *process, struct sim_slice *slice,
                                  struct armpmu_error *err)
{
    struct slice_message message;

    if (!read_whole(process->socket, &message, sizeof message))
        return fail(err, ARMPMU_IO, "a process that counted a slice ended: was it killed?");
    if (message.status != ARMPMU_OK) {
        *err = message.error;
        return message.status;
    }
    message.slice.more = malloc(message.slice.n_more * sizeof *message.slice.more + 1);
    if (message.slice.more == NULL)
        return fail_no_memory(err, "a slice");
    *slice = message.slice;
    return read_whole(process->socket, slice->more, slice->n_more * sizeof *slice->more)
               ? ARMPMU_OK
               : fail(err, ARMPMU_IO, "a process that counted a slice ended: was it killed?");
}

static bool is_same(const struct core_digest *one, const struct core_digest *other)
{
    return memcmp(one, other, sizeof *one) == 0;
}

static bool follows(const struct sim_slice *slice, const struct sim_slice *before)
{
    return !slice->is_unsure && is_same(&slice->begins, &before->ends);
}

/* Slice `number` is not to be used: the process that counted the one before continues through it.
 */
static enum armpmu_status go_on(const struct slice_process *process, struct sim_slice *slice,
                                struct armpmu_error *err)
{
    const char go_on = 1;

    free(slice->more);
    *slice = (struct sim_slice){0};
    return send(process->socket, &go_on, 1, MSG_NOSIGNAL) == 1
               ? receive(process, slice, err)
               : fail(err, ARMPMU_IO, "a process that counted a slice ended: was it killed?");
}

/* slices: the last is counted already. Afterwards all are as one process counts them. */
static enum armpmu_status join_all(struct slicer *s, struct slice_process *processes,
                                   struct sim_slice *slices, struct armpmu_error *err)
{
    struct slice_process *sure = processes;
    enum armpmu_status status = receive(sure, &slices[0], err);

    for (unsigned i = 1; i < s->n && status == ARMPMU_OK; i++) {
        struct slice_process *const next = i + 1 < s->n ? &processes[i] : NULL;
        if (next != NULL)
            status = receive(next, &slices[i], err);
        if (status != ARMPMU_OK)
            return status;
        const bool is_right = follows(&slices[i], &slices[i - 1]);
        if (!is_right)
            status = go_on(sure, &slices[i], err);
        struct slice_process *const done = is_right ? sure : next;
        if (done != NULL)
            end_process(done);
        sure = is_right ? next : sure;
    }
    return status;
}

static enum armpmu_status count_at_once(struct slicer *s, struct slice_process *processes,
                                        struct sim_slice *slices, struct armpmu_error *err)
{
    enum armpmu_status status = start_process(s, 1, processes, err);

    sim_follow(s->sim);
    for (unsigned number = 2; number <= s->n && status == ARMPMU_OK; number++) {
        status = run_to(s, warm_up_of(s, number), err);
        if (status == ARMPMU_OK && number < s->n)
            status = start_process(s, number, processes, err);
    }
    if (status == ARMPMU_OK)
        status = count_slice(s, s->n, &slices[s->n - 1], err);
    if (status == ARMPMU_OK && !s->replay->stops)
        status = join_all(s, processes, slices, err);
    return status == ARMPMU_OK && !s->replay->stops ? sim_join_slices(s->sim, slices, s->n, err)
                                                    : status;
}

static enum armpmu_status count_by_processes(struct slicer *s, struct armpmu_error *err)
{
    struct slice_process processes[TRACE_SLICES_MAX] = {{0}};
    struct sim_slice *const slices = calloc(s->n, sizeof *slices);
    enum armpmu_status status = ARMPMU_OK;

    if (slices == NULL)
        return fail_no_memory(err, "slices");
    status = count_at_once(s, processes, slices, err);
    for (unsigned i = 0; i < s->n; i++) {
        end_process(&processes[i]);
        free(slices[i].more);
    }
    free(slices);
    return status;
}

/* ---- a slice alone, and all ------------------------------------------------------------------ */

static enum armpmu_status count_alone(struct slicer *s, struct trace_slices *slices,
                                      struct armpmu_error *err)
{
    struct trace_slice slice = {(uint32_t)s->index, slices->number, {.n_more = 0}};

    if (slices->number > s->n)
        return ARMPMU_OK;
    if (slices->number > 1)
        sim_follow(s->sim);
    enum armpmu_status status = run_to(s, warm_up_of(s, slices->number), err);
    if (status == ARMPMU_OK)
        status = count_slice(s, slices->number, &slice.counted, err);
    if (status == ARMPMU_OK && s->replay->stops)
        status = fail(err, ARMPMU_IO, "interrupted: the file of the slice is not written");
    if (status != ARMPMU_OK) {
        free(slice.counted.more);
        return status;
    }
    pthread_mutex_lock(&s->replay->lock);
    status = trace_slices_add(slices, &slice, err);
    pthread_mutex_unlock(&s->replay->lock);
    return status;
}

static const struct sim_slice *find(const struct trace_slices *slices, size_t thread,
                                    unsigned number)
{
    for (size_t i = 0; i < slices->n_items; i++)
        if (slices->items[i].thread == thread && slices->items[i].number == number)
            return &slices->items[i].counted;
    return NULL;
}

static enum armpmu_status gather(const struct slicer *s, const struct trace_slices *slices,
                                 struct armpmu_error *err)
{
    struct sim_slice *const all = calloc(s->n, sizeof *all);
    enum armpmu_status status = all != NULL ? ARMPMU_OK : fail_no_memory(err, "slices");

    for (unsigned i = 0; i < s->n && status == ARMPMU_OK; i++) {
        const struct sim_slice *const slice = find(slices, s->index, i + 1);
        if (slice == NULL)
            status = fail(err, ARMPMU_BAD_INPUT,
                          "slice %u/%u is missing: 'armpmu replay --slice %u/%u' counts it", i + 1,
                          slices->n, i + 1, slices->n);
        else if (i > 0 && !follows(slice, &all[i - 1]))
            status =
                fail(err, ARMPMU_BAD_INPUT,
                     "slice %u/%u did not begin in the state at the end of slice %u/%u: count it "
                     "again with a --warm-up above %llu, or count the trace with --jobs",
                     i + 1, slices->n, i, slices->n, (unsigned long long)s->replay->job->warm_up);
        else
            all[i] = *slice;
    }
    if (status == ARMPMU_OK)
        status = sim_join_slices(s->sim, all, s->n, err);
    free(all);
    return status;
}

/* ---- a thread -------------------------------------------------------------------------------- */

enum armpmu_status replay_check_slices(const struct replay *replay, struct armpmu_error *err)
{
    const struct armpmu_machine *const machine = replay->job->machine;

    if (!sim_can_slice(machine))
        return fail(err, ARMPMU_BAD_CONFIG,
                    "machine %s cannot be counted in slices: the contents of its caches depend on "
                    "time; leave --slice and --gather out",
                    armpmu_machine_name(machine));
    for (size_t i = 0; i < replay->n_threads; i++)
        if (replay_shares(replay, i))
            return fail(err, ARMPMU_BAD_CONFIG,
                        "threads of the trace share a cache of machine %s, and cannot be counted "
                        "in slices: leave --slice and --gather out",
                        armpmu_machine_name(machine));
    return ARMPMU_OK;
}

bool replay_slices(const struct replay *replay, size_t index)
{
    const struct run *const job = replay->job;
    const bool is_plain = job->period == 0 && job->profile == ARMPMU_PROFILE_OFF &&
                          job->n_beside == 0 && !job->maps_misses && job->from_insn == 0 &&
                          job->to_insn == 0;

    if (job->slices != NULL)
        return true;
    return is_plain && replay->n_threads < job->jobs && sim_can_slice(job->machine) &&
           slices_of(replay->threads[index].n_records, job->jobs) > 1;
}

static enum armpmu_status count(struct slicer *s, struct armpmu_error *err)
{
    struct trace_slices *const slices = s->replay->job->slices;

    s->n = slices_of(s->traced->n_records, slices != NULL ? slices->n : s->replay->job->jobs);
    if (slices == NULL)
        return count_by_processes(s, err);
    return slices->number != 0 ? count_alone(s, slices, err) : gather(s, slices, err);
}

enum armpmu_status replay_in_slices(struct replay *replay, size_t index, struct armpmu_error *err)
{
    const struct ring_sink *const sink = replay->sink;
    const struct trace_thread *const traced = &replay->threads[index];
    struct slicer s = {.replay = replay, .traced = traced, .index = index, .parent = -1};
    enum armpmu_status status = open_records(&s, err);

    if (status != ARMPMU_OK) {
        close_records(&s);
        return status;
    }
    void *const trace = sink->open(sink->user, traced->process, traced->thread);
    if (trace != NULL) {
        s.sim = sink->sim(trace);
        status = count(&s, err);
        sink->end(trace, traced->end, traced->is_replaced);
    } else {
        replay->stops = true;
    }
    close_records(&s);
    return status;
}
