// Eight loads a round from one bank of the data cache, each from another line: one a cycle, though there are two load
// units.
// proves: 0x0011 a bank gives one row a cycle
// set: units.load = 2
// set: l1d.banks = 4
// set: l1d.bank_bytes = 16
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 8 * N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   ldr     x2, [x1]
        ldr     x3, [x1, #64]
        ldr     x4, [x1, #136]
        ldr     x5, [x1, #192]
        ldr     x6, [x1, #256]
        ldr     x7, [x1, #328]
        ldr     x10, [x1, #384]
        ldr     x11, [x1, #448]
        repeat  x9
        finish
        zeroed  buffer, 512, 64
