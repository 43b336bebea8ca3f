@ CBZ that goes every other time, without history: its two-bit counter is wrong every time. The NOP
@ that it goes around issues together with what follows.
@ proves: 0x11 CBZ takes eight cycles when it is predicted wrongly
@ build: t32
@ set: branch.history_bits = 0
@ set: branch.loop_iterations = 0
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = N * (1 + 8 + 2)
@ expect-change: BR_MIS_PRED = N
@ expect-change: STALL_IFETCH_CYCLES = 7 * N
        .include "directed.inc"
_start: mov     r8, #N
        movs    r1, #1
        movs    r2, #1
loop:   eors    r1, r1, r2
        cbz     r1, 1f
        nop
1:      repeat  r8
        finish
