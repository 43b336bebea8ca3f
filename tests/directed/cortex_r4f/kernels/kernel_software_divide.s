@ There is one ALU: what takes it takes a cycle, and flags and results are there for the next. The two
@ MOV issue together, as one needs no ALU; the branch waits for the counter's flags.
@ kernel: division by software: 16 bits of a quotient, by shift and subtraction
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = (1 + 16 * 3 + 2) * N
@ expect-change: INST_RETIRED = (2 + 16 * 3 + 2) * N
        .include "directed.inc"
_start: movw    r9, #50000
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
