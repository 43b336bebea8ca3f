/* The recorder: writes what a program executes into the memory shared with armpmu.
 *
 *   translate  a block gets an id and a definition (address, code), and callbacks
 *   flush      all blocks so far are gone: a new generation of ids begins
 *   execute    a BLOCK record when a block starts, an ACCESS or BURST record after each access, a
 *              PROGRESS record after a conditional access, SYSCALL and SYSRET around system calls
 *
 * Each thread of the program writes one trace. Where it writes next is in a table that is indexed
 * by QEMU's vCPU number and mapped from the shared memory to a fixed place (recorder_callbacks.h).
 * (A thread-local pointer in place of the table cost 9 % of the time of a program that hashes.)
 * When a program forks, the child's table is another part of the shared memory, and all its traces
 * are new.
 *
 * Where a program executes another one (exec_follow.h), the trace ends after its SYSCALL record,
 * and the recorder of the new QEMU begins as if a process had started.
 *
 * Leaves out: system emulation, big-endian programs, host programs that the program executes. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "armpmu/trace.h"
#include "base/arm.h"
#include "base/intern.h"
#include "qemu/plugin/abi.h"
#include "qemu/plugin/block_index.h"
#include "qemu/plugin/recorder_callbacks.h"
#include "qemu/plugin/code_files.h"
#include "qemu/plugin/exec_follow.h"
#include "qemu/plugin/tb_info.h"
#include "qemu/ring.h"
#include "qemu/plugin/ring_keeper.h"
#include "qemu/plugin/ring_view.h"
#include "qemu/plugin/plugin_mode.h"

/* How long a producer sleeps before it looks whether armpmu is still alive. */
#define ARMPMU_POLL_NS 500000000L
/* The stack of a thread that only waits; QEMU's thread-local variables are on it, too. */
#define WATCH_STACK_BYTES (256u << 10)

#define SEGMENT_NONE UINT32_MAX

static struct {
    void *ring;
    struct ring_header *header;
    pthread_mutex_t lock;    /* the fields below and the block index                   */
    struct intern blocks;    /* see block_index.h */
    uint32_t process;        /* number of this process                                 */
    uint32_t generation;     /* how often QEMU has thrown its translations away        */
    uint32_t segment;        /* where blocks are defined now, SEGMENT_NONE for nowhere */
    uint32_t segment_blocks; /* of it, how much is taken                               */
    uint64_t segment_text;
    int descriptor;                     /* of the ring while a thread is to take it, else -1 */
    _Atomic uint32_t kept;              /* futex: whether it has                                  */
    uint32_t replaces;                  /* number of the program that executed this one, or 0     */
    uint32_t next_process;              /* number of the child being forked                       */
    uint32_t n_threads;                 /* created in this process so far                         */
    uint32_t thread_number[RING_SLOTS]; /* by vCPU, 0: not known                         */
    bool names_files;                   /* says which file code is from                         */
    bool is_a64;                        /* all its code is A64                                    */
    bool is_parallel;                   /* has had a second thread, or a parent that had  */
    bool counts_children;               /* threads and processes that the program starts */
    bool is_child;                      /* of a process that is counted                          */
    bool only_thread_unnamed;           /* just forked: whichever vCPU runs next is thread 1      */
} recorder = {.lock = PTHREAD_MUTEX_INITIALIZER,
              .process = 1,
              .descriptor = -1,
              .segment = SEGMENT_NONE,
              .counts_children = true};

static void fail_recording(const char *message)
{
    struct ring_header *header = recorder.header;
    if (atomic_load(&header->plugin) == RING_PLUGIN_FAILED)
        return;
    snprintf(header->message, sizeof header->message, "%s", message);
    atomic_store_explicit(&header->plugin, RING_PLUGIN_FAILED, memory_order_release);
    atomic_store(&header->detached, RING_RUNS_ON);
}

/* ---- the end of armpmu -------------------------------------------------------------------------
 */

static bool owner_has_died(void)
{
    return (atomic_load(&recorder.header->owner) & FUTEX_OWNER_DIED) != 0;
}

/* The guest does not outlive armpmu, unless armpmu has let it go or --keep-running was said. No
 * handler of the guest's may run. */
static void end_with_armpmu(void)
{
    const uint32_t detached = atomic_load(&recorder.header->detached);

    if (detached == RING_RUNS_ON || recorder.header->keeps_running)
        return;
    ring_wake(&recorder.header->owner); /* the kernel has woken only one of the guest's processes */
    kill(getpid(), SIGKILL);
}

