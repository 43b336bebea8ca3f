@ Four times in an iteration: a result, who needs it, and an ISB, beside which nothing issues.
@ proves: 0x11 LDM's first two values reach the ALU three cycles later
@ proves: 0x41 LDM's first two values reach the ALU three cycles later: 1 cycles of stall
@ build: a32 t32
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = N * (4 * (3 + 1 + 1) + 2)
@ expect-change: STALL_DATA_DEPENDENCY_CYCLES = N * 4 * 1
@ expect-change: DUAL_ISSUE_PAIR = 0
@ expect-change: STALL_LSU_BUSY_CYCLES = 0
@ expect-change: STALL_IFETCH_CYCLES = 0
        .include "directed.inc"
_start: address r5, buffer
        mov     r8, #N
loop:   .rept   4
        ldm     r5, {r0-r3}
        add     r6, r1, r4
        isb
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64, 64
