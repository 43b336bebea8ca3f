/* The whole Cortex-R4F model against the slow one, on random ways through random programs, on
 * random machines: every signal, to the last cycle. */
#include <string.h>

#include "../../test.h"
#include "../model.h"
#include "../../reference/pick.h"
#include "isa/insn.h"
#include "../../reference/cortex_r4f/core.h"
#include "random_machine.h"

enum { SEEDS = 300, STEPS = 700, BLOCKS = 40, BODY_MAX = 12, WORDS_MAX = 80 };

/* A32. */
static const uint32_t body_words[] = {
    0xe2800001, /* add r0, r0, #1 */
    0xe0832004, /* add r2, r3, r4 */
    0xe2955001, /* adds r5, r5, #1 */
    0xe0855716, /* add r5, r5, r6, lsl r7 */
    0xe1a03001, /* mov r3, r1 */
    0xe3a06003, /* mov r6, #3 */
    0x13a06003, /* movne r6, #3 */
    0xe0010092, /* mul r1, r2, r0 */
    0xe0244291, /* mla r4, r1, r2, r4 */
    0xe0c32594, /* smull r2, r3, r4, r5 */
    0xe1610382, /* smulbb r1, r2, r3 */
    0xe710f211, /* sdiv r0, r1, r2 */
    0xe733f511, /* udiv r3, r1, r5 */
    0x1730f211, /* udivne r0, r1, r2 */
    0xe320f000, /* nop */
    0xf57ff05f, /* dmb */
    0xf57ff04f, /* dsb */
    0xf57ff06f, /* isb */
    0xe10f0000, /* mrs r0, cpsr */
    0xee090f9c, /* mcr: software increment */
    0xee0d0f30, /* mcr: context ID */
    0xee070f3a, /* mcr: clean a line */
    0xee300a81, /* vadd.f32 s0, s1, s2 */
    0xee310b02, /* vadd.f64 d0, d1, d2 */
    0xee000a81, /* vmla.f32 s0, s1, s2 */
    0xee010b02, /* vmla.f64 d0, d1, d2 */
    0xee822a83, /* vdiv.f32 s4, s5, s6 */
    0xee843b05, /* vdiv.f64 d3, d4, d5 */
    0xeeb10ac0, /* vsqrt.f32 s0, s0 */
    0xeeb70bc1, /* vcvt.f32.f64 s0, d1 */
    0xeeb40b41, /* vcmp.f64 d0, d1 */
    0xee001a10, /* vmov s0, r1 */
    0xee101a10, /* vmov r1, s0 */
    0xeef1fa10, /* vmrs apsr_nzcv, fpscr */
    0xf5d1f000, /* pld [r1] */
    0xf5d1f040, /* pld [r1, #64] */
    0xf5d5f020, /* pld [r5, #32] */
    0xf7d1f002, /* pld [r1, r2] */
    0xe5910000, /* ldr r0, [r1] */
    0xe5910000, /* and again, for it is the most frequent */
    0xe5912004, /* ldr r2, [r1, #4] */
    0xe5d13000, /* ldrb r3, [r1] */
    0xe1d120b2, /* ldrh r2, [r1, #2] */
    0xe4954004, /* ldr r4, [r5], #4 */
    0xe5912804, /* ldr r2, [r1, #2052] */
    0xe1c120d0, /* ldrd r2, [r1] */
    0xe1c100f0, /* strd r0, [r1] */
    0xe5810000, /* str r0, [r1] */
    0xe5c10000, /* strb r0, [r1] */
    0xe5a40020, /* str r0, [r4, #32]! */
    0x15913000, /* ldrne r3, [r1] */
    0x15810000, /* strne r0, [r1] */
    0xe89100f0, /* ldm r1, {r4-r7} */
    0xe8950003, /* ldm r5, {r0, r1} */
    0xe88103f0, /* stm r1, {r4-r9} */
    0xe92d400f, /* push {r0-r3, lr} */
    0xed910b00, /* vldr d0, [r1] */
    0xed810a00, /* vstr s0, [r1] */
    0xec910b08, /* vldm r1, {d0-d3} */
    0xe1020091, /* swp r0, r1, [r2] */
    0xe1910f9f, /* ldrex r0, [r1] */
    0xe1820f91, /* strex r0, r1, [r2] */
};

