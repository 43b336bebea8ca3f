// N rounds of 6 instructions with a full predicate, 3 with an empty and 2 with a partial one. Predicates are full by the
// elements of the instruction: P1 has every second byte.
// A window of one entry has no room for a wrong path.
// proves: 0x8075 instructions count whose predicate has no active element
// proves: 0x8076 instructions count whose predicate has all elements active, of the size that they have
// proves: 0x8077 instructions count whose predicate has some elements active
// proves: 0x8079 those with an empty and those with a partial predicate count
// scalable: SVE
// set: window.entries = 1
// vary: N = 1, 10, 500
// expect-change: SVE_PRED_SPEC = 11 * N
// expect-change: SVE_PRED_FULL_SPEC = 6 * N
// expect-change: SVE_PRED_EMPTY_SPEC = 3 * N
// expect-change: SVE_PRED_PARTIAL_SPEC = 2 * N
// expect-change: SVE_PRED_NOT_FULL_SPEC = 5 * N
// expect-change: LD_SPEC = 3 * N
// expect-change: L1D_CACHE_RD = 2 * N
        .include "directed.inc"
        .arch   armv8.2-a+sve
_start: number  x9, N
        address x1, buffer
        ptrue   p0.b
        ptrue   p1.h
        pfalse  p2.b
        ptrue   p3.d, vl1
loop:   add     z0.b, p0/m, z0.b, z1.b
        add     z2.b, p1/m, z2.b, z1.b
        add     z3.h, p1/m, z3.h, z1.h
        add     z4.s, p1/m, z4.s, z1.s
        add     z5.d, p1/m, z5.d, z1.d
        ld1d    {z6.d}, p0/z, [x1]
        sel     z7.b, p0, z1.b, z2.b
        add     z8.d, p2/m, z8.d, z1.d
        ld1d    {z9.d}, p2/z, [x1]
        saddv   d10, p2, z1.s
        ld1d    {z11.d}, p3/z, [x1]
        repeat  x9
        finish
        .bss
        .balign 64
buffer: .skip   64
