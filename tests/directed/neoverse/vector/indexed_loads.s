// Chains of ten loads on a core whose pipes are 64 bits wide: through the base, which holds its own address, and through an index
// of 0, which is needed a cycle before. An addition makes each chain wait for the other.
// proves: 0x0011 the index of a load is needed a cycle before its base
// set: units.vector = 2
// set: units.vector_bytes = 8
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = (10 * 4 + 1 + 10 * (4 + 1) + 1) * N
        .include "directed.inc"
_start: address x1, buffer
        str     x1, [x1]
        mov     x3, #0
        mov     x5, x1
        add     x4, x1, #8
        number  x9, N
loop:   .rept   10
        ldr     x1, [x1, x3]
        .endr
        sub     x3, x1, x5
        .rept   10
        ldr     x3, [x4, x3]
        .endr
        add     x1, x5, x3
        repeat  x9
        finish
        zeroed  buffer, 64, 64
