/* The addresses of a block's accesses, known before they happen, and the registers after it. */
#include <stdlib.h>
#include <string.h>
#include "../test.h"
#include "unicorn/address_summary.h"
#include "isa/insn.h"

#define START 0x10002u /* of T32; A32 starts at 0x10004 */

/* What registers hold at the start, each another. */
#define R(n) (0x20000000u + 0x01010100u * (n))
#define NOT                                                                                        \
    {                                                                                              \
        0, 0, 0, false, false                                                                      \
    }
#define LOAD   false, false
#define STORE  true, false
#define LOADS  false, true
#define STORES true, true

struct expected {
    uint32_t address;
    unsigned insn, bytes;
    bool write, multiple;
};

struct row {
    int line;
    enum armpmu_isa isa;
    unsigned n_insns;
    uint32_t code[6];            /* T32: 32 bits as its two halfwords are written, first one high */
    struct expected accesses[4]; /* up to one of no bytes; none: no summary */
};

#define A32(...) __LINE__, ARMPMU_A32, __VA_ARGS__
#define T32(...) __LINE__, ARMPMU_T32, __VA_ARGS__

static const struct row rows[] = {
    /* One register and a number. */
    {A32(1, {0xe5910008}), {{R(1) + 8, 0, 4, LOAD}}},        /* ldr r0, [r1, #8]      */
    {A32(1, {0xe5010008}), {{R(1) - 8, 0, 4, STORE}}},       /* str r0, [r1, #-8]     */
    {A32(1, {0xe1d120b6}), {{R(1) + 6, 0, 2, LOAD}}},        /* ldrh r2, [r1, #6]     */
    {A32(1, {0xe1c120d8}), {{R(1) + 8, 0, 8, LOADS}}},       /* ldrd r2, r3, [r1, #8] */
    {A32(1, {0xe59f0008}), {{0x10004 + 8 + 8, 0, 4, LOAD}}}, /* ldr r0, [pc, #8]      */
    {A32(1, {0xed1f0b02}), {{0x10004 + 8 - 8, 0, 8, LOAD}}}, /* vldr d0, [pc, #-8]    */
    {A32(1, {0xed810a01}), {{R(1) + 4, 0, 4, STORE}}},       /* vstr s0, [r1, #4]     */
    {T32(1, {0x6848}), {{R(1) + 4, 0, 4, LOAD}}},            /* ldr r0, [r1, #4]      */
    {T32(1, {0x7848}), {{R(1) + 1, 0, 1, LOAD}}},            /* ldrb r0, [r1, #1]     */
    {T32(1, {0x8048}), {{R(1) + 2, 0, 2, STORE}}},           /* strh r0, [r1, #2]     */
    {T32(1, {0x9802}), {{R(13) + 8, 0, 4, LOAD}}},           /* ldr r0, [sp, #8]      */
    {T32(1, {0x4801}), {{0x10004 + 4, 0, 4, LOAD}}},         /* ldr r0, [pc, #4]      */
    {T32(1, {0xf8d10123}), {{R(1) + 0x123, 0, 4, LOAD}}},    /* ldr.w r0, [r1, #291]  */
    {T32(1, {0xf8510c04}), {{R(1) - 4, 0, 4, LOAD}}},        /* ldr r0, [r1, #-4]     */
    {T32(1, {0xf85f0004}), {{0x10004 - 4, 0, 4, LOAD}}},     /* ldr.w r0, [pc, #-4]   */
    {T32(1, {0xe9d12302}), {{R(1) + 8, 0, 8, LOADS}}},       /* ldrd r2, r3, [r1, #8] */
    {T32(1, {0xf9b10008}), {{R(1) + 8, 0, 2, LOAD}}},        /* ldrsh.w r0, [r1, #8]  */
    /* What the decoder does not know: push {r4, r5, pc} of T32. */
    {T32(2, {0x6848, 0xe92d8030}), {NOT}},
    /* Two registers. */
    {A32(1, {0xe7910102}), {{R(1) + (R(2) << 2), 0, 4, LOAD}}},  /* ldr r0, [r1, r2, lsl #2] */
    {A32(1, {0xe18120b3}), {{R(1) + R(3), 0, 2, STORE}}},        /* strh r2, [r1, r3]        */
    {A32(1, {0xe7110002}), {NOT}},                               /* ldr r0, [r1, -r2]        */
    {A32(1, {0xe7910122}), {NOT}},                               /* ldr r0, [r1, r2, lsr #2] */
    {T32(1, {0x5888}), {{R(1) + R(2), 0, 4, LOAD}}},             /* ldr r0, [r1, r2]         */
    {T32(1, {0xf8410032}), {{R(1) + (R(2) << 3), 0, 4, STORE}}}, /* str.w r0, [r1, r2, lsl #3] */
    /* The base moves. */
    {A32(2, {0xe4910004, 0xe5912000}), {{R(1), 0, 4, LOAD}, {R(1) + 4, 1, 4, LOAD}}},
    {A32(2, {0xe5210004, 0xe5912000}), {{R(1) - 4, 0, 4, STORE}, {R(1) - 4, 1, 4, LOAD}}},
    {A32(2, {0xe6910103, 0xe5912000}), {{R(1), 0, 4, LOAD}, {R(1) + (R(3) << 2), 1, 4, LOAD}}},
    {A32(2, {0xe6110103, 0xe5912000}), {NOT}}, /* ldr r0, [r1], -r3, lsl #2; ldr r2, [r1] */
    {A32(2, {0xe0c120d8, 0xe5910000}), {{R(1), 0, 8, LOADS}, {R(1) + 8, 1, 4, LOAD}}},
    {T32(2, {0xf8510b04, 0x680a}), {{R(1), 0, 4, LOAD}, {R(1) + 4, 1, 4, LOAD}}},
    {T32(2, {0xf8410d04, 0x680a}), {{R(1) - 4, 0, 4, STORE}, {R(1) - 4, 1, 4, LOAD}}},
    {T32(2, {0xe8f12302, 0x680a}), {{R(1), 0, 8, LOADS}, {R(1) + 8, 1, 4, LOAD}}},
    /* Several registers. */
    {A32(2, {0xe92d4030, 0xe8bd8030}),
     {{R(13) - 12, 0, 12, STORES}, {R(13) - 12, 1, 12, LOADS}}}, /* push, pop {r4, r5, lr/pc} */
    {A32(2, {0xe9a10030, 0xe5910000}), {{R(1) + 4, 0, 8, STORES}, {R(1) + 8, 1, 4, LOAD}}},
    {A32(2, {0xe8310030, 0xe5910000}), {{R(1) - 4, 0, 8, LOADS}, {R(1) - 8, 1, 4, LOAD}}},
    {A32(1, {0xe9110030}), {{R(1) - 8, 0, 8, LOADS}}}, /* ldmdb r1, {r4, r5} */
    {A32(2, {0xe92d0010, 0xe49d4004}), {{R(13) - 4, 0, 4, STORE}, {R(13) - 4, 1, 4, LOAD}}},
    {T32(2, {0xb530, 0xbd30}), {{R(13) - 12, 0, 12, STORES}, {R(13) - 12, 1, 12, LOADS}}},
    {T32(2, {0xc130, 0x6808}), {{R(1), 0, 8, STORES}, {R(1) + 8, 1, 4, LOAD}}},
    {T32(2, {0xe9214030, 0x6808}), {{R(1) - 12, 0, 12, STORES}, {R(1) - 12, 1, 4, LOAD}}},
    {A32(2, {0xed2d8b04, 0xe59d0000}), {{R(13) - 16, 0, 16, STORES}, {R(13) - 16, 1, 4, LOAD}}},
    {A32(2, {0xecb18a02, 0xe5910000}), {{R(1), 0, 8, LOADS}, {R(1) + 8, 1, 4, LOAD}}},
    {A32(2, {0xf421078d, 0xe5910000}), {{R(1), 0, 8, LOADS}, {R(1) + 8, 1, 4, LOAD}}},
    {A32(2, {0xf4010782, 0xe5910000}), {{R(1), 0, 8, STORES}, {R(1) + R(2), 1, 4, LOAD}}},
    {A32(1, {0xf4610adf}), {{R(1), 0, 16, LOADS}}}, /* vld1.64 {d16, d17}, [r1:64]: no number */
    {T32(2, {0xf921078d, 0x6808}), {{R(1), 0, 8, LOADS}, {R(1) + 8, 1, 4, LOAD}}},
    /* Sums in front of an access. */
    {A32(2, {0xe2812f41, 0xe5920000}), {{R(1) + 0x104, 1, 4, LOAD}}}, /* add r2, r1, #0x104 */
    {A32(2, {0xe2412c01, 0xe5920000}), {{R(1) - 0x100, 1, 4, LOAD}}}, /* sub r2, r1, #0x100 */
    {A32(2, {0xe0812183, 0xe5920004}), {{R(1) + (R(3) << 3) + 4, 1, 4, LOAD}}},
    {A32(2, {0xe1a02103, 0xe7920001}), {{(R(3) << 2) + R(1), 1, 4, LOAD}}}, /* mov r2, r3, lsl #2 */
    {A32(2, {0xe1a02003, 0xe7910102}), {{R(1) + (R(3) << 2), 1, 4, LOAD}}}, /* mov r2, r3 */
    {A32(3, {0xe3002abc, 0xe3412234, 0xe5920004}), {{0x12340abc + 4, 2, 4, LOAD}}},
    {A32(2, {0xe3a02a02, 0xe5920000}), {{0x2000, 1, 4, LOAD}}},  /* mov r2, #0x2000 */
    {A32(2, {0xe28f2008, 0xe5920000}), {{0x10014, 1, 4, LOAD}}}, /* add r2, pc, #8  */
    {A32(2, {0xe0812213, 0xe5920000}), {NOT}}, /* add r2, r1, r3, lsl r2: shifted by a register */
    {A32(2, {0xe0812003, 0xe7920104}), {NOT}}, /* add r2, r1, r3; ldr r0, [r2, r4, lsl #2]      */
    {A32(2, {0xe0412003, 0xe5920000}), {NOT}}, /* sub r2, r1, r3  */
    {A32(2, {0xe0020193, 0xe5920000}), {NOT}}, /* mul r2, r3, r1  */
    {A32(2, {0xe3412234, 0xe5920000}), {NOT}}, /* movt r2, #0x1234 */
    {A32(2, {0x02812004, 0xe5920000}), {NOT}}, /* addeq r2, r1, #4 */
    {A32(2, {0xe5912000, 0xe5920000}), {NOT}}, /* ldr r2, [r1]; ldr r0, [r2] */
    {T32(2, {0x3108, 0x6808}), {{R(1) + 8, 1, 4, LOAD}}},            /* adds r1, #8       */
    {T32(2, {0x3908, 0x6808}), {{R(1) - 8, 1, 4, LOAD}}},            /* subs r1, #8       */
    {T32(2, {0x1d0a, 0x6810}), {{R(1) + 4, 1, 4, LOAD}}},            /* adds r2, r1, #4   */
    {T32(2, {0x1f0a, 0x6810}), {{R(1) - 4, 1, 4, LOAD}}},            /* subs r2, r1, #4   */
    {T32(2, {0x18ca, 0x6810}), {{R(1) + R(3), 1, 4, LOAD}}},         /* adds r2, r1, r3   */
    {T32(2, {0x009a, 0x5888}), {{R(1) + (R(3) << 2), 1, 4, LOAD}}},  /* lsls r2, r3, #2 */
    {T32(2, {0x464a, 0x6810}), {{R(9), 1, 4, LOAD}}},                /* mov r2, r9        */
    {T32(2, {0x4449, 0x6808}), {{R(1) + R(9), 1, 4, LOAD}}},         /* add r1, r9        */
    {T32(2, {0x4479, 0x6808}), {NOT}},                               /* add r1, pc        */
    {T32(2, {0x467a, 0x6810}), {NOT}},                               /* mov r2, pc        */
    {T32(2, {0xa201, 0x6810}), {{0x10008, 1, 4, LOAD}}},             /* adr r2, .+8       */
    {T32(2, {0xaa02, 0x6810}), {{R(13) + 8, 1, 4, LOAD}}},           /* add r2, sp, #8    */
    {T32(3, {0xb084, 0x9000, 0xb004}), {{R(13) - 16, 1, 4, STORE}}}, /* sub sp, #16      */
    {T32(2, {0xb004, 0x9000}), {{R(13) + 16, 1, 4, STORE}}},         /* add sp, #16       */
    {T32(2, {0x2210, 0x5850}), {{R(1) + 16, 1, 4, LOAD}}},      /* movs r2, #16; ldr r0, [r2, r1] */
    {T32(2, {0xf5017280, 0x6810}), {{R(1) + 256, 1, 4, LOAD}}}, /* add.w r2, r1, #256 */
    {T32(2, {0xf1a10208, 0x6810}), {{R(1) - 8, 1, 4, LOAD}}},   /* sub.w r2, r1, #8  */
    {T32(2, {0xf2012234, 0x6810}), {{R(1) + 0x234, 1, 4, LOAD}}}, /* addw r2, r1, #564 */
    {T32(2, {0xf2a12234, 0x6810}), {{R(1) - 0x234, 1, 4, LOAD}}}, /* subw r2, r1, #564 */
    {T32(2, {0xf04f1210, 0x6810}), {{0x00100010, 1, 4, LOAD}}},   /* mov.w r2, #0x00100010 */
    {T32(3, {0xf6402238, 0xf2c12234, 0x6810}), {{0x12340a38, 2, 4, LOAD}}}, /* movw, movt */
    {T32(2, {0xeb010283, 0x6810}),
     {{R(1) + (R(3) << 2), 1, 4, LOAD}}}, /* add.w r2, r1, r3, lsl #2 */
    {T32(2, {0xea4f0283, 0x5888}), {{R(1) + (R(3) << 2), 1, 4, LOAD}}}, /* mov.w r2, r3, lsl #2 */
    {T32(2, {0xeb010293, 0x6810}), {NOT}}, /* add.w r2, r1, r3, lsr #2 */
    /* May be left out, or access twice. */
    {A32(1, {0x05910000}), {NOT}},     /* ldreq r0, [r1] */
    {A32(1, {0xe1812f93}), {NOT}},     /* strex r2, r3, [r1] */
    {A32(1, {0xe1020091}), {NOT}},     /* swp r0, r1, [r2] */
    {T32(2, {0xbf08, 0x6808}), {NOT}}, /* it eq; ldreq r0, [r1] */
    {T32(1, {0xe8d1f002}), {NOT}},     /* tbb [r1, r2] */
    /* One that is not known takes the summary of all. */
    {A32(2, {0xe5910000, 0xe5902000}), {NOT}}, /* ldr r0, [r1]; ldr r2, [r0] */
};

