// The program "context_writes" of the Neoverse cores.
// engine: bare
// proves: 0x000B writes to CONTEXTIDR_EL1 count, reads and other registers do not
// proves: 0x001C writes to TTBR0_EL1 and TTBR1_EL1 count, reads and other registers do not
// vary: N = 1, 10, 300
// expect-change: CID_WRITE_RETIRED = N
// expect-change: TTBR_WRITE_RETIRED = 2 * N
        .include "../neoverse/exceptions/context_writes.s"
