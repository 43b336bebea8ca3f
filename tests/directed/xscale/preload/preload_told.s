@ A preload from each of N pages by no register of a load or store: without a system the engine sees registers.
@ proves: 0x04 a preload whose address the engine tells misses the data TLB
@ proves: 0x0A a preload does not count, wherever it goes
@ engine: bare
@ vary: N = 4, 8, 16
@ expect-change: DTLB_MISS = N
@ expect-change: DCACHE_ACCESS = 0
        .include "directed.inc"
_start: mov     r0, #0x500000           @ table: all sections at their own addresses and cacheable
        mov     r1, #0xc00
        orr     r1, r1, #0x1e
        mov     r2, #0
1:      orr     r3, r1, r2, lsl #20
        str     r3, [r0, r2, lsl #2]
        add     r2, r2, #1
        cmp     r2, #4096
        bne     1b
        mcr     p15, 0, r0, c2, c0, 0   @ TTBR
        mvn     r1, #0
        mcr     p15, 0, r1, c3, c0, 0   @ DACR
        mcr     p15, 0, r1, c8, c7, 0   @ invalidate the TLBs
        mrc     p15, 0, r1, c1, c0, 0
        orr     r1, r1, #0x1000
        orr     r1, r1, #5
        mcr     p15, 0, r1, c1, c0, 0   @ I, C, M
        mov     r5, #0x600000
        mov     r8, #N
loop:   pld     [r5]
        add     r5, r5, #4096
        repeat  r8
        finish
