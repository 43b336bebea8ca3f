// 10 loads that each need the address the one before has loaded, all in the data cache.
// proves: 0x0011 a load that hits takes its latency
// proves: 0x4005 loads that hit the data cache are no memory stall
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 10 * 4 * N
// expect-change: STALL_BACKEND_MEM = 0
        .include "directed.inc"
_start: address x1, buffer
        str     x1, [x1]
        number  x9, N
loop:   .rept   10
        ldr     x1, [x1]
        .endr
        repeat  x9
        finish
        zeroed  buffer, 64, 64
