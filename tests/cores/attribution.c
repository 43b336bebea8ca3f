/* Profiles of random streams: attributing changes no count; the rows add up to the counts, signal
 * by signal, whatever is forgotten meanwhile; rows by call path add up to rows by instruction; and
 * what only loads, stores or branches can do is at a load, a store or a branch. */
#include <string.h>

#include "../seeds.h"
#include "armpmu/profile.h"
#include "base/array.h"
#include "isa/insn.h"
#include "../test.h"
#include "model.h"
#include "profile/attribution.h"
#include "random_trace.h"

enum { BLOCKS_WITH_ERRORS = 2000, CONTEXTS = 3 };
#define BLOCKS (400 + (unsigned)seeds_of(1600))
#define SEEDS  seeds_of(2)

static const char *const machines[] = {
    "cortex-a8",   "cortex-a8-am335x", "cortex-a8-plain", "neoverse-v1",  "neoverse-v1-plain",
    "neoverse-n2", "pxa255",           "ixp425",          "xscale-80200", "cortex-r4f",
    "rm48",        "tms570ls"};
enum { MACHINES_TRIED = sizeof machines / sizeof machines[0] };

struct row {
    struct armpmu_profile_row row;
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
};

struct rows {
    struct row *row;
    size_t n, room;
};

static bool keep_row(void *user, const struct armpmu_profile_row *row)
{
    struct rows *rows = user;
    assert_true(ARRAY_RESERVE(rows->row, rows->room, rows->n + 1));
    rows->row[rows->n].row = *row;
    memcpy(rows->row[rows->n++].signals, row->signals, sizeof rows->row->signals);
    return true;
}

static void add(uint64_t *to, const uint64_t *from)
{
    for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        to[signal] += from[signal];
}

static void expect_same(const char *machine, const struct random_stream *stream, const char *what,
                        const uint64_t *have, const uint64_t *want)
{
    for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        if (have[signal] != want[signal])
            fail_msg("%s, seed %d, system %d, rich %d, %s: %s is %llu, should be %llu", machine,
                     (int)stream->seed, stream->system, stream->rich, what,
                     armpmu_signal_name((enum armpmu_signal)signal),
                     (unsigned long long)have[signal], (unsigned long long)want[signal]);
}

static void expect_sum(const char *machine, const struct random_stream *stream, const char *what,
                       const struct rows *rows, const uint64_t *want)
{
    uint64_t sum[ARMPMU_SIGNAL_COUNT] = {0};
    for (size_t i = 0; i < rows->n; i++)
        add(sum, rows->row[i].signals);
    expect_same(machine, stream, what, sum, want);
}

/* limit: of memory for code. */
static void profile(const char *machine, struct random_stream *stream,
                    enum armpmu_profile_detail detail, size_t limit, const uint64_t *want,
                    struct rows *rows)
{
    struct armpmu_error err = {""};
    uint64_t have[ARMPMU_SIGNAL_COUNT];
    struct model model = model_new(machine, random_stream_lookup, stream);
    armpmu_code_limit(model.code, limit);
    assert_int_equal(armpmu_sim_set_profile(model.sim, detail, &err), ARMPMU_OK);
    model_run(&model, stream->blocks.word, stream->blocks.n);
    armpmu_sim_signals(model.sim, have); /* with the last block still open */
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    armpmu_sim_signals(model.sim, have);
    expect_same(machine, stream, "counts with a profile", have, want);
    assert_int_equal(armpmu_sim_profile(model.sim, keep_row, rows, &err), ARMPMU_OK);
    expect_sum(machine, stream, "the sum of the rows", rows, want);
    armpmu_sim_signals(model.sim, have);
    expect_same(machine, stream, "counts after the profile", have, want);
    model_free(&model);
}

