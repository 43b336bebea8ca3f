// A store a round, to a line that the data cache has. Each drains for 4 cycles: once all entries are taken a store waits for one, a
// round takes 4 cycles, and in two of them nothing is issued.
// proves: 0x00C7 each store is held
// proves: 0x00E8 while the store buffer is full
// set: store_buffer.drain_cycles = 4
// vary: N = 200, 700
// expect-change: CPU_CYCLES = 4 * N
// expect-change: STALL_SB_FULL = N
// expect-change: ST_DEP_STALL = 2 * N
        .include "directed.inc"
        rounds
        str     x1, [x2]
        end_rounds
