@ As many lines of one set as it has ways stay in the instruction cache. The branches in them lie
@ 1024 bytes apart, where the branch target buffer has one entry for all: none is ever found.
@ proves: 0x00 a set holds 32 lines
@ expect-change: L1I_CACHE_MISS = 0
@ proves: 0x06 branches with the same entry of the branch target buffer throw each other out
@ let: N = 32
@ vary: ROUNDS = 2, 5, 9
@ expect-change: BRANCH_MISS = N * ROUNDS
@ expect-change: BRANCH = (N + 2) * ROUNDS
        .include "directed.inc"
_start: mov     r8, #ROUNDS
loop:   b       lines
back:   repeat  r8
        finish
        .balign 1024
        .space  160
lines:  .rept   N - 1
        b       .+1024
        .space  1020
        .endr
        b       back
