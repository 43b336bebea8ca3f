// Eight loads of 16 bytes that are not aligned to 4 take two load units twice each: 8 * 2 / 2 = 8 cycles; two pairs take
// them for each register twice, 2 * 4 / 2 = 4; four aligned to 4 once: 2.
// proves: 0x0011 each 16 bytes of a load that are not aligned to 4 take its unit twice
// set: units.load = 2
// set: units.load_bytes = 16
// set: units.load_row_bytes = 0
// set: latency.unaligned_quad = 1
// set: l1d.banks = 0
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 14 * N
        .include "directed.inc"
_start: address x1, buffer
        add     x2, x1, #1
        number  x9, N
loop:   .rept   8
        ldr     q0, [x2]
        .endr
        .rept   2
        ldp     q2, q3, [x2]
        .endr
        .rept   4
        ldur    q4, [x1, #4]
        .endr
        repeat  x9
        finish
        zeroed  buffer, 64, 64
