// The program "address_chain" of the Cortex-A53.
// proves: 0x00E5 a load waits for its address
// proves: 0x0006 a load counts
// proves: 0x0004 it asks the data cache
// proves: 0x0013 and accesses memory
// proves: 0x0003 which has the line
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 2 * N
// expect-change: STALL_BACKEND_ILOCK_AGU = 0
// expect-change: LD_RETIRED = N
// expect-change: ST_RETIRED = 0
// expect-change: L1D_CACHE = N
// expect-change: MEM_ACCESS = N
// expect-change: L1D_CACHE_REFILL = 0
        .include "../cortex_a53/issue/address_chain.s"