static size_t write_code(const struct row *row, uint8_t *bytes)
{
    size_t n = 0;

    for (unsigned i = 0; i < row->n_insns; i++) {
        const uint32_t word = row->code[i];
        const uint16_t first = (uint16_t)(word >> 16), second = (uint16_t)word;
        if (row->isa == ARMPMU_A32) {
            memcpy(bytes + n, &word, sizeof word);
            n += sizeof word;
            continue;
        }
        if (word > UINT16_MAX) {
            memcpy(bytes + n, &first, sizeof first);
            n += sizeof first;
        }
        memcpy(bytes + n, &second, sizeof second);
        n += sizeof second;
    }
    return n;
}

static struct address_summary *address_summary_of(struct decoder *decoder, const struct row *row)
{
    uint8_t bytes[32];
    const struct armpmu_block_source source = {
        .address = row->isa == ARMPMU_A32 ? START + 2 : START,
        .bytes = bytes,
        .n_bytes = (uint32_t)write_code(row, bytes),
        .n_insns = row->n_insns,
        .isa = row->isa,
    };
    struct block *block;

    assert_int_equal(decode_block(decoder, &source, 0, &block), ARMPMU_OK);
    struct address_summary *const summary = address_summary_new(block);
    free(block);
    return summary;
}

static unsigned judge(const struct row *row, const struct address_summary *summary)
{
    uint32_t values[ADDRESS_SUMMARY_VALUES] = {0};
    unsigned n = 0, wrong = 0;

    while (n < 4 && row->accesses[n].bytes > 0)
        n++;
    if (summary == NULL || n == 0) {
        wrong = (summary == NULL) != (n == 0);
        if (wrong)
            print_error("line %d: %s\n", row->line, n == 0 ? "a summary" : "no summary");
        return wrong;
    }
    for (unsigned i = 0; i < summary->n_registers; i++)
        values[summary->registers[i]] = R((uint32_t)summary->registers[i]);
    for (unsigned i = 0; i < n && i < summary->n; i++) {
        const struct address_summary_access *const got = &summary->accesses[i];
        const struct expected *const want = &row->accesses[i];
        const uint32_t address = address_summary_value(&got->address, values);
        const bool same = address == want->address && got->insn == want->insn &&
                          got->bytes == want->bytes && got->write == want->write &&
                          got->multiple == want->multiple &&
                          armpmu_record_kind(got->word) ==
                              (want->multiple ? ARMPMU_RECORD_BURST : ARMPMU_RECORD_ACCESS) &&
                          armpmu_record_index(got->word) == want->insn;
        if (!same)
            print_error("line %d, access %u: 0x%08x, instruction %u, %u bytes; expected 0x%08x\n",
                        row->line, i, address, got->insn, got->bytes, want->address);
        wrong += !same;
    }
    return wrong + (summary->n != n);
}

