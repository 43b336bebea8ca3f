// The program "code_pages" of the Neoverse cores.
// proves: 0x0002 each misses the first TLB
// proves: 0x002F each asks the second
// proves: 0x0035 the second has all
// proves: 0x0005 code is no data
// proves: 0x0026 each looks up the first
// vary: N = 2, 3, 5
// expect-change: L1I_TLB = 128 * N
// expect-change: L1I_TLB_REFILL = 128 * N
// expect-change: L2D_TLB = 128 * N
// expect-change: ITLB_WALK = 0
// expect-change: L1D_TLB_REFILL = 0
        .include "../neoverse/tlb/code_pages.s"
