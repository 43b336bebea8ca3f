/* Fuzzes the core models: the bytes are a machine, blocks of code, and words of a trace.
 *
 * Any word may come at any place, cut in two at any place, also behind the end. Whatever comes, a
 * model answers with ARMPMU_OK, or with ARMPMU_BAD_INPUT and a message, and goes on; what was taken
 * of its signals is what they are in the end.
 *
 * The models of all machines are made once (arena.h). Of a replay every input goes through a new
 * one as well, which must count the same. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "armpmu/sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
extern const int fuzz_is_replay __attribute__((weak)); /* replay.c has it */

static const char *const machines[] = {
    "cortex-a8",
    "cortex-a8-am335x",
    "cortex-a8-omap3530",
    "cortex-a8-plain",
    "cortex-r4f",
    "rm48",
    "tms570ls",
    "pxa255",
    "pxa270",
    "ixp425",
    "xscale-80200",
    "neoverse-n2",
    "neoverse-v1",
    "neoverse-v1-plain",
};
#define N_MACHINES (sizeof machines / sizeof machines[0])

enum { BLOCKS_MAX = 16, WORDS_MAX = 1024 };

struct program {
    struct armpmu_block_source blocks[BLOCKS_MAX];
    unsigned n_blocks;
};

/* A core that reads the trace. */
struct subject {
    struct armpmu_code *code;
    struct armpmu_sim *sim;
    uint64_t taken[ARMPMU_SIGNAL_COUNT];
};

static struct program program;
static struct armpmu_machine *loaded[N_MACHINES];
static struct subject kept[N_MACHINES];

static void require(bool holds, const char *rule, const char *about)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz-trace: %s (%s)\n", rule, about);
    abort();
}

/* ---- bytes to numbers ---- */

struct input {
    const uint8_t *next, *end;
};

static unsigned take(struct input *in)
{
    return in->next < in->end ? *in->next++ : 0;
}

static uint64_t take_bytes(struct input *in, unsigned n)
{
    uint64_t value = 0;

    while (n-- > 0)
        value = value << 8 | take(in);
    return value;
}

/* Most addresses are near each other; the others are near an end of a space, or anywhere. */
static uint64_t take_address(struct input *in)
{
    const unsigned form = take(in);
    const uint64_t near = form & 0x1f;

    switch (form >> 5) {
    case 0:
    case 1:
        return 0x40000 + 4 * (uint64_t)form;
    case 2:
        return 0x40000 + near * 0x1000;
    case 3:
        return 0x8000 + 4 * near;
    case 4:
        return (UINT64_C(1) << 32) - near;
    case 5:
        return (UINT64_C(1) << 48) - near;
    case 6:
        return (UINT64_C(1) << (near + 16)) - take(in);
    default:
        return take_bytes(in, 8);
    }
}

/* ---- the program ---- */

static bool look_up(void *user, uint32_t id, struct armpmu_block_source *out)
{
    (void)user;
    if (id >= program.n_blocks)
        return false;
    *out = program.blocks[id];
    return true;
}

static enum armpmu_isa take_isa(unsigned form, bool is_64)
{
    static const enum armpmu_isa of_32[4] = {ARMPMU_A32, ARMPMU_T32, ARMPMU_A32, ARMPMU_A64};

    if ((form & 3) == 3)
        return is_64 ? ARMPMU_A32 : of_32[3];
    return is_64 ? ARMPMU_A64 : of_32[form & 3];
}

static uint64_t take_start(struct input *in, unsigned form)
{
    const struct armpmu_block_source *const last =
        program.n_blocks == 0 ? NULL : &program.blocks[program.n_blocks - 1];

    switch (form >> 6) {
    case 0:
        return 0x8000 + 0x40 * (uint64_t)program.n_blocks;
    case 1:
        return last == NULL ? 0x8000 : last->address + last->n_bytes;
    case 2:
        return last == NULL ? 0x8ffc : last->address + 4;
    default:
        return take_address(in);
    }
}