/* Counts are read again and again while the stream runs. */
static void read_now_and_then(const char *machine, struct random_stream *stream,
                              const uint64_t *want)
{
    struct armpmu_error err = {""};
    const struct records *const records = &stream->blocks;
    uint64_t have[ARMPMU_SIGNAL_COUNT] = {0};
    struct rows rows = {0};
    struct model model = model_new(machine, random_stream_lookup, stream);

    assert_int_equal(armpmu_sim_set_profile(model.sim, ARMPMU_PROFILE_PATHS, &err), ARMPMU_OK);
    for (size_t at = 0, end; at < records->n; at = end) {
        for (end = at + 1 + at % 7; end < records->n; end++)
            if (armpmu_record_kind(records->word[end]) == ARMPMU_RECORD_BLOCK)
                break;
        end = end < records->n ? end : records->n;
        model_run(&model, records->word + at, end - at);
        armpmu_sim_read_delta(model.sim, have);
    }
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    armpmu_sim_read_delta(model.sim, have);
    expect_same(machine, stream, "counts read now and then", have, want);
    assert_int_equal(armpmu_sim_profile(model.sim, keep_row, &rows, &err), ARMPMU_OK);
    expect_sum(machine, stream, "the sum of the rows, read now and then", &rows, want);
    free(rows.row);
    model_free(&model);
}

/* Sums over the rows of each context. */
static void sum_contexts(struct armpmu_sim *sim, const struct rows *rows,
                         uint64_t sums[CONTEXTS][ARMPMU_SIGNAL_COUNT])
{
    size_t n;
    const struct armpmu_profile_path *const paths = armpmu_sim_profile_paths(sim, &n);
    for (size_t i = 0; i < rows->n; i++) {
        const uint32_t path = rows->row[i].row.path;
        assert_true(path < n && paths[path].context < CONTEXTS);
        add(sums[paths[path].context], rows->row[i].signals);
    }
}

/* Other tasks run now and then: no count changes, each has a sum of its own. */
static void switch_contexts(const char *machine, const struct random_stream *stream,
                            enum armpmu_profile_detail detail, const uint64_t *want,
                            uint64_t sums[CONTEXTS][ARMPMU_SIGNAL_COUNT])
{
    struct armpmu_error err = {""};
    const struct records *const records = &stream->blocks;
    struct rows rows = {0};
    struct model model = model_new(machine, random_stream_lookup, (void *)(uintptr_t)stream);

    assert_int_equal(armpmu_sim_set_profile(model.sim, detail, &err), ARMPMU_OK);
    for (size_t at = 0, end, n = 0; at < records->n; at = end, n++) {
        const uint64_t record = armpmu_system_record(ARMPMU_SYSTEM_CONTEXT, 0) | n % CONTEXTS;
        for (end = at + 20 + at % 7; end < records->n; end++)
            if (armpmu_record_kind(records->word[end]) == ARMPMU_RECORD_BLOCK)
                break;
        end = end < records->n ? end : records->n;
        model_run(&model, &record, 1);
        model_run(&model, records->word + at, end - at);
    }
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    assert_int_equal(armpmu_sim_profile(model.sim, keep_row, &rows, &err), ARMPMU_OK);
    expect_sum(machine, stream, "the sum of the rows in contexts", &rows, want);
    sum_contexts(model.sim, &rows, sums);
    free(rows.row);
    model_free(&model);
}

static void expect_contexts(const char *machine, const struct random_stream *stream,
                            const uint64_t *want)
{
    uint64_t insns[CONTEXTS][ARMPMU_SIGNAL_COUNT] = {{0}},
             paths[CONTEXTS][ARMPMU_SIGNAL_COUNT] = {{0}};

    switch_contexts(machine, stream, ARMPMU_PROFILE_INSNS, want, insns);
    switch_contexts(machine, stream, ARMPMU_PROFILE_PATHS, want, paths);
    for (unsigned context = 0; context < CONTEXTS; context++) {
        paths[context][ARMPMU_SIGNAL_CONSTANT_CYCLES] =
            insns[context][ARMPMU_SIGNAL_CONSTANT_CYCLES];
        expect_same(machine, stream, "a context by paths", paths[context], insns[context]);
        assert_true(insns[context][ARMPMU_SIGNAL_INST_RETIRED] != 0);
    }
}

/* The address of the latest record that has one, of a block's data or code. */
static uint64_t latest_address(const struct random_stream *stream, size_t end)
{
    const uint64_t *const word = stream->blocks.word;
    struct armpmu_block_source source;
    while (end-- > 0) {
        const enum armpmu_record_kind kind = armpmu_record_kind(word[end]);
        if (kind == ARMPMU_RECORD_ACCESS)
            return armpmu_record_address(word[end]);
        if (kind == ARMPMU_RECORD_BLOCK && end % 3 == 0 &&
            random_stream_lookup((void *)(uintptr_t)stream, (uint32_t)word[end], &source))
            return source.address;
    }
    return 0;
}

