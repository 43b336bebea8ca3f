/* Blocks as QEMU translates them: their definitions in the ring, and their callbacks. */
#include "qemu/plugin/recorder_internal.h"

#include <string.h>
#include <unistd.h>

#include "armpmu/trace.h"
#include "base/arm.h"
#include "isa/system_insn.h"
#include "qemu/plugin/block_index.h"
#include "qemu/plugin/code_files.h"
#include "qemu/plugin/exec_follow.h"
#include "qemu/plugin/recorder_callbacks.h"
#include "qemu/plugin/scalable.h"
#include "qemu/plugin/tb_info.h"

#define HELPER_PAGE 0xffff0000

/* Goes on in a free segment. What was defined there is forgotten. */
static bool take_segment(void)
{
    const uint64_t own = (uint64_t)recorder.process << 32 | recorder.generation;
    for (uint32_t i = 0; i < RING_SEGMENTS; i++) {
        uint64_t owner = 0;
        struct ring_segment *segment = ring_segment(recorder.ring, i);
        if (atomic_load_explicit(&segment->owner, memory_order_relaxed) != 0 ||
            !atomic_compare_exchange_strong(&segment->owner, &owner, own))
            continue;
        for (uint32_t n = 0; n < RING_SEGMENT_BLOCKS; n++)
            atomic_store(&ring_block(recorder.ring, i * RING_SEGMENT_BLOCKS + n)->ready, 0);
        recorder.segment = i;
        recorder.segment_blocks = 0;
        recorder.segment_text = 0;
        atomic_fetch_add(&recorder.header->n_taken, 1);
        return true;
    }
    return false;
}

/* An id and room for its text; false when there is none. */
static bool take_room(uint64_t text_bytes, uint32_t *id, uint64_t *text_at)
{
    if (text_bytes > RING_SEGMENT_TEXT)
        return false;
    const bool fits = recorder.segment != SEGMENT_NONE &&
                      recorder.segment_blocks < RING_SEGMENT_BLOCKS &&
                      recorder.segment_text + text_bytes <= RING_SEGMENT_TEXT;
    if (!fits && !take_segment())
        return false;
    *id = recorder.segment * RING_SEGMENT_BLOCKS + recorder.segment_blocks++;
    *text_at = recorder.segment * RING_SEGMENT_TEXT + recorder.segment_text;
    recorder.segment_text += text_bytes;
    return true;
}

static uint16_t file_of(const struct qemu_plugin_tb *tb)
{
    if (!recorder.names_files || qemu_plugin_tb_n_insns(tb) == 0)
        return 0;
    const struct qemu_plugin_insn *const first = qemu_plugin_tb_get_insn(tb, 0);
    return code_files_of(recorder.ring, qemu_plugin_insn_vaddr(first),
                         qemu_plugin_insn_haddr(first));
}

static void put_block(const struct qemu_plugin_tb *tb, const struct block_key *key, uint32_t id,
                      uint64_t at)
{
    struct ring_block *const block = ring_block(recorder.ring, id);

    memcpy(ring_text(recorder.ring, at), key->bytes, key->n_bytes);
    block->address = key->address;
    block->text_at = at;
    block->n_bytes = key->n_bytes;
    block->n_insns = key->n_insns;
    block->isa = key->isa;
    block->file = file_of(tb);
    atomic_store_explicit(&block->ready, 1, memory_order_release);
}

/* Enters the block into the shared memory, or finds it there. False when there is no room. */
static bool define_block(const struct qemu_plugin_tb *tb, const struct tb_info *info, uint32_t *id)
{
    const struct block_key key = {info->address, info->bytes, info->n_bytes,
                                  (uint16_t)info->n_insns, (uint16_t)info->isa};
    uint64_t at;

    if (block_index_find(&recorder.blocks, recorder.ring, &key, id))
        return true;
    if (!take_room((info->n_bytes + UINT64_C(7)) & ~UINT64_C(7), id, &at))
        return false;
    put_block(tb, &key, *id, at);
    return block_index_add(&recorder.blocks, &key, *id);
}

/* QEMU ends a block at a page, even inside an IT block; the next one, in the first bytes of the new
 * page, carries no sign of it. A bit a page: a block that ends there was inside an IT block. */
#define PAGE_BITS 12
static uint8_t it_open_at[1u << (32 - PAGE_BITS - 3)];

static bool is_page_start(uint64_t address)
{
    return (address & ((1u << PAGE_BITS) - 1)) < 4;
}

/* ITSTATE at the start of a block: the conditions of what may belong to an IT block that began
 * before it are taken as possible. */
