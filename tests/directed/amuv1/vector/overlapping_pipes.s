// Shifts use V1 and V3, table look-ups V0 and V1, hashes V0. Nine of each and nine more shifts are 36
// instructions for three pipes, none of which need be idle: 12 cycles.
// proves: 0x0011 instructions that share some of their pipes wait for each other
// set: pipes.shift = v13
// set: pipes.table = v01
// set: pipes.hash = v0
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 12 * N
        .include "directed.inc"
        .arch   armv8.2-a+crypto
_start: number  x9, N
loop:   .rept   9
        shl     v1.4s, v10.4s, #3
        tbl     v2.16b, {v10.16b}, v11.16b
        sha1h   s3, s10
        ushr    v4.4s, v10.4s, #3
        .endr
        repeat  x9
        finish
