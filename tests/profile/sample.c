#include "profile/sample.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define NONE         PROFILE_NONE

static const struct profile_setup setup = {
    .armpmu = "0.1.0",
    .core = "cortex-a8",
    .machine = "cortex-a8",
    .machine_text = "[machine]\ncore = cortex-a8\nclock_mhz = 1000\n",
    .machine_hash = "0123456789abcdef",
    .engine = "qemu",
    .command = "./prog 'two words'",
    .clock_mhz = 1000,
    .seed = 1,
    .exit_status = 3,
    .is_complete = true,
    .has_paths = true,
};

static const struct profile_event events[SAMPLE_EVENTS] = {
    {"CPU_CYCLES", "core clock cycles", "modelled", "cycles", 0x11},
    {"INST_RETIRED", "executed instructions", "exact", "instructions", 0x08},
    {"L1D_CACHE_REFILL", "data cache lines filled", "modelled", "occurrences", 0x03},
    {"BR_MIS_PRED", "pipeline flushes by branches", "modelled", "occurrences", 0x10},
};

enum { PROG, LIBC, CODE };
static const struct profile_object objects[] = {
    {"/opt/demo/prog", "00112233445566778899aabbccddeeff00112233", 0, 0x10000, NULL},
    {"/usr/lib/arm-linux-gnueabihf/libc.so.6", "ffeeddccbbaa99887766554433221100ffeeddcc",
     0x40800000, 0x40800000, NULL},
    {"[anonymous]", NULL, 0, 0x7f001000, NULL},
};

enum { START, MAIN, FIB, SUM, MEMCPY, GENERATED };
static const struct profile_function functions[] = {
    {PROG, 0x10300, 0x20, "_start", "_start"},
    {PROG, 0x10400, 0x40, "main", "main"},
    {PROG, 0x10440, 0x30, "fib", "fib"},
    {PROG, 0x10480, 0x20, "_ZN4list3sumEi", "list::sum(int)"},
    {LIBC, 0x40850000, 0x80, "memcpy", "memcpy"},
    {CODE, 0x7f001000, 4, "[0x7f001000]", "[0x7f001000]"},
};

enum { PROG_C, LIST_H };
static const char *const files[] = {"/opt/demo/prog.cc", "/opt/demo/list.h"};

static const struct profile_thread threads[] = {{1, 1, "prog"}, {1, 2, "worker"}};

/* list::sum calls a loop of a template, that a comparison. */
static const struct profile_inline inlines[] = {
    {"list::each<int>(list::node*)", {PROG_C, 31}},
    {"list::is_end(list::node*)", {LIST_H, 12}},
};

enum { BL_MAIN, BL_FIB, BL_SUM, BL_CODE, MAIN_ADD, BL_FIB_FIB, FIB_ADD, BL_MEMCPY, SUM_LDR };
enum { SUM_BNE = SUM_LDR + 1, MEMCPY_LDM, CODE_LDR, NOWHERE };
static const struct profile_insn insns[] = {
    {0x10300, PROG, START, {NONE, 0}, 0, 0, ARMPMU_A32, 4, {0x3e, 0x00, 0x00, 0xeb}},
    {0x10404, PROG, MAIN, {PROG_C, 41}, 0, 0, ARMPMU_A32, 4, {0x0d, 0x00, 0x00, 0xeb}},
    {0x10408, PROG, MAIN, {PROG_C, 42}, 0, 0, ARMPMU_A32, 4, {0x1c, 0x00, 0x00, 0xfa}},
    {0x1040c, PROG, MAIN, {PROG_C, 43}, 0, 0, ARMPMU_A32, 4, {0x33, 0xff, 0x2f, 0xe1}},
    {0x10410, PROG, MAIN, {PROG_C, 43}, 0, 0, ARMPMU_A32, 4, {0x01, 0x00, 0x80, 0xe2}},
    {0x10450, PROG, FIB, {PROG_C, 21}, 0, 0, ARMPMU_A32, 4, {0xfa, 0xff, 0xff, 0xeb}},
    {0x10454, PROG, FIB, {PROG_C, 21}, 0, 0, ARMPMU_A32, 4, {0x01, 0x00, 0x80, 0xe0}},
    {0x10480, PROG, SUM, {PROG_C, 30}, 0, 0, ARMPMU_T32, 4, {0x3f, 0xf0, 0xbe, 0xed}},
    {0x10484, PROG, SUM, {LIST_H, 13}, 0, 1, ARMPMU_T32, 2, {0x08, 0x68}},
    {0x10486, PROG, SUM, {LIST_H, 7}, 0, 2, ARMPMU_T32, 2, {0xfd, 0xd1}},
    {0x40850010, LIBC, MEMCPY, {NONE, 0}, 0, 0, ARMPMU_A32, 4, {0xf8, 0x07, 0xb1, 0xe8}},
    {0x7f001000, CODE, GENERATED, {NONE, 0}, 0, 0, ARMPMU_A32, 4, {0x00, 0x00, 0x91, 0xe5}},
    {0, NONE, NONE, {NONE, 0}, 0, 0, ARMPMU_A32, 0, {0}},
};

