#include "random_trace.h"

#include <stdlib.h>

#include "armpmu/trace.h"

/* Instruction k lies at CODE + 4 * k. A block id is the number of its first instruction, times two,
 * with a one for the block of that instruction alone. */
#define CODE UINT64_C(0x10000)

enum kind {
    PLAIN,
    LOAD,
    STORE,
    LOAD_NE, /* and other accesses that may not happen */
    LIST,
    LIST_NE,
    SWAP,            /* two records for one instruction */
    STORE_EXCLUSIVE, /* the same, or none */
    POP,             /* a list that returns */
    BRANCH_NE,
    BRANCH,
    CALL,
    RETURN,
    RETURN_NE,
    SUPERVISOR,
    SUPERVISOR_NE,
    EXCEPTION_RETURN,
    UNDEFINED, /* of rich systems */
};

struct known {
    uint32_t word;
    enum kind kind;
    uint32_t bytes; /* of a list, and of an access that may come as one */
};

static const struct known plain_insns[] = {
    {0xe2800001, PLAIN, 0},   /* add r0, r0, #1 */
    {0xe0010092, PLAIN, 0},   /* mul r1, r2, r0 */
    {0xe1a03001, PLAIN, 0},   /* mov r3, r1 */
    {0xe5912004, LOAD, 4},    /* ldr r2, [r1, #4] */
    {0xe1d120b2, LOAD, 2},    /* ldrh r2, [r1, #2] */
    {0xed910b00, LOAD, 8},    /* vldr d0, [r1] */
    {0xe5810000, STORE, 4},   /* str r0, [r1] */
    {0xe5c10000, STORE, 1},   /* strb r0, [r1] */
    {0x15913000, LOAD_NE, 4}, /* ldrne r3, [r1] */
    {0xe89100f0, LIST, 16},   /* ldm r1, {r4-r7} */
};

static const struct known rich_insns[] = {
    {0xe0833103, PLAIN, 0},           /* add r3, r3, r3, lsl #2 */
    {0xe0843290, PLAIN, 0},           /* umull r3, r4, r0, r2 */
    {0xe10f0000, PLAIN, 0},           /* mrs r0, cpsr */
    {0xf5d1f000, PLAIN, 0},           /* pld [r1] */
    {0xe1a01001, PLAIN, 0},           /* mov r1, r1 */
    {0xee300b01, PLAIN, 0},           /* vadd.f64 d0, d0, d1 */
    {0xee800a01, PLAIN, 0},           /* vdiv.f32 s0, s0, s2 */
    {0xf2410d12, PLAIN, 0},           /* vmla.f32 d16, d1, d2 */
    {0xf2222803, PLAIN, 0},           /* vadd.i32 d2, d2, d3 */
    {0xf2122912, PLAIN, 0},           /* vmul.i16 d2, d2, d2 */
    {0xee100a10, PLAIN, 0},           /* vmov r0, s0 */
    {0xee100a10, PLAIN, 0},           /* as often as others of them */
    {0xee001a10, PLAIN, 0},           /* vmov s0, r1 */
    {0xf3b20001, PLAIN, 0},           /* vswp d0, d1 */
    {0xed810b00, STORE, 8},           /* vstr d0, [r1] */
    {0xe1c100b2, STORE, 2},           /* strh r0, [r1, #2] */
    {0x15810000, LOAD_NE, 4},         /* strne r0, [r1] */
    {0xe1010092, SWAP, 0},            /* swp r0, r2, [r1] */
    {0xe1813f90, STORE_EXCLUSIVE, 0}, /* strex r3, r0, [r1] */
    {0xe8a10ff0, LIST, 32},           /* stm r1!, {r4-r11} */
    {0xe8910030, LIST, 8},            /* ldm r1, {r4, r5} */
    {0xe1c120d0, LIST, 8},            /* ldrd r2, r3, [r1] */
    {0xf421028f, LIST, 32},           /* vld1.32 {d0-d3}, [r1] */
    {0xf401028f, LIST, 32},           /* vst1.32 {d0-d3}, [r1] */
    {0xf461078f, LIST, 8},            /* vld1.32 {d16}, [r1] */
    {0x1d910b00, LOAD_NE, 8},         /* vldrne d0, [r1] */
    {0x189100f0, LIST_NE, 16},        /* ldmne r1, {r4-r7} */
};