static const struct end_word {
    uint32_t word;
    bool returns;
} end_words[] = {
    {0xe2800001, false},                      /* add r0, r0, #1: falls through */
    {0xe5910000, false},                      /* ldr r0, [r1] */
    {0xea000000, false},                      /* b, the offset is filled in */
    {0x0a000000, false},                      /* beq */
    {0x1a000000, false},                      /* bne */
    {0x1a000000, false}, {0xeb000000, false}, /* bl */
    {0x1b000000, false},                      /* blne */
    {0xe12fff1e, true},                       /* bx lr */
    {0x112fff1e, true},                       /* bxne lr */
    {0xe12fff13, true},                       /* bx r3 */
    {0xe12fff33, false},                      /* blx r3 */
    {0x112fff33, false},                      /* blxne r3 */
    {0xe1a0f00e, false},                      /* mov pc, lr */
    {0xe591f000, false},                      /* ldr pc, [r1] */
    {0xe8bd8010, true},                       /* pop {r4, pc} */
    {0xe49df004, true},                       /* ldr pc, [sp], #4 */
    {0xe1b0f00e, false},                      /* movs pc, lr */
    {0xf8bd0a00, false},                      /* rfeia sp */
    {0xef000000, false},                      /* svc */
};

struct program {
    uint64_t random;
    uint32_t words[BLOCKS][BODY_MAX + 1], n[BLOCKS], start[BLOCKS];
    bool returns[BLOCKS];
    struct block *decoded[BLOCKS];
    unsigned calls[8], n_calls; /* the blocks behind the latest calls */
};

static bool look_up(void *user, uint32_t id, struct armpmu_block_source *out)
{
    const struct program *program = user;
    if (id >= BLOCKS)
        return false;
    *out = (struct armpmu_block_source){.address = program->start[id],
                                        .bytes = (const uint8_t *)program->words[id],
                                        .n_bytes = 4 * program->n[id],
                                        .n_insns = program->n[id],
                                        .isa = ARMPMU_A32};
    return true;
}

/* ---- the program ---- */

/* Blocks lie one behind the other, so that each falls through to the next. */
static void lay_out(struct program *program)
{
    uint32_t at = VARY_CODE + 4 * pick(&program->random, 2048);
    for (unsigned id = 0; id < BLOCKS; id++) {
        const struct end_word *end =
            &end_words[pick(&program->random, sizeof end_words / sizeof end_words[0])];
        const unsigned body = pick(&program->random, BODY_MAX + 1);
        for (unsigned i = 0; i < body; i++)
            program->words[id][i] =
                body_words[pick(&program->random, sizeof body_words / sizeof body_words[0])];
        program->words[id][body] = end->word;
        program->returns[id] = end->returns;
        program->n[id] = body + 1;
        program->start[id] = at;
        at += 4 * (body + 1);
    }
    program->words[BLOCKS - 1][program->n[BLOCKS - 1] - 1] = 0xea000000; /* nothing is behind it */
    program->returns[BLOCKS - 1] = false;
}

static void aim_branches(struct program *program)
{
    for (unsigned id = 0; id < BLOCKS; id++) {
        const uint32_t last = program->n[id] - 1;
        const uint32_t near = id >= 3 ? id - pick(&program->random, 4) : id; /* loops */
        const uint32_t to = one_in(&program->random, 2) ? near : pick(&program->random, BLOCKS);
        if ((program->words[id][last] >> 25 & 7) == 5 && program->words[id][last] >> 28 != 15)
            program->words[id][last] |=
                (program->start[to] - program->start[id] - 4 * last - 8) >> 2 & 0xffffff;
    }
}