/* Between blocks interrupts are masked and not, and memories get errors. Returns how many. */
static unsigned run_disturbed(struct model *model, const struct random_stream *stream)
{
    const struct records *const records = &stream->blocks;
    struct armpmu_error err = {""};
    unsigned n_errors = 0;

    for (size_t at = 0, end, n = 0; at < records->n; at = end, n++) {
        for (end = at + 5 + at % 7; end < records->n; end++)
            if (armpmu_record_kind(records->word[end]) == ARMPMU_RECORD_BLOCK)
                break;
        end = end < records->n ? end : records->n;
        model_run(model, records->word + at, end - at);
        const uint64_t masks = armpmu_system_record(ARMPMU_SYSTEM_MASKS, (uint8_t)(n * 5 / 3 % 4));
        model_run(model, &masks, 1);
        n_errors += armpmu_sim_inject(model->sim, (enum armpmu_injection)(n % ARMPMU_INJECTIONS),
                                      latest_address(stream, end), &err) == ARMPMU_OK;
    }
    return n_errors;
}

static void disturb(const char *machine, const struct random_stream *stream)
{
    void *const user = (void *)(uintptr_t)stream;
    uint64_t want[ARMPMU_SIGNAL_COUNT], have[ARMPMU_SIGNAL_COUNT];
    struct armpmu_error err = {""};
    struct model plain = model_new(machine, random_stream_lookup, user);
    const unsigned n_errors = run_disturbed(&plain, stream);
    armpmu_sim_finish(plain.sim, ARMPMU_END_EXIT);
    armpmu_sim_signals(plain.sim, want);
    model_free(&plain);
    for (int detail = ARMPMU_PROFILE_INSNS; detail <= ARMPMU_PROFILE_PATHS; detail++) {
        struct rows rows = {0};
        struct model model = model_new(machine, random_stream_lookup, user);
        assert_int_equal(
            armpmu_sim_set_profile(model.sim, (enum armpmu_profile_detail)detail, &err), ARMPMU_OK);
        assert_int_equal(run_disturbed(&model, stream), n_errors);
        armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
        armpmu_sim_signals(model.sim, have);
        expect_same(machine, stream, "disturbed, with a profile", have, want);
        assert_int_equal(armpmu_sim_profile(model.sim, keep_row, &rows, &err), ARMPMU_OK);
        expect_sum(machine, stream, "the sum of the rows, disturbed", &rows, want);
        free(rows.row);
        model_free(&model);
    }
    assert_true(n_errors > 100 && want[ARMPMU_SIGNAL_IRQ_MASKED] != 0);
    assert_true(want[ARMPMU_SIGNAL_L1D_DATA_ERROR] + want[ARMPMU_SIGNAL_L1D_TAG_ERROR] != 0 ||
                strcmp(machine, "cortex-r4f") != 0);
}

/* The paths of an instruction add up to its row. */
static void expect_same_insns(const char *machine, const struct random_stream *stream,
                              const struct rows *insns, const struct rows *paths)
{
    for (size_t i = 0; i < insns->n; i++) {
        const struct armpmu_profile_row *const insn = &insns->row[i].row;
        uint64_t sum[ARMPMU_SIGNAL_COUNT] = {0}, want[ARMPMU_SIGNAL_COUNT] = {0};
        if (i > 0 && insns->row[i - 1].row.address == insn->address)
            continue;
        for (size_t k = i; k < insns->n && insns->row[k].row.address == insn->address; k++)
            add(want, insns->row[k].signals);
        for (size_t k = 0; k < paths->n; k++)
            if (paths->row[k].row.address == insn->address)
                add(sum, paths->row[k].signals);
        /* Ticks are parted by rows, and rounded at each. */
        sum[ARMPMU_SIGNAL_CONSTANT_CYCLES] = want[ARMPMU_SIGNAL_CONSTANT_CYCLES];
        expect_same(machine, stream, "an instruction in all its paths", sum, want);
    }
}

static void sum_placed(const struct rows *rows, uint64_t *sum)
{
    for (size_t i = 0; i < rows->n; i++)
        if (rows->row[i].row.n_bytes != 0)
            add(sum, rows->row[i].signals);
}

