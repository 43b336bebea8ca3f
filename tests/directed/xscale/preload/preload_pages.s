@ From each of N pages a line is preloaded, three times, and then loaded from as it comes.
@ proves: 0x04 a preload from a page that is not in the data TLB counts, the load behind it does not
@ proves: 0x08 a preload of a line that is there, or on its way, needs no fill buffer
@ proves: 0x0B a load of a line that is on its way, since it was preloaded, misses
@ set: bus.width_bits = 256
@ set: fill_buffer.entries = 1
@ vary: N = 4, 8, 16
@ expect-change: DTLB_MISS = N
@ expect-change: DCACHE_MISS = N
@ expect-change: DCACHE_ACCESS = N
@ expect-change: DCACHE_BUFFER_STALL_CYCLES = 0
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #N
        mov     r10, #4096
        add     r10, r10, #32
loop:   pld     [r4]
        pld     [r4, #16]
        ldr     r0, [r4]
        add     r1, r0, r0
        pld     [r4, #8]
        add     r4, r4, r10
        repeat  r8
        finish
        .bss
        .space  (4096 + 32) * 16
