// Four rounds of SHA-256 are SHA256H and SHA256H2 of the values before: one pipe takes the first, and the
// second a cycle later; each has its result after 4 cycles, and the next rounds need both: 5 cycles.
// proves: 0x0011 a chain of SHA-256 takes its latency and a cycle for the second half
// set: latency.hash = 4
// set: pipes.hash = v0
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 16 * 5 * N
        .include "directed.inc"
        .arch   armv8.2-a+crypto
_start: number  x9, N
loop:   .rept   8
        sha256h  q0, q1, v4.4s
        sha256h2 q1, q2, v4.4s
        sha256h  q2, q1, v4.4s
        sha256h2 q1, q0, v4.4s
        .endr
        repeat  x9
        finish
