/* The store queue and the store buffer of the Cortex-R4F, by hand and by what must hold of any
 * history: every byte stored leaves once, in time, and never more slots are taken than there are.
 */
#include "cores/cortex_r4f/stores.h"

#include <stdlib.h>
#include <string.h>

#include "../../test.h"
#include "../../reference/pick.h"

enum { GROUPS_MAX = 4096 };

struct group {
    struct r4f_leaving group;
    uint64_t start, left;
};

struct log {
    struct group groups[GROUPS_MAX];
    unsigned n;
    uint64_t cycles; /* that a group takes */
};

static uint64_t leave(void *user, const struct r4f_leaving *group, uint64_t start)
{
    struct log *log = user;
    assert_true(log->n < GROUPS_MAX);
    log->groups[log->n++] = (struct group){*group, start, start + log->cycles};
    return start + log->cycles;
}

static struct r4f_store store(uint64_t chunk, uint8_t bytes)
{
    return (struct r4f_store){.chunk = chunk, .bytes = bytes};
}

/* Four slots, a group takes 10 cycles. Chunks 0 to 3 are one line, 4 to 7 the next. */
TEST(slots_leave_by_the_manual_s_reasons)
{
    struct log log = {.cycles = 10};
    struct r4f_stores stores;
    struct r4f_store_result result;
    memset(&stores, 0xa5, sizeof stores); /* whatever was there before */
    r4f_stores_init(&stores, 4, 2, leave, &log);
    result = r4f_stores_put(&stores, &(struct r4f_store){.chunk = 0, .bytes = 0x0f}, 100);
    assert_false(result.merged);
    assert_int_equal(log.n, 0); /* waits for more */
    const struct r4f_store rest = store(0, 0xf0);
    result = r4f_stores_put(&stores, &rest, 105);
    assert_true(result.merged);
    assert_int_equal(log.n, 1); /* all its bytes are written */
    assert_int_equal(log.groups[0].start, 105);
    const struct r4f_store again = store(0, 1), neighbour = store(1, 1), other = store(4, 1);
    result = r4f_stores_put(&stores, &again, 107);
    assert_false(result.merged); /* the slot is on its way out: another one */
    r4f_stores_put(&stores, &neighbour, 108);
    assert_int_equal(log.n, 2); /* three of four are taken: the oldest leaves, its line with it */
    assert_int_equal(log.groups[1].group.n_slots, 2);
    assert_int_equal(log.groups[1].start, 115); /* behind the first */
    result = r4f_stores_put(&stores, &other, 109);
    assert_int_equal(result.buffer_stall, 0); /* the fourth slot */
    assert_int_equal(log.n, 3);
    result = r4f_stores_put(&stores, &rest, 110);
    assert_int_equal(result.buffer_stall, 5); /* until 115 */
    assert_int_equal(result.queue_stall, 0);
    assert_int_equal(r4f_stores_drain(&stores, 111), log.groups[log.n - 1].left);
    assert_int_equal(stores.used, 0);
}

TEST(device_stores_leave_at_once_and_merge_with_nothing)
{
    struct log log = {.cycles = 3};
    struct r4f_stores stores;
    r4f_stores_init(&stores, 4, 2, leave, &log);
    const struct r4f_store device = {.chunk = 9, .bytes = 1, .place = 3, .at_once = true};
    for (int i = 0; i < 3; i++)
        assert_false(r4f_stores_put(&stores, &device, 50 + 100 * (uint64_t)i).merged);
    assert_int_equal(log.n, 3);
    assert_int_equal(log.groups[2].start, 250);
    const struct r4f_store normal = {.chunk = 8, .bytes = 1, .place = 0};
    assert_true(r4f_stores_put(&stores, &normal, 251).clash); /* the line is still there */
    assert_false(r4f_stores_put(&stores, &normal, 400).clash);
}

