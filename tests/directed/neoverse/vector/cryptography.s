// N rounds of AES, SHA-256 and polynomial multiplication.
// A window of one entry has no room for a wrong path.
// proves: 0x0077 AES and SHA instructions count, PMULL does not
// set: window.entries = 1
// vary: N = 1, 10, 500
// expect-change: CRYPTO_SPEC = 3 * N
// expect-change: ASE_SPEC = N
        .include "directed.inc"
        .arch   armv8-a+crypto
_start: number  x9, N
loop:   aese    v0.16b, v1.16b
        aesmc   v0.16b, v0.16b
        sha256h q2, q3, v4.4s
        pmull   v5.8h, v6.8b, v7.8b
        repeat  x9
        finish
