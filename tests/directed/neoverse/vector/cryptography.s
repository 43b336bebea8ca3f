// N rounds of AES, SHA-256 and polynomial multiplication.
// proves: 0x0077 AES and SHA instructions count, PMULL does not
// vary: N = 1, 10, 500
// expect-change: CRYPTO_SPEC = 3 * N
// expect-change: ASE_SPEC = N
        .include "directed.inc"
        .arch   armv8-a+crypto
_start: number  x9, N
        .rept   N                       // without a loop: no wrong path
        aese    v0.16b, v1.16b
        aesmc   v0.16b, v0.16b
        sha256h q2, q3, v4.4s
        pmull   v5.8h, v6.8b, v7.8b
        subs    x9, x9, #1
        b       1f
1:
        .endr
        finish
