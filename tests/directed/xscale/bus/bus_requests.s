@ LINES lines in one page are read, each twice, and written past the data cache elsewhere. The walk
@ for a page reads two descriptors; it and the code are the same every time.
@ proves: 0x10 each line that is asked for is a request to the 80200's bus unit
@ proves: 0x10 each write buffer is a request to the 80200's bus unit
@ proves: 0x10 an access that hits is no request
@ machine: xscale-80200
@ set: l1d.write_allocate = no
@ vary: LINES = 8, 20, 64
@ expect-change: PRODUCT0 = 2 * LINES
@ expect-change: DCACHE_ACCESS = 3 * LINES
        .include "directed.inc"
_start: buffer_at r4
        add     r5, r4, #4096
        mov     r8, #LINES
loop:   ldr     r0, [r4], #32
        ldr     r1, [r4, #-28]
        str     r0, [r5], #32
        repeat  r8
        finish
        .bss
        .space  8192
