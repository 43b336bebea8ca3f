@ A loop of two lines, N times. Each time round the branch fetches the loop's first group anew.
@ proves: 0x50 a taken branch starts a new access
@ proves: 0x01 lines that stay in the cache are not refilled
@ set: l1i.fetch_bytes = 8
@ vary: N = 1, 50, 200
@ expect-change: L1I_CACHE = 16 * N
@ expect-change: L1I_CACHE_REFILL = 0
@ expect-change: L1I_TLB_REFILL = 0
@ expect-change: INST_RETIRED = 32 * N
@ expect: L1I_CACHE_REFILL = 4
@ expect: L1I_CACHE = 1 + 7 + 16 * N + 2
        .include "directed.inc"
_start: mov     r8, #N
        .rept   15
        nop
        .endr
        .balign 64
loop:   .rept   30
        nop
        .endr
        repeat  r8
        finish