/* What a model tells by block has a block where it has an instruction. */
static void expect_same_placed(const char *machine, const struct random_stream *stream,
                               const struct rows *insns, const struct rows *blocks)
{
    static const enum armpmu_signal told[] = {
        ARMPMU_SIGNAL_CPU_CYCLES,   ARMPMU_SIGNAL_INST_RETIRED,   ARMPMU_SIGNAL_L1D_READ_REFILL,
        ARMPMU_SIGNAL_BRANCH_FLUSH, ARMPMU_SIGNAL_STALL_FRONTEND, ARMPMU_SIGNAL_LOAD_RETIRED};
    uint64_t want[ARMPMU_SIGNAL_COUNT] = {0}, have[ARMPMU_SIGNAL_COUNT] = {0};

    sum_placed(insns, want);
    sum_placed(blocks, have);
    for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++) {
        bool is_told = false;
        for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
            is_told = is_told || told[i] == (enum armpmu_signal)signal;
        have[signal] = is_told ? have[signal] : want[signal];
    }
    expect_same(machine, stream, "what has a place, by block", have, want);
}

static void expect_no(const struct row *row, enum armpmu_signal signal, const char *unless)
{
    if (row->signals[signal] != 0)
        fail_msg("%s at 0x%llx, which is no %s", armpmu_signal_name(signal),
                 (unsigned long long)row->row.address, unless);
}

/* In random streams, maintenance and preloads stand at an instruction without an access. */
static bool may_stand_for_maintenance(const struct row *row)
{
    static const uint8_t add[] = {0x01, 0x00, 0x80, 0xe2}; /* add r0, r0, #1 */

    return row->row.n_bytes == sizeof add && memcmp(row->row.bytes, add, sizeof add) == 0;
}

/* By signal, as the table says that docs/events prints. */
static void find_owners(const char *machine, enum event_owner_id *owners)
{
    struct armpmu_machine *const known = model_machine_load(machine);

    for (int i = 0; i < ARMPMU_SIGNAL_COUNT; i++) {
        const struct event_owner *const owner =
            event_owner_of_signal(armpmu_machine_core(known), (enum armpmu_signal)i);
        assert_non_null(owner);
        owners[i] = owner->id;
    }
    armpmu_machine_free(known);
}

/* What belongs to an access or a branch is at none else. */
static void expect_owners(const enum event_owner_id *owners, const struct row *row,
                          const struct insn *insn)
{
    const bool is_access = insn->memory.bytes != 0 || insn->klass == CLASS_PRELOAD ||
                           insn->klass == CLASS_SYSTEM || may_stand_for_maintenance(row);

    for (int i = 0; i < ARMPMU_SIGNAL_COUNT; i++) {
        const enum armpmu_signal signal = (enum armpmu_signal)i;
        if (owners[i] == EVENT_OWNER_ACCESS && !is_access)
            expect_no(row, signal, "access");
        if (owners[i] == EVENT_OWNER_BRANCH && insn->branch == BRANCH_NONE)
            expect_no(row, signal, "branch");
        if (owners[i] == EVENT_OWNER_NOBODY)
            expect_no(row, signal, "pin");
    }
}

static void expect_right_place(const enum event_owner_id *owners, const struct row *row,
                               struct decoder *decoder)
{
    struct insn insn;
    decode_single(decoder, row->row.isa, row->row.bytes, row->row.n_bytes, 0, &insn);
    expect_owners(owners, row, &insn);
    if (!insn.memory.load)
        expect_no(row, ARMPMU_SIGNAL_LOAD_RETIRED, "load");
    if (!insn.memory.store)
        expect_no(row, ARMPMU_SIGNAL_STORE_RETIRED, "store");
    if (insn.memory.bytes == 0) {
        if (insn.klass != CLASS_PRELOAD && !may_stand_for_maintenance(row))
            expect_no(row, ARMPMU_SIGNAL_L1D_ACCESS, "access"); /* of a preload on some cores */
        expect_no(row, ARMPMU_SIGNAL_UNALIGNED_RETIRED, "access");
        if (insn.klass != CLASS_PRELOAD && insn.klass != CLASS_SYSTEM)
            expect_no(row, ARMPMU_SIGNAL_L1D_REFILL, "access");
    }
    if (insn.branch == BRANCH_NONE) {
        expect_no(row, ARMPMU_SIGNAL_PC_WRITE, "branch");
        expect_no(row, ARMPMU_SIGNAL_BRANCH_FLUSH, "branch");
        expect_no(row, ARMPMU_SIGNAL_BRANCH_PREDICTABLE, "branch");
    }
}

