/* What the host lets a process take, read from files that a test wrote. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "armpmu/sim.h"
#include "engine/memory_limits.h"

#define MB (UINT64_C(1) << 20)

static char root[32];

__attribute__((format(printf, 2, 3))) static void put(const char *path, const char *format, ...)
{
    char command[400], whole[256];
    va_list words;
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    snprintf(command, sizeof command, "mkdir -p $(dirname %s)", whole);
    assert_int_equal(system(command), 0);
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    va_start(words, format);
    vfprintf(file, format, words);
    va_end(words);
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

static void a_machine_has_what_it_has(void **state)
{
    (void)state;
    expect(8192 * MB, 4097 * MB, "the machine");
    put("proc/self/cgroup", "0::/\n");
    expect(8192 * MB, 4097 * MB, "the machine");
}

static void a_group_of_version_2_allows_less(void **state)
{
    (void)state;
    put("proc/self/cgroup", "0::/user/job\n");
    put("sys/fs/cgroup/user/job/memory.max", "max\n");
    put("sys/fs/cgroup/user/job/memory.current", "%llu\n", 100 * (unsigned long long)MB);
    expect(8192 * MB, 4097 * MB, "the machine");
    put("sys/fs/cgroup/user/job/memory.max", "%llu\n", 256 * (unsigned long long)MB);
    expect(256 * MB, 156 * MB, "control group /user/job (memory.max)");
    put("sys/fs/cgroup/user/job/memory.stat", "anon 5\ninactive_file %llu\n",
        40 * (unsigned long long)MB);
    expect(256 * MB, 196 * MB, "control group /user/job (memory.max)");
    put("sys/fs/cgroup/user/job/memory.high", "%llu\n", 128 * (unsigned long long)MB);
    expect(128 * MB, 68 * MB, "control group /user/job (memory.high)");
}

static void the_narrowest_of_a_group_and_its_parents_counts(void **state)
{
    (void)state;
    put("proc/self/cgroup", "0::/user/job\n");
    put("sys/fs/cgroup/user/job/memory.max", "%llu\n", 256 * (unsigned long long)MB);
    put("sys/fs/cgroup/user/job/memory.current", "%llu\n", 10 * (unsigned long long)MB);
    put("sys/fs/cgroup/user/memory.max", "%llu\n", 300 * (unsigned long long)MB);
    put("sys/fs/cgroup/user/memory.current", "%llu\n", 400 * (unsigned long long)MB);
    expect(256 * MB, 0, "control group /user (memory.max)");
}

static void a_group_of_version_1_allows_less(void **state)
{
    (void)state;
    put("proc/self/cgroup", "5:cpu:/other\n4:hugetlb,memory:/a/b\n0::/\n");
    put("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "%llu\n", 64 * (unsigned long long)MB);
    put("sys/fs/cgroup/memory/a/b/memory.usage_in_bytes", "%llu\n", 60 * (unsigned long long)MB);
    put("sys/fs/cgroup/memory/a/b/memory.stat", "inactive_file 1\ntotal_inactive_file %llu\n",
        2 * (unsigned long long)MB);
    put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "%llu\n", 100 * (unsigned long long)MB);
    expect(64 * MB, 6 * MB, "control group /a/b (memory.limit_in_bytes)");
}

/* Of another name space: the container's own limit is at the root. */
static void a_name_that_is_not_there_is_passed(void **state)
{
    (void)state;
    put("proc/self/cgroup", "0::/somewhere/else\n");
    put("sys/fs/cgroup/memory.max", "%llu\n", 512 * (unsigned long long)MB);
    put("sys/fs/cgroup/memory.current", "%llu\n", 12 * (unsigned long long)MB);
    expect(512 * MB, 500 * MB, "control group / (memory.max)");
}

static void what_code_may_take_can_be_said(void **state)
{
    size_t bytes;
    struct armpmu_error err;
    (void)state;
    setenv("ARMPMU_CODE_MEMORY", "12345", 1);
    assert_int_equal(memory_for_code(&bytes, &err), ARMPMU_OK);
    assert_int_equal(bytes, 12345);
    setenv("ARMPMU_CODE_MEMORY", "12k", 1);
    assert_int_equal(memory_for_code(&bytes, &err), ARMPMU_BAD_CONFIG);
    assert_non_null(strstr(err.message, "ARMPMU_CODE_MEMORY='12k' is no number of bytes"));
    setenv("ARMPMU_CODE_MEMORY", "99999999999999999999", 1);
    assert_int_equal(memory_for_code(&bytes, &err), ARMPMU_BAD_CONFIG);
    unsetenv("ARMPMU_CODE_MEMORY");
    assert_int_equal(memory_for_code(&bytes, &err), ARMPMU_OK);
    assert_in_range(bytes, 1, ARMPMU_CODE_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_machine_has_what_it_has, make_host, remove_host),
        cmocka_unit_test_setup_teardown(a_group_of_version_2_allows_less, make_host, remove_host),
        cmocka_unit_test_setup_teardown(the_narrowest_of_a_group_and_its_parents_counts, make_host,
                                        remove_host),
        cmocka_unit_test_setup_teardown(a_group_of_version_1_allows_less, make_host, remove_host),
        cmocka_unit_test_setup_teardown(a_name_that_is_not_there_is_passed, make_host, remove_host),
        cmocka_unit_test(what_code_may_take_can_be_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
