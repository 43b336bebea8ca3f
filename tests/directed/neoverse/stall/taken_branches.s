// 2 instructions and a taken branch a round, which ends a cycle of delivery: two slots are empty.
// proves: 0x003E slots behind a taken branch are the front end's
// proves: 0x003D nothing waits for room
// proves: 0x0023 no whole cycle is lost
// proves: 0x0011 a round is a cycle
// set: dispatch.width = 5
// vary: N = 1000, 2000, 4000
// expect-change: CPU_CYCLES = N
// expect-change: STALL_SLOT_FRONTEND = 2 * N
// expect-change: STALL_SLOT_BACKEND = 0
// expect-change: STALL_FRONTEND = 0
        .include "directed.inc"
_start: number  x9, N
        .balign 64
loop:   add     x1, x1, #1
        repeat  x9
        finish
