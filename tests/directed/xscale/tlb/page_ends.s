@ N lists of four words lie across the end of a page, two words on each side.
@ proves: 0x04 a list across the end of a page misses the data TLB for both
@ proves: 0x0A a list counts once for each word
@ vary: N = 3, 9
@ expect: DTLB_MISS = 2 * N
@ expect: DCACHE_ACCESS = 4 * N
        .include "directed.inc"
_start: buffer_at r4
        add     r4, r4, #4096 - 256
        add     r4, r4, #248
        mov     r8, #N
loop:   ldm     r4, {r0-r3}
        add     r4, r4, #8192
        repeat  r8
        finish
        zeroed  buffer, 8192*9
