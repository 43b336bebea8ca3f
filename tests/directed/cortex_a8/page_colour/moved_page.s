@ Firmware moves a page to and fro between two frames, one of each colour, with TLB maintenance, and
@ reads it. Two lines are in the data cache by then.
@ proves: 0x4B a page that has moved counts by the frame in which it lies now
@ proves: 0x03 a line of a page that moved and came back is still there
@ engine: bare
@ set: l1d.size_kb = 32
@ set: l1d.ways = 4
@ vary: N = 20, 60
@ expect-change: 2 * L1D_PAGE_COLOUR_ALIAS = N
@ expect-change: L1D_TLB_REFILL = N
@ expect-change: L1D_CACHE = 2 * N
@ expect-change: L1D_CACHE_REFILL = 0
        .include "directed.inc"
        .include "translation.inc"
        .macro  small_page
        address r1, small
        orr     r2, r1, #1
        str     r2, [r0, #4 * 5]        @ the megabyte at 0x500000
        .endm
_start: translate small_page
        address r1, small
        mov     r3, #0x600000
        orr     r3, r3, #0x7e           @ write-back, write-allocate; a small page
        mov     r4, #0x500000
        mov     r8, #N
loop:   eor     r3, r3, #0x1000
        str     r3, [r1]
        mcr     p15, 0, r1, c7, c10, 1  @ DCCMVAC
        dsb
        mcr     p15, 0, r4, c8, c7, 1   @ TLBIMVA
        dsb
        isb
        ldr     r0, [r4]
        repeat  r8
        finish
        zeroed  table, 16384, 16384
        zeroed  small, 1024
