/* The reading side of the shared memory when that holds what no recorder writes: each number by
 * itself, memory that cannot be read, a producer that never stops. Here the test is the producer.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../../test.h"
#include "armpmu/trace.h"
#include "qemu/ring/ring.h"

struct fixture {
    struct ring *ring;
    void *memory;
    struct ring_header *header;
    const struct ring_outcome *outcome;
    _Atomic unsigned n_open, n_end;
    _Atomic uint64_t n_records;
    _Atomic unsigned n_torn; /* code_blocks that do not begin with a block */
    _Atomic unsigned n_faults;
};

static void *count_open(void *user, uint32_t process, uint32_t thread)
{
    struct fixture *f = user;

    (void)process, (void)thread;
    f->n_open++;
    return f;
}

static bool count_words(void *trace, const uint64_t *records, size_t n_records)
{
    struct fixture *f = trace;

    f->n_torn += armpmu_record_kind(records[0]) != ARMPMU_RECORD_BLOCK;
    f->n_records += n_records;
    return true;
}

static void count_end(void *trace, enum armpmu_end how, bool replaced)
{
    struct fixture *f = trace;

    (void)replaced;
    f->n_faults += how == ARMPMU_END_FAULT;
    f->n_end++;
}

static bool copies; /* what the ring does with records */

static void begin(struct fixture *f)
{
    const struct ring_sink sink = {
        .user = f, .copies = copies, .open = count_open, .run = count_words, .end = count_end};
    struct armpmu_error err;

    *f = (struct fixture){0};
    assert_int_equal(ring_new(&sink, false, &f->ring, &err), ARMPMU_OK);
    f->memory = ring_memory(f->ring);
    f->header = f->memory;
}

/* The plugin has mapped the ring. */
static void be_ready(struct fixture *f)
{
    atomic_store(&f->header->plugin, RING_PLUGIN_READY);
    ring_announce(f->header);
    while (atomic_load(&f->header->closed) == 0)
        ring_wait(&f->header->closed, 0, 1000000);
}

/* The first trace, as thread 1.1 in the first slot; not yet announced. */
static struct ring_trace *first_trace(struct fixture *f)
{
    struct ring_trace *const trace = ring_trace(f->memory, 0);
    struct ring_slot *const slot = ring_slot(f->memory, 1, 0);

    trace->process = trace->thread = 1;
    trace->pid = getpid();
    slot->base = slot->cursor = ring_chunk(f->memory, 0, 0);
    slot->trace = 1;
    return trace;
}

static void announce(struct fixture *f, struct ring_trace *trace)
{
    atomic_store(&trace->state, RING_TRACE_OPEN);
    atomic_fetch_add(&f->header->n_traces, 1);
    ring_announce(f->header);
}

/* Hands over a chunk of blocks, each with an access. */
static void hand_over(struct fixture *f, struct ring_trace *trace, uint32_t n_records)
{
    const uint32_t produced = atomic_load(&trace->produced);
    uint64_t *const records = ring_chunk(f->memory, 0, produced);

    for (uint32_t i = 0; i < n_records; i++)
        records[i] = armpmu_record(i % 2 == 0 ? ARMPMU_RECORD_BLOCK : ARMPMU_RECORD_ACCESS, 0);
    trace->records[produced % RING_CHUNKS] = n_records;
    atomic_store(&trace->produced, produced + 1);
    ring_doorbell(trace);
}

static void wait_for(const _Atomic uint32_t *word, uint32_t value)
{
    for (unsigned i = 0; i < 10000 && atomic_load(word) != value; i++)
        usleep(1000);
    assert_int_equal(atomic_load(word), value);
}

static void finish(struct fixture *f)
{
    f->outcome = ring_finish(f->ring, getpid(), 0);
    assert_int_equal(f->n_open, f->n_end);
}

static void finish_damaged(struct fixture *f, const char *what)
{
    finish(f);
    const char *const failure = f->outcome->failure;
    if (strstr(failure, "wrote into armpmu's recording") == NULL || strstr(failure, what) == NULL)
        fail_msg("\"%s\" for: %s", failure, what);
    ring_free(f->ring);
}

/* ---- nothing wrong ---- */

TEST(test_all_is_read)
{
    struct fixture f;

    begin(&f);
    be_ready(&f);
    struct ring_trace *const trace = first_trace(&f);
    announce(&f, trace);
    for (uint32_t i = 0; i < 20; i++) {
        hand_over(&f, trace, 5000);
        wait_for(&trace->consumed, i + 1);
    }
    struct ring_slot *const slot = ring_slot(f.memory, 1, 0);
    slot->cursor = slot->base + 20 % RING_CHUNKS * RING_CHUNK_RECORDS + 7;
    finish(&f);
    assert_string_equal(f.outcome->failure, "");
    assert_int_equal(f.n_records, 100007);
    assert_int_equal(f.n_torn, 0);
    ring_free(f.ring);
}

