// Nine multiplications hold the unit that multiplies for three cycles each, three CSINC for one. It comes besides the two
// integer units, which add 54 numbers and count the loop in 28 of these 30 cycles.
// proves: 0x0011 a unit that multiplies besides the integer units leaves those to others
// set: units.integer = 2
// set: units.multicycle = 1
// set: units.multicycle_apart = yes
// set: units.select_adds = yes
// set: latency.multiply_long_interval = 3
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = (9 * 3 + 3) * N
        .include "directed.inc"
_start: number  x9, N
loop:   .irp    n, 10, 11, 12, 13, 14, 15, 16, 17, 18
        mul     x\n, x1, x2
        add     x3, x1, x2
        add     x4, x1, x2
        add     x5, x1, x2
        add     x6, x1, x2
        add     x7, x1, x2
        add     x8, x1, x2
        .endr
        .irp    n, 10, 11, 12
        csinc   x\n, x1, x2, eq
        .endr
        repeat  x9
        finish
