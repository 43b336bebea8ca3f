// A number that goes through memory five times a round: a store's data is there a cycle behind its
// issue, the load of it takes 4.
// proves: 0x0011 a load gets a waiting store's data from the store queue
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 5 * (1 + 4) * N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   .rept   5
        str     x2, [x1]
        ldr     x2, [x1]
        .endr
        repeat  x9
        finish
        zeroed  buffer, 64, 64
