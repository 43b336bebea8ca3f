/* The queue of a processor's records, with a model that only adds them up, and with and without a
 * thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cosim/model_queue.h"

/* Signals of the model below. */
#define WORDS 0 /* how many */
#define CHAIN 1 /* a number that depends on all records and on their order */
#define BAD   UINT64_MAX

/* The queue is compiled to call this in place of pthread_create. */
int create_or_not(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                  void *user);

static bool no_threads;

int create_or_not(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                  void *user)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    void *const found = dlsym(RTLD_DEFAULT, "pthread_create");

    memcpy(&create, &found, sizeof create);
    return no_threads ? 1 : create(thread, attributes, start, user);
}

/* ---- a model ---- */

struct armpmu_sim {
    uint64_t signals[2], told[2];
    bool slow;
};

static uint64_t chain(uint64_t sum, uint64_t word)
{
    return sum * 6364136223846793005u + word;
}

enum armpmu_status armpmu_sim_run(struct armpmu_sim *sim, const uint64_t *records, size_t n,
                                  struct armpmu_error *err)
{
    const struct timespec while_longer = {0, 200000};

    if (sim->slow)
        nanosleep(&while_longer, NULL);
    for (size_t i = 0; i < n; i++) {
        if (records[i] == BAD) {
            snprintf(err->message, sizeof err->message, "a bad word");
            return ARMPMU_BAD_INPUT;
        }
        sim->signals[WORDS]++;
        sim->signals[CHAIN] = chain(sim->signals[CHAIN], records[i]);
    }
    return ARMPMU_OK;
}

void armpmu_sim_read_delta(struct armpmu_sim *sim, uint64_t *delta)
{
    for (unsigned i = 0; i < 2; i++) {
        delta[i] += sim->signals[i] - sim->told[i];
        sim->told[i] = sim->signals[i];
    }
}

/* ---- a writer, and what is to come out ---- */

struct writer {
    struct armpmu_sim sim, expected;
    struct model_queue *queue;
    uint64_t *records, sums[2][ARMPMU_SIGNAL_COUNT], expected_sums[2][2];
    unsigned side;
    size_t n;
    uint64_t next;
};

static unsigned n_chunks;

static const char *problem_of(struct writer *w)
{
    const char *message;

    return model_queue_status(w->queue, &message) == ARMPMU_OK ? "" : message;
}

/* The model of the queue before is the writer's, which is gone: nothing waits for it any more. */
static struct model_queue *made;

static void start(struct writer *w)
{
    model_queue_free(made);
    *w = (struct writer){.next = 1};
    w->queue = made = model_queue_new(&w->sim, n_chunks, 200, true);
    assert_non_null(w->queue);
    w->records = model_queue_records(w->queue);
}

static void write_words(struct writer *w, size_t n)
{
    struct armpmu_error error;

    for (size_t i = 0; i < n; i++) {
        w->records[w->n++] = w->next;
        assert_int_equal(armpmu_sim_run(&w->expected, &w->next, 1, &error), ARMPMU_OK);
        w->next = chain(w->next, 1) >> 1;
    }
}

static void pass(struct writer *w)
{
    model_queue_pass(w->queue, w->n);
    w->records = model_queue_records(w->queue);
    w->n = 0;
}

static void turn(struct writer *w)
{
    armpmu_sim_read_delta(&w->expected, w->expected_sums[w->side]);
    w->side ^= 1;
    if (!model_queue_mode_switch(w->queue, w->n))
        pass(w);
}

static void settle(struct writer *w)
{
    model_queue_sync(w->queue, w->n, w->sums);
    w->records = model_queue_records(w->queue);
    w->n = 0;
    armpmu_sim_read_delta(&w->expected, w->expected_sums[w->side]);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned i = 0; i < 2; i++)
            assert_int_equal(w->sums[side][i], w->expected_sums[side][i]);
    assert_string_equal(problem_of(w), "");
}

/* ---- tests ---- */

static void what_waits_is_counted_when_somebody_asks(void **state)
{
    (void)state;
    struct writer w;

    start(&w);
    settle(&w);
    write_words(&w, 3);
    settle(&w);
    assert_int_equal(w.sums[0][WORDS], 3);
    settle(&w);
    assert_int_equal(w.sums[0][WORDS], 3);
    write_words(&w, 100);
    settle(&w);
}

