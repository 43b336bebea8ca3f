#include "core.h"

#include <string.h>

#include "isa/code.h"
#include "../../cores/model.h"
#include "core_internal.h"

/* ---- NEON ---- */

/* The next instruction waits for what was moved; begun: when it would go if nothing else held it,
 * at the earliest. */
static uint64_t wait_for_transfer(struct slow *slow, uint64_t begun)
{
    const uint64_t next = slow->transfer.issuing > begun ? slow->transfer.issuing : begun;
    const bool waits = slow->transfer.pending && slow->transfer.arrives > next;
    const uint64_t time = waits ? slow->transfer.arrives - next : 0;
    slow->transfer.pending = false;
    COUNT(NEON_TRANSFER_STALL, time);
    return time;
}

static uint64_t issued_at(const struct slow *slow)
{
    return slow->now - (slow->state.slot_open ? 0 : 1);
}

static void wait_for_room(struct slow *slow, const struct neon_insn *insn)
{
    const uint64_t issued = issued_at(slow), room = neon_room(&slow->neon, insn, issued);
    slow->now += room - issued;
    COUNT(NEON_QUEUE_STALL, room - issued);
}

static void hand_over(struct slow *slow, const struct neon_insn *insn)
{
    const struct neon_outcome out =
        neon_accept(&slow->neon, insn, issued_at(slow), slow->neon_data);
    slow->neon_data = 0;
    COUNT(NEON_BUSY, out.busy);
    slow_vector_stored(slow, slow->neon.last_start + slow->machine->neon_store_cycles);
    if (!insn->transfer)
        return;
    slow->transfer.pending = true;
    slow->transfer.arrives = slow->neon.last_start + slow->machine->neon_transfer_cycles;
    slow->transfer.issuing = out.entered + 1;
}

/* ---- instructions ---- */

/* begun: when the block would have begun without what its instructions waited for since. */
static void execute(struct slow *slow, const struct block *block, unsigned index,
                    const struct retired_access *access, uint64_t *begun)
{
    const struct insn *insn = &block->insns[index];
    const struct schedule_state before = slow->state;
    struct schedule_result result;
    struct neon_insn vector;
    const bool is_vector = neon_describe(slow->machine, insn, index, &vector);
    const bool transfers = is_vector && vector.transfer;
    schedule_run(slow->machine, block, index, index + 1, &before, &result);
    slow->state = result.after;
    slow->now += result.counts.cycles;
    COUNT(INST_RETIRED, 1);
    COUNT(INST_ISSUED, result.counts.issued);
    COUNT(OPERATION_ISSUED, result.counts.operations);
    COUNT(BRANCH_IMMEDIATE, insn->branch == BRANCH_IMMEDIATE);
    const uint64_t then = slow->now;
    if (!transfers || !slow->transfer.just_now)
        slow->now += wait_for_transfer(slow, *begun);
    if (is_vector)
        wait_for_room(slow, &vector);
    if (access != NULL)
        slow_access(slow, access, &insn->memory);
    if (is_vector)
        hand_over(slow, &vector);
    slow->transfer.just_now = transfers;
    *begun += slow->now - then;
}

static uint64_t address_of(const struct block *block, unsigned index)
{
    return block->address +
           (index < block->n_insns ? block->insns[index].offset : (uint64_t)block->n_bytes);
}

static const struct insn *branch_of(const struct block *block)
{
    const struct insn *last = &block->insns[block->n_insns - 1];
    return last->branch != BRANCH_NONE ? last : NULL;
}

/* Whether an instruction and a preload of the same block name addresses by the same register. */
static bool tells(const struct block *block, uint32_t preload, uint32_t insn)
{
    const uint64_t base = insn_plain_base(&block->insns[preload]);
    const struct insn_memory *memory = &block->insns[insn].memory;
    uint64_t written = 0;
    for (uint32_t i = insn; i < preload; i++)
        written |= block->insns[i].writes;
    for (uint32_t i = preload; i < insn; i++)
        written |= block->insns[i].writes;
    return base != 0 && memory->bytes != 0 && insn_plain_base(&block->insns[insn]) == base &&
           !memory->exclusive && block->insns[insn].condition == 14 && (written & base) == 0;
}

