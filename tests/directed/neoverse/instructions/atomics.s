// N rounds of an ordered load and five atomics, of which one is a swap; each is load and store, and two operations.
// A window of one entry has no room for a wrong path.
// proves: 0x003A an atomic is two operations
// proves: 0x003B it is dispatched as two
// proves: 0x0070 an atomic counts once
// proves: 0x0071 an atomic counts once as a store, too
// proves: 0x0090 LDAPR and an atomic with acquire count; the same atomic that returns nothing does not
// proves: 0x0091 an atomic with release counts
// later: Armv8.3
// set: window.entries = 1
// set: branch.wrong_path_cycles = 0
// vary: N = 1, 10, 500
// expect-change: INST_RETIRED = 8 * N
// expect-change: OP_RETIRED = 13 * N
// expect-change: OP_SPEC = 13 * N
// expect-change: RC_LD_SPEC = 2 * N
// expect-change: RC_ST_SPEC = N
// expect-change: LD_SPEC = 6 * N
// expect-change: ST_SPEC = 5 * N
        .include "directed.inc"
        .arch   armv8.3-a
_start: number  x9, N
        address x1, buffer
loop:   ldapr   x2, [x1]
        ldadda  x2, x4, [x1]
        ldadda  x2, xzr, [x1]
        ldaddl  x2, x4, [x1]
        ldadd   x2, x4, [x1]
        swp     x2, x6, [x1]
        repeat  x9
        finish
        zeroed  buffer, 64, 64
