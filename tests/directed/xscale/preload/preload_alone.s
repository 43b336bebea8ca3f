@ Preloads of 40 pages, more than the data TLB holds, over and over: no load or store by the same registers
@ tells where they go, the registers do. Loads keep to one page, which the preloads displace now and then.
@ proves: 0x04 a preload by two registers looks its page up
@ vary: N = 10, 100
@ expect-change: DTLB_MISS >= 40 * N
@ expect-change: DTLB_MISS <= 42 * N
@ expect-change: DCACHE_ACCESS = 80 * N
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #N
again:  mov     r5, #0
        mov     r9, #40
loop:   pld     [r4, r5]
        ldr     r0, [r4]
        ldr     r0, [r4]
        add     r5, r5, #4096
        repeat  r9
        repeat  r8, again
        finish
        zeroed  buffer, 4096*41