/* The first that tells the address of a preload does, if it is made. */
static void preload(struct slow *slow, const struct retired_block *walked, uint32_t i)
{
    const struct insn *insns = walked->block->insns;
    uint32_t beside = 0;
    while (beside < walked->block->n_insns && !tells(walked->block, i, beside))
        beside++;
    for (uint32_t n = 0; n < walked->n_accesses; n++) {
        const struct retired_access *access = &walked->accesses[n];
        if (access->index == beside && !access->device)
            slow_preload(slow, (uint32_t)access->address + (uint32_t)insns[i].sum.number -
                                   (uint32_t)insns[beside].sum.number);
    }
}

static void retire_block(void *core, const struct retired_block *walked)
{
    struct slow *slow = core;
    const struct block *block = walked->block;
    const uint64_t last = address_of(block, block->n_insns) - 1;
    slow->went_on = slow->goes_on;
    for (uint64_t line = block->address / LINE; line <= last / LINE; line++)
        slow_fetch(slow, line, false);
    uint64_t begun = slow->now;
    const struct retired_access *access = walked->accesses;
    const struct retired_access *const end = access + walked->n_accesses;
    for (uint32_t i = 0; i < walked->n_executed; i++) {
        const bool accesses = access < end && access->index == i;
        if (block->insns[i].klass == CLASS_PRELOAD)
            preload(slow, walked, i);
        execute(slow, block, i, accesses ? access++ : NULL, &begun);
    }
    if (walked->n_executed == block->n_insns && branch_of(block) != NULL)
        COUNT(BRANCH_PREDICTABLE, slow->machine->branch_prediction == YESNO_YES &&
                                      branch_of(block)->branch != BRANCH_EXCEPTION_RETURN);
}

/* ---- from block to block ---- */

/* Nothing goes beside the last instruction any more. */
static void close_cycle(struct slow *slow)
{
    slow->now += slow->state.slot_open;
    slow->state = schedule_wait(slow->machine, &slow->state, slow->state.slot_open);
}

static void begin_anew(struct slow *slow, uint64_t time)
{
    close_cycle(slow);
    slow->state = (struct schedule_state){0};
    slow->goes_on = false;
    slow->now += time;
    COUNT(ISSUE_EMPTY, time);
}

static void run_wrong_path(struct slow *slow, uint64_t address)
{
    const uint64_t bytes = slow->machine->l1i_fetch_bytes;
    const uint64_t n = slow->machine->branch_wrong_path_fetches;
    uint64_t line = UINT64_MAX;
    COUNT(L1I_ACCESS, n);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t at = i == 0 ? address : (address / bytes + i) * bytes;
        for (uint64_t byte = at; byte < at / bytes * bytes + bytes; byte++) {
            if (byte / LINE != line)
                slow_fetch(slow, byte / LINE, true);
            line = byte / LINE;
        }
    }
}

static void count_taken(struct slow *slow, const struct insn *branch)
{
    const bool returns = branch->branch == BRANCH_EXCEPTION_RETURN;
    COUNT(PC_WRITE, 1);
    COUNT(BRANCH_RETURN, branch->branch == BRANCH_RETURN);
    COUNT(EXCEPTION_RETURN, returns);
    COUNT(BRANCH_TAKEN, slow->machine->branch_prediction == YESNO_YES && !returns);
}

