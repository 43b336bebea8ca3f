@ What makes the store buffer drain, each N times, and what does not.
@ proves: 0x45 DMB and DSB drain, in either notation, full buffer or empty
@ proves: 0x45 ISB, CLREX, NOP, stores and SWP to cacheable memory do not
@ let: N = 50
@ expect: FORCED_DRAIN_OF_STORE_BUFFER = 4 * N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   str     r0, [r4]
        dmb
        dsb
        mcr     p15, 0, r0, c7, c10, 4  @ DSB
        mcr     p15, 0, r0, c7, c10, 5  @ DMB
        mcr     p15, 0, r0, c7, c5, 4   @ ISB
        isb
        clrex
        swp     r0, r1, [r4]
        nop
        repeat  r8
        finish
        zeroed  buffer, 64, 4096
