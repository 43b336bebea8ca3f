// The program "cryptography" of the Neoverse cores.
// proves: 0x0077 AES and SHA instructions count, PMULL does not
// set: window.entries = 1
// vary: N = 1, 10, 500
// expect-change: CRYPTO_SPEC = 3 * N
// expect-change: ASE_SPEC = N
        .include "../neoverse/vector/cryptography.s"
