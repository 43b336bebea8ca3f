#include "random_program.h"

#include <stdlib.h>
#include <string.h>

#include "armpmu/sim.h"

#define R(n) (1u << (n))

/* Times: Intel XScale Core Developer's Manual, Instruction Latencies; written down here a second
 * time, away from the model's. */
static const struct way_insn plain[] = {
    /* add r0, r1, r2 */
    {0xe0810002, .uses = R(0) | R(1) | R(2), .out = R(0)},
    /* adds r0, r1, r2 */
    {0xe0910002, .uses = R(0) | R(1) | R(2) | WAY_FLAGS, .out = R(0) | WAY_FLAGS},
    /* add r3, r0, r4, lsl #2; add r3, r4, r0, lsl #2; add r4, r3, r0, asr #1 */
    {0xe0803104, .uses = R(0) | R(3) | R(4), .shifted = R(4), .out = R(3)},
    {0xe0843100, .uses = R(0) | R(3) | R(4), .shifted = R(0), .out = R(3)},
    {0xe08340c0, .uses = R(0) | R(3) | R(4), .shifted = R(0), .out = R(4)},
    /* qdadd r3, r4, r0; qadd r0, r3, r4 */
    {0xe1403054, .uses = R(0) | R(3) | R(4), .shifted = R(0), .out = R(3)},
    {0xe1040053, .uses = R(0) | R(3) | R(4), .out = R(0)},
    /* add r0, r1, r2, lsl r3; mov r0, r1, rrx; mov r3, r0, lsl #4 */
    {0xe0810312, .uses = R(0) | R(1) | R(2) | R(3), .out = R(0), .issue = 2, .latency = 2},
    {0xe1a00061, .uses = R(0) | R(1) | WAY_FLAGS, .out = R(0), .issue = 2, .latency = 2},
    {0xe1a03200, .uses = R(0) | R(3), .shifted = R(0), .out = R(3)},
    /* mul r0, r1, r2; mla r0, r1, r2, r3; muls r0, r1, r2 */
    {0xe0000291, WAY_MULTIPLY, WAY_BY_STEPS, .uses = R(0) | R(1) | R(2), .out = R(0)},
    {0xe0203291, WAY_MULTIPLY, WAY_BY_STEPS, .uses = R(0) | R(1) | R(2) | R(3), .out = R(0)},
    {0xe0100291, WAY_MULTIPLY, WAY_FLAGS_BY_STEPS, .uses = R(0) | R(1) | R(2) | WAY_FLAGS,
     .out = R(0) | WAY_FLAGS, .latency = 1},
    /* mul r5, r6, r7; smlal r6, r7, r5, r2 */
    {0xe0050796, WAY_MULTIPLY, WAY_BY_STEPS, .uses = R(5) | R(6) | R(7), .out = R(5)},
    {0xe0e76295, WAY_MULTIPLY, WAY_LONG_BY_STEPS, .uses = R(2) | R(5) | R(6) | R(7), .out = R(6),
     .later = R(7), .issue = 2},
    /* umull r0, r3, r1, r2; smlal r0, r3, r1, r2; umulls r0, r3, r1, r2 */
    {0xe0830291, WAY_MULTIPLY, WAY_LONG_BY_STEPS, .uses = R(0) | R(1) | R(2) | R(3), .out = R(0),
     .later = R(3)},
    {0xe0e30291, WAY_MULTIPLY, WAY_LONG_BY_STEPS, .uses = R(0) | R(1) | R(2) | R(3), .out = R(0),
     .later = R(3), .issue = 2},
    {0xe0930291, WAY_MULTIPLY, WAY_FLAGS_BY_STEPS, .uses = R(0) | R(1) | R(2) | R(3) | WAY_FLAGS,
     .out = R(0) | R(3) | WAY_FLAGS, .latency = 2},
    /* smulbb r0, r1, r2; smulwb r0, r1, r2; smlalbb r0, r3, r1, r2 */
    {0xe1600281, WAY_MULTIPLY, .uses = R(0) | R(1) | R(2), .out = R(0), .latency = 2,
     .multiplier = 1},
    {0xe12002a1, WAY_MULTIPLY, .uses = R(0) | R(1) | R(2), .out = R(0), .latency = 3,
     .multiplier = 2},
    {0xe1430281, WAY_MULTIPLY, .uses = R(0) | R(1) | R(2) | R(3), .out = R(0), .later = R(3),
     .issue = 2, .latency = 2, .multiplier = 2},
    /* mrs r0, cpsr; msr cpsr_f, r0; mcr p15, 0, r0, c7, c10, 4 */
    {0xe10f0000, .timing = WAY_SYSTEM_READ, .uses = R(0) | WAY_FLAGS, .out = R(0)},
    {0xe128f000, .timing = WAY_SYSTEM_WRITE, .uses = R(0) | WAY_FLAGS, .out = WAY_FLAGS},
    {0xee070f9a, .timing = WAY_SYSTEM_WRITE, .uses = R(0), .drains = true},
    /* mov r8, r8, as often as others of them */
    {0xe1a08008, .uses = R(8), .out = R(8)},
    {0xe1a08008, .uses = R(8), .out = R(8)},
    {0xe1a08008, .uses = R(8), .out = R(8)},
};

