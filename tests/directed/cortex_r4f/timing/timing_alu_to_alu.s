@ Four times in an iteration: a result, who needs it, and an ISB, beside which nothing issues.
@ proves: 0x11 an ALU result reaches the next ALU operation in the next cycle
@ proves: 0x41 an ALU result reaches the next ALU operation in the next cycle: 0 cycles of stall, that is none
@ build: a32 t32
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = N * (4 * (2 + 1) + 2)
@ expect-change: STALL_DATA_DEPENDENCY_CYCLES = N * 4 * 0
@ expect-change: DUAL_ISSUE_PAIR = 0
@ expect-change: STALL_LSU_BUSY_CYCLES = 0
@ expect-change: STALL_IFETCH_CYCLES = 0
        .include "directed.inc"
_start: address r5, buffer
        mov     r8, #N
loop:   .rept   4
        add     r0, r1, r2
        add     r3, r0, r4
        isb
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64, 64
