@ Of each line a word is loaded and used, four rounds after it was preloaded: it is there by then. The load
@ tells the address of the preload.
@ proves: 0x0A a preload does not count
@ proves: 0x0B a load of a line that was preloaded finds it
@ proves: 0x02 nothing waits for a line that was preloaded in time
@ proves: 0x08 a preload that finds a fill buffer does not wait
@ set: memory.latency_cycles = 16
@ set: bus.width_bits = 256
@ set: bus.beat_cycles = 1
@ vary: N = 20, 60, 120
@ expect-change: DCACHE_ACCESS = N
@ expect-change: DCACHE_MISS = 0
@ expect-change: DATA_STALL_CYCLES = 0
@ expect-change: DCACHE_BUFFER_STALL_CYCLES = 0
@ expect-change: DTLB_MISS = 0
@ expect-change: CPU_CYCLES = 6 * N
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #N
loop:   pld     [r4, #128]
        ldr     r0, [r4], #32
        subs    r8, r8, #1
        mov     r2, #0
        add     r1, r0, r0
        bne     loop
        finish
        .bss
        .space  4096