static const struct known ends[] = {
    {0xe2800001, PLAIN, 0},
    {0x15913000, LOAD_NE, 4}, /* ldrne r3, [r1] */
    {0x1a000000, BRANCH_NE, 0},
    {0x1a000000, BRANCH_NE, 0}, /* the offset is filled in */
    {0x1b000000, BRANCH_NE, 0},
    {0xea000000, BRANCH, 0}, /* blne, b */
    {0xeb000000, CALL, 0},
    {0xe12fff1e, RETURN, 0}, /* bx lr */
    {0xe8bd8010, POP, 8},
    {0x112fff1e, RETURN_NE, 0}, /* pop {r4, pc}; bxne lr */
    {0xef000000, SUPERVISOR, 0},
    {0x1f000000, SUPERVISOR_NE, 0},
    /* svc, svcne */ {0xe1b0f00e, EXCEPTION_RETURN, 0}, /* movs pc, lr */
};

static uint32_t pick(struct random_stream *stream, uint32_t n)
{
    uint64_t *state = &stream->random;
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * UINT64_C(0x2545f4914f6cdd1d) >> 33) % n);
}

static bool one_in(struct random_stream *stream, uint32_t n)
{
    return pick(stream, n) == 0;
}

static const struct known *find(const struct known *known, size_t n, uint32_t word)
{
    for (size_t i = 0; i < n; i++)
        if (known[i].word == word)
            return &known[i];
    return NULL;
}

static const struct known undefined = {0xe7f000f0, UNDEFINED, 0};

#define N(table) (sizeof(table) / sizeof(table)[0])

static bool is_direct_branch(uint32_t word)
{
    return (word >> 25 & 7) == 5;
}

static const struct known *known_of(const struct random_stream *stream, uint32_t insn)
{
    const uint32_t word = stream->code[insn];
    const struct known *known = find(plain_insns, N(plain_insns), word);
    if (known == NULL)
        known = find(rich_insns, N(rich_insns), word);
    if (known == NULL)
        known = find(ends, N(ends), is_direct_branch(word) ? word & 0xff000000 : word);
    if (known == NULL)
        known = find(&undefined, 1, word);
    if (known == NULL)
        abort();
    return known;
}

static enum kind kind_of(const struct random_stream *stream, uint32_t insn)
{
    return known_of(stream, insn)->kind;
}

/* ---- the program ---- */

static uint32_t random_block(struct random_stream *stream)
{
    uint32_t insn = pick(stream, STREAM_INSNS);
    while (stream->length[insn] == 0)
        insn = (insn + 1) % STREAM_INSNS;
    return insn;
}

static void lay_out_line(struct random_stream *stream, uint32_t first)
{
    const uint32_t end = first + STREAM_LINE_INSNS;
    for (uint32_t start = first; start < end;) {
        const uint32_t length = 1 + pick(stream, end - start < 9 ? end - start : 9);
        stream->length[start] = length;
        for (uint32_t i = 0; i + 1 < length; i++)
            stream->code[start + i] = stream->rich && one_in(stream, 2)
                                          ? rich_insns[pick(stream, N(rich_insns))].word
                                          : plain_insns[pick(stream, N(plain_insns))].word;
        /* A user program has no exception returns. */
        stream->code[start + length - 1] = ends[pick(stream, N(ends) - !stream->system)].word;
        if (stream->rich && stream->system && one_in(stream, 20))
            stream->code[start + length - 1] = undefined.word;
        start += length;
    }
    if (end == STREAM_INSNS)
        stream->code[end - 1] = 0xea000000; /* nothing is behind it */
}

static void aim_branches(struct random_stream *stream)
{
    for (uint32_t insn = 0; insn < STREAM_INSNS; insn++) {
        if (!is_direct_branch(stream->code[insn]))
            continue;
        stream->target[insn] = random_block(stream);
        stream->code[insn] |= (stream->target[insn] - insn - 2) & 0xffffff;
    }
}

/* ---- records ---- */

static void put(struct records *records, uint64_t word)
{
    if (records->n == records->room) {
        records->room = records->room == 0 ? 1024 : 2 * records->room;
        records->word = realloc(records->word, records->room * sizeof records->word[0]);
        if (records->word == NULL)
            abort();
    }
    records->word[records->n++] = word;
}

static void put_both(struct random_stream *stream, uint64_t word)
{
    put(&stream->blocks, word);
    put(&stream->insns, word);
}

static uint64_t random_address(struct random_stream *stream)
{
    const uint32_t offset = one_in(stream, 4) ? pick(stream, 4096) : pick(stream, 32) * 64;
    const uint64_t address = UINT64_C(0x40000) + pick(stream, 12) * 4096 + offset;
    if (!stream->rich || !one_in(stream, 3))
        return address;
    switch (pick(stream, 4)) {
    case 0: /* in the code */
        return CODE + 4 * pick(stream, STREAM_INSNS);
    case 1: /* from the first byte on, and from the middle */
        return address - 0x40000 + (one_in(stream, 2) ? 0x80000000 : 0);
    default:
        return address + pick(stream, 3) * 0x100000;
    }
}

