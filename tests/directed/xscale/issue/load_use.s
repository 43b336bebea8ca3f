@ N times a word is loaded and used at once: the result takes three cycles, two too many.
@ proves: 0x02 clocks in which an instruction waits for a load count
@ vary: N = 10, 30, 200
@ expect-change: DATA_STALL_CYCLES = 2 * N
@ expect-change: DCACHE_ACCESS = N
@ expect-change: DCACHE_MISS = 0
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #N
loop:   ldr     r0, [r4]
        add     r1, r0, r0
        repeat  r8
        finish
        zeroed  buffer, 64
