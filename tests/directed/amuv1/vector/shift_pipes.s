// Two of the four vector pipes shift: 40 independent shifts take 20 cycles. Additions take the other two:
// 40 of them cost nothing more.
// proves: 0x0011 shifts are limited by the pipes that shift
// set: pipes.shift = v13
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 20 * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   40
        shl     v1.4s, v10.4s, #3
        add     v2.4s, v10.4s, v11.4s
        .endr
        repeat  x9
        finish