/* The access of an instruction, which is number `index` of its block. */
static void put_access(struct random_stream *stream, uint32_t insn, unsigned index, bool last)
{
    const enum kind kind = kind_of(stream, insn);
    const uint64_t address = random_address(stream);
    const bool device = stream->system && one_in(stream, 40);
    const bool single = kind == LOAD || kind == STORE || kind == LOAD_NE;
    const bool unsure = stream->rich && single && one_in(stream, 50);
    const bool multiple = (kind == LIST || kind == LIST_NE || kind == POP || unsure) && !device;
    const enum armpmu_record_kind word = device     ? ARMPMU_RECORD_DEVICE
                                         : multiple ? ARMPMU_RECORD_BURST
                                                    : ARMPMU_RECORD_ACCESS;
    const bool optional = kind == LOAD_NE || kind == LIST_NE || kind == STORE_EXCLUSIVE;
    const bool twice = kind == SWAP || kind == STORE_EXCLUSIVE;
    if (!optional || one_in(stream, 2)) {
        /* devices lie in pages of their own */
        const uint64_t at = device ? address + 0x1000000 : address;
        for (int i = 0; i < (twice ? 2 : 1); i++) {
            put(&stream->blocks, armpmu_record(word, index) | at);
            put(&stream->insns, armpmu_record(word, 0) | at);
        }
        if (multiple)
            put_both(stream, known_of(stream, insn)->bytes);
    }
    if ((optional || unsure) && !last)
        put(&stream->blocks, armpmu_record(ARMPMU_RECORD_PROGRESS, index + 1));
}

static void put_insn(struct random_stream *stream, uint32_t block, unsigned index)
{
    const uint32_t insn = block + index;
    const enum kind kind = kind_of(stream, insn);
    put(&stream->insns, armpmu_record(ARMPMU_RECORD_BLOCK, 0) | insn * 2 | 1);
    if (kind != PLAIN && kind < BRANCH_NE)
        put_access(stream, insn, index, index + 1 == stream->length[block]);
}

/* ---- the way ---- */

/* Maintenance of caches and prediction, mostly of a line; preloads. */
static void maintain(struct random_stream *stream)
{
    unsigned bits = 1 + pick(stream, 3); /* invalidate, clean, both */
    uint64_t operand = random_address(stream);
    switch (pick(stream, 9)) {
    case 8:
        put_both(stream, armpmu_system_record(ARMPMU_SYSTEM_PRELOAD, 0) | operand);
        return;
    case 0:
        bits = pick(stream, 4) != 0 ? ARMPMU_PREDICTOR_ADDRESS : 0;
        put_both(stream, armpmu_system_record(ARMPMU_SYSTEM_PREDICTOR, bits) |
                             (CODE + 4 * pick(stream, STREAM_INSNS) + pick(stream, 2)));
        return;
    case 1:
        bits |= one_in(stream, 2) ? ARMPMU_CACHE_DATA : ARMPMU_CACHE_INSTRUCTION;
        operand = 0;
        break;
    case 2:
        bits |= ARMPMU_CACHE_INSTRUCTION | ARMPMU_CACHE_ADDRESS;
        operand = CODE + 4 * pick(stream, STREAM_INSNS);
        break;
    case 3:
    case 4: /* way, set, level */
        bits |= ARMPMU_CACHE_DATA | ARMPMU_CACHE_SET_WAY;
        operand = pick(stream, 8) << 29 | pick(stream, 128) * 64 | pick(stream, 3) * 2;
        break;
    default:
        bits |= ARMPMU_CACHE_DATA | ARMPMU_CACHE_ADDRESS;
        bits |= one_in(stream, 2) ? ARMPMU_CACHE_COHERENCY : 0;
        break;
    }
    put_both(stream, armpmu_system_record(ARMPMU_SYSTEM_CACHE, bits) | operand);
}

