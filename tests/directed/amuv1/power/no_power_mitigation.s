// Integer work as dense as there is, loads and stores of vectors too: no activity.
// proves: 0x0300 integer instructions, loads and stores are no activity
// proves: 0x0301 integer instructions, loads and stores are no activity in gear 1
// proves: 0x0302 integer instructions, loads and stores are no activity in gear 2
// set: mpmm.period_cycles = 10
// set: mpmm.gear0_threshold = 0
// set: mpmm.gear1_threshold = 0
// set: mpmm.gear2_threshold = 0
// vary: N = 100, 600
// expect: MPMM_GEAR0 = 0
// expect: MPMM_GEAR1 = 0
// expect: MPMM_GEAR2 = 0
        .include "directed.inc"
_start: number  x9, N
        address x8, buffer
loop:   ldr     q1, [x8]
        str     q1, [x8, #16]
        add     x1, x10, #1
        mul     x2, x10, x10
        repeat  x9
        finish
        zeroed  buffer, 64, 64
