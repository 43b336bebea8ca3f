@ A return with a condition that holds every other time, without history: wrong every time. A second
@ return, which the return stack knows, behind the one that is not taken.
@ proves: 0x11 BX with a condition takes eight cycles when the condition is predicted wrongly
@ vary: N = 50, 100, 200
@ set: branch.history_bits = 0
@ set: branch.loop_iterations = 0
@ expect-change: CPU_CYCLES = N * (2 + 8 + 2) + N // 2
@ expect-change: BR_MIS_PRED = N
@ expect-change: STALL_IFETCH_CYCLES = 7 * N
        .include "directed.inc"
_start: mov     r8, #N
        mov     r1, #0
loop:   bl      leaf
        repeat  r8
        finish
leaf:   eors    r1, r1, #1
        bxne    lr
        bx      lr