/* Where the magic number is not, something else was mapped. */
static bool consumer_is_gone(void)
{
    const struct ring_header *const header = recorder.header;

    if (header->magic != RING_MAGIC ||
        atomic_load_explicit(&header->detached, memory_order_relaxed) != RING_ATTACHED)
        return true;
    if (header->owner != 0)
        return owner_has_died();
    return kill(header->consumer, 0) != 0 && errno == ESRCH;
}

/* Sleeps until the futex of armpmu changes, where there is one. The header may move. */
static void wait_for_armpmu(void)
{
    struct ring_header *const header = recorder.header;
    uint32_t owner = atomic_load(&header->owner);

    if (owner == 0)
        ring_wait(&header->closed, 1, ARMPMU_POLL_NS);
    else if ((owner & FUTEX_WAITERS) == 0)
        atomic_compare_exchange_strong(&header->owner, &owner, owner | FUTEX_WAITERS);
    else
        ring_wait(&header->owner, owner, ARMPMU_POLL_NS);
}

static void tell_kept(void)
{
    atomic_store(&recorder.kept, 1);
    ring_wake(&recorder.kept);
}

/* A thread of its own: the guest may sleep in a system call for ever. It also has the ring's
 * descriptor. */
static void *watch_armpmu(void *unused)
{
    (void)unused;
    if (recorder.descriptor >= 0)
        ring_keeper_hold(recorder.descriptor);
    tell_kept();
    while (!consumer_is_gone())
        wait_for_armpmu();
    ring_keeper_forget();
    end_with_armpmu();
    return NULL;
}

/* Closes the ring's descriptor here once the other thread has it. */
static void hand_over_descriptor(bool taken)
{
    while (taken && atomic_load(&recorder.kept) == 0)
        ring_wait(&recorder.kept, 0, ARMPMU_POLL_NS);
    if (recorder.descriptor >= 0)
        close(recorder.descriptor);
    recorder.descriptor = -1;
}

