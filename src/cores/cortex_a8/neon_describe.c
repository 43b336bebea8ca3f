/* Facts of an instruction for the NEON unit.
 *
 * CHOICE(neon-stages): the rows of neon.def say how each kind passes its pipe.
 *
 * CHOICE(vfp-time): operands are normal numbers. */
#include "cores/cortex_a8/neon.h"

#include <stddef.h>
#include <string.h>

#include "base/arithmetic.h"

enum form { DOUBLE, QUAD, WORDS, QUAD_WORDS, FORMS };

struct timing {
    uint8_t pipe, cycles;
    uint8_t n, m, d, step;
    uint16_t key; /* where in struct armpmu_machine */
    uint8_t more, later, second;
};

struct memory_timing {
    uint8_t cycles, more;
};

#define FORM_KEY(name)           offsetof(struct armpmu_machine, neon_##name)
#define IN_DOUBLE(kind, ...)     [kind][DOUBLE] = {__VA_ARGS__}
#define IN_QUAD(kind, ...)       [kind][QUAD] = {__VA_ARGS__}
#define IN_BOTH(kind, ...)       IN_DOUBLE(kind, __VA_ARGS__), IN_QUAD(kind, __VA_ARGS__)
#define IN_WORDS(kind, ...)      [kind][WORDS] = {__VA_ARGS__}
#define IN_QUAD_WORDS(kind, ...) [kind][QUAD_WORDS] = {__VA_ARGS__}
#define TIMING(kind, form, pipe, cycles, n, m, d, step, key, more, later, second)                  \
    IN_##form(VECTOR_##kind, NEON_PIPE_##pipe, cycles, n, m, d, step, FORM_KEY(key##_latency),     \
              more, later, second),
