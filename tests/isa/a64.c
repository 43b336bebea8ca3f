/* A64: the table's own rules, branches and blocks, and properties over random words. */
#include "../test.h"

#include <stdlib.h>
#include <string.h>

#include "render.h"
#include "row.h"
#include "parts/random.h"

static struct insn decode_one(uint32_t word)
{
    uint8_t bytes[4];

    store_insn(ARMPMU_A64, word, 4, bytes);
    struct block *block = decode_bytes(ARMPMU_A64, 0x400000, bytes, 4, 1, 0);
    const struct insn insn = block->insns[0];
    free(block);
    return insn;
}

/* ---- the table ---------------------------------------------------------------------------------
 */

static const struct {
    const char *pattern, *registers;
} rows[] = {
#define ROW(pattern, klass, shape, registers, flags, bytes) {pattern, registers},
#define DATA(pattern, klass, shape, registers, flags, work) {pattern, registers},
#define SVE(pattern, kind, registers, flags, work)          {pattern, registers},
#define MEMORY(pattern, kind, shape, registers, bytes)      {pattern, registers},
#include "isa/a64.def"
#undef ROW
#undef DATA
#undef SVE
#undef MEMORY
};

TEST(patterns_are_words_and_registers_have_three_letters)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *registers = rows[i].registers;
        size_t n_bits = 0;
        for (const char *at = rows[i].pattern; *at != '\0'; at++)
            n_bits += *at != ' ';
        if (n_bits > 32 || (n_bits < 32 && strstr(rows[i].pattern, "ddddd") != NULL))
            fail_msg("%s: %zu bits", rows[i].pattern, n_bits);
        for (; *registers != '\0'; registers += registers[3] == ' ' ? 4 : 3) {
            if (strchr("wreluabg", registers[0]) == NULL || strchr("xpvq", registers[1]) == NULL ||
                strchr("dtnamshzgG", registers[2]) == NULL ||
                (registers[3] != ' ' && registers[3] != '\0'))
                fail_msg("%s: registers %s", rows[i].pattern, rows[i].registers);
        }
    }
}

/* ---- facts that others do not show -------------------------------------------------------------
 */