/* It was killed between the two, or goes on without armpmu. */
TEST(test_a_producer_between_two_chunks)
{
    for (uint32_t n = 1; n <= RING_CHUNKS + 1; n++) {
        struct fixture f;
        begin(&f);
        be_ready(&f);
        struct ring_trace *const trace = first_trace(&f);
        struct ring_slot *const slot = ring_slot(f.memory, 1, 0);
        announce(&f, trace);
        for (uint32_t i = 0; i < n; i++) {
            slot->cursor = slot->base + i % RING_CHUNKS * RING_CHUNK_RECORDS + 5000;
            hand_over(&f, trace, 5000);
            wait_for(&trace->consumed, i + 1);
        }
        finish(&f);
        assert_string_equal(f.outcome->failure, "");
        assert_int_equal(f.n_records, n * 5000);
        ring_free(f.ring);
    }
}

/* The producer dies of a signal. For longer than a reader looks for its producer, armpmu does not
 * learn of that, as on a busy computer. */
TEST(test_a_fault_that_is_waited_for_late)
{
    struct fixture f;
    int wait_status = 0;

    begin(&f);
    be_ready(&f);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGILL, SIG_DFL);
        raise(SIGILL);
    }
    ring_set_program(f.ring, child);
    struct ring_trace *const trace = first_trace(&f);
    trace->pid = child;
    announce(&f, trace);
    hand_over(&f, trace, 2);
    usleep(500000);
    assert_int_equal(f.n_end, 0);
    assert_int_equal(waitpid(child, &wait_status, 0), child);
    ring_finish(f.ring, child, wait_status);
    assert_int_equal(f.n_end, 1);
    assert_int_equal(f.n_faults, 1);
    ring_free(f.ring);
}

TEST(test_all_is_read_in_pieces)
{
    copies = true;
    test_all_is_read(state);
    copies = false;
}

/* ---- the file ---- */

/* A thread that looks at the memory left may have opened another file under the same number. */
static bool is_ring(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && (uint64_t)status.st_size == RING_BYTES;
}

TEST(test_the_file_is_sealed_and_then_closed)
{
    struct fixture f;

    begin(&f);
    const int fd = ring_descriptor(f.ring);
    assert_int_equal(ftruncate(fd, 0), -1);
    assert_int_equal(ftruncate(fd, (off_t)(2 * RING_BYTES)), -1);
    assert_true(is_ring(fd));
    be_ready(&f);
    assert_false(is_ring(fd));
    assert_int_equal(ring_descriptor(f.ring), -1);
    finish(&f);
    assert_true(f.outcome->has_started);
    assert_string_equal(f.outcome->failure, "");
    ring_free(f.ring);
}

/* Maps the file of another process's ring before that process is killed. */
static struct ring_header *map_of(pid_t pid, int fd)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pid, fd);
    const int file = open(path, O_RDWR);
    assert_true(file >= 0);
    void *const header = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    assert_ptr_not_equal(header, MAP_FAILED);
    close(file);
    return header;
}

