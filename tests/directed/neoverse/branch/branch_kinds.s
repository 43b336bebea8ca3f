// N rounds of a call and its return, a call by a register and its return, a jump by a register, a branch that is not taken and
// the loop's own. A window of one entry has no room for a wrong path.
// proves: 0x0012 each branch can be predicted, whatever it is
// proves: 0x0021 branches count, taken or not
// proves: 0x0076 taken branches count, others do not
// proves: 0x0078 branches to an address in the instruction count, taken or not
// proves: 0x0079 returns count, a jump by another register does not
// proves: 0x007A branches by a register count, returns too; others do not
// set: window.entries = 1
// vary: N = 2, 10, 500
// expect-change: BR_PRED = 7 * N
// expect-change: BR_RETIRED = 7 * N
// expect-change: PC_WRITE_SPEC = 6 * N
// expect-change: BR_IMMED_SPEC = 3 * N
// expect-change: BR_RETURN_SPEC = 2 * N
// expect-change: BR_INDIRECT_SPEC = 4 * N
// expect-change: EXC_TAKEN = 0
        .include "directed.inc"
_start: number  x9, N
        address x10, leaf
        address x11, on
loop:   bl      leaf
        blr     x10
        br      x11
        nop
on:     cbz     x9, out
        repeat  x9
out:    finish
leaf:   ret
