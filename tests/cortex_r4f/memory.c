/* The memory system of the Cortex-R4F against a plain list of lines: what is refilled, written back
 * and asked of the bus, over random loads, stores, preloads and maintenance. Every store is drained
 * before the next access, so that what happens does not depend on time; stores that wait are the
 * business of stores.c. */
#include "uarch/cortex_r4f_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../uarch/pick.h"

enum { WAYS = 4, SETS = 256, LINE = 32 };

/* ---- the reference: each set a list, newest first ---- */

struct slow_line {
    uint32_t line;
    bool dirty;
};

struct slow {
    struct slow_line sets[SETS][WAYS];
    unsigned used[SETS];
    uint64_t accesses, refills, write_backs, requests, preloads;
    bool writes_through;
};

static struct slow_line *slow_find(struct slow *slow, uint32_t line)
{
    const unsigned set = line % SETS;
    for (unsigned i = 0; i < slow->used[set]; i++) {
        const struct slow_line found = slow->sets[set][i];
        if (found.line != line)
            continue;
        memmove(&slow->sets[set][1], &slow->sets[set][0], i * sizeof found);
        slow->sets[set][0] = found;
        return &slow->sets[set][0];
    }
    return NULL;
}

static bool slow_holds(const struct slow *slow, uint32_t line)
{
    for (unsigned i = 0; i < slow->used[line % SETS]; i++)
        if (slow->sets[line % SETS][i].line == line)
            return true;
    return false;
}

static struct slow_line *slow_bring(struct slow *slow, uint32_t line)
{
    const unsigned set = line % SETS;
    slow->requests++;
    if (slow->used[set] == WAYS) {
        slow->write_backs += slow->sets[set][WAYS - 1].dirty;
        slow->requests += slow->sets[set][WAYS - 1].dirty;
        slow->used[set]--;
    }
    memmove(&slow->sets[set][1], &slow->sets[set][0],
            slow->used[set]++ * sizeof slow->sets[set][0]);
    slow->sets[set][0] = (struct slow_line){line, false};
    return &slow->sets[set][0];
}

static void slow_load(struct slow *slow, uint32_t address, uint32_t bytes)
{
    const uint32_t last = address + bytes - 1;
    slow->accesses += last / 8 - address / 8 + 1;
    for (uint32_t line = address / LINE; line <= last / LINE; line++) {
        if (slow_find(slow, line))
            continue;
        slow_bring(slow, line);
        slow->refills++;
    }
}

static void slow_store(struct slow *slow, uint32_t address, uint32_t bytes)
{
    const uint32_t last = address + bytes - 1;
    slow->accesses += last / 8 - address / 8 + 1;
    for (uint32_t line = address / LINE; line <= last / LINE; line++) {
        struct slow_line *found = slow_find(slow, line);
        if (slow->writes_through) {
            slow->requests++;
            continue;
        }
        if (!found) {
            found = slow_bring(slow, line);
            slow->refills++;
        }
        found->dirty = true;
    }
}

static void slow_preload(struct slow *slow, uint32_t line)
{
    if (slow_holds(slow, line))
        return;
    slow_bring(slow, line);
    slow->preloads++;
}

static void slow_maintain(struct slow *slow, uint32_t line, bool clean, bool invalidate)
{
    const unsigned set = line % SETS;
    for (unsigned i = 0; i < slow->used[set]; i++) {
        struct slow_line *found = &slow->sets[set][i];
        if (found->line != line)
            continue;
        slow->write_backs += clean && found->dirty;
        slow->requests += clean && found->dirty;
        found->dirty = found->dirty && !clean;
        if (invalidate) {
            memmove(found, found + 1, (slow->used[set] - i - 1) * sizeof *found);
            slow->used[set]--;
        }
        return;
    }
}

/* ---- both, side by side ---- */

static void check(const char *what, uint64_t seed, unsigned step, uint64_t got, uint64_t want)
{
    if (got != want)
        fail_msg("seed %d, step %u, %s: %llu, the list has %llu", (int)seed, step, what,
                 (unsigned long long)got, (unsigned long long)want);
}

static void access_both(struct r4f_memory *memory, struct slow *slow, uint64_t *random)
{
    static const uint32_t sizes[] = {1, 2, 4, 4, 4, 8, 16, 32, 64};
    struct r4f_access access = {.address = 0x100000 + pick(random, 6) * (SETS * LINE) +
                                           pick(random, 40) * 24,
                                .bytes = sizes[pick(random, 9)]};
    if (one_in(random, 3)) {
        access.store = true;
        if (slow->writes_through && access.bytes > 8)
            access.bytes = 8; /* a request of its own for each doubleword */
        r4f_memory_access(memory, &access);
        r4f_memory_drain(memory);
        slow_store(slow, (uint32_t)access.address, access.bytes);
    } else {
        access.load = true;
        r4f_memory_access(memory, &access);
        slow_load(slow, (uint32_t)access.address, access.bytes);
    }
}

