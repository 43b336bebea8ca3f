// Eight loads a round, of which two that follow each other are from two banks of the data cache or from the same
// 16 bytes of one: two a cycle.
// proves: 0x0011 banks give a row each, to all who want it
// set: units.load = 2
// set: l1d.banks = 4
// set: l1d.bank_bytes = 16
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 4 * N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   ldr     x2, [x1]
        ldr     x3, [x1, #80]
        ldr     x4, [x1, #128]
        ldr     x5, [x1, #136]
        ldr     x6, [x1, #256]
        ldr     x7, [x1, #304]
        ldr     x10, [x1, #384]
        ldr     x11, [x1, #400]
        repeat  x9
        finish
        zeroed  buffer, 512, 64