TEST(forms_have_their_facts)
{
    static const struct {
        int line;
        uint32_t word;
        const char *facts;
    } cases[] = {
        {__LINE__, 0x8b020020, "alu r:x1,x2 w:x0"},                   /* add x0, x1, x2 */
        {__LINE__, 0x8b020c20, "alu r:x1,x2' w:x0"},                  /* ..., lsl #3 */
        {__LINE__, 0x8b021020, "alu r:x1,x2' w:x0"},                  /* ..., lsl #4 */
        {__LINE__, 0x8b021420, "alu-shift r:x1,x2' w:x0"},            /* ..., lsl #5 */
        {__LINE__, 0x8b420420, "alu-shift r:x1,x2' w:x0"},            /* ..., lsr #1 */
        {__LINE__, 0x8a425020, "alu r:x1,x2' w:x0"},                  /* and ..., lsr #20 */
        {__LINE__, 0x9ac22020, "alu r:x1,x2 w:x0"},                   /* lsl x0, x1, x2 */
        {__LINE__, 0xdac00020, "alu r:x1' w:x0"},                     /* rbit x0, x1 */
        {__LINE__, 0xdac00c20, "alu r:x1' w:x0"},                     /* rev x0, x1 */
        {__LINE__, 0xea020420, "alu-shift r:x1,x2' w:x0,flags"},      /* ands ..., lsl #1 */
        {__LINE__, 0x8b2263ff, "alu r:x2,sp w:sp"},                   /* add sp, sp, x2 */
        {__LINE__, 0x8b22c3e0, "alu-shift r:x2',sp w:x0"},            /* ..., w2, sxtw */
        {__LINE__, 0xf100047f, "alu r:x3 w:flags"},                   /* cmp x3, #1 */
        {__LINE__, 0xaa0203e1, "move r:x2 w:x1"},                     /* mov x1, x2 */
        {__LINE__, 0xd2800021, "move w:x1"},                          /* mov x1, #1 */
        {__LINE__, 0xf2a00021, "alu r:x1 w:x1"},                      /* movk x1, #1, lsl #16 */
        {__LINE__, 0x9a820020, "alu r:x1,x2,flags w:x0"},             /* csel x0, x1, x2, eq */
        {__LINE__, 0xfa420020, "alu r:x1,x2,flags w:flags"},          /* ccmp x1, x2, #0, eq */
        {__LINE__, 0x1b020c20, "mul r:x1',x2',x3~ w:x0"},             /* madd w0, w1, w2, w3 */
        {__LINE__, 0x9b027c20, "mul-long r:x1',x2' w:x0"},            /* mul x0, x1, x2 */
        {__LINE__, 0x9ac20820, "divide r:x1,x2 w:x0"},                /* udiv x0, x1, x2 */
        {__LINE__, 0x1ac24020, "crc r:x1,x2 w:x0"},                   /* crc32b w0, w1, w2 */
        {__LINE__, 0x54000040, "branch immediate @+8 ?0 r:flags"},    /* b.eq */
        {__LINE__, 0x5400004e, "branch immediate @+8"},               /* b.al */
        {__LINE__, 0xb4ffffe1, "branch immediate @-4 cbz r:x1"},      /* cbz x1 */
        {__LINE__, 0x37080041, "branch immediate @+8 cbz r:x1"},      /* tbnz w1, #1 */
        {__LINE__, 0x94000002, "branch immediate @+8 link w:x30"},    /* bl */
        {__LINE__, 0xd63f0020, "branch indirect link r:x1 w:x30"},    /* blr x1 */
        {__LINE__, 0xd61f03c0, "branch indirect r:x30"},              /* br x30 */
        {__LINE__, 0xd65f03c0, "branch return r:x30"},                /* ret */
        {__LINE__, 0xd65f0bff, "branch return r:x30,sp"},             /* retaa */
        {__LINE__, 0xd69f03e0, "system exception-return privileged"}, /* eret */
        {__LINE__, 0xd4000001, "system svc"},
        {__LINE__, 0xd4200000, "system breakpoint"},
        {__LINE__, 0x00000000, "system undefined"},
        {__LINE__, 0xd503207f, "barrier wait"},                   /* wfi */
        {__LINE__, 0xd503201f, "zero"},                           /* nop */
        {__LINE__, 0xd503245f, "zero"},                           /* bti c */
        {__LINE__, 0xd503233f, "crc r:x30,sp w:x30"},             /* paciasp */
        {__LINE__, 0xd5033bbf, "barrier orders"},                 /* dmb ish */
        {__LINE__, 0xd50b7421, "store r:x1' m:store 64/1x"},      /* dc zva, x1 */
        {__LINE__, 0xd53bd041, "system w:x1"},                    /* mrs x1, tpidr_el0 */
        {__LINE__, 0xd5380001, "system privileged w:x1"},         /* mrs x1, midr_el1 */
        {__LINE__, 0xd51b4201, "system r:x1 w:flags"},            /* msr nzcv, x1 */
        {__LINE__, 0xd518d021, "system contextidr r:x1"},         /* msr contextidr_el1, x1 */
        {__LINE__, 0xd51b9c81, "system swinc r:x1"},              /* msr pmswinc_el0, x1 */
        {__LINE__, 0xf9400420, "load r:x1' w:x0 m:load 8/8"},     /* ldr x0, [x1, #8] */
        {__LINE__, 0xf8408420, "load r:x1' w:x0,x1! m:load 8/8"}, /* ldr x0, [x1], #8 */
        {__LINE__, 0x386268c0, "load r:x2',x6' w:x0 m:load 1/1"}, /* ldrb w0, [x6, x2] */
        {__LINE__, 0xb9000020, "store r:x0~,x1' m:store 4/4"},    /* str w0, [x1] */
        {__LINE__, 0xa9bf7bfd, "store r:x29~,x30~,sp' w:sp! m:store 16/8+ x2"},
        {__LINE__, 0xa8c17bfd, "load r:sp' w:x29,x30,sp! m:load 16/8+ x2"},
        {__LINE__, 0x3dc00020, "neon-load r:x1' w:v0 m:load 16/16+n"}, /* ldr q0, [x1] */
        {__LINE__, 0xfd400020, "neon-load r:x1' w:v0 m:load 8/8n"},    /* ldr d0, [x1] */
        {__LINE__, 0xf9800020, "preload r:x1'"},                       /* prfm pldl1keep, [x1] */
        {__LINE__, 0xc85f7c20, "load r:x1' w:x0 m:load 8/8x"},         /* ldxr x0, [x1] */
        {__LINE__, 0xc8027c20, "store r:x0~,x1' w:x2 m:store 8/8x"},   /* stxr w2, x0, [x1] */
        {__LINE__, 0xf8220020, "atomic r:x1',x2~ w:x0 m:swap 8/8 x2"}, /* ldadd x2, x0, [x1] */
        {__LINE__, 0xc8a27c20, "atomic r:x0~,x1',x2~ w:x2 m:swap 8/8 x2"}, /* cas x2, x0, [x1] */
        {__LINE__, 0x4c407020, "neon-load r:x1' w:v0 m:load 16/1+n"},      /* ld1 {v0.16b}, [x1] */
        {__LINE__, 0x4cdf0820, "neon-load r:x1' w:x1!,v0,v1,v2,v3 m:load 64/4+n x4"},
        {__LINE__, 0x0d408020, "neon-load r:x1',v0~ w:v0 m:load 4/4n"}, /* ld1 {v0.s}[0], [x1] */
        {__LINE__, 0x0d40c820, "neon-load r:x1' w:v0 m:load 4/4n"},     /* ld1r {v0.2s}, [x1] */
        {__LINE__, 0x4ea29420, "neon-multiply r:v0~,v1,v2 w:v0"}, /* mla v0.4s, v1.4s, v2.4s */
        {__LINE__, 0x4e221c20, "neon-logic r:v1,v2 w:v0"},        /* and v0.16b, v1.16b, v2.16b */
        {__LINE__, 0x4e220c20, "neon-alu-complex r:v1,v2 w:v0"},  /* sqadd v0.16b, v1.16b, v2.16b */
        {__LINE__, 0x4e228420, "neon-alu r:v1,v2 w:v0"},          /* add v0.16b, v1.16b, v2.16b */
        {__LINE__, 0x1e624820, "float-sign r:v1,v2 w:v0"},        /* fmax d0, d1, d2 */
        {__LINE__, 0x1e622820, "vfp r:v1,v2 w:v0"},               /* fadd d0, d1, d2 */
        {__LINE__, 0x5e62e420, "float-select r:v1,v2 w:v0"},      /* fcmeq d0, d1, d2 */
        {__LINE__, 0x6e22d420, "float-pair-sum r:v1,v2 w:v0"},    /* faddp v0.4s, v1.4s, v2.4s */
        {__LINE__, 0x4e22d420, "neon-float r:v1,v2 w:v0"},        /* fadd v0.4s, v1.4s, v2.4s */
        {__LINE__, 0x4e22fc20, "float-step r:v1,v2 w:v0"},        /* frecps v0.4s, v1.4s, v2.4s */
        {__LINE__, 0x4e218820, "neon-convert r:v1 w:v0"},         /* frintn v0.4s, v1.4s */
        {__LINE__, 0x1f420c20, "vfp r:v1,v2,v3~ w:v0"},           /* fmadd d0, d1, d2, d3 */
        {__LINE__, 0x1e621820, "vfp-divide r:v1,v2 w:v0"},        /* fdiv d0, d1, d2 */
        {__LINE__, 0x1e622020, "vfp-compare r:v1,v2 w:flags"},    /* fcmp d1, d2 */
        {__LINE__, 0x9e660020, "neon-to-core r:v1 w:x0"},         /* fmov x0, d1 */
        {__LINE__, 0x4e081c20, "core-to-element r:x1,v0 w:v0"},   /* mov v0.d[0], x1 */
        {__LINE__, 0x4e284820, "crypto-aes r:v0,v1 w:v0"},        /* aese v0.16b, v1.16b */
        {__LINE__, 0x4e022020, "neon-table r:v1,v2 w:v0 x2"},     /* tbl, two registers */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct insn insn = decode_one(cases[i].word);
        char got[400];
        render_a64_insn(&insn, 0x400000, got, sizeof got);
        if (strcmp(got, cases[i].facts) != 0)
            fail_msg("line %d, %08x: want %s, got %s", cases[i].line, cases[i].word, cases[i].facts,
                     got);
    }
}