static void change_pages(struct random_stream *stream)
{
    const uint64_t page = 0x40 + pick(stream, 12);
    switch (pick(stream, 6)) {
    case 0: /* the code's page */
        put_both(stream, armpmu_record(ARMPMU_RECORD_MAP, 0) |
                             CODE >> 12 << ARMPMU_RECORD_PAGE_LSB | (0x200 + pick(stream, 3)));
        break;
    case 1:
        put_both(stream, armpmu_record(ARMPMU_RECORD_TLB_FLUSH, 0));
        break;
    case 2:
        put_both(stream, armpmu_record(ARMPMU_RECORD_TLB_FLUSH, 0) | ARMPMU_RECORD_ONE_PAGE |
                             page << ARMPMU_RECORD_PAGE_LSB);
        break;
    case 3:
        put_both(stream, armpmu_record(ARMPMU_RECORD_MMU, 0) | !one_in(stream, 4));
        break;
    default:
        put_both(stream, armpmu_record(ARMPMU_RECORD_MAP, 0) | page << ARMPMU_RECORD_PAGE_LSB |
                             (0x100 + pick(stream, 8)));
        break;
    }
}

/* Where the block's last instruction leads if nothing comes between. */
static uint32_t next_of(struct random_stream *stream, uint32_t block)
{
    const uint32_t last = block + stream->length[block] - 1;
    switch (kind_of(stream, last)) {
    case BRANCH_NE:
        return one_in(stream, 2) ? stream->target[last] : last + 1;
    case BRANCH:
    case CALL:
        return stream->target[last];
    case RETURN:
    case POP:
    case EXCEPTION_RETURN:
        return random_block(stream);
    case RETURN_NE:
        return one_in(stream, 2) ? random_block(stream) : last + 1;
    default:
        return last + 1;
    }
}

/* An exception came in the midst of a list, which is begun anew when it returns. */
static void put_part(struct random_stream *stream, uint32_t insn, unsigned index)
{
    const uint64_t address = random_address(stream);
    put(&stream->blocks, armpmu_record(ARMPMU_RECORD_BURST, index) | address);
    put(&stream->insns, armpmu_record(ARMPMU_RECORD_BURST, 0) | address);
    put_both(stream, known_of(stream, insn)->bytes - 4);
}

static uint32_t take_exception(struct random_stream *stream, uint32_t block, unsigned n)
{
    const bool whole = n == stream->length[block];
    const uint32_t next = whole ? next_of(stream, block) : 0;
    const uint64_t address = whole && one_in(stream, 2) ? CODE + 4 * next : 0;
    if (!whole) {
        put(&stream->insns, armpmu_record(ARMPMU_RECORD_BLOCK, 0) | (block + n) * 2 | 1);
        const enum kind kind = kind_of(stream, block + n);
        if (stream->rich && (kind == LIST || kind == LIST_NE) && one_in(stream, 2))
            put_part(stream, block + n, n);
    }
    put(&stream->blocks,
        armpmu_record(ARMPMU_RECORD_EXCEPTION, whole ? ARMPMU_RECORD_ALL : n) | address);
    put(&stream->insns,
        armpmu_record(ARMPMU_RECORD_EXCEPTION, whole ? ARMPMU_RECORD_ALL : 0) | address);
    return random_block(stream);
}

/* A call without a word is one that its condition kept from being made, or one that the engine
 * answered itself. */
static uint32_t call_system(struct random_stream *stream, uint32_t block)
{
    static const uint32_t numbers[] = {4, 119, 173};
    const uint32_t after = block + stream->length[block];
    const bool conditional = kind_of(stream, after - 1) == SUPERVISOR_NE;
    const uint64_t number = numbers[pick(stream, 3)];
    if (one_in(stream, conditional ? 2 : 10))
        return after;
    if (stream->system)
        return take_exception(stream, block, stream->length[block]);
    put_both(stream, armpmu_record(ARMPMU_RECORD_SYSCALL, 0) | number);
    put_both(stream, armpmu_record(ARMPMU_RECORD_SYSRET, 0));
    return number == 4 ? after : random_block(stream);
}

/* The block's last instruction does not execute. */
static uint32_t trap(struct random_stream *stream, uint32_t block)
{
    const unsigned last = stream->length[block] - 1;
    put(&stream->blocks, armpmu_record(ARMPMU_RECORD_EXCEPTION, last));
    put(&stream->insns, armpmu_record(ARMPMU_RECORD_EXCEPTION, 0));
    return random_block(stream);
}

/* An access that happens whenever its instruction executes: without it the block was cut short. */
static bool must_access(const struct random_stream *stream, uint32_t insn)
{
    const enum kind kind = kind_of(stream, insn);
    return kind == LOAD || kind == STORE || kind == LIST || kind == POP;
}

static bool is_preload(const struct random_stream *stream, uint32_t insn)
{
    return stream->code[insn] == 0xf5d1f000;
}

