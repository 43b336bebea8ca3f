@ 18 instructions of which no two neighbours need each other: 9 cycles of two.
@ kernel: independent adds: 16 additions to four registers in turn
@ set: branch.history_bits = 0
@ set: issue.width = 2
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 9 * N
@ expect-change: INST_RETIRED = 18 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   4
        add     r0, r0, #1
        add     r1, r1, #1
        add     r2, r2, #1
        add     r3, r3, #1
        .endr
        bne     loop
        finish
