// The program "empty_slots" of the Neoverse cores.
// proves: 0x0023 the front end is ahead
// proves: 0x0024 cycles with no instruction at all
// proves: 0x001D the clock of the bus
// proves: 0x0011 a chain takes its length
// set: dispatch.width = 5
// vary: N = 1000, 2000, 4000
// expect-change: CPU_CYCLES = 10 * N
// expect-change: BUS_CYCLES = 10 * N
// expect-change: STALL_FRONTEND = 0
// expect-change: STALL_BACKEND <= 7 * N
        .include "../neoverse/stall/empty_slots.s"
