// The program "floats" of the Neoverse cores.
// proves: 0x0075 scalar floating point counts, with conversions from X registers; Advanced SIMD and moves from X do not
// set: window.entries = 1
// vary: N = 1, 10, 500
// expect-change: VFP_SPEC = 9 * N
// expect-change: ASE_SPEC = 3 * N
        .include "../neoverse/vector/floats.s"
