// N rounds: a pair of load- and store-exclusive that writes, a store-exclusive after CLREX that does not, and loads and stores
// that are ordered, or are not.
// A window of one entry has no room for a wrong path.
// proves: 0x006C load-exclusives count, LDAXR too; LDAR does not
// proves: 0x006D a store-exclusive counts that wrote
// proves: 0x006E a store-exclusive counts that did not write
// proves: 0x006F store-exclusives count, whether they wrote or not
// proves: 0x0071 a store-exclusive that does not write is a store
// proves: 0x0090 LDAR, LDAXR, LDAPR and an atomic with acquire count; LDXR and the same atomic that returns nothing do not
// proves: 0x0091 STLR, STLXR and an atomic with release count; STXR and STR do not
// set: window.entries = 1
// vary: N = 1, 10, 500
// expect-change: LDREX_SPEC = 2 * N
// expect-change: STREX_PASS_SPEC = N
// expect-change: STREX_FAIL_SPEC = N
// expect-change: STREX_SPEC = 2 * N
// expect-change: RC_LD_SPEC = 4 * N
// expect-change: RC_ST_SPEC = 3 * N
// expect-change: LD_SPEC = 8 * N
// expect-change: ST_SPEC = 8 * N
        .include "directed.inc"
        .arch   armv8.3-a
_start: number  x9, N
        address x1, buffer
loop:   ldxr    x2, [x1]
        stxr    w3, x2, [x1]
        ldaxr   x2, [x1]
        clrex
        stlxr   w3, x2, [x1]
        ldar    x2, [x1]
        ldapr   x2, [x1]
        stlr    x2, [x1]
        ldadda  x2, x4, [x1]
        ldadda  x2, xzr, [x1]
        ldaddl  x2, x4, [x1]
        ldadd   x2, x4, [x1]
        str     x2, [x1]
        subs    x9, x9, #1
        b.ne    loop
        finish
        .bss
        .balign 64
buffer: .space  64