static const struct way_insn accesses[] = {
    /* ldr r0, [r1]; ldr r2, [r1]; ldr r3, [r1], #4; ldrne r2, [r1] */
    {0xe5910000, WAY_LOAD, .uses = R(0) | R(1), .out = R(0), .latency = 3, .records = 1,
     .bytes = 4},
    {0xe5912000, WAY_LOAD, .uses = R(2) | R(1), .out = R(2), .latency = 3, .records = 1,
     .bytes = 4},
    {0xe4913004, WAY_LOAD, .uses = R(3) | R(1), .out = R(3), .base = R(1), .latency = 3,
     .base_latency = 1, .records = 1, .bytes = 4},
    {0x15912000, WAY_LOAD, .uses = R(2) | R(1) | WAY_FLAGS, .out = R(2), .latency = 3, .records = 1,
     .bytes = 4, .may_fail = true},
    /* ldrb r2, [r1]; ldrh r0, [r1] */
    {0xe5d12000, WAY_LOAD, .uses = R(2) | R(1), .out = R(2), .latency = 3, .records = 1,
     .bytes = 1},
    {0xe1d100b0, WAY_LOAD, .uses = R(0) | R(1), .out = R(0), .latency = 3, .records = 1,
     .bytes = 2},
    /* ldrd r2, [r1]; ldrd r4, [r1], #8; ldrd r12, [r1] */
    {0xe1c120d0, WAY_LOAD, .uses = R(1) | R(2) | R(3), .out = R(2) | R(3), .latency = 3,
     .records = 2, .bytes = 4, .holds = true},
    {0xe0c140d8, WAY_LOAD, .uses = R(1) | R(4) | R(5), .out = R(4) | R(5), .base = R(1),
     .latency = 3, .base_latency = 2, .records = 2, .bytes = 4, .holds = true},
    {0xe1c1c0d0, WAY_LOAD, .uses = R(1) | R(12) | R(13), .out = R(12) | R(13), .issue = 2,
     .latency = 3, .records = 2, .bytes = 4, .holds = true},
    /* ldm r1, {r2-r7}; ldm r1!, {r2-r5}; ldmne r1, {r0, r4} */
    {0xe89100fc, WAY_LOAD, .uses = 0xfe, .out = 0xfc, .issue = 8, .latency = 3, .records = 6,
     .bytes = 4, .list = true},
    {0xe8b1003c, WAY_LOAD, .uses = 0x3e, .out = 0x3c, .base = R(1), .issue = 6, .latency = 3,
     .base_latency = 1, .records = 4, .bytes = 4, .list = true},
    {0x18910011, WAY_LOAD, .uses = R(0) | R(1) | R(4) | WAY_FLAGS, .out = R(0) | R(4), .issue = 4,
     .latency = 3, .records = 2, .bytes = 4, .list = true, .may_fail = true},
    /* str r0, [r1]; strb r2, [r1]; strh r2, [r1]; str r2, [r1], #4; strne r3, [r1] */
    {0xe5810000, WAY_STORE, .uses = R(0) | R(1), .records = 1, .bytes = 4},
    {0xe5c12000, WAY_STORE, .uses = R(2) | R(1), .records = 1, .bytes = 1},
    {0xe1c120b0, WAY_STORE, .uses = R(2) | R(1), .records = 1, .bytes = 2},
    {0xe4812004, WAY_STORE, .uses = R(2) | R(1), .base = R(1), .base_latency = 1, .records = 1,
     .bytes = 4},
    {0x15813000, WAY_STORE, .uses = R(3) | R(1) | WAY_FLAGS, .records = 1, .bytes = 4,
     .may_fail = true},
    /* strd r2, [r1]; strd r2, [r1], #8; stm r1, {r0-r7}; stm r1!, {r2-r4} */
    {0xe1c120f0, WAY_STORE, .uses = R(1) | R(2) | R(3), .issue = 2, .records = 2, .bytes = 4},
    {0xe0c120f8, WAY_STORE, .uses = R(1) | R(2) | R(3), .base = R(1), .issue = 2, .base_latency = 2,
     .records = 2, .bytes = 4},
    {0xe88100ff, WAY_STORE, .uses = 0xff, .issue = 10, .records = 8, .bytes = 4, .list = true},
    {0xe8a1001c, WAY_STORE, .uses = 0x1e, .base = R(1), .issue = 5, .base_latency = 1, .records = 3,
     .bytes = 4, .list = true},
    /* swp r0, r2, [r1]; swpb r4, r3, [r1] */
    {0xe1010092, WAY_SWAP, WAY_SWAP_CYCLES, .uses = R(0) | R(1) | R(2), .out = R(0), .records = 1,
     .bytes = 4},
    {0xe1414093, WAY_SWAP, WAY_SWAP_CYCLES, .uses = R(1) | R(3) | R(4), .out = R(4), .records = 1,
     .bytes = 1},
};

