/* The memory the recorder inside QEMU and armpmu share.
 *
 *   +--------+---------+-------+-----------+----------+-------+--------+------+---------------------------+
 *   | header | traces | slots | processes | segments | files | blocks | text | chunks of trace 0,
 * 1 ... |
 *   +--------+---------+-------+-----------+----------+-------+--------+------+---------------------------+
 *
 * One sparse file without a name, made by armpmu, mapped by every QEMU process of the run. Only
 * what is written takes memory. Its size is sealed. Its descriptors, armpmu's own and the one that
 * QEMU inherits, are closed before the program's first instruction. One is left in a thread of
 * QEMU's that has a table of descriptors of its own (writer.h), for the programs that the
 * program executes.
 *
 * The program can still write here: one of 64 bits shares QEMU's addresses, one of root has other
 * ways. So armpmu takes no number from here on trust (reader.c).
 *
 * Traces: one per guest thread, never reused. Its trace (armpmu/trace.h) goes into a ring of
 * chunks, each handed over as a whole at a block boundary. Slots: where a thread writes next. A
 * table for each process, indexed by QEMU's vCPU number, which a later thread gets again. They are
 * here and not in the producer so that nothing is lost when the producer is killed: the records
 * between the start of the current chunk and the cursor are the tail of the trace. Blocks and
 * text, and the files that code is from: an entry is valid once its `ready` is 1. They are in
 * segments, each of which belongs to one generation of one process: to what it defined between two
 * times at which QEMU threw all its translations away. A forked child continues with its
 * parent's. When the blocks of a segment are not executed any more, and all that executed them has
 * been read, armpmu frees it (segments.h), and its ids name other blocks.
 *
 * Memory order: `produced`, `consumed`, `ready`, `n_traces` `state`, `owner` and `pid` are stored
 * with release and loaded with acquire. cursor, limit and base are addresses in the producer. */
#ifndef QEMU_RING_LAYOUT_H
#define QEMU_RING_LAYOUT_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define RING_MAGIC         UINT64_C(0x756d706d72612032) /* "2 armpmu" */
#define RING_TRACES_MAX    (1u << 16)
#define RING_BLOCKS_MAX    (1u << 24)
#define RING_TEXT_BYTES    (UINT64_C(1) << 32)
#define RING_SLOTS         2048u /* a process */
#define RING_PROCESSES_MAX RING_TRACES_MAX
#define RING_PROGRAM_NAME  44u /* SYNC(program-name) */
#define RING_SEGMENTS      65536u
#define RING_FILES_MAX     4096u
#define RING_CHUNKS        8u
#define RING_CHUNK_RECORDS (1u << 17)
/* QEMU puts at most 512 instructions into a block. Each writes at most two ACCESS records and a
 * MARK; RUN records are checked against the end of the chunk one by one. SYSCALL and SYSRET follow.
 * A block of SVE that may write more is cut (recorder_translation.c). */
#define RING_INSNS_MAX     512u
#define RING_INSN_RECORDS  3u
#define RING_SLACK_RECORDS 2048u
#define RING_BURST_RECORDS 64u /* of the slack, that an element which begins a BURST finds free */
/* Set in n_traces when armpmu takes no new ones. */
#define RING_TRACES_CLOSED (UINT32_C(1) << 31)

enum ring_plugin_state { RING_PLUGIN_ABSENT, RING_PLUGIN_READY, RING_PLUGIN_FAILED };
/* armpmu reads, or it does not: then the guest continues or ends. */
enum ring_detached { RING_ATTACHED, RING_RUNS_ON, RING_ENDS };
enum ring_trace_state { RING_TRACE_OPEN = 1, RING_TRACE_CLOSED };
/* Unknown: of QEMU's kernel helper page, of which there are no bytes. */
enum ring_isa { RING_ISA_UNKNOWN, RING_ISA_A32, RING_ISA_T32, RING_ISA_A64 };

struct ring_header {
    uint64_t magic;
    uint64_t bytes;            /* of the whole mapping, also tells layouts apart               */
    _Atomic uint32_t plugin;   /* enum ring_plugin_state                                       */
    int32_t consumer;          /* process id of armpmu                                         */
    _Atomic uint32_t detached; /* enum ring_detached                                           */
    _Atomic uint32_t closed;   /* futex of the plugin: 1 when armpmu has closed its descriptor */
    _Atomic uint32_t doorbell; /* futex of armpmu: rung at a new trace or state of the plugin */
    _Atomic uint32_t n_traces; /* traces announced                                            */
    _Atomic uint32_t n_processes;
    _Atomic uint32_t n_taken; /* segments, so far */
    _Atomic uint32_t n_files;
    uint32_t is_a64; /* the guest's system calls have AArch64's numbers; set before READY */
    uint32_t lacks_registers; /* QEMU shows none; set before READY */
    char message[256];        /* why the plugin failed                                      */
    /* Futex: the thread id of armpmu's first thread, 0 where the kernel does not offer this. When
     * the thread ends, however, the kernel adds FUTEX_OWNER_DIED: a robust futex. */
    _Atomic uint32_t owner;
    uint32_t keeps_running; /* 1: when armpmu has died the guest runs on, else it ends */
};

