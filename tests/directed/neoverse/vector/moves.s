// Six of each kind: moves and conversions from integer registers in the first of two units that multiply, moves to them in one
// vector pipe, conversions to them in another. 12 cycles of the first, 6 of the others.
// proves: 0x0011 moves between integer and vector registers take one unit each
// set: dispatch.width = 8
// set: units.integer = 4
// set: units.multicycle = 2
// set: units.vector = 4
// set: pipes.to_core = v1
// set: pipes.compare = v0
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = (6 + 6) * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   6
        fmov    d1, x1
        scvtf   d2, x1
        fmov    x3, d20
        fcvtzs  x4, d20
        .endr
        repeat  x9
        finish