static uint8_t it_at_start(const struct tb_info *info)
{
    const uint32_t page = (uint32_t)info->address >> PAGE_BITS;
    const bool open = it_open_at[page / 8] >> page % 8 & 1;
    return open && info->isa == RING_ISA_T32 && is_page_start(info->address) ? 0x07 : 0;
}

static void note_it_at_end(uint64_t end, uint8_t it_state)
{
    const uint32_t page = (uint32_t)end >> PAGE_BITS;
    if (is_page_start(end) && it_is_inside(it_state))
        it_open_at[page / 8] |= (uint8_t)(1u << page % 8);
}

/* The recorder sees more of SVE by itself. */
static void find_scalable(const struct tb_info *info, unsigned at, struct access_facts *facts)
{
    struct insn insn;

    if (!scalable_may_be(tb_info_word(info->bytes + at)))
        return;
    tb_info_decode(info, at, 4, 0, &insn);
    facts->governed = insn.scalable.governor != NO_GOVERNOR && recorder_scalable_sees();
    if (recorder_scalable_is_unseen(&insn))
        facts->mem_class = MEM_CLASS_NONE;
}

/* Finds the accesses of the block's instructions. How many accesses before all others write one
 * record each whenever the block executes is returned. */
static unsigned find_accesses(const struct tb_info *info, struct access_facts *facts)
{
    uint8_t it_state = info->it_state;
    unsigned n_fixed = 0;
    bool fixed = true;

    for (unsigned i = 0, at = 0; i < info->n_insns; at += info->size[i++]) {
        facts[i] = (struct access_facts){.mem_class = MEM_CLASS_NONE};
        if (info->size[i] == 0)
            continue;
        facts[i] = tb_info_access(info, at, info->size[i], it_state);
        if (info->isa == RING_ISA_A64)
            find_scalable(info, at, &facts[i]);
        fixed = fixed && (facts[i].once || facts[i].mem_class == MEM_CLASS_NONE);
        n_fixed += fixed && facts[i].once;
        it_state = it_after(it_state, tb_info_halfword(info->bytes + at));
    }
    if (info->isa != RING_ISA_A64)
        note_it_at_end(info->address + info->n_bytes, it_state);
    return n_fixed;
}

static void watch_insn(struct qemu_plugin_insn *insn, enum mem_class mem_class, unsigned index,
                       qemu_mem_cb call)
{
    const enum armpmu_record_kind kind =
        mem_class == MEM_CLASS_SINGLE ? ARMPMU_RECORD_ACCESS : ARMPMU_RECORD_BURST;

    qemu_plugin_register_vcpu_mem_cb(insn, call, QEMU_CB_NO_REGS, QEMU_MEM_READ_WRITE,
                                     (void *)(uintptr_t)armpmu_record(kind, index));
}

/* Records more of an instruction of A64. */
static void watch64(struct qemu_plugin_tb *tb, const struct tb_info *info, unsigned first,
                    unsigned index)
{
    struct qemu_plugin_insn *const insn = qemu_plugin_tb_get_insn(tb, first + index);
    const uint32_t word = tb_info_word(info->bytes + 4 * index);
    struct insn facts;

    recorder_zeroed_line_watch(insn, index, word);
    if (!scalable_may_be(word))
        return;
    tb_info_decode(info, 4 * index, 4, 0, &facts);
    recorder_scalable_watch(
        insn, index + 1 < info->n_insns ? qemu_plugin_tb_get_insn(tb, first + index + 1) : NULL,
        &facts, index, word);
}

/* first: the number in QEMU's block of the first instruction of this one. */
static void watch_block(struct qemu_plugin_tb *tb, const struct tb_info *info, unsigned first,
                        uint32_t id)
{
    static struct access_facts facts[RING_INSNS_MAX]; /* under the lock */
    const struct recorder_callbacks *const calls =
        recorder.is_parallel ? &recorder_any_thread : &recorder_one_thread;
    unsigned n_fixed = find_accesses(info, facts), n_accesses = 0;

    if (recorder.is_parallel || n_fixed < 2)
        n_fixed = 0;
    else if (n_fixed > RECORDER_FIXED_MAX)
        n_fixed = RECORDER_FIXED_MAX;
    const qemu_vcpu_udata_cb call = n_fixed > 0 ? recorder_fixed_block : calls->block;
    void *const word = (void *)(uintptr_t)(armpmu_record(ARMPMU_RECORD_BLOCK, 0) | id);
    if (first == 0)
        qemu_plugin_register_vcpu_tb_exec_cb(tb, call, QEMU_CB_NO_REGS, word);
    else
        qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, first), call,
                                               QEMU_CB_NO_REGS, word);
    for (unsigned i = 0; i < info->n_insns; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, first + i);
        if (i > 0 && facts[i - 1].conditional && !facts[i].governed)
            qemu_plugin_register_vcpu_insn_exec_cb(
                insn, calls->mark, QEMU_CB_NO_REGS,
                (void *)(uintptr_t)armpmu_record(ARMPMU_RECORD_PROGRESS, i));
        if (facts[i].mem_class == MEM_CLASS_MULTIPLE)
            watch_insn(insn, MEM_CLASS_MULTIPLE, i, calls->element);
        else if (facts[i].mem_class == MEM_CLASS_SINGLE)
            watch_insn(insn, MEM_CLASS_SINGLE, i,
                       n_accesses++ < n_fixed ? recorder_fixed_access[n_accesses - 1]
                                              : calls->access);
        if (info->isa == RING_ISA_A64)
            watch64(tb, info, first, i);
    }
}

