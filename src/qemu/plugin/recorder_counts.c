/* Where only instructions, and branches of A64, are asked for: they are counted by additions
 * that QEMU compiles into the program's blocks, and nothing is recorded of what these do.
 *
 * An instruction that may fault, or that changes the code it is part of, counts where the next
 * one begins: QEMU comes there only when it has executed. So the additions of a block are one at
 * its start and one after each access. The last instruction of a block counts where it begins
 * itself; when a handler shows that it faulted, it is taken back. Each system call, and the end
 * of a thread, brings the sum into the thread's trace as an ARMPMU_SYSTEM_COUNTED record. A
 * thread of the plugin does the same 20 times a second, since a signal that QEMU does not handle
 * may end the program at any time.
 *
 * Leaves out: QEMU before version 9, which cannot count by thread without a call; the last
 * moment of a program that a signal from outside ends. A load of the PC whose fault ends the
 * program counts, and so does such an access at the end of a page. */
#include "qemu/plugin/recorder_internal.h"

#include "armpmu/trace.h"
#include "base/arm.h"
#include "qemu/plugin/qemu_api.h"
#include "qemu/plugin/recorder_callbacks.h"
#include "qemu/plugin/tb_info.h"

#define HASH_FACTOR 2654435761u /* of Fibonacci hashing */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what is put into traces */
/* Counts of each vCPU; how much of them is in the thread's trace. */
enum counted {
    INSNS = 0,
    HELPER_CALLS = ARMPMU_COUNTED_HELPERS,
    BRANCHES = ARMPMU_COUNTED_BRANCHES,
    COUNTED_KINDS
};
static struct qemu_api_counter counters[COUNTED_KINDS];
static uint64_t n_put[COUNTED_KINDS][RING_SLOTS];
/* By vCPU: its count with the latest instruction that ended a block and may have been refused. */
static uint64_t at_refusable[RING_SLOTS];
/* Addresses of instructions that access memory and are the last of their blocks; under the
 * recorder's lock. */
static struct intern last_accesses;

bool recorder_counts_start(void)
{
    if (!qemu_api_counts())
        return false;
    struct qemu_plugin_scoreboard *const board =
        qemu_api_qemu_plugin_scoreboard_new(COUNTED_KINDS * sizeof(uint64_t));
    for (enum counted kind = INSNS; kind < COUNTED_KINDS; kind++)
        counters[kind] = (struct qemu_api_counter){board, kind * sizeof(uint64_t)};
    return true;
}

/* ---- last accesses ---- */

static bool is_same(const void *things, uint32_t number, const void *key)
{
    (void)things;
    return number == *(const uint32_t *)key;
}

/* Code is at even addresses, of A64 at multiples of 4: an address of 34 bits is told from others.
 */
static uint32_t key_of(uint64_t address)
{
    return (uint32_t)(address >> (recorder.is_a64 ? 2 : 1));
}

static bool is_known(uint32_t key)
{
    return intern_find(&last_accesses, key * HASH_FACTOR, is_same, NULL, &key) != INTERN_NONE;
}

static void note_last_access(uint64_t address)
{
    const uint32_t key = key_of(address);

    if (!is_known(key) && !intern_add(&last_accesses, key * HASH_FACTOR, key))
        recorder_fail("no memory for the addresses of the program's code");
}

/* ---- blocks ---- */

static void add(struct qemu_plugin_insn *insn, enum counted kind, uint64_t n)
{
    enum { ADD_U64 };

    qemu_api_qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(insn, ADD_U64, counters[kind], n);
}

static void on_refusable(unsigned vcpu, void *user)
{
    (void)user;
    at_refusable[vcpu % RING_SLOTS] = qemu_api_qemu_plugin_u64_get(counters[INSNS], vcpu);
}

static bool never_retires(const struct insn *insn)
{
    return insn->effect == EFFECT_UNDEFINED || insn->effect == EFFECT_BREAKPOINT;
}

/* Returns whether an instruction may end its block before it has executed. */
static bool may_stop(const struct insn *insn)
{
    return insn->memory.bytes != 0 || insn->effect == EFFECT_SYSTEM || never_retires(insn);
}

/* As it is in its block, and ITSTATE after it. */
static uint8_t decode(const struct tb_info *info, unsigned i, unsigned at, uint8_t it_state,
                      struct insn *insn)
{
    tb_info_decode(info, at, info->size[i], it_state, insn);
    return it_after(it_state, tb_info_halfword(info->bytes + at));
}