TEST(forms_say_what_they_compute)
{
    static const struct {
        int line;
        uint32_t word;
        struct insn_work work;
    } cases[] = {
        {__LINE__, 0x1ee22820, {WORK_FLOAT, true, 2, 1, 1}},    /* fadd h0, h1, h2 */
        {__LINE__, 0x1e22c020, {WORK_FLOAT, true, 8, 1, 1}},    /* fcvt d0, s1 */
        {__LINE__, 0x1ee24020, {WORK_FLOAT, true, 4, 1, 1}},    /* fcvt s0, h1 */
        {__LINE__, 0x1e604020, {WORK_FLOAT, false, 0, 0, 0}},   /* fmov d0, d1 */
        {__LINE__, 0x9e660020, {WORK_NONE, false, 0, 0, 0}},    /* fmov x0, d1 */
        {__LINE__, 0x1e620c20, {WORK_FLOAT, false, 0, 0, 0}},   /* fcsel d0, d1, d2, eq */
        {__LINE__, 0x1f420c20, {WORK_FLOAT, true, 8, 1, 2}},    /* fmadd d0, d1, d2, d3 */
        {__LINE__, 0x9e220020, {WORK_FLOAT, true, 4, 1, 1}},    /* scvtf s0, x1 */
        {__LINE__, 0x4e420c20, {WORK_SIMD, true, 2, 8, 2}},     /* fmla v0.8h, v1.8h, v2.8h */
        {__LINE__, 0x0fa21020, {WORK_SIMD, true, 4, 2, 2}},     /* fmla v0.2s, v1.2s, v2.s[1] */
        {__LINE__, 0x6e62dc20, {WORK_SIMD, true, 8, 2, 1}},     /* fmul v0.2d, v1.2d, v2.2d */
        {__LINE__, 0x0e616820, {WORK_SIMD, true, 8, 2, 1}},     /* fcvtn v0.2s, v1.2d */
        {__LINE__, 0x0e217820, {WORK_SIMD, true, 4, 4, 1}},     /* fcvtl v0.4s, v1.4h */
        {__LINE__, 0x4e22ec20, {WORK_SIMD, true, 4, 4, 2}},     /* fmlal v0.4s, v1.4h, v2.4h */
        {__LINE__, 0x6e42fc20, {WORK_SIMD, true, 4, 4, 4}},     /* bfdot v0.4s, v1.8h, v2.8h */
        {__LINE__, 0x6e42ec20, {WORK_SIMD, true, 4, 4, 8}},     /* bfmmla v0.4s, v1.8h, v2.8h */
        {__LINE__, 0x6e82cc20, {WORK_SIMD, true, 4, 4, 2}},     /* fcmla v0.4s, v1.4s, v2.4s, #90 */
        {__LINE__, 0x4f3de420, {WORK_SIMD, true, 4, 4, 1}},     /* scvtf v0.4s, v1.4s, #3 */
        {__LINE__, 0x5e62e420, {WORK_SIMD, true, 8, 1, 1}},     /* fcmeq d0, d1, d2 */
        {__LINE__, 0x4e228420, {WORK_SIMD, false, 1, 0, 0}},    /* add v0.16b, v1.16b, v2.16b */
        {__LINE__, 0x0e220020, {WORK_SIMD, false, 2, 0, 0}},    /* saddl v0.8h, v1.8b, v2.8b */
        {__LINE__, 0x0ea12820, {WORK_SIMD, false, 8, 0, 0}},    /* xtn v0.2s, v1.2d */
        {__LINE__, 0x0f21a420, {WORK_SIMD, false, 8, 0, 0}},    /* sshll v0.2d, v1.2s, #1 */
        {__LINE__, 0x0f1e0420, {WORK_SIMD, false, 2, 0, 0}},    /* sshr v0.4h, v1.4h, #2 */
        {__LINE__, 0x5ee28420, {WORK_SIMD, false, 8, 0, 0}},    /* add d0, d1, d2 */
        {__LINE__, 0x4e829420, {WORK_SIMD, false, 4, 0, 0}},    /* sdot v0.4s, v1.16b, v2.16b */
        {__LINE__, 0x4e423820, {WORK_SIMD, false, 0, 0, 0}},    /* zip1 v0.8h, v1.8h, v2.8h */
        {__LINE__, 0x0ee2e020, {WORK_SIMD, false, 16, 0, 0}},   /* pmull v0.1q, v1.1d, v2.1d */
        {__LINE__, 0x5e024020, {WORK_CRYPTO, false, 0, 0, 0}},  /* sha256h q0, q1, v2.4s */
        {__LINE__, 0x8b020020, {WORK_INTEGER, false, 0, 0, 0}}, /* add x0, x1, x2 */
        {__LINE__, 0xd503201f, {WORK_NONE, false, 0, 0, 0}},    /* nop */
        {__LINE__, 0xf9400020, {WORK_NONE, false, 0, 0, 0}},    /* ldr x0, [x1] */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct insn_work got = decode_one(cases[i].word).work, want = cases[i].work;
        if (got.unit != want.unit || got.floats != want.floats ||
            got.element_bytes != want.element_bytes || got.elements != want.elements ||
            got.steps != want.steps)
            fail_msg("line %d, %08x: %d %d %d %d %d", cases[i].line, cases[i].word, got.unit,
                     got.floats, got.element_bytes, got.elements, got.steps);
    }
}

