// N rounds of an ISB, two DSB, three DMB and a CLREX.
// A window of one entry has no room for a wrong path.
// proves: 0x007C ISB counts, other barriers do not
// proves: 0x007D DSB counts, of loads alone too; other barriers do not
// proves: 0x007E DMB counts, whatever it orders; other barriers do not
// set: window.entries = 1
// vary: N = 1, 10, 500
// expect-change: ISB_SPEC = N
// expect-change: DSB_SPEC = 2 * N
// expect-change: DMB_SPEC = 3 * N
// expect-change: DP_SPEC = N
        .include "directed.inc"
_start: number  x9, N
loop:   isb
        dsb     sy
        dsb     ishld
        dmb     sy
        dmb     ish
        dmb     ishst
        clrex
        repeat  x9
        finish
