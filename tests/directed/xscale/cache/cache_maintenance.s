@ The system call that cleans caches for a program, between reads of a line.
@ proves: 0x0A cache operations do not count
@ proves: 0x0B cache operations do not count
@ vary: N = 8, 20
@ expect: DCACHE_ACCESS = N
@ expect: DCACHE_MISS = 1
@ expect: PC_CHANGED = N - 1
@ expect: DCACHE_HALF_LINE_WRITE_BACK = 0
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #N
loop:   ldr     r5, [r4]
        mov     r0, r4
        add     r1, r4, #64
        mov     r2, #0
        mov     r7, #0x0f0000
        add     r7, r7, #2              @ cacheflush
        svc     #0
        repeat  r8
        finish
        zeroed  buffer, 64