/* Vectors of 128 bits, or one operand of them. */
TEST(forms_say_how_wide_they_are)
{
    static const struct {
        uint32_t word;
        bool quad;
    } cases[] = {
        {0x4e22d420, true},  /* fadd v0.4s, v1.4s, v2.4s */
        {0x0e22d420, false}, /* fadd v0.2s, v1.2s, v2.2s */
        {0x1e622820, false}, /* fadd d0, d1, d2 */
        {0x5ee28420, false}, /* add d0, d1, d2 */
        {0x0e220020, true},  /* saddl v0.8h, v1.8b, v2.8b */
        {0x0e224020, true},  /* addhn v0.8b, v1.8h, v2.8h */
        {0x0f08a420, true},  /* sxtl v0.8h, v1.8b */
        {0x0f00a420, false}, /* movi v0.4h, #1, lsl #8 */
        {0x0e212820, false}, /* xtn v0.8b, v1.8h */
        {0x2e213820, true},  /* shll v0.8h, v1.8b, #8 */
        {0x0e217820, true},  /* fcvtl v0.4s, v1.4h */
        {0x0e616820, true},  /* fcvtn v0.2s, v1.2d */
        {0x0f82a020, true},  /* smull v0.2d, v1.2s, v2.s[0] */
        {0x4e181c20, false}, /* ins v0.d[1], x1 */
        {0x4e183c20, false}, /* umov x0, v1.d[1] */
        {0x6e180420, true},  /* ins v0.d[1], v1.d[0] */
        {0x4e284820, true},  /* aese v0.16b, v1.16b */
        {0x3dc00020, false}, /* ldr q0, [x1]: bytes say it */
        {0x8b020020, false}, /* add x0, x1, x2 */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (decode_one(cases[i].word).vector.quad != cases[i].quad)
            fail_msg("%08x", cases[i].word);
}

/* Operands and accumulators, though all may be one register, which is then needed early. */
TEST(forms_say_what_they_read_though_it_is_one_register)
{
    static const struct {
        uint32_t word;
        unsigned operands;
        bool accumulates;
    } cases[] = {
        {0x4ea04400, 2, false}, /* sshl v0.4s, v0.4s, v0.4s */
        {0x4ea27c00, 2, true},  /* saba v0.4s, v0.4s, v2.4s */
        {0x4ea07c00, 2, true},  /* saba v0.4s, v0.4s, v0.4s */
        {0x4f3e1400, 1, true},  /* ssra v0.4s, v0.4s, #2 */
        {0x6f225400, 2, false}, /* sli v0.4s, v0.4s, #2 */
        {0x4f225400, 1, false}, /* shl v0.4s, v0.4s, #2 */
        {0x9b000000, 0, true},  /* madd x0, x0, x0, x0 */
        {0x9b007c00, 0, false}, /* mul x0, x0, x0 */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct insn insn = decode_one(cases[i].word);
        if (insn.vector.operands != cases[i].operands || insn.accumulates != cases[i].accumulates)
            fail_msg("%08x: %d operands, %d", cases[i].word, insn.vector.operands,
                     insn.accumulates);
    }
}

TEST(forms_say_what_they_order)
{
    static const struct {
        int line;
        uint32_t word;
        bool acquires, releases, monitors;
        enum insn_barrier barrier;
    } cases[] = {
        {__LINE__, 0xc85f7c20, false, false, true, BARRIER_NONE},         /* ldxr x0, [x1] */
        {__LINE__, 0xc85ffc20, true, false, true, BARRIER_NONE},          /* ldaxr x0, [x1] */
        {__LINE__, 0xc802fc20, false, true, true, BARRIER_NONE},          /* stlxr w2, x0, [x1] */
        {__LINE__, 0xc8dffc20, true, false, false, BARRIER_NONE},         /* ldar x0, [x1] */
        {__LINE__, 0xc89ffc20, false, true, false, BARRIER_NONE},         /* stlr x0, [x1] */
        {__LINE__, 0xf8bfc020, true, false, false, BARRIER_NONE},         /* ldapr x0, [x1] */
        {__LINE__, 0xf8e20020, true, true, false, BARRIER_NONE},          /* ldaddal x2, x0, [x1] */
        {__LINE__, 0xf8a2003f, false, false, false, BARRIER_NONE},        /* ldadda x2, xzr, [x1] */
        {__LINE__, 0xc8e27c20, true, false, false, BARRIER_NONE},         /* casa x2, x0, [x1] */
        {__LINE__, 0xc8a2fc20, false, true, false, BARRIER_NONE},         /* casl x2, x0, [x1] */
        {__LINE__, 0xd50b7421, false, false, false, BARRIER_NONE},        /* dc zva, x1 */
        {__LINE__, 0xd5033fdf, false, false, false, BARRIER_INSTRUCTION}, /* isb */
        {__LINE__, 0xd5033f9f, false, false, false, BARRIER_SYNC},        /* dsb sy */
        {__LINE__, 0xd5033abf, false, false, false, BARRIER_MEMORY},      /* dmb ishst */
        {__LINE__, 0xd5033f5f, false, false, false, BARRIER_NONE},        /* clrex */
        {__LINE__, 0xd50330ff, false, false, false, BARRIER_NONE},        /* sb */
        {__LINE__, 0xd53b9d01, false, false, false, BARRIER_MONITOR},     /* mrs x1, pmccntr_el0 */
        {__LINE__, 0xd51b9c01, false, false, false, BARRIER_MONITOR},     /* msr pmcr_el0, x1 */
        {__LINE__, 0xd53be801, false, false, false, BARRIER_MONITOR}, /* mrs x1, pmevcntr0_el0 */
        {__LINE__, 0xd53bd401, false, false, false, BARRIER_MONITOR}, /* mrs x1, amevcntr00_el0 */
        {__LINE__, 0xd53be041, false, false, false, BARRIER_NONE},    /* mrs x1, cntvct_el0 */
        {__LINE__, 0xd53bd041, false, false, false, BARRIER_NONE},    /* mrs x1, tpidr_el0 */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct insn got = decode_one(cases[i].word);
        if (got.acquires != cases[i].acquires || got.releases != cases[i].releases ||
            got.monitors != cases[i].monitors || got.barrier != cases[i].barrier)
            fail_msg("line %d, %08x: %d %d %d %d", cases[i].line, cases[i].word, got.acquires,
                     got.releases, got.monitors, got.barrier);
    }
    assert_int_equal(decode_one(0xd5182001).effect, EFFECT_TTBR_WRITE); /* msr ttbr0_el1, x1 */
    assert_int_equal(decode_one(0xd5182021).effect, EFFECT_TTBR_WRITE); /* msr ttbr1_el1, x1 */
    assert_int_equal(decode_one(0xd5182041).effect, EFFECT_SYSTEM);     /* msr tcr_el1, x1 */
}

TEST(blocks_count_four_bytes_each_and_missing_bytes_are_undefined)
{
    static const uint8_t code[] = {0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20};
    struct block *block = decode_bytes(ARMPMU_A64, 0x400002, code, sizeof code, 3, 0xff);

    assert_int_equal(block->n_bytes, 12);
    assert_int_equal(block->it_after, 0);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(block->insns[i].offset, 4 * i);
        assert_int_equal(block->insns[i].condition, 14);
        assert_int_equal(block->insns[i].effect, i == 2 ? EFFECT_UNDEFINED : EFFECT_NONE);
    }
    free(block);
}