static const struct end {
    struct way_insn insn;
    enum way_end end;
    bool conditional;
} ends[] = {
    /* bne, b and bl: the offset is filled in */
    {{0x1a000000, .uses = WAY_FLAGS}, WAY_PREDICTED, true},
    {{0x1a000000, .uses = WAY_FLAGS}, WAY_PREDICTED, true},
    {{0x1a000000, .uses = WAY_FLAGS}, WAY_PREDICTED, true},
    {{0xea000000, .uses = 0}, WAY_PREDICTED, false},
    {{0xeb000000, .uses = R(14), .out = R(14)}, WAY_PREDICTED, false},
    /* bx lr; bxne lr; mov pc, lr; add pc, r1, r2, lsl r3 */
    {{0xe12fff1e, .uses = R(14)}, WAY_INDIRECT, false},
    {{0x112fff1e, .uses = R(14) | WAY_FLAGS}, WAY_INDIRECT, true},
    {{0xe1a0f00e, .uses = R(14)}, WAY_INDIRECT, false},
    {{0xe081f312, .uses = R(1) | R(2) | R(3), .issue = 2, .latency = 2}, WAY_INDIRECT, false},
    /* ldr pc, [r1]; ldrne pc, [r1]; ldm r1, {r2, r3, pc}; ldm r1,
       {r2-r4, pc}; ldm r1, {r2-r5, pc} */
    {{0xe591f000, WAY_LOAD, .uses = R(1), .out = R(15), .issue = 2, .latency = 3, .records = 1,
      .bytes = 4},
     WAY_LOADED,
     false},
    {{0x1591f000, WAY_LOAD, .uses = R(1) | WAY_FLAGS, .out = R(15), .issue = 2, .latency = 3,
      .records = 1, .bytes = 4},
     WAY_LOADED,
     true},
    {{0xe891800c, WAY_LOAD, .uses = 0xe, .out = 0x800c, .issue = 6, .latency = 3, .records = 3,
      .bytes = 4, .list = true},
     WAY_LOADED,
     false},
    {{0xe891801c, WAY_LOAD, .uses = 0x1e, .out = 0x801c, .issue = 7, .latency = 3, .records = 4,
      .bytes = 4, .list = true},
     WAY_LOADED,
     false},
    {{0xe891803c, WAY_LOAD, .uses = 0x3e, .out = 0x803c, .issue = 8, .latency = 3, .records = 5,
      .bytes = 4, .list = true},
     WAY_LOADED,
     false},
    {{0xe1a08008, .uses = R(8), .out = R(8)}, WAY_GOES_ON, false},
};