static void predict(struct slow *slow, const struct block *block, const struct insn *branch,
                    bool taken, uint64_t target)
{
    const struct flow flow = {
        .pc = address_of(block, block->n_insns - 1u),
        .fall_through = address_of(block, block->n_insns),
        .target = target,
        .conditional = insn_is_conditional(branch),
        .taken = taken,
        .is_return = branch->branch == BRANCH_RETURN,
        .links = branch->links,
    };
    uint64_t wrong_path = 0;
    unsigned result = branch_predictor_branch(&slow->predictor, &flow, &wrong_path);
    if (slow->machine->branch_perfect == YESNO_YES && slow->machine->branch_prediction == YESNO_YES)
        result = taken ? FLOW_PREDICTED_TAKEN : 0;
    COUNT(BRANCH_PREDICTED_TAKEN, (result & FLOW_PREDICTED_TAKEN) != 0);
    if (result & FLOW_FLUSH) {
        COUNT(BRANCH_FLUSH, 1);
        COUNT(DIRECTION_MISPREDICT, (result & FLOW_WRONG_DIRECTION) != 0);
        COUNT(RETURN_MISPREDICT, (result & FLOW_WRONG_RETURN) != 0);
        begin_anew(slow, slow->machine->branch_mispredict_cycles);
        run_wrong_path(slow, wrong_path);
    } else if (taken) {
        close_cycle(slow);
        slow->now += slow->machine->branch_taken_bubble_cycles;
        COUNT(ISSUE_EMPTY, slow->machine->branch_taken_bubble_cycles);
        slow->goes_on = false;
    }
}

/* Instruction fetches from the block's start up to an address, without the first if it was made for
 * the block before. */
static void count_fetches(struct slow *slow, const struct block *block, uint64_t end)
{
    const uint64_t bytes = slow->machine->l1i_fetch_bytes;
    uint64_t group = block->address / bytes;
    if (slow->went_on && block->address % bytes != 0)
        group++;
    for (; group * bytes < end; group++)
        COUNT(L1I_ACCESS, 1);
}

static void block_exit(void *core, const struct retired_block *walked, enum block_exit exit,
                       uint64_t next)
{
    struct slow *slow = core;
    const struct block *block = walked->block;
    const uint32_t n = walked->n_executed;
    const bool whole = n == block->n_insns;
    const struct insn *branch = whole ? branch_of(block) : NULL;
    slow->goes_on = true;
    if (exit == EXIT_SEQUENTIAL || whole) /* else the one that did not execute was fetched, too */
        count_fetches(slow, block, address_of(block, n));
    else
        count_fetches(slow, block, address_of(block, n) + block->insns[n].size);
    if (exit == EXIT_EXCEPTION || exit == EXIT_HIDDEN) {
        begin_anew(slow, 0);
        return;
    }
    if (branch == NULL || exit == EXIT_END)
        return;
    if (exit == EXIT_BRANCH)
        count_taken(slow, branch);
    if (branch->branch != BRANCH_EXCEPTION_RETURN)
        predict(slow, block, branch, exit == EXIT_BRANCH, next);
    else if (exit == EXIT_BRANCH)
        begin_anew(slow, slow->machine->exception_return_cycles);
}

/* That it was predicted so is presumed. */
static void late_branch(void *core, const struct retired_block *executed, bool taken)
{
    const struct block *block = executed->block;
    struct slow *slow = core;
    const struct insn *branch = branch_of(block);
    if (!taken)
        return;
    count_taken(slow, branch);
    COUNT(BRANCH_PREDICTED_TAKEN, slow->machine->branch_prediction == YESNO_YES &&
                                      branch->branch != BRANCH_EXCEPTION_RETURN);
}

static void exception(void *core)
{
    struct slow *slow = core;
    COUNT(EXCEPTION_TAKEN, 1);
    begin_anew(slow, slow->machine->exception_entry_cycles);
}

static void exception_return(void *core)
{
    struct slow *slow = core;
    COUNT(EXCEPTION_RETURN, 1);
    begin_anew(slow, slow->machine->exception_return_cycles);
}

/* ---- what a system changes ---- */

static enum armpmu_status map_page(void *core, uint64_t virtual_page, uint64_t physical_page)
{
    struct slow *slow = core;
    return page_map_place(&slow->pages, (uint32_t)virtual_page, (uint32_t)physical_page);
}

static void flush_tlbs(void *core)
{
    struct slow *slow = core;
    tlb_flush(&slow->code.tlb);
    tlb_flush(&slow->data.tlb);
}

static void flush_page(void *core, uint64_t virtual_page)
{
    struct slow *slow = core;
    tlb_flush_page(&slow->code.tlb, (uint32_t)virtual_page);
    tlb_flush_page(&slow->data.tlb, (uint32_t)virtual_page);
}

