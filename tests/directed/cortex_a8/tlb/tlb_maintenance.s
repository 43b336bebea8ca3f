@ TLB maintenance in every round: of a page that nobody uses, which changes nothing, and of everything,
@ behind which the next fetch and the next read each need a walk.
@ proves: 0x02 TLB maintenance does not count, the walk for the fetch behind it does
@ proves: 0x05 TLB maintenance does not count, the walk for the access behind it does
@ engine: bare
@ vary: N = 50, 150
@ expect-change: L1I_TLB_REFILL = N
@ expect-change: L1D_TLB_REFILL = N
        .include "directed.inc"
        .include "translation.inc"
_start: translate
        address r4, buffer
        mov     r5, #0x300000
        mov     r8, #N
        b       loop
        .balign 256
loop:   mcr     p15, 0, r5, c8, c7, 1   @ TLBIMVA
        mcr     p15, 0, r5, c8, c7, 1
        mcr     p15, 0, r5, c8, c7, 0   @ TLBIALL
        ldr     r0, [r4]
        ldr     r0, [r4]
        repeat  r8
        finish
        zeroed  table, 16384, 16384
        zeroed  buffer, 64
