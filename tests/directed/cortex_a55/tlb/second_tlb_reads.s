// The program "second_tlb_reads" of the Neoverse cores.
// proves: 0x0005 each misses the first TLB
// proves: 0x002F each asks the second
// proves: 0x002D the second has all
// proves: 0x0034 so nothing is walked
// proves: 0x0025 each looks up the first
// let: LINES = 128
// let: STEP = 4160
// vary: N = 2, 3, 5
// expect-change: L1D_TLB_REFILL = 128 * N
// expect-change: L2D_TLB = 128 * N
// expect-change: L2D_TLB_REFILL = 0
// expect-change: DTLB_WALK = 0
// expect-change: L1D_TLB = 128 * N
        .include "../neoverse/tlb/second_tlb_reads.s"