static void set_mmu(void *core, bool on)
{
    struct slow *slow = core;
    slow->untranslated = !on;
}

static void maintain(void *core, enum armpmu_system about, unsigned bits, uint64_t operand)
{
    struct slow *slow = core;
    if (about == ARMPMU_SYSTEM_PRELOAD)
        slow_preload(slow, (uint32_t)operand);
    else if (about == ARMPMU_SYSTEM_CACHE)
        slow_maintain(slow, bits, (uint32_t)operand);
    else if (about == ARMPMU_SYSTEM_PREDICTOR && (bits & ARMPMU_PREDICTOR_ADDRESS))
        branch_predictor_forget(&slow->predictor, (uint32_t)operand & ~1u);
    else if (about == ARMPMU_SYSTEM_PREDICTOR)
        branch_predictor_forget_all(&slow->predictor);
}

static uint64_t cycles(const void *core)
{
    const struct slow *slow = core;
    return slow->now;
}

static void *new_block(void *core, const struct block *block)
{
    (void)block;
    return core;
}

static void free_block(void *core, void *data)
{
    (void)core;
    (void)data;
}

static const struct core_ops model = {
    .isas = CODE_AARCH32,
    .n_signals = ARMPMU_SIGNAL_COUNT,
    .new_block = new_block,
    .free_block = free_block,
    .retire_block = retire_block,
    .block_exit = block_exit,
    .late_branch = late_branch,
    .exception = exception,
    .exception_return = exception_return,
    .map_page = map_page,
    .flush_tlbs = flush_tlbs,
    .flush_page = flush_page,
    .set_mmu = set_mmu,
    .system = maintain,
    .cycles = cycles,
    ONE_POSITION_A_BLOCK,
};

/* ---- the whole ---- */

static void init(struct slow *slow, const struct armpmu_machine *machine)
{
    struct armpmu_error err = {""};
    slow->machine = machine;
    slow_memory_init(slow);
    assert_int_equal(branch_predictor_init(&slow->predictor, machine, &err), ARMPMU_OK);
    neon_init(&slow->neon, machine);
    slow->state = (struct schedule_state){0};
}

static void release(struct slow *slow)
{
    slow_memory_free(slow);
    branch_predictor_free(&slow->predictor);
    free(slow);
}

/* Of the cycles in which NEON has work, those before the end in which the pipeline did not wait. */
static uint64_t both_busy(const struct slow *slow)
{
    const uint64_t *tally = slow->tally;
    const uint64_t later =
        slow->neon.busy_until > slow->now ? slow->neon.busy_until - slow->now : 0;
    const uint64_t busy = tally[ARMPMU_SIGNAL_NEON_BUSY] - later;
    const uint64_t waited =
        tally[ARMPMU_SIGNAL_NEON_QUEUE_STALL] + tally[ARMPMU_SIGNAL_NEON_TRANSFER_STALL];
    return busy > waited ? busy - waited : 0;
}

void slow_cortex_a8(const struct armpmu_machine *machine, armpmu_block_lookup lookup, void *user,
                    const uint64_t *records, size_t n_records, uint64_t *signals)
{
    struct armpmu_error err = {""};
    struct armpmu_code *code;
    struct trace_reader *reader;
    struct slow *slow = calloc(1, sizeof *slow);
    assert_non_null(slow);
    init(slow, machine);
    if (armpmu_code_new(lookup, user, &code, &err) != ARMPMU_OK ||
        trace_reader_new(&model, slow, code, &reader, &err) != ARMPMU_OK ||
        trace_reader_run(reader, records, n_records, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
    trace_reader_finish(reader, ARMPMU_END_EXIT);
    slow->tally[ARMPMU_SIGNAL_NEON_BUSY] = both_busy(slow);
    slow->tally[ARMPMU_SIGNAL_CPU_CYCLES] = slow->now;
    memcpy(signals, slow->tally, sizeof slow->tally);
    trace_reader_free(reader);
    armpmu_code_free(code);
    release(slow);
}
