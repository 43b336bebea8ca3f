@ Of each of N lines a word is loaded and used at once: it comes after the memory's latency.
@ proves: 0x02 clocks in which an instruction waits for a load that misses count
@ proves: 0x0B a load that finds its line not in the data cache counts
@ set: memory.latency_cycles = 100
@ set: bus.width_bits = 256
@ vary: N = 20, 60, 120
@ expect-change: DATA_STALL_CYCLES = (100 - 1) * N
@ expect-change: DCACHE_MISS = N
@ expect-change: DTLB_MISS = 0
@ expect-change: DCACHE_BUFFER_STALL_CYCLES = 0
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #N
loop:   ldr     r0, [r4], #32
        add     r1, r0, r0
        repeat  r8
        finish
        zeroed  buffer, 32*120
