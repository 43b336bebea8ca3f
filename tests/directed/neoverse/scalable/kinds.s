// N rounds of SVE: 13 instructions, of which 8 have a governing predicate, one loads, one stores; 3 of floating point, on
// 4 + 2 * 2 + 8 elements of 128 bits; 6 of integers, by the size of their elements.
// A window of one entry has no room for a wrong path.
// proves: 0x8006 SVE counts whatever it does, loads, stores and predicates included; Advanced SIMD does not
// proves: 0x8074 what a predicate governs counts, stores, comparisons and predicates among them
// proves: 0x80C0 an operation of each 128 bits counts, two where it multiplies and adds, whatever the predicate says
// proves: 0x80E3 integers of SVE count by their largest elements
// scalable: SVE
// set: window.entries = 1
// vary: N = 1, 10, 500
// expect-change: SVE_INST_SPEC = 13 * N
// expect-change: SVE_PRED_SPEC = 8 * N
// expect-change: FP_SCALE_OPS_SPEC = (4 + 2 * 2 + 8) * N
// expect-change: FP_FIXED_OPS_SPEC = 4 * N
// expect-change: FP_HP_SPEC = N
// expect-change: FP_SP_SPEC = 2 * N
// expect-change: FP_DP_SPEC = N
// expect-change: ASE_SVE_INT8_SPEC = N
// expect-change: ASE_SVE_INT16_SPEC = N
// expect-change: ASE_SVE_INT32_SPEC = 2 * N
// expect-change: ASE_SVE_INT64_SPEC = N
// expect-change: LD_SPEC = N
// expect-change: ST_SPEC = N
// expect-change: ASE_SPEC = N
        .include "directed.inc"
        .arch   armv8.2-a+sve
_start: number  x9, N
        address x1, buffer
        ptrue   p0.b
        ptrue   p1.d, vl1
loop:   fadd    z0.s, z1.s, z2.s
        fmla    z3.d, p1/m, z1.d, z2.d
        fmul    z4.h, p0/m, z4.h, z2.h
        fadd    v5.4s, v1.4s, v2.4s
        add     z6.b, z1.b, z2.b
        mul     z7.h, p0/m, z7.h, z2.h
        sdot    z8.s, z1.b, z2.b
        cmpeq   p2.s, p0/z, z1.s, z2.s
        lsl     z9.d, p1/m, z9.d, #3
        ld1w    {z10.s}, p0/z, [x1]
        st1w    {z10.s}, p0, [x1]
        and     p3.b, p0/z, p1.b, p2.b
        cntw    x2
        ptrue   p4.s
        repeat  x9
        finish
        .bss
        .balign 64
buffer: .skip   64
