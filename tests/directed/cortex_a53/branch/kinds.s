// A call, a return, an indirect jump, a conditional branch that is not taken, one that compares with zero and is, and the loop's own.
// proves: 0x00C9 conditional branches count, taken or not
// proves: 0x000D branches to an immediate address count
// proves: 0x000C taken branches count
// proves: 0x007A branches to an address in a register count, returns among them
// proves: 0x0012 all are predictable
// vary: N = 100, 600
// expect-change: BR_COND = 3 * N
// expect-change: BR_IMMED_RETIRED = 4 * N
// expect-change: PC_WRITE_RETIRED = 5 * N
// expect-change: BR_INDIRECT_SPEC = 2 * N
// expect-change: BR_PRED = 6 * N
// expect-change: BR_MIS_PRED = 0
        .include "directed.inc"
_start: number  x9, N
        adr     x10, jumped
loop:   bl      called
        br      x10
jumped: cmp     x9, #0
        b.eq    out
        cbnz    x9, over
        nop
over:   repeat  x9
out:    finish
called: ret
