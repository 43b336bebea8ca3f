// The program "two_lines" of the Neoverse cores.
// proves: 0x0040 a load of two lines accesses both
// proves: 0x0041 so does a store
// proves: 0x0013 each line is an access
// proves: 0x0066 of loads
// proves: 0x0067 of stores
// vary: N = 100, 600
// expect-change: L1D_CACHE_RD = 7 * N
// expect-change: L1D_CACHE_WR = 5 * N
// expect-change: MEM_ACCESS = 12 * N
// expect-change: MEM_ACCESS_RD = 7 * N
// expect-change: MEM_ACCESS_WR = 5 * N
        .include "../neoverse/cache/two_lines.s"
