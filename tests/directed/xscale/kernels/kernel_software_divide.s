@ One instruction a cycle: flags and results are there for the next, and the divisor that is shifted
@ does not change.
@ kernel: division by software: 16 bits of a quotient, by shift and subtraction
@ machine: ixp425
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (2 + 16 * 3 + 2) * N
@ expect-change: INSTRUCTION = (2 + 16 * 3 + 2) * N
        .include "directed.inc"
_start: number  r9, 50000
        mov     r1, #7
        mov     r8, #N
loop:   mov     r0, r9
        mov     r2, #0
        .irp    bit, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
        cmp     r0, r1, lsl #\bit
        subcs   r0, r0, r1, lsl #\bit
        adc     r2, r2, r2
        .endr
        repeat  r8
        finish
