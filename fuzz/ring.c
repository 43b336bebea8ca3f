/* Fuzzes the reading side of the memory that a program is recorded in: the bytes are what the
 * program wrote there.
 *
 * At first the ring holds what a recorder leaves behind: a thread, four blocks, a chunk that was
 * handed over and a tail. Then the input changes any number in header, traces, slots, definitions,
 * code and records; traces that it opens are read as well. The reader ends, every trace that it
 * opened is closed, and what it says has no control characters. Where nothing was changed
 * everything is counted and nothing said.
 *
 * The first byte chooses what the records go to: a counter, or one of the core models that run
 * Linux programs. */
#include <ctype.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "armpmu/machine.h"
#include "armpmu/sim.h"
#include "armpmu/trace.h"
#include "qemu/ring/ring.h"
#include "qemu/launcher/recorded_blocks.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* --- Bytes to numbers ------------------------------------------------------------------------ */

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

    for (unsigned i = 0; i < n; i++)
        value = value << 8 | take(in);
    return value;
}

/* Limits are where the mistakes are. */
static uint64_t take_value(struct input *in)
{
    static const uint64_t limits[] = {RING_CHUNKS,     RING_CHUNK_RECORDS, RING_SLOTS,
                                      RING_TRACES_MAX, RING_INSNS_MAX,     4 * RING_INSNS_MAX,
                                      RING_TEXT_BYTES, RING_BLOCKS_MAX};
    const unsigned form = take(in);

    switch (form >> 5) {
    case 0:
        return form & 31;
    case 1:
        return UINT64_MAX - (form & 31);
    case 2:
        return limits[form & 7] + (form >> 3 & 3) - 1;
    case 3:
        return UINT64_C(1) << 2 * (form & 31);
    case 4:
        return UINT32_MAX - (form & 31);
    case 5:
        return take_bytes(in, 2);
    case 6:
        return take_bytes(in, 4);
    default:
        return take_bytes(in, 8);
    }
}

/* --- Where records go --------------------------------------------------------------------------
 */

struct target {
    const struct armpmu_machine *machine; /* NULL: records are only counted */
    struct armpmu_code *code;
    _Atomic unsigned n_open, n_end;
    _Atomic uint64_t n_records;
};

struct opened {
    struct target *target;
    struct armpmu_sim *sim;
};

static void *open_trace(void *user, uint32_t process, uint32_t thread)
{
    struct target *const target = user;
    struct opened *const opened = calloc(1, sizeof *opened);
    struct armpmu_error err;

    (void)process, (void)thread;
    if (opened == NULL)
        abort();
    opened->target = target;
    if (target->machine != NULL &&
        armpmu_sim_new(target->machine, target->code, &opened->sim, &err) != ARMPMU_OK)
        abort();
    target->n_open++;
    return opened;
}

static bool run_words(void *trace, const uint64_t *records, size_t n_records)
{
    struct opened *const opened = trace;
    struct armpmu_error err;

    opened->target->n_records += n_records;
    return opened->sim == NULL ||
           armpmu_sim_run(opened->sim, records, n_records, &err) == ARMPMU_OK;
}

static void rename_blocks(void *trace)
{
    struct opened *const opened = trace;

    if (opened->sim != NULL)
        armpmu_sim_rename(opened->sim);
}

static void end_trace(void *trace, enum armpmu_end how, bool replaced)
{
    struct opened *const opened = trace;

    (void)replaced;
    if (opened->sim != NULL)
        armpmu_sim_finish(opened->sim, how);
    armpmu_sim_free(opened->sim);
    opened->target->n_end++;
    free(opened);
}

/* --- What a recorder leaves ------------------------------------------------------------------ */

enum { N_BLOCKS = 4, N_WORDS = 12, N_TAIL = 4 };

static void define_block(void *ring, uint32_t id, enum ring_isa isa)
{
    static const uint32_t code[2][3] = {{0xe5910000, 0xe2800001, 0xeafffffc},
                                        {0xf9400020, 0x91000400, 0x17fffffe}};
    struct ring_block *const block = ring_block(ring, id);

    *block = (struct ring_block){.address = 0x10000 + id * 0x40,
                                 .text_at = (uint64_t)id * 64,
                                 .n_bytes = sizeof code[0],
                                 .n_insns = 3,
                                 .isa = isa};
    memcpy(ring_text(ring, block->text_at), code[isa == RING_ISA_A64], sizeof code[0]);
    atomic_store(&block->ready, 1);
}

static void put_words(uint64_t *records, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        records[i] = i % 2 == 0 ? armpmu_record(ARMPMU_RECORD_BLOCK, 0) | i / 2 % N_BLOCKS
                                : armpmu_record(ARMPMU_RECORD_ACCESS, 0) | (0x20000 + i * 64);
}

