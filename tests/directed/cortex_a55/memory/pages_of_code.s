// The program "code_pages" of the Cortex-A53.
// proves: 0x0002 each page refills the micro TLB
// proves: 0x00E2 nothing is there to issue until it is
// vary: N = 20, 30, 50
// expect-change: L1I_TLB_REFILL = 16 * N
// expect-change: L1I_CACHE_REFILL = 0
// expect-change: STALL_FRONTEND_TLB >= 16 * N
// expect-change: STALL_FRONTEND_TLB <= 16 * 3 * N
        .include "../cortex_a53/memory/code_pages.s"