TEST(each_row)
{
    struct decoder *decoder;
    unsigned wrong = 0;

    assert_int_equal(decoder_new(&decoder, NULL), ARMPMU_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct address_summary *const summary = address_summary_of(decoder, &rows[i]);
        wrong += judge(&rows[i], summary);
        free(summary);
    }
    decoder_free(decoder);
    assert_int_equal(wrong, 0);
}

TEST(writes_are_told)
{
    static const struct row load = {A32(1, {0xe5910008}), {{0}}},
                            store = {A32(2, {0xe5910008, 0xe5810008}), {{0}}};
    struct decoder *decoder;

    assert_int_equal(decoder_new(&decoder, NULL), ARMPMU_OK);
    struct address_summary *const loads = address_summary_of(decoder, &load);
    struct address_summary *const stores = address_summary_of(decoder, &store);
    assert_false(loads->writes);
    assert_true(stores->writes);
    assert_int_equal(stores->n_registers, 1);
    free(loads);
    free(stores);
    decoder_free(decoder);
}

struct left {
    int line;
    enum armpmu_isa isa;
    unsigned n_insns;
    uint32_t code[6];
    uint16_t reads, changes, moved;
    uint32_t values[3]; /* of those moved, the lowest register first */
};

#define BIT(n) (1u << (n))