static void compare(const char *machine, uint64_t seed, bool system, bool rich)
{
    struct random_stream stream;
    struct decoder *decoder;
    enum event_owner_id owners[ARMPMU_SIGNAL_COUNT];
    struct armpmu_error err = {""};
    uint64_t want[ARMPMU_SIGNAL_COUNT];
    struct rows insns = {0}, paths = {0}, forgetful = {0}, blocks = {0};

    (rich ? random_stream_init_rich : random_stream_init)(&stream, seed, system, BLOCKS);
    model_count(model_new(machine, random_stream_lookup, &stream), stream.blocks.word,
                stream.blocks.n, want);
    profile(machine, &stream, ARMPMU_PROFILE_INSNS, ARMPMU_CODE_BYTES, want, &insns);
    profile(machine, &stream, ARMPMU_PROFILE_PATHS, ARMPMU_CODE_BYTES, want, &paths);
    profile(machine, &stream, ARMPMU_PROFILE_PATHS, 30000, want, &forgetful);
    profile(machine, &stream, ARMPMU_PROFILE_BLOCKS, 30000, want, &blocks);
    read_now_and_then(machine, &stream, want);
    expect_same_placed(machine, &stream, &insns, &blocks);
    expect_same_insns(machine, &stream, &insns, &paths);
    if (system)
        expect_contexts(machine, &stream, want);
    find_owners(machine, owners);
    assert_int_equal(decoder_new(&decoder, &err), ARMPMU_OK);
    for (size_t i = 0; i < insns.n; i++)
        if (insns.row[i].row.n_bytes != 0)
            expect_right_place(owners, &insns.row[i], decoder);
    decoder_free(decoder);
    free(insns.row);
    free(paths.row);
    free(forgetful.row);
    free(blocks.row);
    random_stream_free(&stream);
}

TEST(every_count_has_its_place)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (int i = 0; i < MACHINES_TRIED; i++)
            for (unsigned kind = 0; kind < 4; kind++)
                compare(machines[i], seed, kind & 1, kind >> 1);
}

TEST(errors_and_masks_have_their_place)
{
    static const char *const with_errors[] = {"cortex-r4f", "rm48", "tms570ls"};
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (unsigned i = 0; i < 3; i++) {
            struct random_stream stream;
            random_stream_init_rich(&stream, seed, true, BLOCKS_WITH_ERRORS);
            disturb(with_errors[i], &stream);
            random_stream_free(&stream);
        }
}

/* ---- the store buffer of the Cortex-R4F ---- */

/* str r0, [r1]; str r0, [r2]; svc 0 */
static bool two_stores(void *user, uint32_t id, struct armpmu_block_source *out)
{
    static const uint8_t code[] = {0x00, 0x00, 0x81, 0xe5, 0x00, 0x00,
                                   0x82, 0xe5, 0x00, 0x00, 0x00, 0xef};
    (void)user;
    (void)id;
    *out = (struct armpmu_block_source){
        .address = 0x8000, .isa = ARMPMU_A32, .bytes = code, .n_bytes = sizeof code, .n_insns = 3};
    return true;
}

/* Two stores miss; each refill belongs to its own, also where both lines wait together. */
TEST(what_leaves_the_store_buffer_has_its_place)
{
    struct armpmu_error err = {""};

    for (uint64_t apart = 64; apart <= 1 << 16; apart *= 2) {
        struct rows rows = {0};
        struct model model = model_new("cortex-r4f", two_stores, NULL);
        assert_int_equal(armpmu_sim_set_profile(model.sim, ARMPMU_PROFILE_INSNS, &err), ARMPMU_OK);
        FEED(&model, BLOCK(0), ACCESS(0, 0x20000), ACCESS(1, 0x20000 + apart));
        armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
        assert_int_equal(armpmu_sim_profile(model.sim, keep_row, &rows, &err), ARMPMU_OK);
        for (size_t i = 0; i < rows.n; i++)
            assert_int_equal(rows.row[i].signals[ARMPMU_SIGNAL_L1D_REFILL],
                             rows.row[i].row.n_bytes != 0 && rows.row[i].row.address < 0x8008);
        free(rows.row);
        model_free(&model);
    }
}
