/* Instructions of SVE: whether their predicates are empty or full, and the accesses that QEMU's
 * user emulation does not show: of gathers and scatters none, of loads that end at the first fault
 * at most the first element. Their addresses are those of the active elements, from the registers
 * before the instruction. Each pays for the reading of registers.
 *
 * Leaves out: elements after one that faults, which are taken to be accessed; QEMU before
 * version 9. */
#include "qemu/plugin/recorder_internal.h"

#include <string.h>

#include "armpmu/trace.h"
#include "qemu/plugin/recorder_callbacks.h"
#include "qemu/plugin/scalable.h"
#include "qemu/plugin/tb_info.h"

/* Before the current first-fault load, by vCPU. */
static uint64_t first_fault_before[RING_SLOTS];

static void on_governed(unsigned vcpu, void *packed)
{
    struct ring_slot *const slot = recorder_slot(vcpu);

    recorder_put(slot, slot->cursor, scalable_record(packed, recorder.vector_bytes));
}

static uint64_t field(uint32_t word, unsigned msb, unsigned lsb)
{
    return word >> lsb & ((2u << (msb - lsb)) - 1);
}

/* ---- where elements are ---- */

/* A gather or scatter: base + offset of each element, of which one is a vector. Source: Arm DDI
 * 0487, SVE encodings, memory. */
struct scattered {
    unsigned element_bytes; /* of the vector */
    bool vector_is_base;
    bool narrow; /* offsets are the lower 32 bits */
    bool is_signed;
    unsigned scale;
    uint64_t base; /* the register's value, or a number */
};

static uint64_t x_register(unsigned n, bool is_base)
{
    return n < 31 ? recorder_register(n) : is_base ? recorder_register(RECORDER_SP) : 0;
}

static struct scattered find_load(uint32_t word)
{
    const bool words = word >> 25 == 0x42; /* 1000010: of 32-bit elements */
    const bool high = (word >> 15 & 1) != 0;
    const unsigned size = (unsigned)field(word, 24, 23), type = (unsigned)field(word, 22, 21);
    struct scattered at = {.element_bytes = words ? 4 : 8,
                           .base = x_register((unsigned)field(word, 9, 5), true)};

    if (high && type == 1) { /* a vector and a number */
        at.vector_is_base = true;
        at.base = field(word, 20, 16) << size;
    } else if (high && type == 0) { /* LDNT1: a vector and a register */
        at.vector_is_base = true;
        at.base = x_register((unsigned)field(word, 20, 16), false);
    } else if (high) { /* 64-bit offsets */
        at.scale = type == 3 ? size : 0;
    } else {
        at.narrow = true;
        at.is_signed = (word >> 22 & 1) != 0;
        at.scale = (word >> 21 & 1) != 0 ? size : 0;
    }
    return at;
}

static struct scattered find_store(uint32_t word)
{
    const unsigned size = (unsigned)field(word, 24, 23), type = (unsigned)field(word, 22, 21),
                   how = (unsigned)field(word, 15, 13);
    struct scattered at = {.element_bytes = type & 2 ? 4 : 8,
                           .base = x_register((unsigned)field(word, 9, 5), true)};

    if (how == 1) { /* STNT1 */
        at.vector_is_base = true;
        at.base = x_register((unsigned)field(word, 20, 16), false);
    } else if (how == 5 && type >= 2) {
        at.element_bytes = type == 3 ? 4 : 8;
        at.vector_is_base = true;
        at.base = field(word, 20, 16) << size;
    } else {
        at.narrow = how != 5;
        at.is_signed = (word >> 14 & 1) != 0;
        at.scale = type & 1 ? size : 0;
    }
    return at;
}

static uint64_t element_of(const uint8_t *vector, unsigned n, const struct scattered *at)
{
    uint64_t value = 0;

    memcpy(&value, vector + (size_t)n * at->element_bytes, at->element_bytes);
    if (at->narrow)
        value = at->is_signed ? (uint64_t)(int64_t)(int32_t)value : (uint32_t)value;
    return value;
}

