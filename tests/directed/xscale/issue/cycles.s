@ A round by the manual's tables: four additions of a cycle each; a load, whose word is there after three
@ cycles, and an addition that waits for it; a product that is there after 1 + STEPS, and an addition
@ that waits for that; the counter and a branch that is predicted right.
@ proves: 0x100 the clocks of the core count: one for each instruction, and those in which none issues
@ proves: 0x02 what the core waits for a load and for a multiply adds up
@ let: STEPS = 2
@ set: issue.multiply_class = 2
@ vary: N = 10, 60, 200
@ expect-change: INSTRUCTION = 10 * N
@ expect-change: DATA_STALL_CYCLES = (2 + STEPS) * N
@ expect-change: CPU_CYCLES = (4 + (1 + 2 + 1) + (1 + STEPS + 1) + 2) * N
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #N
loop:   add     r5, r5, #1
        add     r5, r5, #1
        add     r5, r5, #1
        add     r5, r5, #1
        ldr     r0, [r4]
        add     r1, r0, r0
        mul     r2, r8, r8
        add     r3, r2, r2
        repeat  r8
        finish
        zeroed  buffer, 64