#define MEMORY(kind, cycles, more)
#define VFP(kind, in_single, in_double)
static const struct timing timings[VECTOR_KINDS][FORMS] = {
#include "cores/cortex_a8/neon.def"
};
#undef MEMORY
#undef TIMING
#define TIMING(kind, form, pipe, cycles, n, m, d, step, key, more, later, second)
#define MEMORY(kind, cycles, more) [VECTOR_##kind] = {cycles, more},
static const struct memory_timing memory_timings[VECTOR_KINDS] = {
#include "cores/cortex_a8/neon.def"
};
#undef MEMORY
#undef VFP
#define MEMORY(kind, cycles, more)
#define VFP(kind, in_single, in_double)                                                            \
    [VECTOR_VFP_##kind] = {FORM_KEY(in_single), FORM_KEY(in_double)},
static const uint16_t vfp_cycles[VECTOR_KINDS][2] = {
#include "cores/cortex_a8/neon.def"
};
#undef MEMORY
#undef VFP
#undef TIMING

static uint32_t number(const struct armpmu_machine *machine, uint16_t key)
{
    uint32_t value;

    memcpy(&value, (const char *)machine + key, sizeof value);
    return value;
}

/* ---- operands ---- */

static uint32_t vectors(uint64_t registers)
{
    return (uint32_t)((registers & REGS_NEON) >> 32);
}

/* Adds registers, each `group` of them `step` after the ones before. */
static void add_operands(struct neon_insn *out, uint32_t set, unsigned time, int step,
                         unsigned group)
{
    for (unsigned i = 0; set != 0; set &= set - 1, i++)
        out->operands[out->n_operands++] = (struct neon_operand){
            (uint8_t)__builtin_ctz(set), (uint8_t)((int)time + (int)(i / group) * step)};
}

static void add_reads(struct neon_insn *out, uint32_t set, unsigned stage, unsigned step,
                      unsigned group)
{
    add_operands(out, set, NEON_STAGES + 1 - stage, -(int)step, group);
    out->n_reads = out->n_operands;
}

static void add_writes(struct neon_insn *out, uint32_t set, unsigned latency, unsigned step,
                       unsigned group)
{
    unsigned i = out->n_operands;

    add_operands(out, set, latency, (int)step, group);
    out->n_results = (uint8_t)(out->n_results + out->n_operands - i);
    for (; i < out->n_operands; i++)
        out->busy = (uint8_t)later(out->busy, out->operands[i].time);
}

/* All reads in the first stage, all results at once. */
static void add_plain(struct neon_insn *out, const struct insn *insn, uint32_t latency)
{
    out->busy = (uint8_t)latency;
    add_reads(out, vectors(insn->reads), 1, 0, 1);
    add_writes(out, vectors(insn->writes), latency, 0, 1);
}

/* ---- data processing and permutes of NEON ---- */

static enum form form_of(const struct insn_vector *vector)
{
    if (vector->element_bytes == 4)
        return vector->quad ? QUAD_WORDS : WORDS;
    return vector->quad ? QUAD : DOUBLE;
}

static enum neon_float float_of(enum vector_kind kind)
{
    if (kind == VECTOR_FLOAT || kind == VECTOR_FLOAT_PAIR)
        return NEON_FLOAT_PLAIN;
    return kind == VECTOR_FLOAT_ACCUMULATE ? NEON_FLOAT_ACCUMULATE : NEON_FLOAT_NONE;
}

/* The accumulators are the last of the registers read. */
static void describe_multiplication(const struct insn *insn, struct neon_insn *out)
{
    const struct insn_vector *vector = &insn->vector;
    const bool is_long = vector->kind == VECTOR_MULTIPLY_LONG;

    out->multiplies = (uint8_t)(vector->element_bytes | (is_long ? 0x80 : 0));
    out->n_accumulators = (uint8_t)__builtin_popcount(vector->d);
    out->n_reads = (uint8_t)(out->n_reads - out->n_accumulators);
}

static void describe_reads(const struct timing *timing, const struct insn *insn,
                           struct neon_insn *out)
{
    const struct insn_vector *vector = &insn->vector;
    const bool is_table = vector->kind == VECTOR_TABLE || vector->kind == VECTOR_TABLE_LARGE;

    add_reads(out, vector->n, timing->n, timing->step, is_table ? 2 : 1);
    add_reads(out, vector->m, vector->by_element ? 1 : timing->m, timing->step, 1);
    add_reads(out, vector->d, timing->d, timing->step, 1);
    if (vector->element_bytes != 0)
        describe_multiplication(insn, out);
}

static bool writes_both(enum vector_kind kind)
{
    return kind == VECTOR_EXCHANGE || kind == VECTOR_ZIP || kind == VECTOR_UNZIP;
}

static void describe_data(const struct armpmu_machine *machine, const struct insn *insn,
                          struct neon_insn *out)
{
    const struct insn_vector *vector = &insn->vector;
    const struct timing *timing = &timings[vector->kind][form_of(vector)];
    const uint32_t writes = vectors(insn->writes);
    const uint32_t second = writes_both(vector->kind) ? vector->m : 0;
    const uint32_t latency = number(machine, timing->key);

    out->pipe = timing->pipe;
    out->cycles = timing->cycles;
    out->floats = (uint8_t)float_of(vector->kind);
    describe_reads(timing, insn, out);
    add_writes(out, writes & ~second, latency + timing->more, timing->later, 1);
    add_writes(out, second, latency + timing->second, timing->later, 1);
}

/* ---- loads, stores, transfers, VFP ---- */

/* VLDR and VLDM have no word for their alignment. A whole of 16 bytes needs no more of it. */
static unsigned unaligned_cycles(const struct insn_memory *memory)
{
    const unsigned whole = memory->bytes < 16 ? memory->bytes : 16;

    return memory->aligned && memory->align >= whole ? 0 : 1;
}

/* Two D registers a cycle, from the one on in which the first 16 bytes are there. */
static void describe_memory(const struct armpmu_machine *machine, const struct insn *insn,
                            struct neon_insn *out)
{
    const struct memory_timing *timing = &memory_timings[insn->vector.kind];
    const unsigned unaligned = unaligned_cycles(&insn->memory);

    out->pipe = NEON_PIPE_PERMUTE;
    out->load = insn->memory.load;
    out->of_memory = true;
    out->cycles = (uint8_t)((insn->memory.bytes + 15u) / 16 + unaligned + timing->cycles);
    if (timing->more != 0) {
        add_plain(out, insn, machine->neon_load_latency + timing->more + out->cycles - 1u);
        return;
    }
    add_reads(out, vectors(insn->reads), 1, 1, 2);
    add_writes(out, vectors(insn->writes), machine->neon_load_latency + unaligned, 1, 2);
}

/* A transfer of two core registers takes two cycles. */
static void describe_transfer(const struct insn *insn, uint32_t latency, struct neon_insn *out)
{
    const uint64_t core = (insn->reads | insn->writes) & (REG_R(16) - 1);

    out->pipe = NEON_PIPE_PERMUTE;
    out->cycles = (core & (core - 1)) != 0 ? 2 : 1;
    out->transfer = insn->klass == CLASS_NEON_TO_CORE;
    add_plain(out, insn, latency);
}

static void describe_vfp(const struct armpmu_machine *machine, const struct insn *insn,
                         struct neon_insn *out)
{
    out->pipe = NEON_PIPE_BOTH;
    out->cycles = (uint8_t)number(machine, vfp_cycles[insn->vector.kind][insn->doubles]);
    add_plain(out, insn, out->cycles);
}

static void describe(const struct armpmu_machine *machine, const struct insn *insn,
                     struct neon_insn *out)
{
    switch (insn->klass) {
    case CLASS_NEON_ALU:
    case CLASS_NEON_MULTIPLY:
    case CLASS_NEON_FLOAT:
    case CLASS_NEON_PERMUTE:
        describe_data(machine, insn, out);
        return;
    case CLASS_NEON_LOAD:
    case CLASS_NEON_STORE:
        describe_memory(machine, insn, out);
        return;
    case CLASS_CORE_TO_NEON:
        describe_transfer(insn, machine->neon_permute_latency, out);
        return;
    case CLASS_NEON_TO_CORE: /* has work until it is done */
        describe_transfer(insn, machine->neon_transfer_cycles, out);
        return;
    case CLASS_VFP:
    case CLASS_VFP_DIVIDE:
        describe_vfp(machine, insn, out);
        return;
    default:
        return;
    }
}

bool neon_describe(const struct armpmu_machine *machine, const struct insn *insn, unsigned index,
                   struct neon_insn *out)
{
    if (!neon_takes(insn->klass))
        return false;
    *out = (struct neon_insn){.index = (uint16_t)index};
    describe(machine, insn, out);
    out->busy = (uint8_t)later(out->busy, out->cycles);
    out->special = out->n_accumulators != 0 || out->floats != NEON_FLOAT_NONE ||
                   (out->cycles > 2 && out->pipe != NEON_PIPE_BOTH);
    return true;
}

void neon_make_plain(struct neon_insn *insn)
{
    if (insn->of_memory)
        return;
    insn->n_reads = (uint8_t)(insn->n_reads + insn->n_accumulators);
    insn->n_accumulators = insn->multiplies = insn->floats = 0;
    insn->special = false;
    insn->cycles = insn->busy = 1;
    for (unsigned i = 0; i < insn->n_operands; i++)
        insn->operands[i].time = i < insn->n_reads ? NEON_STAGES : 1;
}
