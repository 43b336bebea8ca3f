/* The facts about instructions that the NEON unit gets: those of neon_describe.def, by encoding. */
#include "cores/cortex_a8/neon.h"

#include <stdio.h>
#include <string.h>

#include "../../test.h"

/* A number of its own for every key. */
static const struct armpmu_machine numbers = {
    .neon_transfer_cycles = 100,
    .neon_alu_latency = 30,
    .neon_multiply_latency = 40,
    .neon_float_latency = 50,
    .neon_accumulate_latency = 60,
    .neon_permute_latency = 70,
    .neon_load_latency = 80,
    .neon_vfp_cycles = 107,
    .neon_vfp_move_cycles = 108,
    .neon_vfp_to_double_cycles = 109,
    .neon_vfp_multiply_cycles = 110,
    .neon_vfp_double_multiply_cycles = 111,
    .neon_vfp_accumulate_cycles = 112,
    .neon_vfp_double_accumulate_cycles = 113,
    .neon_vfp_divide_cycles = 114,
    .neon_vfp_double_divide_cycles = 115,
    .neon_vfp_root_cycles = 116,
    .neon_vfp_double_root_cycles = 117,
    .neon_vfp_to_single_cycles = 118,
    .neon_vfp_from_integer_cycles = 119,
    .neon_vfp_to_integer_cycles = 120,
};

/* As the manual's tables put it: pipe and cycles; D registers with the stage, counted from the
 * first cycle, in which they are read; "+" before accumulators; then the results and their
 * latencies. */
static void write_facts(const struct neon_insn *insn, char *text)
{
    static const char *const pipes[] = {"", "data", "permute", "both"};
    unsigned i = 0;

    text += sprintf(text, "%s %d:", pipes[insn->pipe], insn->cycles);
    for (; i < insn->n_reads + (unsigned)insn->n_accumulators; i++)
        text += sprintf(text, " %sd%d N%d", i >= insn->n_reads ? "+" : "", insn->operands[i].reg,
                        NEON_STAGES + 1 - insn->operands[i].time);
    text += sprintf(text, " ->");
    for (; i < insn->n_operands; i++)
        text += sprintf(text, " d%d %d", insn->operands[i].reg, insn->operands[i].time);
    if (insn->load)
        text += sprintf(text, " load");
    if (insn->transfer)
        text += sprintf(text, " transfer");
    if (insn->floats != NEON_FLOAT_NONE)
        sprintf(text, insn->floats == NEON_FLOAT_PLAIN ? " float" : " float accumulate");
}

TEST(each_kind_takes_its_own_time)
{
    static const struct {
        uint32_t word;
        const char *facts;
    } rows[] = {
#define ROW(word, instruction, facts) {word, facts},
#include "neon_describe.def"
#undef ROW
    };
    struct decoder *decoder;
    assert_int_equal(decoder_new(&decoder, NULL), ARMPMU_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t word = rows[i].word;
        const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                                  (uint8_t)(word >> 24)};
        struct insn insn;
        struct neon_insn got;
        char text[400];
        decode_single(decoder, ARMPMU_A32, bytes, 4, 0, &insn);
        assert_true(neon_describe(&numbers, &insn, 7, &got));
        write_facts(&got, text);
        if (strcmp(text, rows[i].facts) != 0 || got.index != 7)
            fail_msg("0x%08x: \"%s\", not \"%s\"", word, text, rows[i].facts);
    }
    decoder_free(decoder);
}

/* The last result and the last cycle end the work of an instruction. */
TEST(the_last_result_counts)
{
    const struct insn quad = {.klass = CLASS_NEON_FLOAT,
                              .vector = {.kind = VECTOR_FLOAT, .quad = true},
                              .writes = REG_D(2) | REG_D(3)};
    const struct insn store = {.klass = CLASS_NEON_STORE,
                               .memory = {.store = true, .bytes = 8, .align = 4},
                               .vector = {.kind = VECTOR_STORE},
                               .reads = REG_D(2)};
    struct neon_insn got;
    assert_true(neon_describe(&numbers, &quad, 0, &got));
    assert_int_equal(got.busy, 51);
    assert_true(neon_describe(&numbers, &store, 0, &got));
    assert_int_equal(got.busy, 2);
}

TEST(what_is_none_of_the_units_is_told)
{
    struct neon_insn got;
    const struct insn insn = {.klass = CLASS_ALU, .reads = REG_R(1)};
    assert_false(neon_describe(&numbers, &insn, 0, &got));
}
