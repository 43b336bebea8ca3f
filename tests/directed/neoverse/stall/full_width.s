// 4 instructions and a taken branch a round, one cycle of 5 slots: none is empty.
// proves: 0x003F no slot is empty
// proves: 0x003D nothing waits for room
// proves: 0x003E nothing waits for instructions
// proves: 0x003C no cycle is lost
// proves: 0x0011 a round is a cycle
// set: dispatch.width = 5
// set: units.integer = 4
// vary: N = 1000, 2000, 4000
// expect-change: CPU_CYCLES = N
// expect-change: STALL_SLOT = 0
// expect-change: STALL_SLOT_BACKEND = 0
// expect-change: STALL_SLOT_FRONTEND = 0
// expect-change: STALL = 0
        .include "directed.inc"
_start: number  x9, N
        .balign 64
loop:   add     x1, x1, #1
        add     x2, x2, #1
        add     x3, x3, #1
        repeat  x9
        finish
