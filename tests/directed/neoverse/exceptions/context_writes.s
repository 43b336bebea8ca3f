// N rounds of writes to CONTEXTIDR_EL1, TTBR0_EL1, TTBR1_EL1 and TPIDR_EL1, and reads of the first two.
// engine: bare
// proves: 0x000B writes to CONTEXTIDR_EL1 count, reads and other registers do not
// proves: 0x001C writes to TTBR0_EL1 and TTBR1_EL1 count, reads and other registers do not
// vary: N = 1, 10, 300
// expect-change: CID_WRITE_RETIRED = N
// expect-change: TTBR_WRITE_RETIRED = 2 * N
        .include "directed.inc"
_start: number  x9, N
loop:   msr     contextidr_el1, x9
        msr     ttbr0_el1, xzr
        msr     ttbr1_el1, xzr
        msr     tpidr_el1, x9
        mrs     x1, contextidr_el1
        mrs     x1, ttbr0_el1
        repeat  x9
        finish