void recorder_counts_watch(struct qemu_plugin_tb *tb, const struct tb_info *info)
{
    uint8_t it_state = info->it_state;
    unsigned begin = 0, n = 0; /* from here on this number counts */
    struct insn insn;

    if (info->n_bytes == 0) { /* of the helper page, or of A64 at a misaligned address */
        if (!recorder.is_a64)
            add(qemu_plugin_tb_get_insn(tb, 0), HELPER_CALLS, 1);
        return;
    }
    for (unsigned i = 0, at = 0; i < info->n_insns; at += info->size[i++]) {
        const bool is_last = i + 1 == info->n_insns;
        it_state = decode(info, i, at, it_state, &insn);
        if (may_stop(&insn) && !is_last) {
            if (n != 0)
                add(qemu_plugin_tb_get_insn(tb, begin), INSNS, n);
            begin = i + 1;
            n = 0;
        }
        n += !is_last || !never_retires(&insn);
    }
    if (n != 0)
        add(qemu_plugin_tb_get_insn(tb, begin), INSNS, n);
    if (recorder.counts_branches && insn.branch != BRANCH_NONE)
        add(qemu_plugin_tb_get_insn(tb, info->n_insns - 1), BRANCHES, 1);
    if (insn.memory.bytes != 0)
        note_last_access(info->address + info->n_bytes - info->size[info->n_insns - 1]);
    if (insn.effect == EFFECT_SYSTEM)
        qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, info->n_insns - 1),
                                               on_refusable, QEMU_CB_NO_REGS, NULL);
}

/* ---- faults ---- */

static void take_back(unsigned vcpu)
{
    const uint64_t n = qemu_api_qemu_plugin_u64_get(counters[INSNS], vcpu);

    if (n != 0)
        qemu_api_qemu_plugin_u64_set(counters[INSNS], vcpu, n - 1);
}

/* Nothing has executed since an instruction that may be refused. */
static bool was_refused(unsigned vcpu)
{
    return at_refusable[vcpu % RING_SLOTS] == qemu_api_qemu_plugin_u64_get(counters[INSNS], vcpu);
}

void recorder_counts_fault(unsigned vcpu, uint64_t address)
{
    pthread_mutex_lock(&recorder.lock);
    const bool faulted = address != 0 && is_known(key_of(address));
    pthread_mutex_unlock(&recorder.lock);
    if (faulted || was_refused(vcpu))
        take_back(vcpu);
}

/* ---- the trace ---- */

static void put(unsigned vcpu, enum counted kind, uint64_t held_back)
{
    uint64_t *const before = &n_put[kind][vcpu % RING_SLOTS];
    const uint64_t counted = qemu_api_qemu_plugin_u64_get(counters[kind], vcpu);

    if (counted <= *before + held_back)
        return;
    const uint64_t n = counted - held_back;
    recorder_put_after(vcpu, recorder_slot(vcpu),
                       armpmu_system_record(ARMPMU_SYSTEM_COUNTED, kind) |
                           ((n - *before) & ARMPMU_RECORD_ADDRESS));
    *before = n;
}

/* held_back: instructions that may yet be taken back, which a trace cannot do. */
static void put_all(unsigned vcpu, uint64_t held_back)
{
    put(vcpu, INSNS, held_back);
    put(vcpu, HELPER_CALLS, 0);
    put(vcpu, BRANCHES, 0);
}

void recorder_counts_put(unsigned vcpu, uint64_t word)
{
    pthread_mutex_lock(&lock);
    put_all(vcpu, 0);
    recorder_put_after(vcpu, recorder_slot(vcpu), word);
    pthread_mutex_unlock(&lock);
}

void recorder_counts_begin(unsigned vcpu)
{
    pthread_mutex_lock(&lock);
    recorder_open_trace(vcpu);
    pthread_mutex_unlock(&lock);
}

void recorder_counts_end(unsigned vcpu)
{
    pthread_mutex_lock(&lock);
    put_all(vcpu, 0);
    for (enum counted kind = INSNS; kind < COUNTED_KINDS; kind++) {
        qemu_api_qemu_plugin_u64_set(counters[kind], vcpu, 0);
        n_put[kind][vcpu % RING_SLOTS] = 0;
    }
    at_refusable[vcpu % RING_SLOTS] = 0;
    pthread_mutex_unlock(&lock);
}

/* In the child of a fork the parent's other threads have counts, but no trace. */
void recorder_counts_show(bool ends)
{
    const unsigned n_vcpus = (unsigned)qemu_api_qemu_plugin_num_vcpus();

    pthread_mutex_lock(&lock);
    for (unsigned vcpu = 0; vcpu < RING_SLOTS && vcpu < n_vcpus; vcpu++) {
        if (recorder_slot(vcpu)->cursor == NULL)
            continue;
        const bool is_refusable = was_refused(vcpu);
        if (ends && is_refusable) /* which ended the program */
            take_back(vcpu);
        put_all(vcpu, is_refusable && !ends);
    }
    pthread_mutex_unlock(&lock);
}

void recorder_counts_forked(void)
{
    pthread_mutex_init(&lock, NULL);
}