static void take_block(struct input *in, bool is_64)
{
    struct armpmu_block_source *const block = &program.blocks[program.n_blocks];
    const unsigned form = take(in);
    const size_t left = (size_t)(in->end - in->next);

    block->isa = take_isa(form, is_64);
    block->it_known = form & 4;
    block->it_before = block->it_known ? (uint8_t)take(in) : 0;
    block->address = take_start(in, form);
    block->n_bytes = take(in) % 64;
    if (block->n_bytes > left)
        block->n_bytes = (uint32_t)left;
    block->n_insns = block->n_bytes / (block->isa == ARMPMU_T32 ? 2 : 4);
    if (form & 8)
        block->n_insns = form & 16 ? (uint32_t)take_bytes(in, 2) : take(in) % 8;
    block->bytes = (form & 0x30) == 0x30 ? NULL : in->next;
    if (block->n_bytes > (size_t)(in->end - in->next))
        block->n_bytes = (uint32_t)(in->end - in->next);
    in->next += block->bytes == NULL ? 0 : block->n_bytes;
    program.n_blocks++;
}

/* ---- the trace ---- */

struct trace {
    uint64_t words[WORDS_MAX];
    size_t n;
};

static void put(struct trace *trace, uint64_t word)
{
    if (trace->n < WORDS_MAX)
        trace->words[trace->n++] = word;
}

static void run(struct subject *subject, struct trace *trace)
{
    struct armpmu_error err = {""};
    /* Of exactly their number, so that a sanitizer sees a read past them. */
    uint64_t *const words = malloc((trace->n + 1) * sizeof *words);

    require(words != NULL, "there is memory", "run");
    memcpy(words, trace->words, trace->n * sizeof *words);
    const enum armpmu_status status = armpmu_sim_run(subject->sim, words, trace->n, &err);
    require(status == ARMPMU_OK || status == ARMPMU_BAD_INPUT, "a status that is promised",
            err.message);
    require((status == ARMPMU_OK) == (err.message[0] == '\0'), "a refusal says why", err.message);
    free(words);
    trace->n = 0;
}

static void ask(struct subject *subject, unsigned what)
{
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
    struct armpmu_error err = {""};

    switch (what) {
    case 0:
        armpmu_sim_signals(subject->sim, signals);
        return;
    case 1:
        armpmu_sim_read_delta(subject->sim, subject->taken);
        return;
    case 2:
        armpmu_sim_finish(subject->sim, ARMPMU_END_EXIT);
        return;
    case 3:
        armpmu_sim_finish(subject->sim, ARMPMU_END_FAULT);
        return;
    default:
        if (armpmu_sim_inject(subject->sim, (enum armpmu_injection)(what % ARMPMU_INJECTIONS),
                              0x40000, &err) != ARMPMU_OK)
            require(err.message[0] != '\0', "a refusal says why", "inject");
        return;
    }
}

static void count_interval(void *user, uint64_t count)
{
    uint64_t *const last = user;

    require(count == *last + 1, "intervals are counted one by one", "every");
    *last = count;
}

static void take_access(struct input *in, struct trace *trace, enum armpmu_record_kind kind,
                        unsigned index)
{
    if (index == 15)
        index = take(in) << 4 | take(in) >> 4;
    if (kind == ARMPMU_RECORD_PROGRESS) {
        put(trace, armpmu_record(kind, index));
        return;
    }
    put(trace, armpmu_record(kind, index) | (take_address(in) & ARMPMU_RECORD_ADDRESS));
    if (kind == ARMPMU_RECORD_BURST)
        put(trace, take(in));
}

/* Pages near those that are used, of the widths of the words. */
static uint64_t take_page(struct input *in)
{
    return take_address(in) >> 12;
}

