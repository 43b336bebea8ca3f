// 16 loads that each need the address the one before has loaded, 4 cycles each.
// kernel: pointer chase, level 1: 16 pointers
// set: latency.load = 4
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 16 * 4 * N
// expect-change: INST_RETIRED = 18 * N
// expect-change: STALL_BACKEND_MEM = 0
        .include "directed.inc"
_start: address x1, buffer
        str     x1, [x1]
        number  x9, N
loop:   .rept   16
        ldr     x1, [x1]
        .endr
        repeat  x9
        finish
        zeroed  buffer, 64, 64
