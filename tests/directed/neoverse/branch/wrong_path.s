// N branches to an address in a register that were never seen before, each after a chain of 40 multiplications that the
// address waits for: the wrong path is dispatched until some cycles after the branch is complete.
//
// The window of 160 entries is full long before: the chain takes 80 cycles, the rest of the window 32. When the wrong path
// ends all older instructions and the branch have retired, so it has all entries: 160 operations.
// The slots that are left until then, at least 3 cycles of 5, are empty for want of room. 42 of 43 instructions process data:
// 156 of 160, a few less where a page ends within a block.
// proves: 0x0073 what a wrong path processes counts in the proportion of the block before it
// proves: 0x001B instructions of wrong paths count
// proves: 0x003B operations of wrong paths count
// proves: 0x003D a wrong path that fills the window leaves slots empty for want of room
// set: window.entries = 160
// set: l2.hit_cycles = 1
// set: llc.hit_cycles = 1
// set: memory.latency_cycles = 1
// set: walk.cycles = 1
// vary: N = 20, 50
// expect-change: BR_MIS_PRED = N
// expect-change: OP_RETIRED = 43 * N
// expect-change: OP_SPEC = (43 + 160) * N
// expect-change: INST_SPEC = (43 + 160) * N
// expect-change: DP_SPEC > (42 + 153) * N
// expect-change: DP_SPEC <= (42 + 156) * N
// expect-change: STALL_SLOT_BACKEND >= 15 * N
        .include "directed.inc"
_start: mov     x1, #0
        .rept   N
        adr     x2, 1f
        .rept   40
        mul     x1, x1, x1
        .endr
        add     x2, x2, x1
        br      x2
1:
        .endr
        finish
