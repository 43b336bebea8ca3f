// 29 additions of 128 bits take two slots of dispatch each, the end of the loop two: 60 slots, three a cycle, an
// instruction's in this cycle and the next where one is left. Two pipes could take them in 15 cycles.
// proves: 0x0011 a result of 128 bits takes two slots of dispatch where a slot writes 64
// set: dispatch.width = 3
// set: dispatch.vector_bytes = 8
// set: units.vector = 2
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = 60 // 3 * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   29
        add     v1.4s, v20.4s, v21.4s
        .endr
        repeat  x9
        finish
