// Of sixteen additions on six integer units twelve set flags, three a cycle: 4 cycles.
// proves: 0x0011 operations that set flags are as many a cycle as there are units of flags
// set: dispatch.width = 8
// set: units.integer = 6
// set: units.flags = 3
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = 4 * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   11
        cmp     x1, x2
        .endr
        .rept   4
        add     x3, x1, x2
        .endr
        repeat  x9
        finish