/* Whether the block without what is behind its first n instructions can be told from the whole: at
 * once where an access is missing, else when the next one comes. Of rich programs only at once:
 * NEON may have begun with the rest by then, or a preload. */
static bool can_restart(const struct random_stream *stream, uint32_t block, unsigned n)
{
    for (unsigned i = n; i < stream->length[block] && !is_preload(stream, block + i); i++)
        if (must_access(stream, block + i))
            return true;
    return !stream->rich && kind_of(stream, block + stream->length[block] - 1) == PLAIN;
}

/* Runs a block; returns the next one. */
static uint32_t run_block(struct random_stream *stream, uint32_t block)
{
    const unsigned length = stream->length[block];
    const bool interrupted = stream->system && one_in(stream, 12);
    const unsigned part = pick(stream, length + 1);
    const bool restarted = stream->system && !interrupted && one_in(stream, 10) && part < length &&
                           can_restart(stream, block, part);
    const bool faulted = stream->rich && !stream->system && part < length &&
                         must_access(stream, block + part) && one_in(stream, 8);
    const unsigned stop = interrupted || restarted || faulted ? part : length;
    put(&stream->blocks, armpmu_record(ARMPMU_RECORD_BLOCK, 0) | block * 2);
    for (unsigned i = 0; i < stop; i++)
        put_insn(stream, block, i);
    stream->restarted = restarted;
    if (interrupted)
        return take_exception(stream, block, stop);
    if (restarted)
        return block + stop;
    if (faulted) { /* and its handler comes */
        put(&stream->insns, armpmu_record(ARMPMU_RECORD_BLOCK, 0) | (block + stop) * 2 | 1);
        return random_block(stream);
    }
    const enum kind end = kind_of(stream, block + length - 1);
    if (end == SUPERVISOR || end == SUPERVISOR_NE)
        return call_system(stream, block);
    if (end == UNDEFINED)
        return trap(stream, block);
    /* a signal comes */
    return !stream->system && one_in(stream, 30) ? random_block(stream) : next_of(stream, block);
}

/* Where a block was restarted another one begins. */
static void begin_block(struct random_stream *stream, uint32_t insn)
{
    if (stream->length[insn] != 0)
        return;
    uint32_t start = insn;
    while (stream->length[start] == 0)
        start--;
    stream->length[insn] = stream->length[start] - (insn - start);
}

static void init(struct random_stream *stream, unsigned n_blocks)
{
    const bool system = stream->system;
    for (uint32_t line = 0; line < STREAM_LINES; line++)
        lay_out_line(stream, line * STREAM_LINE_INSNS);
    aim_branches(stream);
    uint32_t block = 0;
    if (system)
        put_both(stream, armpmu_record(ARMPMU_RECORD_MMU, 0) | 1);
    for (unsigned i = 0; i < n_blocks || stream->restarted; i++) {
        const bool plain = kind_of(stream, block + stream->length[block] - 1) == PLAIN;
        block = run_block(stream, block);
        begin_block(stream, block);
        /* a block may have fetched its line and executed nothing before the engine restarted it */
        if (system && !stream->restarted && one_in(stream, 10))
            change_pages(stream);
        /* a maintenance instruction stands alone: no branch is still to be left */
        if (system && stream->rich && plain && !stream->restarted && i + 1 < n_blocks &&
            one_in(stream, 4))
            maintain(stream);
    }
}

void random_stream_init(struct random_stream *stream, uint64_t seed, bool system, unsigned n_blocks)
{
    *stream = (struct random_stream){.seed = seed, .random = seed, .system = system};
    init(stream, n_blocks);
}

void random_stream_init_rich(struct random_stream *stream, uint64_t seed, bool system,
                             unsigned n_blocks)
{
    *stream = (struct random_stream){.seed = seed, .random = seed, .system = system, .rich = true};
    init(stream, n_blocks);
}

void random_stream_free(struct random_stream *stream)
{
    free(stream->blocks.word);
    free(stream->insns.word);
}

bool random_stream_lookup(void *user, uint32_t id, struct armpmu_block_source *out)
{
    const struct random_stream *stream = user;
    const uint32_t insn = id / 2;
    if (insn >= STREAM_INSNS)
        return false;
    const uint32_t n_insns = id % 2 != 0 ? 1 : stream->length[insn];
    *out = (struct armpmu_block_source){
        .address = CODE + 4 * insn,
        .bytes = (const uint8_t *)(stream->code + insn),
        .n_bytes = 4 * n_insns,
        .n_insns = n_insns,
        .isa = ARMPMU_A32,
    };
    return true;
}
