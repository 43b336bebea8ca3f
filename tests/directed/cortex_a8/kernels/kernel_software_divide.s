@ A bit of the quotient is 3 instructions: the comparison in a cycle, and in the next, when the flags
@ are there, the conditional subtraction beside the shift of the quotient; what is left goes to the
@ next comparison in the cycle after. 16 bits are 32 cycles, the operands one, the counter and the
@ branch another.
@ kernel: division by software: 16 bits of a quotient, by shift and subtraction
@ set: branch.history_bits = 0
@ set: issue.flag_latency = 1
@ set: issue.alu_latency = 1
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (1 + 16 * 2 + 1) * N
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