static const struct profile_path paths[] = {
    {PROFILE_ROOT, BL_MAIN, MAIN, 1}, {1, BL_FIB, FIB, 1}, {2, BL_FIB_FIB, FIB, 10},
    {3, BL_FIB_FIB, FIB, 80},         {1, BL_SUM, SUM, 5}, {5, BL_MEMCPY, MEMCPY, 5},
    {1, BL_CODE, GENERATED, 2},
};

static const struct {
    uint32_t thread, path, insn;
    uint64_t counts[SAMPLE_EVENTS];
} rows[] = {
    {0, PROFILE_ROOT, BL_MAIN, {10, 1, 0, 1}},
    {0, 1, BL_FIB, {20, 1, 1, 0}},
    {0, 1, BL_SUM, {40, 5, 0, 1}},
    {0, 1, BL_CODE, {30, 2, 0, 2}},
    {0, 1, MAIN_ADD, {10, 10, 0, 0}},
    {0, 2, BL_FIB_FIB, {100, 10, 0, 1}},
    {0, 2, FIB_ADD, {10, 11, 0, 0}},
    {0, 3, BL_FIB_FIB, {200, 80, 0, 6}},
    {0, 3, FIB_ADD, {90, 90, 0, 0}},
    {0, 4, FIB_ADD, {320, 400, 0, 0}},
    {0, 5, BL_MEMCPY, {20, 5, 0, 5}},
    {0, 5, SUM_LDR, {5000, 2000, 600, 0}},
    {0, 5, SUM_BNE, {1000, 2000, 0, 20}},
    {0, 6, MEMCPY_LDM, {900, 500, 100, 0}},
    {0, 7, CODE_LDR, {60, 3, 6, 0}},
    {0, PROFILE_ROOT, NOWHERE, {20, 0, 0, 0}},
    {1, PROFILE_ROOT, SUM_LDR, {3000, 500, 300, 0}},
    {1, PROFILE_ROOT, SUM_BNE, {500, 592, 0, 10}},
};

static const struct {
    uint64_t end_cycles, counts[SAMPLE_EVENTS];
} intervals[] = {
    {5000, {5000, 3000, 500, 30}},
    {7830, {6330, 3210, 507, 16}},
};

/* Of the refills of L1D. */
static const struct profile_cache cache = {"L1D", 2, 4, 4096, 64, false, 0};

static const struct profile_region regions[] = {
    {0, 0x20000, "nodes"}, {0, 0x407ff000, NULL}, {0, UINT64_C(0xfffffffffffff000), "[heap]"}};

static const struct profile_miss misses[] = {{0, 0, 300}, {0, 64, 600}, {1, 4992, 106}, {2, 64, 1}};

static const struct profile_set_miss set_misses[] = {
    {0, 0, 0, 700}, {0, 1, 0, 200}, {0, 1, 1, 100}, {0, 3, PROFILE_NONE, 7}};

static const struct profile_edge edges[] = {{1, 2, 40, 3}, {1, PROFILE_NONE, 2, 0}, {2, 0, 38, 0}};

