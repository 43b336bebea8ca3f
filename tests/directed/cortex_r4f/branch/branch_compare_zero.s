@ CBZ that never goes: one cycle, as any branch that is predicted.
@ proves: 0x11 CBZ takes one cycle when it is predicted rightly
@ proves: 0x0D CBZ is a branch to an address it holds
@ build: t32
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = 3 * N
@ expect-change: BR_MIS_PRED = 0
@ expect-change: BR_IMMED_RETIRED = 2 * N
        .include "directed.inc"
_start: mov     r8, #N
        movs    r7, #1
loop:   cbz     r7, out
        repeat  r8
out:    finish