TEST(test_a_killed_reader_is_known_by_its_owner)
{
    int fds[2], fd = -1;

    assert_int_equal(pipe(fds), 0);
    const pid_t child = fork();
    if (child == 0) {
        struct fixture f;
        begin(&f);
        while (atomic_load(&f.header->owner) == 0)
            usleep(1000);
        fd = ring_descriptor(f.ring);
        (void)!write(fds[1], &fd, sizeof fd);
        for (;;)
            pause();
    }
    assert_int_equal(read(fds[0], &fd, sizeof fd), sizeof fd);
    struct ring_header *const header = map_of(child, fd);
    assert_int_equal(atomic_load(&header->owner) & FUTEX_OWNER_DIED, 0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_int_not_equal(atomic_load(&header->owner) & FUTEX_OWNER_DIED, 0);
    munmap(header, 4096);
    close(fds[0]);
    close(fds[1]);
}

/* ---- one number each ---- */

static void no_magic(struct fixture *f)
{
    f->header->magic = 0;
}
static void other_size(struct fixture *f)
{
    f->header->bytes++;
}
static void no_owner(struct fixture *f)
{
    atomic_store(&f->header->owner, 0);
}
static void detached(struct fixture *f)
{
    atomic_store(&f->header->detached, 1);
}
static void closed(struct fixture *f)
{
    atomic_store(&f->header->n_traces, RING_TRACES_CLOSED | 1);
}
static void no_traces(struct fixture *f)
{
    atomic_store(&f->header->n_traces, 0);
}
static void many_chunks(struct fixture *f)
{
    atomic_store(&ring_trace(f->memory, 0)->produced, 1 + RING_CHUNKS + 1);
}
static void fewer_chunks(struct fixture *f)
{
    atomic_store(&ring_trace(f->memory, 0)->produced, 0);
}
static void other_consumed(struct fixture *f)
{
    atomic_store(&ring_trace(f->memory, 0)->consumed, 0);
}
static void long_tail(struct fixture *f)
{
    ring_slot(f->memory, 1, 0)->cursor = ring_chunk(f->memory, 0, 2) + 1;
}
static void tail_before(struct fixture *f)
{
    ring_slot(f->memory, 1, 0)->cursor = ring_chunk(f->memory, 0, 0) - 1;
}

static void long_chunk(struct fixture *f)
{
    struct ring_trace *const trace = ring_trace(f->memory, 0);

    trace->records[1] = RING_CHUNK_RECORDS + 1;
    atomic_store(&trace->produced, 2);
}

static void closed_with_a_slot(struct fixture *f)
{
    atomic_store(&ring_trace(f->memory, 0)->state, RING_TRACE_CLOSED);
}

static const struct {
    void (*change)(struct fixture *f);
    const char *message;
} changes[] = {
    {no_magic, "its header is another"},
    {other_size, "its header is another"},
    {no_owner, "its header is another"},
    {detached, "it was stopped"},
    {closed, "it takes no more traces"},
    {no_traces, "there are 0 traces, and were 1"},
    {many_chunks, "thread 1.1 has 9 new chunks, of at most 8"},
    {fewer_chunks, "thread 1.1 has 4294967295 new chunks, of at most 8"},
    {other_consumed, "thread 1.1 has 0 chunks read, of at most 1"},
    {long_chunk, "thread 1.1 has 131073 records in a chunk, of at most 131072"},
    {long_tail, "bytes in its last chunk, of at most 1048576"},
    {tail_before, "bytes in its last chunk, of at most 1048576"},
    {closed_with_a_slot, "records past its end, of at most 0"},
};

TEST(test_each_number_that_changes)
{
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct fixture f;
        begin(&f);
        be_ready(&f);
        struct ring_trace *const trace = first_trace(&f);
        announce(&f, trace);
        hand_over(&f, trace, 100);
        wait_for(&trace->consumed, 1);
        ring_slot(f.memory, 1, 0)->cursor = ring_chunk(f.memory, 0, 1);
        changes[i].change(&f);
        finish_damaged(&f, changes[i].message);
        assert_int_equal(f.n_records, 100);
    }
}

TEST(test_nobody_s_trace)
{
    for (unsigned i = 0; i < 5; i++) {
        struct fixture f;
        begin(&f);
        be_ready(&f);
        struct ring_trace *const trace = first_trace(&f);
        uint32_t *const numbers[] = {&trace->process, &trace->process, &trace->thread, &trace->slot,
                                     (uint32_t *)&trace->pid};
        static const uint32_t wrong[] = {0, RING_PROCESSES_MAX + 1, 0, RING_SLOTS, 0};
        *numbers[i] = wrong[i];
        announce(&f, trace);
        finish_damaged(&f, "trace 0 is of thread");
        assert_int_equal(f.n_open, 0);
    }
}

TEST(test_what_the_plugin_says_is_cut_at_a_control_character)
{
    struct fixture f;

    begin(&f);
    memset(f.header->message, 'x', sizeof f.header->message);
    strcpy(f.header->message, "no room\033[2J");
    f.header->message[11] = 'x';
    atomic_store(&f.header->plugin, RING_PLUGIN_FAILED);
    finish(&f);
    assert_string_equal(f.outcome->failure, "no room");
    ring_free(f.ring);
}

/* ---- memory ---- */

TEST(test_memory_that_cannot_be_read)
{
    struct fixture f;
    char name[] = "/tmp/ring-damage-XXXXXX";

    const int fd = mkstemp(name); /* an empty file */
    assert_true(fd >= 0);
    unlink(name);
    begin(&f);
    be_ready(&f);
    struct ring_trace *const trace = first_trace(&f);
    trace->records[0] = 1000;
    assert_ptr_equal(mmap(ring_chunk(f.memory, 0, 0), 65536, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_FIXED, fd, 0),
                     ring_chunk(f.memory, 0, 0));
    atomic_store(&trace->produced, 1);
    announce(&f, trace);
    wait_for(&trace->consumed, 1);
    finish(&f);
    assert_non_null(strstr(f.outcome->failure, "(SIGBUS)"));
    ring_free(f.ring);
    close(fd);
}

static _Atomic bool stop;

static void *produce_for_ever(void *user)
{
    struct ring_trace *const trace = user;

    while (!atomic_load(&stop)) {
        const uint32_t consumed = atomic_load(&trace->consumed);
        atomic_store(&trace->produced, consumed + 4);
        atomic_fetch_add(&trace->doorbell, 1);
    }
    return NULL;
}

TEST(test_a_producer_that_never_stops)
{
    struct fixture f;
    pthread_t thread;

    begin(&f);
    be_ready(&f);
    struct ring_trace *const trace = first_trace(&f);
    announce(&f, trace);
    atomic_store(&stop, false);
    assert_int_equal(pthread_create(&thread, NULL, produce_for_ever, trace), 0);
    usleep(50000);
    finish(&f);
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    ring_free(f.ring);
}