static const struct profile_datum datum = {"nodes", 0x20000, 4096};

static const struct profile_allocation allocation = {2, 1, 0, false, 12, 384, 24, 48};

static const struct profile_member member = {"struct node", "next", 8, 4};

static const struct profile_access accesses[] = {
    {0,
     1,
     0,
     {0, 0x20000, 0x20040, 0x20020, 8, 70, 71, 3, 2, 900, 1, 5, 2, 6, 4, 1, 8, 24, 0, 0, 0},
     0},
    {.thread = 1,
     .insn = 2,
     .datum = PROFILE_NONE,
     .of = {.low = 0x407ff000,
            .high = 0x407ff000,
            .sample = 0x407ff000,
            .n = 1,
            .lookups = 1,
            .kind = 6,
            .bytes = 8},
     .member = PROFILE_NONE}};

static void want(enum armpmu_status status, const struct armpmu_error *err)
{
    if (status == ARMPMU_OK)
        return;
    fprintf(stderr, "sample profile: %s\n", err->message);
    exit(EXIT_FAILURE);
}

static void add_code(struct profile *p, struct armpmu_error *err)
{
    uint32_t number;

    for (size_t i = 0; i < COUNT(objects); i++)
        want(profile_add_object(p, &objects[i], &number, err), err);
    for (size_t i = 0; i < COUNT(functions); i++)
        want(profile_add_function(p, &functions[i], &number, err), err);
    for (size_t i = 0; i < COUNT(files); i++)
        want(profile_add_file(p, files[i], &number, err), err);
    for (size_t i = 0; i < COUNT(inlines); i++)
        want(profile_add_inline(p, &inlines[i], &number, err), err);
    for (size_t i = 0; i < COUNT(insns); i++)
        want(profile_add_insn(p, &insns[i], &number, err), err);
}

static void add_counts(struct profile *p, struct armpmu_error *err)
{
    uint32_t number;

    for (size_t i = 0; i < COUNT(paths); i++)
        want(profile_add_path(p, &paths[i], &number, err), err);
    for (size_t i = 0; i < COUNT(rows); i++)
        want(profile_add_row(p, rows[i].thread, rows[i].path, rows[i].insn, rows[i].counts, err),
             err);
    for (size_t i = 0; i < COUNT(intervals); i++)
        want(profile_add_interval(p, intervals[i].end_cycles, intervals[i].counts, err), err);
}

static void add_misses(struct profile *p, struct armpmu_error *err)
{
    uint32_t number;

    want(profile_add_cache(p, &cache, &number, err), err);
    for (size_t i = 0; i < COUNT(regions); i++)
        want(profile_add_region(p, &regions[i], &number, err), err);
    for (size_t i = 0; i < COUNT(misses); i++)
        want(profile_add_miss(p, &misses[i], err), err);
    for (size_t i = 0; i < COUNT(set_misses); i++)
        want(profile_add_set_miss(p, &set_misses[i], err), err);
    for (size_t i = 0; i < COUNT(edges); i++)
        want(profile_add_edge(p, &edges[i], err), err);
    want(profile_add_datum(p, &datum, &number, err), err);
    want(profile_add_allocation(p, &allocation, &number, err), err);
    want(profile_add_member(p, &member, &number, err), err);
    for (size_t i = 0; i < COUNT(accesses); i++)
        want(profile_add_access(p, &accesses[i], err), err);
}

struct profile *sample_profile(void)
{
    struct profile *p;
    struct armpmu_error err = {{0}};
    uint32_t number;

    want(profile_new(&p, &err), &err);
    want(profile_set_setup(p, &setup, &err), &err);
    for (size_t i = 0; i < COUNT(events); i++)
        want(profile_add_event(p, &events[i], &number, &err), &err);
    for (size_t i = 0; i < COUNT(threads); i++)
        want(profile_add_thread(p, &threads[i], &number, &err), &err);
    add_code(p, &err);
    add_counts(p, &err);
    add_misses(p, &err);
    return p;
}