TEST(a_store_waits_when_every_slot_is_taken)
{
    static const uint32_t sizes[] = {1, 4, 64};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct log log = {.cycles = 1000};
        struct r4f_stores stores;
        uint64_t now = 100;
        r4f_stores_init(&stores, sizes[i], 2, leave, &log);
        for (uint32_t n = 0; n < sizes[i]; n++, now += 2) {
            const struct r4f_store one = store(4 * n, 1); /* each of another line */
            assert_int_equal(r4f_stores_put(&stores, &one, now).buffer_stall, 0);
        }
        const struct r4f_store last = store(4 * sizes[i], 1);
        assert_int_equal(r4f_stores_put(&stores, &last, now).buffer_stall,
                         log.groups[0].left - now);
    }
}

TEST(a_fill_takes_the_data_of_its_line_with_it)
{
    struct log log = {.cycles = 3};
    struct r4f_stores stores;
    r4f_stores_init(&stores, 4, 2, leave, &log);
    const struct r4f_store a = store(0, 1), b = store(8, 1);
    r4f_stores_put(&stores, &a, 10);
    r4f_stores_put(&stores, &b, 11);
    r4f_stores_meet_fill(&stores, 2, 20);
    assert_int_equal(log.n, 1);
    assert_int_equal(log.groups[0].group.line, 2);
    r4f_stores_meet_fill(&stores, 5, 20);
    assert_int_equal(log.n, 1);
}

/* ---- any history ---- */

static void check_order(const struct log *log)
{
    for (unsigned i = 1; i < log->n; i++)
        assert_true(log->groups[i].start >= log->groups[i - 1].left); /* one after the other */
}

/* Which stores are in the buffer at a cycle: taken, not yet left. */
TEST(random_histories_lose_nothing)
{
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t random = seed, now = 100, queue_wait = 0;
        const uint32_t n_slots = 1 + pick(&random, one_in(&random, 4) ? 64 : 6),
                       n_queue = 1 + pick(&random, 4);
        struct log *log = calloc(1, sizeof *log);
        struct r4f_stores stores;
        unsigned written[64][8] = {{0}}, merged = 0, n = 300;
        assert_non_null(log);
        log->cycles = 1 + pick(&random, 12);
        r4f_stores_init(&stores, n_slots, n_queue, leave, log);
        for (unsigned i = 0; i < n; i++) {
            now += pick(&random, 6);
            const uint64_t chunk = pick(&random, 64);
            const unsigned byte = pick(&random, 8);
            const struct r4f_store one = {.chunk = chunk,
                                          .bytes =
                                              (uint8_t)(one_in(&random, 5) ? 0xff : 1u << byte),
                                          .at_once = one_in(&random, 9)};
            const struct r4f_store_result result = r4f_stores_put(&stores, &one, now);
            for (unsigned b = 0; b < 8; b++)
                written[chunk][b] |= one.bytes >> b & 1;
            now += result.queue_stall;
            queue_wait += result.queue_stall;
            merged += result.merged;
            assert_true(stores.used <= n_slots);
            assert_false(result.merged && one.at_once);
        }
        const uint64_t empty = r4f_stores_drain(&stores, now);
        check_order(log);
        unsigned slots = 0;
        unsigned seen[64][8] = {{0}};
        for (unsigned i = 0; i < log->n; i++) {
            assert_true(log->groups[i].left <= empty);
            slots += log->groups[i].group.n_slots;
            for (unsigned c = 0; c < 4; c++)
                for (unsigned b = 0; b < 8; b++)
                    seen[log->groups[i].group.line * 4 + c][b] |=
                        log->groups[i].group.bytes >> (8 * c + b) & 1;
        }
        assert_memory_equal(seen, written, sizeof seen); /* every byte, and no other */
        assert_true(slots + merged <= n);                /* slots of one doubleword leave as one */
        assert_true(slots + merged + 60 >= n);
        assert_true(queue_wait <= empty);
        free(log);
    }
}
