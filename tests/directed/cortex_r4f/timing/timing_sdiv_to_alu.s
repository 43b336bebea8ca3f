@ Four times in an iteration: a result, who needs it, and an ISB, beside which nothing issues.
@ proves: 0x11 SDIV takes ten cycles to its result
@ proves: 0x54 SDIV takes ten cycles to its result: 9 cycles of stall
@ build: t32
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = N * (4 * (10 + 1 + 1) + 2)
@ expect-change: STALL_INTEGER_DIV_CYCLES = N * 4 * 9
@ expect-change: INTEGER_DIV_EXECUTED = N * 4
@ expect-change: STALL_DATA_DEPENDENCY_CYCLES = 0
@ expect-change: DUAL_ISSUE_PAIR = 0
@ expect-change: STALL_LSU_BUSY_CYCLES = 0
@ expect-change: STALL_IFETCH_CYCLES = 0
        .include "directed.inc"
_start: mov     r8, #N
        mov     r1, #100
        mov     r2, #7
loop:   .rept   4
        sdiv    r0, r1, r2
        add     r3, r0, r4
        isb
        .endr
        repeat  r8
        finish