static void record(void *ring, enum ring_isa isa)
{
    struct ring_trace *const trace = ring_trace(ring, 0);
    struct ring_slot *const slot = ring_slot(ring, 1, 0);

    for (uint32_t id = 0; id < N_BLOCKS; id++)
        define_block(ring, id, isa);
    trace->process = trace->thread = 1;
    trace->pid = getpid();
    trace->records[0] = N_WORDS;
    atomic_store(&trace->produced, 1);
    put_words(ring_chunk(ring, 0, 0), N_WORDS);
    put_words(ring_chunk(ring, 0, 1), N_TAIL);
    slot->base = ring_chunk(ring, 0, 0);
    slot->cursor = ring_chunk(ring, 0, 1) + N_TAIL;
    slot->trace = 1;
    atomic_store(&trace->state, RING_TRACE_OPEN);
}

/* --- What the program wrote ------------------------------------------------------------------ */

enum { N_TRACES = 4 };

/* A number of a structure: where and how large. */
struct field {
    size_t at;
    unsigned bytes;
};

#define FIELD(type, name)                                                                          \
    {                                                                                              \
        offsetof(struct type, name), sizeof(((struct type *)0)->name)                              \
    }

static const struct field header_fields[] = {
    FIELD(ring_header, magic),    FIELD(ring_header, bytes),       FIELD(ring_header, plugin),
    FIELD(ring_header, owner),    FIELD(ring_header, detached),    FIELD(ring_header, doorbell),
    FIELD(ring_header, n_traces), FIELD(ring_header, n_processes), FIELD(ring_header, is_a64),
    FIELD(ring_header, closed),   FIELD(ring_header, n_taken)};
static const struct field trace_fields[] = {FIELD(ring_trace, produced),
                                            FIELD(ring_trace, doorbell),
                                            FIELD(ring_trace, state),
                                            FIELD(ring_trace, process),
                                            FIELD(ring_trace, thread),
                                            FIELD(ring_trace, slot),
                                            FIELD(ring_trace, pid),
                                            FIELD(ring_trace, consumed),
                                            FIELD(ring_trace, producer_sleeps),
                                            FIELD(ring_trace, records[0]),
                                            FIELD(ring_trace, records[1]),
                                            FIELD(ring_trace, opened_in),
                                            FIELD(ring_trace, generation[0]),
                                            FIELD(ring_trace, generation[1])};
static const struct field process_fields[] = {
    FIELD(ring_process, generation), FIELD(ring_process, parent),
    FIELD(ring_process, parent_generation), FIELD(ring_process, pid)};
static const struct field segment_fields[] = {FIELD(ring_segment, owner)};
static const struct field slot_fields[] = {FIELD(ring_slot, cursor),   FIELD(ring_slot, limit),
                                           FIELD(ring_slot, base),     FIELD(ring_slot, trace),
                                           FIELD(ring_slot, discards), FIELD(ring_slot, cursor)};
static const struct field block_fields[] = {FIELD(ring_block, address), FIELD(ring_block, text_at),
                                            FIELD(ring_block, n_bytes), FIELD(ring_block, n_insns),
                                            FIELD(ring_block, isa),     FIELD(ring_block, ready)};

#define TAKE_FIELD(in, object, fields)                                                             \
    set_field(in, object, &(fields)[take(in) % (sizeof(fields) / sizeof(fields)[0])])

static void set_field(struct input *in, void *object, const struct field *field)
{
    const uint64_t value = take_value(in);

    memcpy((char *)object + field->at, &value, field->bytes);
}

/* The cursor counts from the start of the trace, so that it is near it. */
static void move_cursor(struct input *in, struct ring_slot *slot)
{
    slot->cursor = (uint64_t *)((uintptr_t)slot->base + take_value(in));
}

/* A trace of its own, in the same process. */
static void open_another(void *ring, unsigned index)
{
    struct ring_trace *const trace = ring_trace(ring, index);
    struct ring_slot *const slot = ring_slot(ring, 1, index);

    trace->process = 1;
    trace->thread = index + 1;
    trace->slot = index;
    trace->pid = getpid();
    slot->base = slot->cursor = ring_chunk(ring, index, 0);
    slot->trace = index + 1;
    atomic_store(&trace->state, RING_TRACE_OPEN);
}

/* Words of any kind about what there is, or any number. */
static uint64_t take_word(struct input *in)
{
    const unsigned form = take(in);
    const enum armpmu_record_kind kind = (enum armpmu_record_kind)(form & 15);

    switch (form >> 4 & 3) {
    case 0:
        return armpmu_record(kind, take(in) % 8) | take(in) % 8;
    case 1:
        return armpmu_record(kind, take(in) * 17) | take_bytes(in, 2) << 4;
    case 2:
        return armpmu_record(kind, 0) | (take_value(in) & ARMPMU_RECORD_ADDRESS);
    default:
        return take_bytes(in, 8);
    }
}

static void write_words(struct input *in, void *ring, unsigned index)
{
    struct ring_trace *const trace = ring_trace(ring, index);
    const unsigned form = take(in), n = form & 31, chunk = form >> 5;
    uint64_t *const records = ring_chunk(ring, index, chunk);

    for (unsigned i = 0; i < n; i++)
        records[i] = take_word(in);
    trace->records[chunk] = n;
    if (atomic_load(&trace->produced) == chunk)
        atomic_store(&trace->produced, chunk + 1);
}

