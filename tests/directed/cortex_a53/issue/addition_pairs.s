// 16 additions of different registers a round: two a cycle, as are the subtraction and the branch.
// proves: 0x0011 two instructions are issued in a cycle
// proves: 0x0008 all count
// proves: 0x001D the bus has the core's clock
// proves: 0x00E4 none waits
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 9 * N
// expect-change: BUS_CYCLES = 9 * N
// expect-change: INST_RETIRED = 18 * N
// expect-change: OTHER_INTERLOCK_STALL = 0
        .include "directed.inc"
_start: number  x9, N
        .balign 64
loop:
        .rept   4
        add     x1, x5, #1
        add     x2, x6, #1
        add     x3, x7, #1
        add     x4, x8, #1
        .endr
        repeat  x9
        finish