static const struct left lefts[] = {
    /* Nothing is accessed: add r1, r1, r3. */
    {A32(1, {0xe0811003}), 0, BIT(1), 0, {0}},
    /* ldr r0, [r1], #4; str r0, [r2, #8]! */
    {A32(2, {0xe4910004, 0xe5a20008}),
     BIT(1) | BIT(2),
     BIT(0) | BIT(1) | BIT(2),
     BIT(1) | BIT(2),
     {R(1) + 4, R(2) + 8}},
    /* push {r4, lr}; sub sp, sp, #16 */
    {A32(2, {0xe92d4010, 0xe24dd010}), BIT(13), BIT(13), BIT(13), {R(13) - 24}},
    {T32(2, {0xb510, 0xb084}), BIT(13), BIT(13), BIT(13), {R(13) - 24}},
    /* pop {r4, pc} */
    {A32(1, {0xe8bd8010}), BIT(13), BIT(4) | BIT(13), BIT(13), {R(13) + 8}},
    /* ldr r0, [r1]; ldr r0, [r2]; mov r1, r2; mov r2, r1: both are what r2 was */
    {A32(4, {0xe5910000, 0xe5920000, 0xe1a01002, 0xe1a02001}),
     BIT(1) | BIT(2),
     BIT(0) | BIT(1),
     BIT(1),
     {R(2)}},
    /* ldr r0, [r1, r2]; mov r3, r1; mov r1, r2; mov r2, r3: they change places, one is known */
    {A32(4, {0xe7910002, 0xe1a03001, 0xe1a01002, 0xe1a02003}),
     BIT(1) | BIT(2),
     BIT(0) | BIT(1) | BIT(2) | BIT(3),
     BIT(1),
     {R(2)}},
    /* ldr r0, [r1]; add r1, r1, r3: r3 is not read */
    {A32(2, {0xe5910000, 0xe0811003}), BIT(1), BIT(0) | BIT(1), 0, {0}},
    /* ldr r0, [r1]; addeq r1, r1, #4 */
    {A32(2, {0xe5910000, 0x02811004}), BIT(1), BIT(0) | BIT(1), 0, {0}},
    /* ldr r0, [r1]; ldr r1, [r1, #4] */
    {A32(2, {0xe5910000, 0xe5911004}), BIT(1), BIT(0) | BIT(1), 0, {0}},
    /* ldr r0, [r1]; bl: to lr */
    {A32(2, {0xe5910000, 0xeb000000}), BIT(1), BIT(0) | BIT(14), 0, {0}},
    /* ldr r0, [r1], #4; cps #19: in another mode are other registers */
    {A32(2, {0xe4910004, 0xf1020013}), BIT(1), 0x7fff, 0, {0}},
};