static void write_code(struct input *in, void *ring)
{
    uint8_t *const text = ring_text(ring, take(in) * UINT64_C(4));
    const unsigned n = take(in) % 32;

    for (unsigned i = 0; i < n; i++)
        text[i] = (uint8_t)take(in);
}

static void change_tables(struct input *in, void *ring, unsigned index, unsigned which)
{
    if (which < 4)
        move_cursor(in, ring_slot(ring, 1, index));
    else if (which < 6)
        TAKE_FIELD(in, ring_process(ring, index + 1), process_fields);
    else
        TAKE_FIELD(in, ring_segment(ring, index), segment_fields);
}

static void change(struct input *in, void *ring, struct ring_header *header)
{
    const unsigned form = take(in), index = form >> 3 & (N_TRACES - 1);

    switch (form & 7) {
    case 0:
        TAKE_FIELD(in, header, header_fields);
        break;
    case 1:
        TAKE_FIELD(in, ring_trace(ring, index), trace_fields);
        break;
    case 2:
        TAKE_FIELD(in, ring_slot(ring, 1, index), slot_fields);
        break;
    case 3:
        TAKE_FIELD(in, ring_block(ring, form >> 3 & 7), block_fields);
        break;
    case 4:
        write_code(in, ring);
        break;
    case 5:
        write_words(in, ring, index);
        break;
    case 6:
        change_tables(in, ring, index, form >> 5);
        break;
    default:
        open_another(ring, index);
        if (header->n_traces <= index)
            header->n_traces = index + 1;
    }
}

/* ---------------------------------------------------------------------------------------------- */

static const char *const machines[] = {NULL, "cortex-a8", "cortex-r4f", "pxa270", "neoverse-v1"};

enum { N_MACHINES = sizeof machines / sizeof machines[0], SYSTEM_V1 = 4 };

/* Loaded once: they are only read. */
static const struct armpmu_machine *machine_of(unsigned index)
{
    static struct armpmu_machine *loaded[N_MACHINES];
    struct armpmu_error err;

    if (machines[index] != NULL && loaded[index] == NULL &&
        armpmu_machine_load(machines[index], MACHINES, &loaded[index], &err) != ARMPMU_OK)
        abort();
    return loaded[index];
}

static void check(const struct target *target, const char *failure, bool changed)
{
    if (target->n_open != target->n_end)
        abort();
    for (const char *c = failure; *c != '\0'; c++)
        if (!isprint((unsigned char)*c))
            abort();
    if (!changed && (failure[0] != '\0' || target->n_records != N_WORDS + N_TAIL))
        abort();
}

/* The header goes last: the reader looks at it at any time, and finds no trace until then. */
static void publish(struct ring_header *to, const struct ring_header *from, bool changed)
{
    if (changed) {
        to->magic = from->magic;
        to->bytes = from->bytes;
        to->is_a64 = from->is_a64;
        atomic_store(&to->n_taken, atomic_load(&from->n_taken));
        atomic_store(&to->n_processes, atomic_load(&from->n_processes));
        atomic_store(&to->plugin, atomic_load(&from->plugin));
        atomic_store(&to->detached, atomic_load(&from->detached));
        if (atomic_load(&from->owner) != 0)
            atomic_store(&to->owner, atomic_load(&from->owner));
        memcpy(to->message, from->message, sizeof to->message);
    }
    atomic_store(&to->n_traces, atomic_load(&from->n_traces));
}

static void run(struct input *in, struct target *target, unsigned form)
{
    const bool is_a64 = form % N_MACHINES == SYSTEM_V1;
    const struct ring_sink sink = {.user = target,
                                   .copies = form >= 128,
                                   .open = open_trace,
                                   .run = run_words,
                                   .rename = rename_blocks,
                                   .end = end_trace};
    struct recorded_blocks blocks = {NULL};
    struct ring *ring;
    struct armpmu_error err;

    if (armpmu_code_new(recorded_blocks_look_up, &blocks, &target->code, &err) != ARMPMU_OK ||
        ring_new(&sink, false, &ring, &err) != ARMPMU_OK)
        abort();
    blocks.ring = ring_memory(ring);
    record(blocks.ring, is_a64 ? RING_ISA_A64 : RING_ISA_A32);
    struct ring_header header = {.magic = RING_MAGIC,
                                 .bytes = RING_BYTES,
                                 .plugin = RING_PLUGIN_READY,
                                 .n_traces = 1,
                                 .n_processes = 1,
                                 .is_a64 = is_a64};
    const bool changed = in->next < in->end;
    while (in->next < in->end)
        change(in, blocks.ring, &header);
    publish(blocks.ring, &header, changed);
    check(target, ring_finish(ring, getpid(), form & 64 ? SIGSEGV : 0)->failure, changed);
    ring_free(ring);
    armpmu_code_free(target->code);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct input in = {bytes, bytes + length};
    const unsigned form = take(&in);
    struct target target = {.machine = machine_of(form % N_MACHINES)};

    run(&in, &target, form);
    return 0;
}