/* ---- instructions that end a block ------------------------------------------------------------
 */

/* Registers that User mode may not have. */
static bool may_be_refused(const struct tb_info *info, unsigned at, unsigned size)
{
    static const enum armpmu_isa isas[] = {
        [RING_ISA_A32] = ARMPMU_A32, [RING_ISA_T32] = ARMPMU_T32, [RING_ISA_A64] = ARMPMU_A64};
    struct sysreg_insn sysreg;
    const uint32_t first = tb_info_halfword(info->bytes + at);

    if (size != 4 || info->isa == RING_ISA_UNKNOWN)
        return false;
    const uint32_t second = tb_info_halfword(info->bytes + at + 2);
    const uint32_t word = info->isa == RING_ISA_T32 ? first << 16 | second : second << 16 | first;
    return sysreg_insn_decode(isas[info->isa], word, &sysreg) &&
           sysreg_insn_may_be_refused(&sysreg.at);
}

/* A gather or scatter, which has many records; what ends at a fault is looked at by what follows
 * it. */
static bool is_scattered(const struct tb_info *info, unsigned at)
{
    struct insn insn;

    if (info->isa != RING_ISA_A64 || !scalable_may_be(tb_info_word(info->bytes + at)))
        return false;
    tb_info_decode(info, at, 4, 0, &insn);
    return insn.memory.scattered && !insn.memory.first_fault;
}

/* The most records that an instruction writes. Of SVE: the predicate and what a first-fault load
 * did, and a BURST of two words for each second byte, or a record for each element of a gather. */
static unsigned most_words(const struct tb_info *info, unsigned at, bool *first_fault)
{
    struct insn insn;

    *first_fault = false;
    if (info->isa != RING_ISA_A64 || !scalable_may_be(tb_info_word(info->bytes + at)))
        return RING_INSN_RECORDS;
    tb_info_decode(info, at, 4, 0, &insn);
    *first_fault = insn.memory.first_fault;
    return RING_INSN_RECORDS + (insn.memory.bytes > 0 ? recorder.vector_bytes : 0);
}

/* Returns whether a block ends after an instruction because the records of more instructions might
 * not fit the slack of a chunk. The instruction after a first-fault load records what that load
 * did, so a block ends with such a load only where hundreds follow each other. words: of the block
 * so far; the instruction's are added. */
static bool is_full(const struct tb_info *info, unsigned at, unsigned *words)
{
    bool first_fault;
    const unsigned room =
        RING_SLACK_RECORDS - RING_BURST_RECORDS - RING_INSN_RECORDS - recorder.vector_bytes;

    *words += most_words(info, at, &first_fault);
    return *words > room || (*words > room - room / 8 && !first_fault);
}

/* Returns whether a block must end after an instruction: one that may be refused, because what
 * follows executes only if it was not; a preload or maintenance of a cache, because its effect
 * precedes what follows. */
static bool ends_block(const struct tb_info *info, unsigned at, unsigned size, uint8_t it_state)
{
    return may_be_refused(info, at, size) || recorder_is_preload(info, at, size, it_state) ||
           is_scattered(info, at) ||
           (info->isa == RING_ISA_A64 && recorder_is_maintenance(info->bytes + at));
}

/* The number of the first instruction from `from` on, but for the last, that ends a block;
 * n_insns if there is none. at: its place, it_state: before it; both are moved there. */
static unsigned find_end(const struct tb_info *info, unsigned from, unsigned *at, uint8_t *it_state)
{
    unsigned i = from, words = 0;

    while (i + 1 < info->n_insns && !ends_block(info, *at, info->size[i], *it_state) &&
           !is_full(info, *at, &words)) {
        *it_state = it_after(*it_state, tb_info_halfword(info->bytes + *at));
        *at += info->size[i++];
    }
    return i + 1 < info->n_insns ? i : info->n_insns;
}