static unsigned judge_left(const struct left *row, const struct address_summary *summary)
{
    uint32_t values[ADDRESS_SUMMARY_VALUES] = {0};
    unsigned n = 0, wrong = 0;

    if (summary == NULL || summary->reads != row->reads || summary->changes != row->changes) {
        print_error("line %d: other registers are read or changed\n", row->line);
        return 1;
    }
    for (uint32_t reg = 0; reg < 15; reg++)
        values[reg] = row->reads & BIT(reg) ? R(reg) : 0xdeadbeef;
    const uint16_t known = address_summary_leave(summary, values, row->reads);
    for (unsigned reg = 0; reg < 15; reg++)
        wrong += (row->moved & BIT(reg)) != 0 && values[reg] != row->values[n++];
    wrong += known != ((row->reads & ~row->changes) | row->moved);
    wrong += summary->repeats != ((row->reads & ~known) == 0);
    if (wrong > 0)
        print_error("line %d: registers are not what they are after it\n", row->line);
    return wrong;
}

TEST(what_is_left)
{
    struct decoder *decoder;
    unsigned wrong = 0;

    assert_int_equal(decoder_new(&decoder, NULL), ARMPMU_OK);
    for (size_t i = 0; i < sizeof lefts / sizeof lefts[0]; i++) {
        struct row row = {.isa = lefts[i].isa, .n_insns = lefts[i].n_insns};
        memcpy(row.code, lefts[i].code, sizeof row.code);
        struct address_summary *const summary = address_summary_of(decoder, &row);
        wrong += judge_left(&lefts[i], summary);
        free(summary);
    }
    decoder_free(decoder);
    assert_int_equal(wrong, 0);
}
