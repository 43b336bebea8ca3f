// The program "integers" of the Neoverse cores.
// proves: 0x0074 Advanced SIMD data processing counts, scalars and moves in V registers too; loads and moves from and to X do not
// set: window.entries = 1
// vary: N = 1, 10, 500
// expect-change: ASE_SPEC = 13 * N
// expect-change: VFP_SPEC = 0
// expect-change: DP_SPEC = N
        .include "../neoverse/vector/integers.s"
