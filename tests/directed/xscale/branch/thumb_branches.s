@ In Thumb state B is predicted; BL is not, and counts as mispredicted each time.
@ proves: 0x05 B and BL count in Thumb state
@ proves: 0x06 BL is never predicted in Thumb state
@ proves: 0x05 BLX to the other instruction set does not count
@ proves: 0x0D BLX to the other instruction set counts
@ build: t32
@ vary: N = 4, 30
@ expect-change: BRANCH = 2 * N
@ expect-change: BRANCH_MISS = N
@ expect-change: PC_CHANGED = (2 + 2 + 1) * N
        .include "directed.inc"
_start: movs    r6, #N
loop:   bl      by_bx
        blx     in_arm
        repeat  r6
        finish
        .balign 4
by_bx:  bx      lr
        .balign 4
        .arm
in_arm: bx      lr
