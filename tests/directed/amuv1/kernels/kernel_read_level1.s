// 24 loads for three load units: 8 cycles. Nothing waits for what they read.
// kernel: read stream, level 1: 24 doublewords that the data cache has
// set: units.load = 3
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 8 * N
// expect-change: INST_RETIRED = 26 * N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   .irp    offset, 0, 24, 48, 72, 96, 120, 144, 168
        ldr     x2, [x1, #\offset]
        ldr     x3, [x1, #\offset + 8]
        ldr     x4, [x1, #\offset + 16]
        .endr
        repeat  x9
        finish
        zeroed  buffer, 192, 64
