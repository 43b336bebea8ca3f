// N rounds of floating point: 5 instructions of single precision (1 + 2 + 8 + 1 + 4 operations), 5 of double (1 + 2 + 1 + 2 + 1);
// three moves.
// A window of one entry has no room for a wrong path.
// proves: 0x0075 scalar floating point counts, with conversions from X registers; Advanced SIMD and moves from X do not
// proves: 0x8014 single and double precision do not count
// proves: 0x8018 single-precision arithmetic counts, moves do not
// proves: 0x801C double-precision arithmetic counts, and what converts between single and double precision
// proves: 0x80C1 an operation counts for each element, two where it multiplies and adds
// set: window.entries = 1
// vary: N = 1, 10, 500
// expect-change: FP_HP_SPEC = 0
// expect-change: FP_SP_SPEC = 5 * N
// expect-change: FP_DP_SPEC = 5 * N
// expect-change: FP_FIXED_OPS_SPEC = (16 + 7) * N
// expect-change: VFP_SPEC = 9 * N
// expect-change: ASE_SPEC = 3 * N
        .include "directed.inc"
_start: number  x9, N
loop:   fmul    s0, s1, s2
        fmadd   s0, s1, s2, s3
        fmla    v4.4s, v1.4s, v2.4s
        fcmp    s1, s2
        fadd    v5.4s, v1.4s, v2.4s
        fsub    d0, d1, d2
        fmadd   d0, d1, d2, d3
        scvtf   d0, x9
        fmul    v0.2d, v1.2d, v2.2d
        fcvt    d0, s1
        fmov    d7, d1
        fmov    x2, d1
        fcsel   d6, d1, d2, eq
        repeat  x9
        finish