/* user: the index, and the instruction. */
static void on_scattered(unsigned vcpu, void *user)
{
    struct ring_slot *const slot = recorder_slot(vcpu);
    const uint32_t word = (uint32_t)(uintptr_t)user;
    const uint64_t record = armpmu_record(ARMPMU_RECORD_ACCESS, (unsigned)((uintptr_t)user >> 32));
    const struct scattered at = word >> 25 == 0x72 ? find_store(word) : find_load(word);
    const uint64_t active =
        scalable_active((unsigned)field(word, 12, 10), at.element_bytes, recorder.vector_bytes);
    uint8_t vector[SCALABLE_BYTES_MAX];

    scalable_vector((unsigned)field(word, at.vector_is_base ? 9 : 20, at.vector_is_base ? 5 : 16),
                    vector, recorder.vector_bytes);
    for (unsigned n = 0; n < recorder.vector_bytes / at.element_bytes; n++)
        if (active >> n & 1) {
            const uint64_t address = at.base + (element_of(vector, n, &at) << at.scale);
            recorder_put(slot, slot->cursor, record | (address & ARMPMU_RECORD_ADDRESS));
        }
}

/* LDFF1 and LDNF1 of elements in a row: from the first active one to the last. */
static void on_first_fault(unsigned vcpu, void *user)
{
    const uint32_t word = (uint32_t)(uintptr_t)user;
    const unsigned index = (unsigned)((uintptr_t)user >> 32), type = (unsigned)field(word, 24, 21);
    static const uint8_t memory[16] = {0, 0, 0, 0, 2, 1, 1, 1, 1, 1, 2, 2, 0, 0, 0, 3};
    static const uint8_t in_register[16] = {0, 1, 2, 3, 3, 1, 2, 3, 3, 2, 2, 3, 3, 2, 1, 3};
    const unsigned element = 1u << in_register[type], n = recorder.vector_bytes / element;
    const uint64_t active =
        scalable_active((unsigned)field(word, 12, 10), element, recorder.vector_bytes);
    uint64_t address = x_register((unsigned)field(word, 9, 5), true);

    if (field(word, 15, 13) == 3)
        address += x_register((unsigned)field(word, 20, 16), false) << memory[type];
    else
        address += (uint64_t)((int64_t)(field(word, 19, 16) ^ 8) - 8) * (n << memory[type]);
    for (unsigned i = 0; i < n; i++)
        if (active >> i & 1)
            recorder_any_thread.element(
                vcpu, memory[type],
                (address + ((uint64_t)i << memory[type])) & ARMPMU_RECORD_ADDRESS,
                (void *)(uintptr_t)armpmu_record(ARMPMU_RECORD_BURST, index));
}

static void on_before_fault(unsigned vcpu, void *user)
{
    (void)user;
    first_fault_before[vcpu % RING_SLOTS] = scalable_first_fault();
}

/* user: the index of the next instruction. */
static void on_after_fault(unsigned vcpu, void *user)
{
    struct ring_slot *const slot = recorder_slot(vcpu);

    if ((first_fault_before[vcpu % RING_SLOTS] & ~scalable_first_fault()) != 0)
        recorder_put(slot, slot->cursor,
                     armpmu_record(ARMPMU_RECORD_PROGRESS, (unsigned)(uintptr_t)user) |
                         ARMPMU_PREDICATE_FAULTED);
}

/* ---- translation ---- */

bool recorder_scalable_sees(void)
{
    return recorder.vector_bytes != 0 && recorder_sees_registers() && scalable_sees_registers();
}

bool recorder_scalable_is_unseen(const struct insn *insn)
{
    return insn->memory.scattered || insn->memory.first_fault;
}

void recorder_scalable_watch(struct qemu_plugin_insn *insn, struct qemu_plugin_insn *after,
                             const struct insn *facts, unsigned index, uint32_t word)
{
    void *const user = (void *)(uintptr_t)((uint64_t)index << 32 | word);

    if (facts->scalable.governor == NO_GOVERNOR || !recorder_scalable_sees())
        return;
    qemu_plugin_register_vcpu_insn_exec_cb(insn, on_governed, QEMU_CB_R_REGS,
                                           scalable_pack(facts, index));
    if (facts->memory.scattered)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_scattered, QEMU_CB_R_REGS, user);
    else if (facts->memory.first_fault)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_first_fault, QEMU_CB_R_REGS, user);
    if (!facts->memory.first_fault || after == NULL)
        return;
    qemu_plugin_register_vcpu_insn_exec_cb(insn, on_before_fault, QEMU_CB_R_REGS, NULL);
    qemu_plugin_register_vcpu_insn_exec_cb(after, on_after_fault, QEMU_CB_R_REGS,
                                           (void *)(uintptr_t)(index + 1));
}
