/* The interning table against a plain list, with hashes so poor that most things collide. */
#include "../test.h"

#include <stdlib.h>

#include "failing_memory.h"
#include "base/intern.h"

enum { MANY = 3000, VALUES = 6000 };

/* Things are numbers; what is of a number is its value. */
static uint32_t values[MANY];

static bool same(const void *things, uint32_t number, const void *key)
{
    return ((const uint32_t *)things)[number] == *(const uint32_t *)key;
}

static uint32_t poor_hash(uint32_t value)
{
    return value % 7 == 0 ? 127 : value / 5; /* some at the last slot of the first table */
}

static uint32_t find(const struct intern *table, uint32_t value)
{
    return intern_find(table, poor_hash(value), same, values, &value);
}

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

/* number_of: by value, INTERN_NONE for none. */
static void check_all(const struct intern *table, const uint32_t *number_of)
{
    for (uint32_t value = 0; value < VALUES; value++)
        assert_int_equal(find(table, value), number_of[value]);
}

TEST(it_agrees_with_a_list)
{
    static uint32_t number_of[VALUES], free_numbers[MANY];
    struct intern table = {0};
    uint32_t n_free = MANY;
    uint64_t seed = 1;

    for (uint32_t i = 0; i < MANY; i++)
        free_numbers[i] = MANY - 1 - i;
    for (uint32_t i = 0; i < VALUES; i++)
        number_of[i] = INTERN_NONE;
    check_all(&table, number_of); /* empty, without memory */
    for (unsigned step = 0; step < 40000; step++) {
        const uint32_t value = next_random(&seed) % VALUES;
        const uint32_t known = find(&table, value);
        assert_int_equal(known, number_of[value]);
        if (known == INTERN_NONE && n_free > 0) {
            const uint32_t number = free_numbers[--n_free];
            values[number] = value;
            assert_true(intern_add(&table, poor_hash(value), number));
            number_of[value] = number;
        } else if (known != INTERN_NONE) {
            intern_remove(&table, poor_hash(value), known);
            free_numbers[n_free++] = known;
            number_of[value] = INTERN_NONE;
        }
        assert_int_equal(table.n, MANY - n_free);
        if (step % 5000 == 0)
            check_all(&table, number_of);
    }
    check_all(&table, number_of);
    intern_clear(&table);
    assert_int_equal(table.n, 0);
    for (uint32_t value = 0; value < VALUES; value++)
        assert_int_equal(find(&table, value), INTERN_NONE);
    intern_free(&table);
    intern_free(&table);
}

TEST(without_memory_everything_stays)
{
    struct intern table = {0};
    uint32_t n = 0;

    failing_memory = (struct failing_memory){.fails_on = true};
    assert_false(intern_add(&table, 1, 0));
    failing_memory.left = MEMORY_FOR_ALL;
    assert_true(intern_reserve(&table));
    failing_memory = (struct failing_memory){.fails_on = true};
    for (values[n] = n; intern_add(&table, poor_hash(n), n); values[n] = n)
        n++;
    assert_true(n > 0);
    assert_false(intern_reserve(&table));
    for (uint32_t value = 0; value < n; value++)
        assert_int_equal(find(&table, value), value);
    assert_int_equal(find(&table, n), INTERN_NONE);
    failing_memory.left = MEMORY_FOR_ALL;
    assert_true(intern_add(&table, poor_hash(n), n));
    for (uint32_t value = 0; value <= n; value++)
        assert_int_equal(find(&table, value), value);
    intern_free(&table);
}

TEST(the_hash_is_fnv_1a)
{
    assert_int_equal(hash_bytes(HASH_START, "", 0), 0x811c9dc5);
    assert_int_equal(hash_bytes(HASH_START, "a", 1), 0xe40c292c);
    assert_int_equal(hash_bytes(hash_bytes(HASH_START, "foo", 3), "bar", 3), 0xbf9cf968);
}
