// A chain of 10 additions a round, with a system counter of half the core's frequency, which a wait for
// data that are there does not change.
// proves: 0x4004 the counter has its frequency, whatever executes
// proves: 0x0011 a chain takes its length
// proves: 0x001D the bus has the core's clock, not the counter's
// proves: 0x4005 a chain of additions waits for no data
// set: clock.mhz = 3000
// set: clock.counter_khz = 1500000
// vary: N = 1000, 2000, 4000
// expect-change: CPU_CYCLES = 10 * N
// expect-change: BUS_CYCLES = 10 * N
// expect-change: CNT_CYCLES = 5 * N
// expect-change: STALL_BACKEND_MEM = 0
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   10
        add     x1, x1, #1
        .endr
        repeat  x9
        finish