#define N(table) (sizeof(table) / sizeof(table)[0])

static uint32_t pick(struct way *way, uint32_t n)
{
    way->random ^= way->random >> 12;
    way->random ^= way->random << 25;
    way->random ^= way->random >> 27;
    return (uint32_t)((way->random * UINT64_C(0x2545f4914f6cdd1d) >> 33) % n);
}

/* Each chunk lies in a page and a set of its own, some behind each other in the branch target
 * buffer, and begins within a line. */
uint32_t way_address(uint32_t insn)
{
    const uint32_t chunk = insn / WAY_CHUNK_INSNS;
    return 0x8010008 + chunk * (chunk % 3 == 0 ? 0x1000 : 0x1060) + insn % WAY_CHUNK_INSNS * 4;
}

bool way_lookup(void *user, uint32_t id, struct armpmu_block_source *out)
{
    const struct way *way = user;
    const uint32_t insn = id / 2, n = id % 2 != 0 ? 1 : way->length[insn];
    *out = (struct armpmu_block_source){
        .address = way_address(insn),
        .bytes = (const uint8_t *)(way->code + insn),
        .n_bytes = 4 * n,
        .n_insns = n,
        .isa = ARMPMU_A32,
    };
    return true;
}

/* ---- the program ---- */

static void lay_out_block(struct way *way, uint32_t start, uint32_t length, bool ends_chunk)
{
    way->length[start] = length;
    for (uint32_t i = start; i + 1 < start + length; i++)
        way->insns[i] =
            pick(way, 2) ? &accesses[pick(way, N(accesses))] : &plain[pick(way, N(plain))];
    const uint32_t last = start + length - 1;
    const struct end *end = &ends[ends_chunk ? 3 : pick(way, N(ends))];
    way->insns[last] = &end->insn;
    way->ends[last] = end->end;
}

static uint32_t random_block(struct way *way)
{
    uint32_t insn = pick(way, WAY_INSNS);
    while (way->length[insn] == 0)
        insn--;
    return insn;
}

/* Not the one behind an instruction: whether a branch there is taken would not show. */
static uint32_t other_block(struct way *way, uint32_t insn)
{
    uint32_t block = random_block(way);
    while (block == insn + 1)
        block = random_block(way);
    return block;
}

static void lay_out(struct way *way)
{
    for (uint32_t insn = 0; insn < WAY_INSNS;) {
        const uint32_t left = WAY_CHUNK_INSNS - insn % WAY_CHUNK_INSNS;
        uint32_t length = 1 + pick(way, 9);
        length = length < left ? length : left;
        lay_out_block(way, insn, length, length == left);
        insn += length;
    }
    for (uint32_t insn = 0; insn < WAY_INSNS; insn++) {
        way->code[insn] = way->insns[insn]->word;
        if (way->ends[insn] != WAY_PREDICTED)
            continue;
        /* On and on, so that no program goes round in circles. */
        do
            way->target[insn] = other_block(way, insn);
        while (way->insns[insn]->uses != WAY_FLAGS && way->target[insn] <= insn &&
               insn + 4 * WAY_CHUNK_INSNS < WAY_INSNS);
        way->code[insn] |=
            ((way_address(way->target[insn]) - way_address(insn) - 8) >> 2) & 0xffffff;
    }
}

