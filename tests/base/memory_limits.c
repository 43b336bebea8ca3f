/* The memory limits of a process, read from files that the test writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../test.h"
#include "armpmu/sim.h"
#include "base/memory_limits.h"

#define MB (UINT64_C(1) << 20)

static char root[32];

__attribute__((format(printf, 2, 3))) static void put(const char *path, const char *format, ...)
{
    char command[400], whole[256];
    va_list records;
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    snprintf(command, sizeof command, "mkdir -p $(dirname %s)", whole);
    assert_int_equal(system(command), 0);
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    va_start(records, format);
    vfprintf(file, format, records);
    va_end(records);
    fclose(file);
}

static int make_host(void **state)
{
    (void)state;
    strcpy(root, "/tmp/armpmu-host-XXXXXX");
    if (mkdtemp(root) == NULL)
        return 1;
    put("proc/meminfo", "MemTotal:        8388608 kB\nMemFree:           10000 kB\n"
                        "MemAvailable:    4194304 kB\nSwapFree:           1024 kB\n");
    return 0;
}

static int remove_host(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

static void expect(uint64_t limit, uint64_t available, const char *where)
{
    struct memory_limits memory;
    memory_limits_read(root, &memory);
    assert_int_equal(memory.limit, limit);
    assert_int_equal(memory.available, available);
    assert_string_equal(memory.where, where);
}

TEST_WITH(a_machine_has_what_it_has, make_host, remove_host)
{
    expect(8192 * MB, 4097 * MB, "the machine");
    put("proc/self/cgroup", "0::/\n");
    expect(8192 * MB, 4097 * MB, "the machine");
}

TEST_WITH(a_group_of_version_2_allows_less, make_host, remove_host)
{
    put("proc/self/cgroup", "0::/user/job\n");
    put("sys/fs/cgroup/user/job/memory.max", "max\n");
    put("sys/fs/cgroup/user/job/memory.current", "%llu\n", 100 * (unsigned long long)MB);
    expect(8192 * MB, 4097 * MB, "the machine");
    put("sys/fs/cgroup/user/job/memory.max", "%llu\n", 256 * (unsigned long long)MB);
    expect(256 * MB, 157 * MB, "control group /user/job (memory.max)");
    put("sys/fs/cgroup/user/job/memory.stat", "anon 5\ninactive_file %llu\n",
        40 * (unsigned long long)MB);
    expect(256 * MB, 197 * MB, "control group /user/job (memory.max)");
    put("sys/fs/cgroup/user/job/memory.high", "%llu\n", 128 * (unsigned long long)MB);
    expect(128 * MB, 69 * MB, "control group /user/job (memory.high)");
}

TEST_WITH(the_narrowest_of_a_group_and_its_parents_counts, make_host, remove_host)
{
    put("proc/self/cgroup", "0::/user/job\n");
    put("sys/fs/cgroup/user/job/memory.max", "%llu\n", 256 * (unsigned long long)MB);
    put("sys/fs/cgroup/user/job/memory.current", "%llu\n", 10 * (unsigned long long)MB);
    put("sys/fs/cgroup/user/memory.max", "%llu\n", 300 * (unsigned long long)MB);
    put("sys/fs/cgroup/user/memory.current", "%llu\n", 400 * (unsigned long long)MB);
    expect(256 * MB, 1 * MB, "control group /user (memory.max)");
}

TEST_WITH(a_group_of_version_1_allows_less, make_host, remove_host)
{
    put("proc/self/cgroup", "5:cpu:/other\n4:hugetlb,memory:/a/b\n0::/\n");
    put("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "%llu\n", 64 * (unsigned long long)MB);
    put("sys/fs/cgroup/memory/a/b/memory.usage_in_bytes", "%llu\n", 60 * (unsigned long long)MB);
    put("sys/fs/cgroup/memory/a/b/memory.stat", "inactive_file 1\ntotal_inactive_file %llu\n",
        2 * (unsigned long long)MB);
    put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "%llu\n", 100 * (unsigned long long)MB);
    expect(64 * MB, 7 * MB, "control group /a/b (memory.limit_in_bytes)");
}

/* Of another name space: the container's own limit is at the root. */
TEST_WITH(a_name_that_is_not_there_is_passed, make_host, remove_host)
{
    put("proc/self/cgroup", "0::/somewhere/else\n");
    put("sys/fs/cgroup/memory.max", "%llu\n", 512 * (unsigned long long)MB);
    put("sys/fs/cgroup/memory.current", "%llu\n", 12 * (unsigned long long)MB);
    expect(512 * MB, 501 * MB, "control group / (memory.max)");
}

/* What is left for programs to take, without the reserve, decides when to look again. */
TEST_WITH(a_watch_looks_sooner_where_less_is_left, make_host, remove_host)
{
    static const struct {
        uint64_t left, wait;
    } looks[] = {
        {4096 * MB, 100000000}, {200 * MB, 100000000}, {66 * MB, 50 * MB}, {18 * MB, 5000000},
        {16 * MB + 1, 5000000}, {16 * MB, 0},          {4096, 0},          {0, 0},
    };
    struct memory_limits memory;
    put("proc/self/cgroup", "0::/user/job\n");
    put("proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 1 kB\nSwapFree: 0 kB\n");
    put("sys/fs/cgroup/user/job/memory.current", "%llu\n", 100 * (unsigned long long)MB);
    put("sys/fs/cgroup/user/job/memory.stat", "inactive_file %llu\nactive_file %llu\n",
        40 * (unsigned long long)MB, 50 * (unsigned long long)MB);
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        put("sys/fs/cgroup/user/job/memory.max", "%llu\n",
            (unsigned long long)looks[i].left + 10 * (unsigned long long)MB);
        assert_int_equal(memory_watch(root, &memory), looks[i].wait);
        assert_int_equal(memory.available, looks[i].left);
    }
    assert_string_equal(memory.where, "control group /user/job (memory.max)");
}

