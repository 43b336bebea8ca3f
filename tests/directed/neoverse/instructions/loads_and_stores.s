// N rounds of 3 loads and 2 stores, one of each in an atomic, on the core that has a sum of both.
// A window of one entry has no room for a wrong path.
// proves: 0x0072 loads and stores count, an atomic twice; arithmetic and branches do not
// set: window.entries = 1
// machine: neoverse-n1-plain
// vary: N = 1, 10, 500
// expect-change: LDST_SPEC = 5 * N
// expect-change: LD_SPEC = 3 * N
// expect-change: ST_SPEC = 2 * N
        .include "directed.inc"
        .arch   armv8.2-a
_start: number  x9, N
        address x1, buffer
loop:   str     x4, [x1]
        ldr     x6, [x1]
        ldp     x6, x7, [x1]
        swp     x2, x6, [x1]
        add     x3, x9, x9
        repeat  x9
        finish
        zeroed  buffer, 64, 64