static void other_both(struct r4f_memory *memory, struct slow *slow, uint64_t *random)
{
    const uint32_t address = 0x100000 + pick(random, 6) * (SETS * LINE) + pick(random, 40) * 24;
    const bool clean = one_in(random, 2), invalidate = one_in(random, 2);
    memory->now += 1000; /* a linefill buffer is free */
    if (one_in(random, 2)) {
        r4f_memory_preload(memory, address);
        slow_preload(slow, address / LINE);
        return;
    }
    r4f_memory_maintain(memory,
                        ARMPMU_CACHE_DATA | ARMPMU_CACHE_ADDRESS |
                            (clean ? ARMPMU_CACHE_CLEAN : 0u) |
                            (invalidate ? ARMPMU_CACHE_INVALIDATE : 0u),
                        address);
    slow_maintain(slow, address / LINE, clean, invalidate);
}

static void compare(uint64_t seed, bool writes_through)
{
    struct armpmu_error err = {""};
    struct armpmu_machine *machine;
    struct r4f_memory memory;
    uint64_t tally[ARMPMU_SIGNAL_COUNT] = {0}, random = seed;
    struct slow *slow = calloc(1, sizeof *slow);
    assert_non_null(slow);
    slow->writes_through = writes_through;
    assert_int_equal(armpmu_machine_load("cortex-r4f", SOURCE_ROOT "/machines", &machine, &err),
                     ARMPMU_OK);
    machine->l1d_replacement = REPLACEMENT_LRU;
    machine->l1d_protection = writes_through ? PROTECTION_PARITY : PROTECTION_ECC;
    assert_int_equal(r4f_memory_init(&memory, machine, tally, &err), ARMPMU_OK);
    assert_int_equal(memory.l1d.sets, SETS);
    for (unsigned step = 0; step < 20000; step++) {
        if (one_in(&random, 12))
            other_both(&memory, slow, &random);
        else
            access_both(&memory, slow, &random);
        check("accesses", seed, step, tally[ARMPMU_SIGNAL_L1D_ACCESS], slow->accesses);
        check("refills", seed, step, tally[ARMPMU_SIGNAL_L1D_REFILL], slow->refills);
        check("write-backs", seed, step, tally[ARMPMU_SIGNAL_L1D_WRITE_BACK], slow->write_backs);
        check("requests", seed, step, tally[ARMPMU_SIGNAL_EXTERNAL_REQUEST], slow->requests);
        check("preloads", seed, step, tally[ARMPMU_SIGNAL_PRELOAD_REFILL], slow->preloads);
    }
    assert_true(slow->refills > 1000 && (writes_through || slow->write_backs > 500));
    r4f_memory_free(&memory);
    armpmu_machine_free(machine);
    free(slow);
}

static void counts_equal_those_of_a_list_of_lines(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++)
        compare(seed, seed % 2 == 0);
}

/* A load waits for the memory; one of a line on its way for the rest of the line. */
static void loads_wait_as_long_as_their_line_takes(void **state)
{
    struct armpmu_error err = {""};
    struct armpmu_machine *machine;
    struct r4f_memory memory;
    uint64_t tally[ARMPMU_SIGNAL_COUNT] = {0};
    const struct r4f_access first = {.address = 0x1000, .bytes = 4, .load = true};
    const struct r4f_access ahead = {.address = 0x2004, .bytes = 4, .load = true};
    (void)state;
    assert_int_equal(armpmu_machine_load("cortex-r4f", SOURCE_ROOT "/machines", &machine, &err),
                     ARMPMU_OK);
    const uint64_t word = machine->memory_latency_cycles;
    const uint64_t line = word + machine->linefill_transfer_cycles;
    assert_int_equal(r4f_memory_init(&memory, machine, tally, &err), ARMPMU_OK);
    memory.now = 100;
    r4f_memory_access(&memory, &first);
    assert_int_equal(memory.now, 100 + word);
    r4f_memory_access(&memory, &first); /* the rest of the line is still coming */
    assert_int_equal(memory.now, 100 + line);
    r4f_memory_access(&memory, &first);
    assert_int_equal(memory.now, 100 + line);
    memory.now = 500;
    r4f_memory_preload(&memory, 0x2000);
    assert_int_equal(memory.now, 500);
    memory.now = 505;
    r4f_memory_access(&memory, &ahead);
    assert_int_equal(memory.now, 500 + line);
    assert_int_equal(tally[ARMPMU_SIGNAL_LSU_BUSY_STALL], line + 500 + line - 505);
    r4f_memory_free(&memory);
    armpmu_machine_free(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_equal_those_of_a_list_of_lines),
        cmocka_unit_test(loads_wait_as_long_as_their_line_takes),
    };
    return cmocka_run_group_tests_name("cortex-r4f memory", tests, NULL, NULL);
}
