// Chains of ten links: FMLA that needs an element of the one before it, a cycle before other factors, and FMLA that needs a whole
// vector of it.
// proves: 0x0011 the element that a vector is multiplied by is needed a cycle before other factors
// set: units.vector = 2
// set: units.vector_bytes = 16
// set: latency.float_multiply_add = 4
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = (10 * (4 + 1) + 10 * 4) * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   10
        fmla    v1.4s, v4.4s, v1.s[0]
        .endr
        .rept   10
        fmla    v1.4s, v1.4s, v4.s[0]
        .endr
        repeat  x9
        finish
