// N rounds of two instructions of half precision, 1 and 8 operations, and a dot product.
// A window of one entry has no room for a wrong path.
// proves: 0x0074 a vector of half precision and a dot product count
// proves: 0x0075 a scalar of half precision counts
// proves: 0x8014 half-precision arithmetic counts, of scalars and of vectors
// proves: 0x80C1 an operation counts for each element of half precision, none for integers
// proves: 0x80EB a dot product is of 32 bits
// later: Armv8.2
// set: window.entries = 1
// vary: N = 1, 10, 500
// expect-change: FP_HP_SPEC = 2 * N
// expect-change: FP_FIXED_OPS_SPEC = 9 * N
// expect-change: VFP_SPEC = N
// expect-change: ASE_SPEC = 2 * N
// expect-change: ASE_SVE_INT32_SPEC = N
        .include "directed.inc"
        .arch   armv8.2-a+fp16+dotprod
_start: number  x9, N
loop:   fadd    h0, h1, h2
        fadd    v0.8h, v1.8h, v2.8h
        sdot    v6.4s, v1.16b, v2.16b
        repeat  x9
        finish