static void every_chunk_is_counted_once_and_in_order(void **state)
{
    (void)state;
    struct writer w;

    for (unsigned chunks = 0; chunks < 100; chunks++) {
        start(&w);
        for (unsigned i = 0; i < chunks; i++) {
            write_words(&w, 1 + i % 7);
            pass(&w);
        }
        settle(&w);
    }
}

static void a_slow_model_is_waited_for(void **state)
{
    (void)state;
    struct writer w;

    start(&w);
    w.sim.slow = true;
    for (unsigned i = 0; i < 200; i++) {
        write_words(&w, 5);
        pass(&w);
    }
    write_words(&w, 5);
    settle(&w);
    assert_int_equal(w.sums[0][WORDS], 1005);
}

static void turns_part_the_counts(void **state)
{
    (void)state;
    struct writer w;

    start(&w);
    turn(&w); /* in front of everything */
    write_words(&w, 2);
    turn(&w);
    turn(&w);
    write_words(&w, 3);
    pass(&w);
    write_words(&w, 5);
    turn(&w); /* behind everything */
    settle(&w);
    assert_int_equal(w.sums[1][WORDS], 10);
    assert_int_equal(w.sums[0][WORDS], 0);
    write_words(&w, 1);
    settle(&w);
    assert_int_equal(w.sums[0][WORDS], 1);
}

static void a_chunk_says_when_it_has_all_its_turns(void **state)
{
    (void)state;
    struct writer w;

    start(&w);
    for (unsigned i = 1; i < MODEL_QUEUE_SWITCHES; i++)
        assert_true(model_queue_mode_switch(w.queue, 0));
    assert_false(model_queue_mode_switch(w.queue, 0));
    start(&w);
    for (unsigned i = 0; i < 5 * MODEL_QUEUE_SWITCHES; i++) {
        write_words(&w, i % 3);
        turn(&w);
    }
    settle(&w);
}

static void sums_do_not_depend_on_who_counts(void **state)
{
    (void)state;
    struct writer w;

    srand(1);
    start(&w);
    for (unsigned i = 0; i < 20000; i++) {
        write_words(&w, (size_t)rand() % 20);
        switch (rand() % 20) {
        case 0:
            settle(&w);
            break;
        case 1:
        case 2:
        case 3:
            turn(&w);
            break;
        default:
            pass(&w);
            break;
        }
    }
    settle(&w);
}

static void a_refused_word_is_told(void **state)
{
    (void)state;
    struct writer w;

    start(&w);
    assert_string_equal(problem_of(&w), "");
    for (unsigned i = 0; i < 40; i++) {
        write_words(&w, 1);
        if (i == 20)
            w.records[w.n++] = BAD;
        pass(&w);
    }
    model_queue_sync(w.queue, 0, w.sums);
    assert_string_equal(problem_of(&w), "a bad word");
    assert_int_equal(w.sums[0][WORDS], 21); /* nothing behind it */

    start(&w);
    w.records[0] = BAD;
    model_queue_sync(w.queue, 1, w.sums);
    assert_string_equal(problem_of(&w), "a bad word");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_waits_is_counted_when_somebody_asks),
        cmocka_unit_test(every_chunk_is_counted_once_and_in_order),
        cmocka_unit_test(a_slow_model_is_waited_for),
        cmocka_unit_test(turns_part_the_counts),
        cmocka_unit_test(a_chunk_says_when_it_has_all_its_turns),
        cmocka_unit_test(sums_do_not_depend_on_who_counts),
        cmocka_unit_test(a_refused_word_is_told),
    };
    int failed = 0;

    for (unsigned run = 0; run < 6; run++) {
        char name[64];
        n_chunks = (const unsigned[]){2, 3, 16}[run / 2];
        no_threads = run % 2 != 0;
        snprintf(name, sizeof name, "%u chunks, %s", n_chunks, no_threads ? "no thread" : "thread");
        failed += cmocka_run_group_tests_name(name, tests, NULL, NULL);
    }
    model_queue_free(made);
    return failed;
}
