// A chain of 10 additions a round, and two instructions beside it: 12 of the 50 slots of its 10 cycles.
// proves: 0x003D what waits leaves the other slots empty
// proves: 0x003E the front end is ahead
// proves: 0x003F all that is not used
// proves: 0x0023 the front end is ahead
// proves: 0x0024 cycles with no instruction at all
// proves: 0x003C the same
// proves: 0x001D the clock of the bus
// proves: 0x0011 a chain takes its length
// proves: 0x4005 no data are waited for
// set: dispatch.width = 5
// vary: N = 1000, 2000, 4000
// expect-change: CPU_CYCLES = 10 * N
// expect-change: BUS_CYCLES = 10 * N
// expect-change: STALL_SLOT_BACKEND = 38 * N
// expect-change: STALL_SLOT_FRONTEND = 0
// expect-change: STALL_SLOT = 38 * N
// expect-change: STALL_FRONTEND = 0
// expect-change: STALL = STALL_BACKEND
// expect-change: STALL_BACKEND <= 7 * N
// expect-change: STALL_BACKEND_MEM = 0
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   10
        add     x1, x1, #1
        .endr
        repeat  x9
        finish
