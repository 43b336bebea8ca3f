// A chain of 40 additions that goes on with what a load brings, behind a DMB. The load is issued when
// the 40 have retired, so 4 cycles of it, an EOR and an addition are part of the chain: 46 cycles a
// turn. A DMB of stores alone lets the load go ahead of the chain, which the last addition alone
// makes longer: 41.
// proves: 0x0011 loads after a DMB wait for what is before it, unless it is of stores
// set: latency.alu = 1
// set: latency.load = 4
// let: ADDS = 40
// vary: N = 100, 1000
// expect-change: CPU_CYCLES = (ADDS + 6) * N + (ADDS + 1) * N
        .include "directed.inc"
        .macro  turns barrier
        number  x9, N
0:      .rept   ADDS
        add     x1, x1, #1
        .endr
        dmb     \barrier
        ldr     x5, [x4]
        eor     x6, x5, x5
        add     x1, x1, x6
        repeat  x9, 0b
        .endm
_start: adrp    x4, word
        add     x4, x4, :lo12:word
        turns   ish
        turns   ishst
        finish
        zeroed  word, 64, 64
