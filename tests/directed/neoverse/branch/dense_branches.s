// 128 branches without a gap, eight in each 32 bytes, of which the branch target buffer has four. The
// decoder finds each of them, in 1 + 4 cycles. The one that closes the circle is known and takes 1.
// proves: 0x0011 branches too close together are not in the branch target buffer
// set: branch.btb_ways = 4
// set: branch.btb_entries = 4096
// set: branch.near_entries = 16
// set: branch.middle_entries = 0
// set: branch.late_cycles = 4
// let: BRANCHES = 128
// vary: N = 200, 300
// expect-change: CPU_CYCLES = (BRANCHES * 5 + 1) * N
// expect-change: BR_MIS_PRED = 0
        .include "directed.inc"
_start: number  x9, N
        b       loop
        .balign 64
loop:   .rept   BRANCHES
        b       . + 4
        .endr
        repeat  x9
        finish
