// A pointer to itself that lies in two rows of 16 bytes of a line: its load issues twice, in two cycles, and is a cycle
// later than one within a row, 4 + 1. Two more such loads, and four of words within a row, which nothing waits for,
// keep two load units busy for (3 * 2 + 4) / 2 cycles in all: as long.
// proves: 0x0011 a load of two rows takes its unit twice
// set: units.load = 2
// set: units.load_row_bytes = 16
// set: latency.load = 4
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 5 * N
        .include "directed.inc"
_start: address x1, buffer
        add     x1, x1, #12
        str     x1, [x1]
        mov     x2, x1
        number  x9, N
loop:   ldr     x1, [x1]
        ldr     x3, [x2]
        ldr     x4, [x2]
        ldr     w5, [x2]
        ldr     w6, [x2]
        ldr     w7, [x2]
        ldr     w8, [x2]
        repeat  x9
        finish
        zeroed  buffer, 64, 64
