// 8 vector additions a round, for four vector units, 2 cycles: 400 in a period of 100 cycles. Gear 0
// lets 200 pass and gear 1 lets 390: each counts every period. Gear 2 lets 400 pass and counts none.
// 100 N cycles are N periods, give or take the ones at both ends.
// proves: 0x0300 a period with more activity than gear 0 lets pass counts once
// proves: 0x0301 gear 1 has a threshold of its own
// proves: 0x0302 a period at the threshold of gear 2, not above it, does not count
// set: mpmm.period_cycles = 100
// set: mpmm.gear0_threshold = 200
// set: mpmm.gear1_threshold = 390
// set: mpmm.gear2_threshold = 400
// set: dispatch.width = 5
// vary: N = 10, 100, 500
// expect-change: CPU_CYCLES = 100 * N
// expect-change: MPMM_GEAR0 = N
// expect-change: MPMM_GEAR1 = N
// expect-change: MPMM_GEAR2 = 0
        .include "directed.inc"
_start: number  x9, 50 * N
loop:   .rept   2
        add     v1.4s, v9.4s, v9.4s
        add     v2.4s, v9.4s, v9.4s
        add     v3.4s, v9.4s, v9.4s
        add     v4.4s, v9.4s, v9.4s
        .endr
        repeat  x9
        finish