/* ---- the way ---- */

static void put(struct way_words *records, uint64_t word)
{
    if (records->n == N(records->word))
        abort();
    records->word[records->n++] = word;
}

static void put_both(struct way *way, uint64_t word)
{
    put(&way->blocks, word);
    put(&way->single, word);
}

static struct way_step *new_step(struct way *way)
{
    if (way->n_steps == N(way->step))
        abort();
    way->step[way->n_steps] = (struct way_step){.system = 0};
    return &way->step[way->n_steps++];
}

static uint32_t random_address(struct way *way)
{
    const uint32_t page = 0x400 + pick(way, 4) * pick(way, 4) * 3;
    return page << 12 | (pick(way, 3) ? pick(way, 16) * 32 : pick(way, 1024) * 4) |
           pick(way, 8) * 4;
}

static void put_words(struct way *way, const struct way_step *step, unsigned index)
{
    const struct way_insn *insn = way->insns[step->insn];
    const enum armpmu_record_kind kind = step->device                      ? ARMPMU_RECORD_DEVICE
                                         : insn->list || insn->records > 1 ? ARMPMU_RECORD_BURST
                                                                           : ARMPMU_RECORD_ACCESS;
    for (int i = 0; i < (insn->unit == WAY_SWAP ? 2 : 1); i++) {
        put(&way->blocks, armpmu_record(kind, index) | step->address);
        put(&way->single, armpmu_record(kind, 0) | step->address);
    }
    if (kind == ARMPMU_RECORD_BURST)
        put_both(way, (uint64_t)insn->records * insn->bytes);
}

static void put_insn(struct way *way, struct way_step *step, unsigned index, bool last)
{
    const struct way_insn *insn = way->insns[step->insn];
    put(&way->single, armpmu_record(ARMPMU_RECORD_BLOCK, 0) | step->insn * 2 | 1);
    if (step->accesses)
        put_words(way, step, index);
    if (insn->may_fail && !last)
        put(&way->blocks, armpmu_record(ARMPMU_RECORD_PROGRESS, index + 1));
}

/* What an operating system does to caches and TLBs. */
static void disturb(struct way *way)
{
    const uint64_t address = random_address(way);
    const uint64_t mapped = pick(way, 3) ? address : way_address(random_block(way));
    const uint64_t records[] = {
        armpmu_record(ARMPMU_RECORD_TLB_FLUSH, 0),
        armpmu_record(ARMPMU_RECORD_TLB_FLUSH, 0) | ARMPMU_RECORD_ONE_PAGE |
            mapped >> 12 << ARMPMU_RECORD_PAGE_LSB,
        armpmu_record(ARMPMU_RECORD_MMU, 0) | (pick(way, 3) != 0),
        armpmu_system_record(ARMPMU_SYSTEM_CACHE,
                             ARMPMU_CACHE_DATA | ARMPMU_CACHE_CLEAN | ARMPMU_CACHE_ADDRESS) |
            address,
        armpmu_system_record(ARMPMU_SYSTEM_CACHE, ARMPMU_CACHE_DATA | ARMPMU_CACHE_CLEAN |
                                                      ARMPMU_CACHE_INVALIDATE |
                                                      ARMPMU_CACHE_ADDRESS) |
            address,
        armpmu_system_record(ARMPMU_SYSTEM_CACHE,
                             ARMPMU_CACHE_DATA | ARMPMU_CACHE_INVALIDATE | ARMPMU_CACHE_ADDRESS) |
            address,
        armpmu_system_record(ARMPMU_SYSTEM_CACHE, ARMPMU_CACHE_DATA | ARMPMU_CACHE_CLEAN),
        armpmu_system_record(ARMPMU_SYSTEM_CACHE, ARMPMU_CACHE_DATA | ARMPMU_CACHE_INVALIDATE),
        armpmu_system_record(ARMPMU_SYSTEM_CACHE, ARMPMU_CACHE_DATA | ARMPMU_CACHE_INSTRUCTION |
                                                      ARMPMU_CACHE_INVALIDATE),
        armpmu_system_record(ARMPMU_SYSTEM_CACHE, ARMPMU_CACHE_INSTRUCTION |
                                                      ARMPMU_CACHE_INVALIDATE |
                                                      ARMPMU_CACHE_ADDRESS) |
            way_address(random_block(way)),
        armpmu_system_record(ARMPMU_SYSTEM_CACHE, ARMPMU_CACHE_INSTRUCTION |
                                                      ARMPMU_CACHE_INVALIDATE |
                                                      ARMPMU_CACHE_ADDRESS) |
            address,
        armpmu_system_record(ARMPMU_SYSTEM_CACHE,
                             ARMPMU_CACHE_INSTRUCTION | ARMPMU_CACHE_INVALIDATE),
        armpmu_system_record(ARMPMU_SYSTEM_PREDICTOR, 0),
    };
    const uint64_t word = records[pick(way, N(records))];
    new_step(way)->system = word;
    put_both(way, word);
}

