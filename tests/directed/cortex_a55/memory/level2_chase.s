// The program "level2_chase" of the Cortex-A53: what level 2 brings in 16 cycles is the next address at once. One of
// these cycles has the load and the subtraction, one the branch.
// proves: 0x00E7 nothing is issued until the line is there
// proves: 0x0024 it is one of the reasons of the back end
// proves: 0x0017 level 2 has the line
// proves: 0x0072 the loads are all there is
// set: l1d.size_kb = 4
// let: LINES = 128
// let: STEP = 64
// vary: N = 4, 6, 9
// expect-change: CPU_CYCLES = 128 * 16 * N
// expect-change: L2D_CACHE = 128 * N
// expect-change: L2D_CACHE_REFILL = 0
// expect-change: LDST_SPEC = 128 * N
// expect-change: STALL_BACKEND_LD = 128 * 14 * N
// expect-change: STALL_BACKEND = 128 * 14 * N
        .include "../cortex_a53/memory/level2_chase.s"
