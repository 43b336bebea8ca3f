@ There is one ALU: the counter and the 16 additions take a cycle each, the branch issues with the
@ last.
@ kernel: dependent adds: 16 additions to one register
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = 17 * N
@ expect-change: INST_RETIRED = 18 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   16
        add     r0, r0, #1
        .endr
        bne     loop
        finish
