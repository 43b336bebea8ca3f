// A store that follows a chain of ten additions of vectors waits for their sum; the address it leaves
// behind does not, nor does the load from there that the next chain begins with: no more than 20 cycles
// a round.
// proves: 0x0011 the updated base of a store does not wait for its data
// set: latency.vector = 2
// vary: N = 100, 200
// expect-change: CPU_CYCLES = 20 * N
        .include "directed.inc"
_start: number  x9, N
        address x1, buffer
        mov     x2, x1
loop:   ldr     q1, [x1]
        add     v0.4s, v0.4s, v1.4s
        .rept   9
        add     v0.4s, v0.4s, v2.4s
        .endr
        str     q0, [x1], #16
        and     x1, x1, #-1025
        repeat  x9
        finish
        .bss
        .balign 4096
buffer: .skip   4096