/* Only its producer writes it while the thread lives. */
struct ring_slot {
    _Alignas(64) uint64_t *cursor; /* NULL before the thread's first block */
    uint64_t *limit;
    uint64_t *base;      /* of the trace's chunks                         */
    uint64_t *block;     /* the last BLOCK record of some blocks, see recorder_callbacks.h */
    uint32_t trace;      /* its number + 1, 0 for none                     */
    uint32_t generation; /* of the blocks in the current chunk             */
    uint8_t discards;    /* 1: writes what is not read                   */
    /* The last BURST of the current chunk. */
    uint8_t burst_bytes; /* of an element                                  */
    uint32_t burst_info; /* QEMU's description of an element               */
    uint64_t *burst_end; /* the cursor after it, NULL for none             */
    uint64_t burst_next; /* the record that an element which continues it would begin */
};

struct ring_trace {
    /* Written by the producer at each chunk. */
    _Atomic uint32_t produced; /* chunks handed over                                    */
    _Atomic uint32_t doorbell; /* futex of the consumer: rung when it should look       */
    _Atomic uint32_t consumer_sleeps;
    _Atomic uint32_t state;        /* enum ring_trace_state, 0 before it is announced      */
    uint32_t records[RING_CHUNKS]; /* length of each chunk handed over                    */
    uint32_t process, thread;      /* who: numbered from 1 in order of creation             */
    uint32_t slot;                 /* in the table of its process                           */
    int32_t pid;
    /* Written by the consumer at each chunk. */
    _Atomic uint32_t consumed; /* futex of the producer                                 */
    _Atomic uint32_t producer_sleeps;
    /* Written by the producer again. */
    uint32_t opened_in;               /* generation */
    uint32_t generation[RING_CHUNKS]; /* of the blocks in each chunk handed over */
    uint32_t padding[5];
};

/* A program in a process: one that a process executes in place of its own has another number. One
 * that is about to be forked has no pid yet. */
struct ring_process {
    _Atomic uint32_t generation;
    uint32_t parent; /* its number, 0 for none */
    uint32_t parent_generation;
    _Atomic int32_t pid;
    uint32_t replaces;            /* number of the program that executed it, 0 for none */
    char name[RING_PROGRAM_NAME]; /* of a program that was executed, and of its children   */
};

/* Process in the upper half, generation in the lower; 0: free. */
struct ring_segment {
    _Atomic uint64_t owner;
};

/* A file of code, as it is mapped into the program. */
struct ring_file {
    uint64_t start, bytes; /* addresses in the program */
    uint64_t offset;       /* in the file, of the start */
    _Atomic uint32_t ready;
    uint32_t padding;
    char path[4064];
};

struct ring_block {
    uint64_t address;
    uint64_t text_at; /* code */
    uint32_t n_bytes; /* 0: QEMU had no bytes (its own kernel helper page)               */
    uint16_t n_insns;
    uint16_t isa;  /* enum ring_isa                                                  */
    uint16_t file; /* number of the file it is from, from 1; 0: none, or not asked for */
    _Atomic uint32_t ready;
};

_Static_assert(sizeof(struct ring_header) <= 4096, "the header is one page");
_Static_assert(sizeof(struct ring_slot) == 64, "one cache line");
_Static_assert(sizeof(struct ring_trace) == 128, "two cache lines");
_Static_assert(sizeof(struct ring_process) == 64, "one cache line");
_Static_assert(sizeof(struct ring_file) == 4096, "a page each");
_Static_assert(sizeof(struct ring_block) == 32, "two to a cache line");
_Static_assert(RING_SLACK_RECORDS >= RING_INSN_RECORDS * RING_INSNS_MAX + 64,
               "the largest block fits the slack");

