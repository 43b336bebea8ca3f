@ LINES read misses, one after the other: each waits for level 2 and, cold, for memory.
@ proves: 0x11 what data misses cost, the clock shows
@ proves: 0x56 waiting for data is no lack of instructions
@ let: LINES = 32
@ vary: HIT l2.hit_cycles = 8, 12, 20
@ expect-change: CPU_CYCLES = LINES * HIT
@ expect-change: ISSUE_EMPTY_CYCLES = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   ldr     r0, [r4], #64
        repeat  r8
        finish
        zeroed  buffer, 64*LINES, 4096
