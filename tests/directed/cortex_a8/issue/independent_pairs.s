@ 22 instructions of which no two neighbours need each other: 11 cycles on a machine that issues
@ two, 22 on one that issues one.
@ proves: 0x57 two instructions can be issued in a cycle, so the count exceeds the cycles
@ proves: 0x11 pairs take one cycle
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ set: issue.width = 2
@ vary: N = 10, 60, 200
@ expect-change: CPU_CYCLES = 11 * N
@ expect-change: ISSUED_INSNS = 22 * N
@ expect-change: ISSUE_EMPTY_CYCLES = 0
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   5
        add     r0, r0, #1
        add     r1, r1, #1
        add     r2, r2, #1
        add     r3, r3, #1
        .endr
        bne     loop
        finish