/* Of a large group a part is kept, not 16 MiB. */
TEST_WITH(a_watch_keeps_a_part_of_a_large_limit, make_host, remove_host)
{
    struct memory_limits memory;
    put("proc/self/cgroup", "4:memory:/job\n");
    put("proc/meminfo", "SwapFree: 0 kB\n");
    put("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "%llu\n", 6400 * (unsigned long long)MB);
    put("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "%llu\n", 6200 * (unsigned long long)MB);
    assert_int_equal(memory_watch(root, &memory), 0);
    put("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "%llu\n", 6199 * (unsigned long long)MB);
    assert_int_equal(memory_watch(root, &memory), 5000000);
}

/* Where the kernel does not kill there is no alarm: a machine without a limit, a limit at which it
 * only slows down, a group that may still swap. */
TEST_WITH(a_watch_raises_no_false_alarm, make_host, remove_host)
{
    struct memory_limits memory;
    put("proc/self/cgroup", "0::/job\n4:memory:/\n");
    put("proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 1 kB\nSwapFree: 0 kB\n");
    assert_int_equal(memory_watch(root, &memory), 100000000);
    put("sys/fs/cgroup/job/memory.current", "%llu\n", 256 * (unsigned long long)MB);
    put("sys/fs/cgroup/job/memory.high", "%llu\n", 256 * (unsigned long long)MB);
    put("sys/fs/cgroup/job/memory.max", "max\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "9223372036854771712\n");
    assert_int_equal(memory_watch(root, &memory), 100000000);
    put("sys/fs/cgroup/job/memory.max", "%llu\n", 256 * (unsigned long long)MB);
    put("proc/meminfo", "SwapFree: 1048576 kB\n");
    put("sys/fs/cgroup/job/memory.swap.max", "max\n");
    put("sys/fs/cgroup/job/memory.swap.current", "0\n");
    assert_int_equal(memory_watch(root, &memory), 100000000);
    put("sys/fs/cgroup/job/memory.swap.max", "0\n");
    assert_int_equal(memory_watch(root, &memory), 0);
}

/* Version 1 limits memory and swap space together: 300 MB, of which 256 memory. */
TEST_WITH(version_1_limits_swap_space_with_memory, make_host, remove_host)
{
    put("proc/self/cgroup", "4:memory:/a\n");
    put("proc/meminfo", "SwapFree: 1048576 kB\n");
    put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "%llu\n", 256 * (unsigned long long)MB);
    put("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "%llu\n", 250 * (unsigned long long)MB);
    put("sys/fs/cgroup/memory/a/memory.memsw.limit_in_bytes", "%llu\n",
        300 * (unsigned long long)MB);
    put("sys/fs/cgroup/memory/a/memory.memsw.usage_in_bytes", "%llu\n",
        270 * (unsigned long long)MB);
    expect(256 * MB, 30 * MB, "control group /a (memory.limit_in_bytes)");
}

TEST(the_own_limits_of_a_process_bound_its_code)
{
    static const int kinds[] = {RLIMIT_AS, RLIMIT_DATA};
    struct armpmu_error err;
    size_t bytes;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* it maps memory of its own, beyond any such limit */
#endif
    for (unsigned i = 0; i < 2; i++) {
        struct rlimit before, limit;
        getrlimit(kinds[i], &before);
        limit = (struct rlimit){256 * MB, before.rlim_max};
        assert_int_equal(setrlimit(kinds[i], &limit), 0);
        const enum armpmu_status status = memory_for_code(&bytes, &err);
        assert_int_equal(setrlimit(kinds[i], &before), 0);
        assert_int_equal(status, ARMPMU_OK);
        assert_int_equal(bytes, 32 * MB);
    }
}

TEST(what_code_may_take_can_be_said)
{
    size_t bytes;
    struct armpmu_error err;
    setenv("ARMPMU_CODE_MEMORY", "12345", 1);
    assert_int_equal(memory_for_code(&bytes, &err), ARMPMU_OK);
    assert_int_equal(bytes, 12345);
    setenv("ARMPMU_CODE_MEMORY", "12k", 1);
    assert_int_equal(memory_for_code(&bytes, &err), ARMPMU_BAD_CONFIG);
    assert_non_null(strstr(err.message, "ARMPMU_CODE_MEMORY='12k' is not a number of bytes"));
    setenv("ARMPMU_CODE_MEMORY", "99999999999999999999", 1);
    assert_int_equal(memory_for_code(&bytes, &err), ARMPMU_BAD_CONFIG);
    unsetenv("ARMPMU_CODE_MEMORY");
    assert_int_equal(memory_for_code(&bytes, &err), ARMPMU_OK);
    assert_in_range(bytes, 1, ARMPMU_CODE_BYTES);
}