static void make_program(struct program *program, uint64_t seed)
{
    struct armpmu_error err = {""};
    struct decoder *decoder;
    *program = (struct program){.random = seed * UINT64_C(0x9e3779b97f4a7c15)};
    lay_out(program);
    aim_branches(program);
    assert_int_equal(decoder_new(&decoder, &err), ARMPMU_OK);
    for (unsigned id = 0; id < BLOCKS; id++) {
        struct armpmu_block_source source;
        look_up(program, id, &source);
        assert_int_equal(decode_block(decoder, &source, 0, &program->decoded[id]), ARMPMU_OK);
    }
    decoder_free(decoder);
}

static void free_program(struct program *program)
{
    for (unsigned id = 0; id < BLOCKS; id++)
        free(program->decoded[id]);
}

/* ---- a way through it, told to both ---- */

struct both {
    struct program *program;
    struct model model;
    struct slow_core slow;
    uint64_t words[WORDS_MAX];
    unsigned n_words;
    uint32_t place; /* accesses lie around here for a while */
    bool at_end;
    bool system; /* else a user program, whose system calls return */
};

static void tell(struct both *both, uint64_t word)
{
    assert_true(both->n_words < WORDS_MAX);
    both->words[both->n_words++] = word;
}

static uint32_t random_address(struct both *both)
{
    uint64_t *random = &both->program->random;
    if (one_in(random, 40))
        both->place = pick(random, VARY_BYTES);
    const uint32_t offset =
        one_in(random, 10) ? pick(random, VARY_BYTES) : both->place + pick(random, 256);
    return VARY_DATA + (one_in(random, 6) ? offset : offset & ~3u) % VARY_BYTES;
}

static void tell_access(struct both *both, struct slow_block *block, unsigned index)
{
    const struct insn_memory *memory = &block->code->insns[index].memory;
    const uint32_t address = random_address(both);
    block->accessed[index] = true;
    block->address[index] = address;
    block->device[index] = both->system && one_in(&both->program->random, 40);
    if (block->device[index]) {
        tell(both, DEVICE(index, address));
    } else if (memory->multiple) {
        tell(both, RUN(index, address));
        tell(both, memory->bytes);
    } else {
        tell(both, ACCESS(index, address));
    }
}

/* The first n instructions. */
static void tell_block(struct both *both, unsigned id, struct slow_block *block, unsigned n)
{
    uint64_t *random = &both->program->random;
    *block = (struct slow_block){
        .code = both->program->decoded[id], .n_executed = n, .returns = both->program->returns[id]};
    tell(both, BLOCK(id));
    for (unsigned i = 0; i < n; i++) {
        const struct insn *insn = &block->code->insns[i];
        const bool optional =
            insn->condition != 14 || (insn->memory.exclusive && insn->memory.store);
        if (insn->memory.bytes == 0)
            continue;
        if (!optional || one_in(random, 2))
            tell_access(both, block, i);
        if (optional && i + 1 < block->code->n_insns)
            tell(both, MARK(i + 1));
    }
}

static unsigned block_at(const struct program *program, uint32_t address)
{
    unsigned id = 0;
    while (id < BLOCKS && program->start[id] != address)
        id++;
    return id;
}

/* Where the block leads, and whether by its branch. */
static unsigned next_of(struct program *program, unsigned id, bool *taken)
{
    const struct insn *last = &program->decoded[id]->insns[program->n[id] - 1];
    *taken = last->branch != BRANCH_NONE && (last->condition == 14 || one_in(&program->random, 2));
    if (last->condition != 14 && last->branch == BRANCH_IMMEDIATE &&
        last->target == program->start[id] + 4 * program->n[id])
        *taken = false; /* it leads to what is behind it: nobody can tell */
    if (!*taken)
        return id + 1;
    if (last->links && program->n_calls < 8 && id + 1 < BLOCKS)
        program->calls[program->n_calls++] = id + 1;
    if (last->branch == BRANCH_IMMEDIATE)
        return block_at(program, (uint32_t)last->target);
    if (program->returns[id] && program->n_calls > 0 && !one_in(&program->random, 10))
        return program->calls[--program->n_calls];
    const unsigned to = pick(&program->random, BLOCKS);
    return last->condition != 14 && to == id + 1 ? 0 : to; /* else it would not have been taken */
}

