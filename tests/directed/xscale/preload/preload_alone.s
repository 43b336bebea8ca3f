@ Preloads of 40 pages, more than the data TLB holds, over and over: no load or store by the same register
@ tells where they go.
@ proves: 0x04 a preload whose address nothing tells does nothing
@ vary: N = 10, 100
@ expect-change: DTLB_MISS = 0
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #N
again:  buffer_at r5
        mov     r9, #40
loop:   pld     [r5]
        pld     [r4, r5]
        ldr     r0, [r4]
        add     r5, r5, #4096
        subs    r9, r9, #1
        bne     loop
        subs    r8, r8, #1
        bne     again
        finish
        .bss
        .space  4096 * 40
