// Six LDPSW on three load units, one every 2 cycles as LDP of X registers.
// proves: 0x0011 signed pairs are loaded one after the other
// set: units.vector_bytes = 16
// set: units.load = 3
// set: latency.load_pair_interval = 2
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = 6 * 2 * N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   .rept   6
        ldpsw   x2, x3, [x1]
        .endr
        repeat  x9
        finish
        zeroed  buffer, 8, 8