static void run_told(struct both *both)
{
    model_run(&both->model, both->words, both->n_words);
    both->n_words = 0;
}

/* What instructions of the system do, behind the block. */
static void change_system(struct both *both)
{
    uint64_t *random = &both->program->random;
    const uint32_t address = one_in(random, 2)
                                 ? both->program->start[pick(random, BLOCKS)] + 4 * pick(random, 8)
                                 : random_address(both);
    unsigned bits = pick(random, 4);
    switch (pick(random, 5)) {
    case 0:
        slow_core_mask(&both->slow, bits);
        tell(both, armpmu_system_record(ARMPMU_SYSTEM_MASKS, bits));
        break;
    case 1:
        slow_core_preload(&both->slow, address);
        tell(both, armpmu_system_record(ARMPMU_SYSTEM_PRELOAD, 0) | address);
        break;
    case 2:
        if (bits != 0) /* of an address: the model forgets nothing */
            break;
        slow_core_forget_branches(&both->slow);
        tell(both, armpmu_system_record(ARMPMU_SYSTEM_PREDICTOR, 0));
        break;
    default:
        bits = pick(random, 16) | (one_in(random, 6) ? 0 : ARMPMU_CACHE_ADDRESS);
        slow_core_maintain(&both->slow, bits, address);
        tell(both, armpmu_system_record(ARMPMU_SYSTEM_CACHE, bits) | address);
        break;
    }
}

/* The block executes whole and an exception comes, or does not. Returns the next block. */
static unsigned run_whole(struct both *both, unsigned id, struct slow_block *block)
{
    struct program *program = both->program;
    bool taken;
    const unsigned next = next_of(program, id, &taken);
    const bool interrupted = both->system && one_in(&program->random, 12);
    if (both->at_end || program->words[id][program->n[id] - 1] == 0xef000000) {
        block->end = both->at_end ? SLOW_ENDED : both->system ? SLOW_FELL_THROUGH : SLOW_STOPPED;
        slow_core_block(&both->slow, block);
        if (!both->at_end && !both->system) {
            slow_core_exception(&both->slow);
            slow_core_return(&both->slow);
            tell(both, SYSCALL(4));
            tell(both, SYSRET);
        }
        return id + 1;
    }
    const bool branches = block->code->insns[program->n[id] - 1].branch != BRANCH_NONE;
    const bool hidden = interrupted && taken && one_in(&program->random, 3) &&
                        block->code->insns[program->n[id] - 1].condition == 14 &&
                        block->code->insns[program->n[id] - 1].branch != BRANCH_IMMEDIATE;
    block->end = hidden                     ? SLOW_HIDDEN
                 : taken                    ? SLOW_WENT
                 : interrupted && !branches ? SLOW_STOPPED
                                            : SLOW_FELL_THROUGH;
    block->next = program->start[next];
    slow_core_block(&both->slow, block);
    if (!interrupted)
        return next;
    slow_core_exception(&both->slow);
    tell(both, EXCEPTION_AT(hidden ? 0 : block->next));
    return pick(&program->random, BLOCKS);
}

static void inject_errors(struct both *both)
{
    uint64_t *random = &both->program->random;
    for (unsigned n = pick(random, 4); n > 0; n--) {
        struct armpmu_error err;
        const enum armpmu_injection kind = (enum armpmu_injection)pick(random, ARMPMU_INJECTIONS);
        const uint32_t address =
            one_in(random, 2) ? both->program->start[pick(random, BLOCKS)] : random_address(both);
        const bool found = slow_memory_inject(&both->slow.memory, kind, address);
        assert_int_equal(armpmu_sim_inject(both->model.sim, kind, address, &err),
                         found ? ARMPMU_OK : ARMPMU_BAD_INPUT);
    }
}

