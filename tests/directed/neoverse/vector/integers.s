// N rounds of Advanced SIMD on integers: 3 with largest elements of 8 bits, 2 of 16, 3 of 32, 2 of 64; three moves without
// arithmetic, and two between X and V registers, which are none.
// A window of one entry has no room for a wrong path.
// proves: 0x0074 Advanced SIMD data processing counts, scalars and moves in V registers too; loads and moves from and to X do not
// proves: 0x8005 it is ASE_SPEC
// proves: 0x80E3 arithmetic of 8-bit elements and bitwise logic count, moves do not
// proves: 0x80E7 arithmetic whose largest elements have 16 bits counts, that which widens 8 bits too
// proves: 0x80EB arithmetic whose largest elements have 32 bits counts, that which widens 16 bits too
// proves: 0x80EF arithmetic whose largest elements have 64 bits counts, of scalars and of a narrowing too
// set: window.entries = 1
// vary: N = 1, 10, 500
// expect-change: ASE_SPEC = 13 * N
// expect-change: ASE_INST_SPEC = 13 * N
// expect-change: ASE_SVE_INT8_SPEC = 3 * N
// expect-change: ASE_SVE_INT16_SPEC = 2 * N
// expect-change: ASE_SVE_INT32_SPEC = 3 * N
// expect-change: ASE_SVE_INT64_SPEC = 2 * N
// expect-change: VFP_SPEC = 0
// expect-change: FP_FIXED_OPS_SPEC = 0
// expect-change: DP_SPEC = N
        .include "directed.inc"
_start: number  x9, N
        address x1, buffer
loop:   add     v0.16b, v1.16b, v2.16b
        eor     v0.8b, v1.8b, v2.8b
        cmeq    v3.16b, v1.16b, #0
        mul     v0.8h, v1.8h, v2.8h
        saddl   v4.8h, v1.8b, v2.8b
        sub     v0.2s, v1.2s, v2.2s
        smull2  v5.4s, v1.8h, v2.8h
        ushr    v7.4s, v1.4s, #3
        add     d0, d1, d2
        xtn     v7.2s, v1.2d
        movi    v8.4s, #1
        zip1    v9.8h, v1.8h, v2.8h
        dup     v10.4s, v1.s[1]
        umov    w2, v1.s[0]
        dup     v11.4s, w2
        ldr     q12, [x1]
        repeat  x9
        finish
        zeroed  buffer, 64, 64
