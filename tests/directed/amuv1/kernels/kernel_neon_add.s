// 32 additions that need none of each other, for four vector units: 8 cycles.
// kernel: NEON adds: 32 additions of 16 bytes
// set: units.vector = 4
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 8 * N
// expect-change: INST_RETIRED = 34 * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   8
        add     v0.4s, v4.4s, v5.4s
        add     v1.4s, v4.4s, v5.4s
        add     v2.4s, v4.4s, v5.4s
        add     v3.4s, v4.4s, v5.4s
        .endr
        repeat  x9
        finish