static unsigned run_block(struct both *both, unsigned id)
{
    struct program *program = both->program;
    struct slow_block block;
    if (both->system && !both->at_end && one_in(&program->random, 15)) {
        const unsigned n = one_in(&program->random, 2) ? 0 : pick(&program->random, program->n[id]);
        tell_block(both, id, &block, n);
        block.end = SLOW_STOPPED;
        slow_core_block(&both->slow, &block);
        slow_core_exception(&both->slow);
        tell(both, EXCEPTION(n));
        id = one_in(&program->random, 2) ? id : pick(&program->random, 2);
        run_told(both);
        inject_errors(both); /* while no block is open */
    } else {
        tell_block(both, id, &block, program->n[id]);
        id = run_whole(both, id, &block);
    }
    run_told(both);
    if (both->system && one_in(&program->random, 8))
        change_system(both);
    return id;
}

static void expect_same(struct both *both, uint64_t seed)
{
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
    armpmu_sim_signals(both->model.sim, signals);
    for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        if (!is_cycle_account(signal) && signals[signal] != both->slow.memory.count[signal])
            fail_msg("seed %d: %s is %llu, the slow core has %llu", (int)seed,
                     armpmu_signal_name((enum armpmu_signal)signal),
                     (unsigned long long)signals[signal],
                     (unsigned long long)both->slow.memory.count[signal]);
}

static void vary(struct armpmu_machine *machine, uint64_t *random)
{
    vary_memory(machine, random);
    vary_issue(machine, random);
    vary_prediction(machine, random);
    machine->branch_mispredict_cycles = pick(random, 12);
    machine->branch_register_cycles = pick(random, 4);
    machine->exception_entry_cycles = pick(random, 20);
    machine->exception_return_cycles = pick(random, 20);
}

static void compare(uint64_t seed, uint64_t *seen)
{
    struct program program;
    struct both *both = calloc(1, sizeof *both);
    assert_non_null(both);
    make_program(&program, seed);
    both->program = &program;
    both->model = model_new("cortex-r4f", look_up, &program);
    armpmu_sim_free(both->model.sim);
    struct armpmu_error err = {""};
    vary(both->model.machine, &program.random);
    assert_int_equal(armpmu_sim_new(both->model.machine, both->model.code, &both->model.sim, &err),
                     ARMPMU_OK);
    slow_core_init(&both->slow, both->model.machine);
    both->system = seed % 4 != 0;
    if (both->system)
        tell(both, MMU(0));
    unsigned id = 0;
    for (unsigned step = 1; step <= STEPS; step++) {
        both->at_end = step == STEPS;
        id = run_block(both, id);
    }
    run_told(both);
    armpmu_sim_finish(both->model.sim, ARMPMU_END_EXIT);
    slow_core_finish(&both->slow);
    expect_same(both, seed);
    for (int signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++)
        seen[signal] += both->slow.memory.count[signal];
    slow_core_free(&both->slow);
    model_free(&both->model);
    free_program(&program);
    free(both);
}

TEST(every_signal_is_that_of_the_slow_core)
{
    uint64_t seen[ARMPMU_SIGNAL_COUNT] = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        compare(seed, seen);
    const struct armpmu_core *core = armpmu_core_find("cortex-r4f");
    for (size_t i = 0; i < core->n_events; i++) {
        const struct armpmu_event *event = &core->events[i];
        if (event->fidelity != ARMPMU_INPUT && event->n_signals > 0 &&
            seen[event->signals[0]] < SEEDS / 10)
            fail_msg("0x%02x %s: only %d in all", event->first, event->name,
                     (int)seen[event->signals[0]]);
    }
}
