// N rounds: a pair of load- and store-exclusive that writes, a store-exclusive after CLREX that does not, and loads and stores
// that are ordered, or are not.
// A window of one entry has no room for a wrong path.
// proves: 0x006C load-exclusives count, LDAXR too; LDAR does not
// proves: 0x006D a store-exclusive counts that wrote
// proves: 0x006E a store-exclusive counts that did not write
// proves: 0x006F store-exclusives count, whether they wrote or not
// proves: 0x0071 a store-exclusive that does not write is a store
// proves: 0x0090 LDAR and LDAXR count; LDXR does not
// proves: 0x0091 STLR and STLXR count; STXR and STR do not
// set: window.entries = 1
// vary: N = 1, 10, 500
// expect-change: LDREX_SPEC = 2 * N
// expect-change: STREX_PASS_SPEC = N
// expect-change: STREX_FAIL_SPEC = N
// expect-change: STREX_SPEC = 2 * N
// expect-change: RC_LD_SPEC = 2 * N
// expect-change: RC_ST_SPEC = 2 * N
// expect-change: LD_SPEC = 3 * N
// expect-change: ST_SPEC = 4 * N
        .include "directed.inc"
_start: number  x9, N
        address x1, buffer
loop:   ldxr    x2, [x1]
        stxr    w3, x2, [x1]
        ldaxr   x2, [x1]
        clrex
        stlxr   w3, x2, [x1]
        ldar    x2, [x1]
        stlr    x2, [x1]
        str     x2, [x1]
        repeat  x9
        finish
        zeroed  buffer, 64, 64