/* ---- properties
 * ---------------------------------------------------------------------------------- */

/* What holds for every instruction, whatever its bits. */
static const char *broken_invariant(const struct insn *insn)
{
    const struct insn_memory *memory = &insn->memory;
    const bool accesses = memory->load || memory->store;

    if (insn->size != 4 || insn->condition > 14 || insn->operations == 0)
        return "size, condition or operations";
    if ((insn->reads_early & ~insn->reads) != 0 || (insn->reads_late & ~insn->reads) != 0 ||
        (insn->reads_early & insn->reads_late) != 0)
        return "early and late reads";
    if ((insn->writes_back & ~insn->writes) != 0)
        return "written back, not written";
    if (insn->condition != 14 && (!insn->reads_flags || insn->branch != BRANCH_IMMEDIATE))
        return "condition";
    if (accesses != (memory->bytes != 0) || memory->bytes > 256)
        return "bytes of memory";
    if (accesses && (memory->align == 0 || (memory->align & (memory->align - 1)) != 0))
        return "alignment";
    if (accesses && !memory->multiple && memory->bytes > 8 && memory->bytes != 64)
        return "an access of more than eight bytes at once";
    if (insn->links && (insn->writes & REG_X(30)) == 0)
        return "a call without a return address";
    if (insn->effect == EFFECT_UNDEFINED && (insn->reads | insn->writes) != 0)
        return "an undefined instruction that does something";
    return NULL;
}

