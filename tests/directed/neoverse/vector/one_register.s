// Ten shifts and ten sums of differences whose operands are all one register: each takes the one pipe that shifts twice, as with
// operands that differ. Shifts by a number take it once.
// proves: 0x0011 how often an instruction takes its pipe does not depend on which registers it reads
// set: units.vector = 2
// set: units.vector_bytes = 8
// set: pipes.shift = v1
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = (2 * 10 + 2 * 10 + 10) * N
        .include "directed.inc"
_start: number  x9, N
loop:   .irp    n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        sshl    v\n\().4s, v20.4s, v20.4s
        saba    v\n\().4s, v20.4s, v20.4s
        shl     v\n\().4s, v20.4s, #2
        .endr
        repeat  x9
        finish