/* Where the system refuses the thread, the guest ends when it has filled its ring. */
static void start_watch(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;

    atomic_store(&recorder.kept, 0);
    sigfillset(&all); /* signals are the guest's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, WATCH_STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    const bool started = pthread_create(&thread, &attributes, watch_armpmu, NULL) == 0;
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    hand_over_descriptor(started);
}

/* ---- traces ----------------------------------------------------------------------------------
 */

static void begin_chunk(struct ring_slot *slot, uint64_t *start)
{
    slot->generation = recorder.generation;
    slot->limit = start + RING_CHUNK_WORDS - RING_SLACK_WORDS;
    slot->burst_end = NULL;
    slot->cursor = start;
}

/* From now on the thread overwrites one chunk of its own that nobody reads. */
static void discard(struct ring_slot *slot)
{
    if (owner_has_died())
        end_with_armpmu();
    if (!slot->discards) {
        /* Room for a thread whose vCPU number lies outside the table and shares the slot. */
        slot->base = malloc(2 * RING_CHUNK_WORDS * sizeof(uint64_t));
        if (slot->base == NULL)
            abort(); /* QEMU itself aborts when it is out of memory */
        slot->stream = 0;
        slot->discards = 1;
    }
    begin_chunk(slot, slot->base);
}

static uint32_t thread_number(unsigned vcpu)
{
    if (recorder.only_thread_unnamed) {
        recorder.only_thread_unnamed = false;
        return 1;
    }
    uint32_t number = recorder.thread_number[vcpu % RING_SLOTS];
    return number != 0 ? number : 1; /* the first vCPU may exist before the plugin is loaded */
}

/* Without its children a program is what its first thread executes. */
static bool is_counted(unsigned vcpu)
{
    return recorder.counts_children || (!recorder.is_child && vcpu == 0);
}

static void open_stream(unsigned vcpu, struct ring_slot *slot)
{
    struct ring_header *header = recorder.header;
    if (consumer_is_gone() || !is_counted(vcpu)) {
        discard(slot);
        return;
    }
    uint32_t number = atomic_fetch_add(&header->n_streams, 1);
    if (number >= RING_STREAMS_MAX) {
        if ((number & RING_STREAMS_CLOSED) == 0)
            fail_recording("the program started more than 65536 threads and processes");
        discard(slot);
        return;
    }
    struct ring_stream *stream = ring_stream(recorder.ring, number);
    pthread_mutex_lock(&recorder.lock);
    stream->process = recorder.process;
    stream->thread = thread_number(vcpu);
    pthread_mutex_unlock(&recorder.lock);
    stream->slot = vcpu % RING_SLOTS;
    stream->pid = getpid();
    slot->base = ring_chunk(recorder.ring, number, 0);
    begin_chunk(slot, slot->base);
    slot->stream = number + 1;
    stream->opened_in = slot->generation;
    atomic_store_explicit(&stream->state, RING_STREAM_OPEN, memory_order_release);
    ring_announce(header);
}

/* Makes the current chunk the consumer's. */
static uint32_t hand_over_chunk(struct ring_slot *slot, struct ring_stream *stream)
{
    uint32_t produced = atomic_load_explicit(&stream->produced, memory_order_relaxed);
    const uint64_t *start = ring_chunk(recorder.ring, slot->stream - 1, produced);
    stream->records[produced % RING_CHUNKS] = (uint32_t)(slot->cursor - start);
    stream->generation[produced % RING_CHUNKS] = slot->generation;
    atomic_store(&stream->produced, ++produced);
    return produced;
}

/* Hands the chunk over, which is full or of a generation that has ended, and waits for a free one.
 */
static void next_chunk(struct ring_slot *slot)
{
    uint32_t number = slot->stream - 1;
    struct ring_stream *stream = ring_stream(recorder.ring, number);
    uint32_t produced = hand_over_chunk(slot, stream);
    uint32_t consumed = atomic_load(&stream->consumed);
    if (produced - consumed >= RING_WAKE_CHUNKS)
        ring_doorbell(stream);
    while (produced - consumed == RING_CHUNKS) {
        if (consumer_is_gone()) {
            discard(slot);
            return;
        }
        atomic_store(&stream->producer_sleeps, 1);
        if (atomic_load(&stream->consumed) == consumed)
            ring_wait(&stream->consumed, consumed, ARMPMU_POLL_NS);
        atomic_store(&stream->producer_sleeps, 0);
        consumed = atomic_load(&stream->consumed);
    }
    begin_chunk(slot, ring_chunk(recorder.ring, number, produced));
}

void recorder_make_room_and_put(unsigned vcpu, uint64_t word)
{
    struct ring_slot *slot = recorder_slot(vcpu);
    if (slot->cursor == NULL)
        open_stream(vcpu, slot);
    else if (slot->discards ||
             atomic_load_explicit(&recorder.header->detached, memory_order_relaxed))
        discard(slot);
    else
        next_chunk(slot);
    slot->block = slot->cursor;
    recorder_put(slot, slot->cursor, word);
}

/* ---- system calls, threads, processes ----------------------------------------------------------
 */

/* A forked child comes back from a system call that its own trace knows nothing of: it has none
 * yet. */
static void put_if_open(unsigned vcpu, uint64_t word)
{
    struct ring_slot *slot = recorder_slot(vcpu);
    if (slot->cursor != NULL)
        recorder_put(slot, slot->cursor, word);
}

/* This thread goes on in another view of the ring, `by` bytes further. */
static void move_slot(struct ring_slot *slot, ptrdiff_t by)
{
    if (slot->cursor == NULL || slot->discards)
        return;
    slot->base = (uint64_t *)((char *)slot->base + by);
    if (slot->limit != NULL)
        slot->limit = (uint64_t *)((char *)slot->limit + by);
    slot->cursor = (uint64_t *)((char *)slot->cursor + by);
}

/* Threads that run at this moment cannot be moved: each stops recording at its next block. */
static bool stop_others(const struct ring_slot *own)
{
    bool any = false;

    for (struct ring_slot *slot = recorder_slots; slot < recorder_slots + RING_SLOTS; slot++) {
        if (slot == own || slot->cursor == NULL || slot->discards)
            continue;
        __atomic_store_n(&slot->limit, NULL, __ATOMIC_RELAXED);
        any = true;
    }
    return any;
}

/* The system call is about to change what is mapped where the ring lies. */
static void make_way(struct ring_slot *own, const struct ring_view_span *span)
{
    pthread_mutex_lock(&recorder.lock);
    char *const old = recorder.ring, *const view = ring_view_outside(old, span);
    if (view == NULL) {
        fail_recording("the program mapped memory over armpmu's recording, which has no other "
                       "place");
        abort();
    }
    recorder.ring = view;
    recorder.header = recorder.ring;
    move_slot(own, view - old);
    if (stop_others(own))
        fail_recording("the program mapped memory over armpmu's recording while it had several "
                       "threads");
    pthread_mutex_unlock(&recorder.lock);
}

/* The new QEMU counts on where this one would. */
static void execute(const uint64_t *arguments)
{
    const bool counts = recorder.counts_children || !recorder.is_child;
    const int ring = counts && !consumer_is_gone() ? ring_keeper_open() : -1;

    exec_follow(arguments, ring, recorder.process);
    if (ring >= 0)
        close(ring);
}

static void syscall_starts(unsigned vcpu, int64_t number, const uint64_t *arguments)
{
    struct ring_view_span span;

    put_if_open(vcpu, armpmu_record(ARMPMU_RECORD_SYSCALL, 0) | (uint32_t)number);
    if (recorder.names_files)
        code_files_syscall(number, recorder.is_a64);
    if (recorder.is_a64 && ring_view_is_hit(recorder.ring, number, arguments, &span))
        make_way(recorder_slot(vcpu), &span);
    if (exec_follow_is_exec(number, recorder.is_a64))
        execute(arguments);
}

static void syscall_returns(unsigned vcpu)
{
    put_if_open(vcpu, armpmu_record(ARMPMU_RECORD_SYSRET, 0));
}

/* Runs before the thread's first block, in old versions of QEMU in the creating thread. */
static void thread_created(unsigned vcpu)
{
    if (vcpu >= RING_SLOTS) {
        fail_recording("the program has more than 2048 threads at a time");
        return;
    }
    pthread_mutex_lock(&recorder.lock);
    recorder.thread_number[vcpu] = ++recorder.n_threads;
    recorder.is_parallel |= vcpu != 0;
    pthread_mutex_unlock(&recorder.lock);
}

/* Runs in the thread that ends. Hands over what is left and frees the slot for the next thread. */
static void thread_ended(unsigned vcpu)
{
    struct ring_slot *slot = recorder_slot(vcpu);
    if (slot->discards) {
        free(slot->base);
    } else if (slot->stream != 0) {
        struct ring_stream *stream = ring_stream(recorder.ring, slot->stream - 1);
        hand_over_chunk(slot, stream);
        slot->stream = 0;
        atomic_store(&stream->state, RING_STREAM_CLOSED);
        ring_doorbell(stream);
    }
    *slot = (struct ring_slot){0};
}

/* Puts the slots of a process (numbered from 1) where this file has them. */
static bool map_slots(uint32_t process)
{
    return process <= RING_PROCESSES_MAX && ring_view_put(recorder.ring, ring_slots_at(process),
                                                          sizeof recorder_slots, recorder_slots);
}

static void before_fork(void)
{
    pthread_mutex_lock(&recorder.lock);
    recorder.descriptor = ring_keeper_open();
    recorder.next_process = atomic_fetch_add(&recorder.header->n_processes, 1) + 1;
    if (recorder.next_process > RING_PROCESSES_MAX)
        return;
    struct ring_process *child = ring_process(recorder.ring, recorder.next_process);
    child->parent_generation = recorder.generation;
    child->parent = recorder.process;
    memcpy(child->name, ring_process(recorder.ring, recorder.process)->name, sizeof child->name);
}

static void after_fork_in_parent(void)
{
    hand_over_descriptor(false);
    pthread_mutex_unlock(&recorder.lock);
}

static void after_fork_in_child(void)
{
    recorder.process = recorder.next_process;
    recorder.is_child = true;
    recorder.generation = 0;
    recorder.segment = SEGMENT_NONE;
    recorder.n_threads = 1;
    recorder.only_thread_unnamed = true;
    if (!map_slots(recorder.process)) {
        /* The parent's slots must go in any case. */
        if (mmap(recorder_slots, sizeof recorder_slots, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0) != recorder_slots)
            abort();
        fail_recording("the program started more than 65536 processes");
    } else {
        atomic_store_explicit(&ring_process(recorder.ring, recorder.process)->pid, getpid(),
                              memory_order_release);
    }
    ring_keeper_forget();
    pthread_mutex_unlock(&recorder.lock);
    start_watch();
}

/* ---- translation ------------------------------------------------------------------------------
 */

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

/* Enters the block into the shared memory, or finds it there. False when there is no room. */
static bool define_block(const struct qemu_plugin_tb *tb, const struct tb_info *info, uint32_t *id)
{
    char *text = info->isa == RING_ISA_UNKNOWN && info->n_bytes > 0
                     ? qemu_plugin_insn_disas(qemu_plugin_tb_get_insn(tb, 0))
                     : NULL;
    const struct block_key key = {info->address, info->bytes, info->n_bytes,
                                  (uint16_t)info->n_insns, text != NULL ? text : ""};
    bool found = block_index_find(&recorder.blocks, recorder.ring, &key, id);
    bool room = true;
    if (!found) {
        size_t text_bytes = strlen(key.text);
        uint64_t need = (info->n_bytes + text_bytes + 7) & ~UINT64_C(7);
        uint64_t at;
        room = text_bytes <= UINT16_MAX && take_room(need, id, &at);
        if (room) {
            memcpy(ring_text(recorder.ring, at), info->bytes, info->n_bytes);
            memcpy(ring_text(recorder.ring, at + info->n_bytes), key.text, text_bytes);
            struct ring_block *block = ring_block(recorder.ring, *id);
            block->address = info->address;
            block->text_at = at;
            block->n_bytes = info->n_bytes;
            block->n_insns = (uint16_t)info->n_insns;
            block->text_bytes = (uint16_t)text_bytes;
            block->isa = (uint16_t)info->isa;
            block->file = file_of(tb);
            atomic_store_explicit(&block->ready, 1, memory_order_release);
            room = block_index_add(&recorder.blocks, &key, *id);
        }
    }
    free(text);
    return room;
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
    const bool may_be_t32 = info->isa == RING_ISA_T32 || info->isa == RING_ISA_UNKNOWN;
    return open && may_be_t32 && is_page_start(info->address) ? 0x07 : 0;
}

static void note_it_at_end(uint64_t end, uint8_t it_state)
{
    const uint32_t page = (uint32_t)end >> PAGE_BITS;
    if (is_page_start(end) && it_is_inside(it_state))
        it_open_at[page / 8] |= (uint8_t)(1u << page % 8);
}

/* What the block's instructions do with memory. How many accesses before all others write one
 * record each whenever the block executes is returned. */
static unsigned find_accesses(const struct tb_info *info, struct access_facts *facts)
{
    uint8_t it_state = it_at_start(info);
    unsigned n_fixed = 0;
    bool fixed = true;

    for (unsigned i = 0, at = 0; i < info->n_insns; at += info->size[i++]) {
        facts[i] = (struct access_facts){.mem_class = MEM_CLASS_NONE};
        if (info->size[i] == 0)
            continue;
        facts[i] = tb_info_access(info, at, info->size[i], it_state);
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

static void watch_block(struct qemu_plugin_tb *tb, const struct tb_info *info, uint32_t id)
{
    static struct access_facts facts[RING_INSNS_MAX]; /* under the lock */
    const struct recorder_callbacks *const calls =
        recorder.is_parallel ? &recorder_any_thread : &recorder_one_thread;
    unsigned n_fixed = find_accesses(info, facts), n_accesses = 0;

    if (recorder.is_parallel || n_fixed < 2)
        n_fixed = 0;
    else if (n_fixed > RECORDER_FIXED_MAX)
        n_fixed = RECORDER_FIXED_MAX;
    qemu_plugin_register_vcpu_tb_exec_cb(
        tb, n_fixed > 0 ? recorder_fixed_block : calls->block, QEMU_CB_NO_REGS,
        (void *)(uintptr_t)(armpmu_record(ARMPMU_RECORD_BLOCK, 0) | id));
    for (unsigned i = 0; i < info->n_insns; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        if (i > 0 && facts[i - 1].conditional)
            qemu_plugin_register_vcpu_insn_exec_cb(
                insn, calls->mark, QEMU_CB_NO_REGS,
                (void *)(uintptr_t)armpmu_record(ARMPMU_RECORD_PROGRESS, i));
        if (facts[i].mem_class == MEM_CLASS_MULTIPLE)
            watch_insn(insn, MEM_CLASS_MULTIPLE, i, calls->element);
        else if (facts[i].mem_class == MEM_CLASS_SINGLE)
            watch_insn(insn, MEM_CLASS_SINGLE, i,
                       n_accesses++ < n_fixed ? recorder_fixed_access[n_accesses - 1]
                                              : calls->access);
    }
}

static void note_place(const struct qemu_plugin_tb *tb)
{
    if (qemu_plugin_tb_n_insns(tb) == 0)
        return;
    const struct qemu_plugin_insn *const first = qemu_plugin_tb_get_insn(tb, 0);
    exec_follow_code(qemu_plugin_insn_vaddr(first), qemu_plugin_insn_haddr(first));
}

static void translate(struct qemu_plugin_tb *tb)
{
    static struct tb_info info; /* under the lock */
    uint32_t id = 0;
    pthread_mutex_lock(&recorder.lock);
    const bool fits = tb_info_read(tb, &info);
    note_place(tb);
    if (recorder.is_a64)
        info.isa = RING_ISA_A64;
    if (fits && define_block(tb, &info, &id))
        watch_block(tb, &info, id);
    else
        fail_recording("the program has more blocks of code than the recorder has room for");
    pthread_mutex_unlock(&recorder.lock);
}

/* No chunk that a thread writes has room any more: a thread that executes a block begins another
 * one. A thread in a system call may be about to write its record: it looks at the cursor only. */
static void flush(void)
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

/* ---- start ------------------------------------------------------------------------------------
 */

/* The value of an argument "name=value", NULL when it is not there. name with its '='. */
static const char *argument(int argc, char **argv, const char *name)
{
    const char *value = NULL;
    for (int i = 0; i < argc; i++)
        if (strncmp(argv[i], name, strlen(name)) == 0)
            value = argv[i] + strlen(name);
    return value;
}

static const char *attach(const char *descriptor)
{
    const char *const problem = ring_view_open(descriptor, &recorder.ring, &recorder.descriptor);
    if (problem != NULL)
        return problem;
    recorder.header = recorder.ring;
    if (recorder.header->magic != RING_MAGIC || recorder.header->bytes != RING_BYTES)
        return "armpmu-qemu.so and armpmu are from different versions: install both again";
    if (recorder.replaces != 0)
        recorder.process = atomic_fetch_add(&recorder.header->n_processes, 1) + 1;
    if (!map_slots(recorder.process))
        return "armpmu-qemu.so cannot map the memory shared with armpmu a second time: the address "
               "space is limited (ulimit -v)";
    return NULL;
}

/* A QEMU that was named for programs of the other kind. */
static const char *wrong_target(bool wants_a64)
{
    return wants_a64 ? "this QEMU does not run AArch64 programs: name a qemu-aarch64 with --qemu "
                       "or ARMPMU_QEMU"
                     : "this QEMU does not run 32-bit little-endian Arm programs: name a qemu-arm "
                       "with --qemu or ARMPMU_QEMU";
}

static const char *start(const struct qemu_info *info, int argc, char **argv)
{
    const char *const replaces = argument(argc, argv, "replaces=");
    recorder.replaces = replaces != NULL ? (uint32_t)strtoul(replaces, NULL, 10) : 0;
    recorder.counts_children = argument(argc, argv, "children=") == NULL;
    const char *problem = attach(argument(argc, argv, "ring="));
    const char *target = argument(argc, argv, "target=");

    if (target == NULL)
        target = "arm";
    recorder.is_a64 = strcmp(target, "aarch64") == 0;
    recorder.names_files = argument(argc, argv, "files=") != NULL;
    exec_follow_start(recorder.is_a64);
    if (problem == NULL && strcmp(info->target_name, target) != 0)
        problem = wrong_target(recorder.is_a64);
    return problem;
}

static void refuse(const char *problem)
{
    if (recorder.header != NULL)
        fail_recording(problem);
    else
        fprintf(stderr, "%s\n", problem);
}

static void enter_process(void)
{
    struct ring_process *const process = ring_process(recorder.ring, recorder.process);

    atomic_store(&process->pid, getpid());
    if (recorder.replaces == 0) {
        atomic_store(&recorder.header->n_processes, 1);
        return;
    }
    process->replaces = recorder.replaces;
    snprintf(process->name, sizeof process->name, "%s", exec_follow_name());
}

/* The program's first instruction finds nobody with a descriptor of the ring, but for one that it
 * does not see. */
static void ready(void)
{
    struct ring_header *const header = recorder.header;

    header->is_a64 = recorder.is_a64;
    enter_process();
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    if (recorder.replaces == 0) {
        atomic_store_explicit(&header->plugin, RING_PLUGIN_READY, memory_order_release);
        ring_announce(header);
    }
    while (atomic_load(&header->closed) == 0 && !consumer_is_gone())
        ring_wait(&header->closed, 0, ARMPMU_POLL_NS);
    start_watch();
}

const struct plugin_mode mode_recorder = {
    .start = start,
    .refuse = refuse,
    .ready = ready,
    .translate = translate,
    .flush = flush,
    .vcpu_starts = thread_created,
    .vcpu_ends = thread_ended,
    .syscall_starts = syscall_starts,
    .syscall_returns = syscall_returns,
};