#define RING_TRACES_AT        UINT64_C(65536) /* all parts start at a page of any host */
#define RING_SLOTS_AT         (RING_TRACES_AT + (uint64_t)RING_TRACES_MAX * sizeof(struct ring_trace))
#define RING_SLOT_TABLE_BYTES ((uint64_t)RING_SLOTS * sizeof(struct ring_slot))
#define RING_TABLES_AT        (RING_SLOTS_AT + RING_PROCESSES_MAX * RING_SLOT_TABLE_BYTES)
#define RING_SEGMENTS_AT                                                                           \
    (RING_TABLES_AT + (uint64_t)RING_PROCESSES_MAX * sizeof(struct ring_process))
#define RING_FILES_AT          (RING_SEGMENTS_AT + RING_SEGMENTS * sizeof(struct ring_segment))
#define RING_BLOCKS_AT         (RING_FILES_AT + RING_FILES_MAX * sizeof(struct ring_file))
#define RING_TEXT_AT           (RING_BLOCKS_AT + (uint64_t)RING_BLOCKS_MAX * sizeof(struct ring_block))
#define RING_CHUNKS_AT         (RING_TEXT_AT + RING_TEXT_BYTES)
#define RING_TRACE_CHUNK_BYTES ((uint64_t)RING_CHUNKS * RING_CHUNK_RECORDS * sizeof(uint64_t))
#define RING_BYTES             (RING_CHUNKS_AT + RING_TRACES_MAX * RING_TRACE_CHUNK_BYTES)

static inline struct ring_trace *ring_trace(void *ring, uint32_t index)
{
    return (struct ring_trace *)((char *)ring + RING_TRACES_AT) + index;
}

/* Where the table of slots of a process (numbered from 1) starts in the file. */
static inline uint64_t ring_slots_at(uint32_t process)
{
    return RING_SLOTS_AT + (process - 1) * RING_SLOT_TABLE_BYTES;
}

static inline struct ring_slot *ring_slot(void *ring, uint32_t process, uint32_t index)
{
    return (struct ring_slot *)((char *)ring + ring_slots_at(process)) + index;
}

/* Numbered from 1. */
static inline struct ring_process *ring_process(void *ring, uint32_t number)
{
    return (struct ring_process *)((char *)ring + RING_TABLES_AT) + (number - 1);
}

static inline struct ring_segment *ring_segment(void *ring, uint32_t index)
{
    return (struct ring_segment *)((char *)ring + RING_SEGMENTS_AT) + index;
}

/* The room of a segment: block ids and bytes of text from index * this on. */
#define RING_SEGMENT_BLOCKS (RING_BLOCKS_MAX / RING_SEGMENTS)
#define RING_SEGMENT_TEXT   (RING_TEXT_BYTES / RING_SEGMENTS)

static inline struct ring_file *ring_file(void *ring, uint32_t index)
{
    return (struct ring_file *)((char *)ring + RING_FILES_AT) + index;
}

static inline struct ring_block *ring_block(void *ring, uint32_t id)
{
    return (struct ring_block *)((char *)ring + RING_BLOCKS_AT) + id;
}

static inline uint8_t *ring_text(void *ring, uint64_t at)
{
    return (uint8_t *)ring + RING_TEXT_AT + at;
}

/* Chunk number `count` (counted from the start of the trace) of a trace. */
static inline uint64_t *ring_chunk(void *ring, uint32_t trace, uint32_t count)
{
    uint64_t at = RING_CHUNKS_AT + trace * RING_TRACE_CHUNK_BYTES;
    return (uint64_t *)((char *)ring + at) + (size_t)(count % RING_CHUNKS) * RING_CHUNK_RECORDS;
}

/* Sleeps until the word is no longer `value` or somebody wakes it, at most nanoseconds (below one
 * second). Works between processes. */
static inline void ring_wait(_Atomic uint32_t *word, uint32_t value, long nanoseconds)
{
    const struct timespec timeout = {0, nanoseconds};
    syscall(SYS_futex, word, FUTEX_WAIT, value, &timeout, NULL, 0);
}

static inline void ring_wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* How many chunks must be waiting before a sleeping consumer is woken, and free before a sleeping
 * producer is: to wake somebody for each chunk would cost more than to fill it. */
#define RING_WAKE_CHUNKS (RING_CHUNKS / 2)

/* Tells armpmu that there is a new trace, or that the plugin has started. */
static inline void ring_announce(struct ring_header *header)
{
    atomic_fetch_add(&header->doorbell, 1);
    ring_wake(&header->doorbell);
}

/* Tells the consumer of a trace to look; costs a system call only when it sleeps. */
static inline void ring_doorbell(struct ring_trace *trace)
{
    atomic_fetch_add(&trace->doorbell, 1);
    if (atomic_load(&trace->consumer_sleeps))
        ring_wake(&trace->doorbell);
}

#endif
