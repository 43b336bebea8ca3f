// A pointer to itself that lies in two lines: its load issues twice, in two cycles, and is a cycle
// later than one of a line, 4 + 1. Four more, which nothing waits for, keep two load units busy for
// (1 + 4) * 2 / 2 cycles in all: as long.
// proves: 0x0011 a load of two lines takes its unit twice
// set: units.load = 2
// set: latency.load = 4
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 5 * N
        .include "directed.inc"
_start: address x1, buffer
        add     x1, x1, #60
        str     x1, [x1]
        mov     x2, x1
        number  x9, N
loop:   ldr     x1, [x1]
        ldr     x3, [x2]
        ldr     x4, [x2]
        ldr     x5, [x2]
        ldr     x6, [x2]
        repeat  x9
        finish
        zeroed  buffer, 128, 128
