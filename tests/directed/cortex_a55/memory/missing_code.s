// The program "missing_code" of the Cortex-A53: a line has 16 instructions, which take 8 of the 16 cycles of level 2.
// proves: 0x0001 each line is brought
// proves: 0x0014 each is asked for
// proves: 0x00E1 nothing is there to issue until it is
// proves: 0x0023 it is one of the reasons of the front end
// set: l1i.size_kb = 32
// set: l2.size_kb = 512
// vary: N = 2, 3, 5
// expect-change: L1I_CACHE_REFILL = 1025 * N
// expect-change: L1I_CACHE = 1025 * N
// expect-change: STALL_FRONTEND_CACHE >= 1024 * 7 * N
// expect-change: STALL_FRONTEND_CACHE <= 1025 * 16 * N
        .include "../cortex_a53/memory/missing_code.s"