/* As an engine tells them that sees registers. */
static void preload(struct way *way)
{
    for (uint32_t n = 1 + pick(way, 6); n > 0; n--) {
        const uint64_t word = armpmu_system_record(ARMPMU_SYSTEM_PRELOAD, 0) | random_address(way);
        new_step(way)->system = word;
        put_both(way, word);
    }
}

/* Returns the block that follows. */
static uint32_t run_block(struct way *way, uint32_t block)
{
    const uint32_t length = way->length[block];
    struct way_step *step = NULL;
    put(&way->blocks, armpmu_record(ARMPMU_RECORD_BLOCK, 0) | block * 2);
    for (uint32_t i = 0; i < length; i++) {
        const uint32_t at = block + i;
        const struct way_insn *insn = way->insns[at];
        step = new_step(way);
        *step = (struct way_step){.insn = at, .address = random_address(way)};
        step->address += insn->records == 1 ? pick(way, 4) & -insn->bytes : 0;
        step->device = insn->records == 1 && pick(way, 40) == 0;
        step->accesses = insn->records != 0 && (!insn->may_fail || pick(way, 2));
        if (i + 1 < length)
            put_insn(way, step, i, false);
    }
    const uint32_t last = step->insn;
    const bool conditional = (way->code[last] >> 28) != 14;
    step->taken = way->ends[last] != WAY_GOES_ON && (!conditional || pick(way, 2));
    if (way->ends[last] == WAY_LOADED && !step->taken)
        step->accesses = false;
    const uint32_t next = !step->taken                       ? last + 1
                          : way->ends[last] == WAY_PREDICTED ? way->target[last]
                                                             : other_block(way, last);
    step->next = way_address(next);
    put_insn(way, step, length - 1, true);
    return next;
}

void way_init(struct way *way, uint64_t seed, unsigned n_blocks)
{
    memset(way, 0, sizeof *way);
    way->random = seed;
    lay_out(way);
    new_step(way)->system = armpmu_record(ARMPMU_RECORD_MMU, 0) | 1;
    put_both(way, armpmu_record(ARMPMU_RECORD_MMU, 0) | 1);
    uint32_t block = 0;
    for (unsigned i = 0; i < n_blocks; i++) {
        block = run_block(way, block);
        if (pick(way, 60) == 0 && i + 1 < n_blocks)
            disturb(way);
        if (pick(way, 8) == 0 && i + 1 < n_blocks)
            preload(way);
    }
    way->step[way->n_steps - 1].next = 0; /* where it went does not show */
}