TEST(random_words_keep_the_invariants)
{
    enum { N_INSNS = 500, N_BLOCKS = 2000 };
    static uint8_t bytes[4 * N_INSNS];
    const uint64_t seed = 0xa64;
    struct random random = {seed};

    for (unsigned round = 0; round < N_BLOCKS; round++) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(random_next(&random) >> 32);
        struct block *block =
            decode_bytes(ARMPMU_A64, 0xfffffffffffff000, bytes, sizeof bytes, N_INSNS, 0);
        for (unsigned i = 0; i < N_INSNS; i++) {
            const char *broken = broken_invariant(&block->insns[i]);
            char text[400];
            if (broken == NULL)
                continue;
            render_a64_insn(&block->insns[i], 0, text, sizeof text);
            fail_msg("seed %#llx, %02x%02x%02x%02x: %s: %s", (unsigned long long)seed,
                     bytes[4 * i + 3], bytes[4 * i + 2], bytes[4 * i + 1], bytes[4 * i], broken,
                     text);
        }
        free(block);
    }
}

TEST(reserved_groups_are_undefined)
{
    struct random random = {0xdead};

    for (unsigned i = 0; i < 3000; i++) {
        const uint32_t word = (uint32_t)random_next(&random) & 0xe1ffffff;
        const uint32_t group = i % 3 == 0 ? 0x02000000 : i % 3 == 1 ? 0x06000000 : 0;
        assert_int_equal(decode_one(word | group).effect, EFFECT_UNDEFINED);
    }
}
