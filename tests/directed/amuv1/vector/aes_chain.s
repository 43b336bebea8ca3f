// A round of AES takes 2 cycles, and none more for the mixing of columns that follows it at once: ten
// rounds of a chain are 20 cycles, nine of them with AESMC.
// proves: 0x0011 a pair of AESE and AESMC has the latency of one
// set: latency.aes = 2
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 20 * N
// expect-change: INST_RETIRED = 21 * N
        .include "directed.inc"
        .arch   armv8.2-a+crypto
_start: number  x9, N
loop:   .rept   9
        aese    v0.16b, v1.16b
        aesmc   v0.16b, v0.16b
        .endr
        aese    v0.16b, v1.16b
        repeat  x9
        finish