/* Instructions of a block, as a block. */
static void cut_out(const struct tb_info *info, unsigned first, unsigned end, unsigned at,
                    struct tb_info *part)
{
    part->address = info->address + at;
    part->isa = info->isa;
    part->peeked = info->peeked;
    part->n_insns = end - first;
    part->n_bytes = 0;
    for (unsigned i = first; i < end; i++) {
        part->size[i - first] = info->size[i];
        part->n_bytes += info->size[i];
    }
    memcpy(part->bytes, info->bytes + at, part->n_bytes);
}

/* it_last: before its last instruction. */
static bool record_part(struct qemu_plugin_tb *tb, const struct tb_info *info, unsigned first,
                        uint8_t it_last)
{
    uint32_t id = 0;

    if (!define_block(tb, info, &id))
        return false;
    watch_block(tb, info, first, id);
    if (info->n_bytes > 0)
        recorder_maintenance_watch(tb, info, first);
    if (info->n_bytes > 0)
        recorder_preload_watch(qemu_plugin_tb_get_insn(tb, first + info->n_insns - 1), info,
                               it_last);
    return true;
}

static bool record_block(struct qemu_plugin_tb *tb, const struct tb_info *info)
{
    static struct tb_info part; /* under the lock */
    unsigned first = 0, begins = 0, at = 0;
    uint8_t it_state = info->it_state;

    part.it_state = it_state;
    for (;;) {
        const unsigned last = find_end(info, first, &at, &it_state);
        if (last == info->n_insns)
            break;
        const uint8_t it_last = it_state;
        it_state = it_after(it_state, tb_info_halfword(info->bytes + at));
        at += info->size[last];
        cut_out(info, first, last + 1, begins, &part);
        if (!record_part(tb, &part, first, it_last))
            return false;
        first = last + 1;
        begins = at;
        part.it_state = it_state;
    }
    if (first == 0)
        return record_part(tb, info, 0, it_state);
    cut_out(info, first, info->n_insns, begins, &part);
    return record_part(tb, &part, first, it_state);
}

static void note_place(const struct qemu_plugin_tb *tb)
{
    if (qemu_plugin_tb_n_insns(tb) == 0)
        return;
    const struct qemu_plugin_insn *const first = qemu_plugin_tb_get_insn(tb, 0);
    exec_follow_code(qemu_plugin_insn_vaddr(first), qemu_plugin_insn_haddr(first));
}

/* The first block shows whether QEMU can say what a block is, A32 or T32: if not, the program does
 * not start. */
static void check_isa(const struct qemu_plugin_tb *tb)
{
    static bool is_checked;

    if (is_checked || recorder.is_a64)
        return;
    is_checked = true;
    if (tb_info_shows_isa(tb))
        return;
    recorder_fail(TB_INFO_NO_ISA);
    _exit(1);
}

/* QEMU answers calls of the kernel's helper page itself. Its versions from 9 on show an instruction
 * there that they do not execute; before, one without bytes. */
static void forget_helper_page(struct tb_info *info)
{
    if (recorder.is_a64 || info->address < HELPER_PAGE)
        return;
    memset(info->size, 0, info->n_insns);
    info->n_bytes = 0;
    info->isa = RING_ISA_UNKNOWN;
}

void recorder_translate(struct qemu_plugin_tb *tb)
{
    static struct tb_info info; /* under the lock */

    pthread_mutex_lock(&recorder.lock);
    check_isa(tb);
    const bool fits = tb_info_read(tb, recorder.is_a64, &info);
    note_place(tb);
    if (fits)
        forget_helper_page(&info);
    info.it_state = it_at_start(&info);
    recorder_signals_watch(tb, info.address);
    recorder_allocations_watch(tb, info.address);
    if (fits && info.isa == RING_ISA_UNKNOWN && info.n_bytes > 0)
        recorder_fail(TB_INFO_NO_ISA);
    else if (fits && recorder.only_insns)
        recorder_counts_watch(tb, &info);
    else if (!fits || !record_block(tb, &info))
        recorder_fail("the program has more blocks of code than the recorder has room for");
    pthread_mutex_unlock(&recorder.lock);
}

/* No chunk that a thread writes has room any more: a thread that executes a block begins another
 * one. A thread in a system call may be about to write its record: it looks at the cursor only. */
void recorder_flush(void)
{
    pthread_mutex_lock(&recorder.lock);
    recorder.generation++;
    recorder.segment = SEGMENT_NONE;
    intern_clear(&recorder.blocks);
    for (uint32_t i = 0; i < RING_SLOTS; i++)
        recorder_slots[i].limit = NULL;
    if (recorder.process <= RING_PROCESSES_MAX)
        atomic_store_explicit(&ring_process(recorder.ring, recorder.process)->generation,
                              recorder.generation, memory_order_release);
    pthread_mutex_unlock(&recorder.lock);
}