static void take_word(struct input *in, struct subject *subject, struct trace *trace)
{
    const unsigned form = take(in), low = form & 15;
    const enum armpmu_record_kind kind = (enum armpmu_record_kind)(form >> 4);

    switch (kind) {
    case ARMPMU_RECORD_BYTES:
        if (low == 0)
            put(trace, take_bytes(in, 8));
        else
            run(subject, trace);
        if (low > 1)
            ask(subject, low - 2);
        return;
    case ARMPMU_RECORD_ACCESS:
    case ARMPMU_RECORD_BURST:
    case ARMPMU_RECORD_PROGRESS:
    case ARMPMU_RECORD_DEVICE:
        take_access(in, trace, kind, low);
        return;
    case ARMPMU_RECORD_EXCEPTION:
        put(trace, armpmu_record(kind, low == 15 ? ARMPMU_RECORD_ALL : low) |
                       (low == 15 ? take_address(in) & ARMPMU_RECORD_ADDRESS : 0));
        return;
    case ARMPMU_RECORD_MAP:
    case ARMPMU_RECORD_TLB_FLUSH:
        put(trace, armpmu_record(kind, 0) | (low & 1 ? ARMPMU_RECORD_UNCACHED : 0) |
                       (take_page(in) & ARMPMU_RECORD_PAGE_MASK) << ARMPMU_RECORD_PAGE_LSB |
                       (kind == ARMPMU_RECORD_MAP ? take_page(in) & ARMPMU_RECORD_PAGE_MASK : 0));
        return;
    case ARMPMU_RECORD_MAP64:
    case ARMPMU_RECORD_TLBI64:
        put(trace, armpmu_record(kind, 0) | (take_page(in) & ARMPMU_RECORD_WIDE_PAGE));
        if (kind == ARMPMU_RECORD_MAP64)
            put(trace, low == 15 ? take_bytes(in, 8) : take_page(in));
        return;
    case ARMPMU_RECORD_SYSTEM:
        put(trace, armpmu_system_record((enum armpmu_system)low, take(in)) |
                       (take_address(in) & ARMPMU_RECORD_ADDRESS));
        return;
    case ARMPMU_RECORD_SYSCALL:
        put(trace, armpmu_record(kind, 0) | (low == 0   ? 119
                                             : low == 1 ? 173
                                             : low == 2 ? 139
                                                        : low));
        return;
    case ARMPMU_RECORD_BLOCK:
    case ARMPMU_RECORD_SYSRET:
    case ARMPMU_RECORD_GAP:
    case ARMPMU_RECORD_MMU:
        put(trace, armpmu_record(kind, 0) | low);
        return;
    }
}

/* ---- an input ---- */

static void make(struct subject *subject, unsigned machine)
{
    struct armpmu_error err = {""};

    if (armpmu_code_new(look_up, NULL, &subject->code, &err) != ARMPMU_OK ||
        armpmu_sim_new(loaded[machine], subject->code, &subject->sim, &err) != ARMPMU_OK)
        require(false, "there is a model of each machine", err.message);
}

static void make_all(void)
{
    struct armpmu_error err = {""};

    for (unsigned i = 0; i < N_MACHINES; i++)
        require(armpmu_machine_load(machines[i], MACHINES, &loaded[i], &err) == ARMPMU_OK,
                "the house's machines are there", err.message);
    arena_begin();
    for (unsigned i = 0; i < N_MACHINES; i++)
        make(&kept[i], i);
    arena_mark();
    arena_end();
}

/* signals: what it counted in the end. */
static void feed(struct subject *subject, struct input in, uint64_t *signals)
{
    static struct trace trace;
    uint64_t interval = 0;
    const unsigned period = take(&in);

    trace.n = 0;
    memset(subject->taken, 0, sizeof subject->taken);
    armpmu_sim_set_interval(subject->sim,
                            period & 0x80 ? ARMPMU_SIGNAL_INST_RETIRED : ARMPMU_SIGNAL_CPU_CYCLES,
                            period & 0x7f, count_interval, &interval);
    while (in.next < in.end)
        take_word(&in, subject, &trace);
    run(subject, &trace);
    armpmu_sim_finish(subject->sim, period & 1 ? ARMPMU_END_FAULT : ARMPMU_END_EXIT);
    armpmu_sim_read_delta(subject->sim, subject->taken);
    armpmu_sim_signals(subject->sim, signals);
    require(memcmp(signals, subject->taken, sizeof subject->taken) == 0,
            "what was taken is what the signals are", "take");
}

static void compare_with_new(unsigned machine, struct input in, const uint64_t *want)
{
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
    struct subject fresh;

    make(&fresh, machine);
    feed(&fresh, in, signals);
    require(memcmp(signals, want, sizeof signals) == 0, "a new model counts the same",
            machines[machine]);
    armpmu_sim_free(fresh.sim);
    armpmu_code_free(fresh.code);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
    struct input in = {bytes, bytes + length};

    if (loaded[0] == NULL)
        make_all();
    const unsigned machine = take(&in) % N_MACHINES, n_blocks = take(&in) % BLOCKS_MAX + 1;
    const bool is_64 = strncmp(machines[machine], "neoverse", 8) == 0;
    for (program.n_blocks = 0; program.n_blocks < n_blocks;)
        take_block(&in, is_64);
    arena_begin();
    feed(&kept[machine], in, signals);
    arena_end();
    arena_reset();
    if (&fuzz_is_replay != NULL)
        compare_with_new(machine, in, signals);
    return 0;
}
