// Fourteen instructions, seven a cycle. One integer unit counts the loop; moves of 0 and NOP take neither it nor the vector
// pipe, which two instructions take in the two cycles.
// proves: 0x0011 what ends at dispatch takes no unit
// set: dispatch.width = 7
// set: dispatch.vector_bytes = 0
// set: dispatch.ends_zeros = yes
// set: units.integer = 1
// set: units.multicycle = 1
// set: units.vector = 1
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = 2 * N
        .include "directed.inc"
_start: number  x9, N
loop:   mov     x1, #0
        mov     w2, #0
        mov     x3, xzr
        mov     w4, wzr
        movi    v1.16b, #0
        movi    v2.2d, #0
        movi    v3.4s, #0, lsl #8
        movi    v4.8h, #0
        movi    v5.4s, #1
        mvni    v6.4s, #0
        nop
        nop
        repeat  x9
        finish
