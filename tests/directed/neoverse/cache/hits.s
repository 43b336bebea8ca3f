// 10 loads and 5 stores a round, all to one line that is in the data cache.
// proves: 0x0004 loads and stores count alike
// proves: 0x0040 loads alone
// proves: 0x0041 stores alone
// proves: 0x0013 each is an access to memory
// proves: 0x0066 each load is one
// proves: 0x0067 each store is one
// proves: 0x0025 each looks up the TLB
// proves: 0x004E loads look it up
// proves: 0x004F stores look it up
// proves: 0x0003 hits are no refills
// proves: 0x0042 hits are no refills
// proves: 0x0043 hits are no refills
// proves: 0x0039 hits do not wait
// proves: 0x0005 a page that is known needs no refill
// proves: 0x0016 hits do not ask level 2
// proves: 0x0060 hits need no bus
// proves: 0x001D the clock of the bus is that of the core
// proves: 0x4020 an access within a line takes no longer
// vary: N = 100, 600
// expect-change: L1D_CACHE = 15 * N
// expect-change: L1D_CACHE_RD = 10 * N
// expect-change: L1D_CACHE_WR = 5 * N
// expect-change: MEM_ACCESS = 15 * N
// expect-change: MEM_ACCESS_RD = 10 * N
// expect-change: MEM_ACCESS_WR = 5 * N
// expect-change: L1D_TLB = 15 * N
// expect-change: L1D_TLB_RD = 10 * N
// expect-change: L1D_TLB_WR = 5 * N
// expect-change: L1D_CACHE_REFILL = 0
// expect-change: L1D_CACHE_REFILL_RD = 0
// expect-change: L1D_CACHE_REFILL_WR = 0
// expect-change: L1D_CACHE_LMISS_RD = 0
// expect-change: L1D_TLB_REFILL = 0
// expect-change: L2D_CACHE = 0
// expect-change: BUS_ACCESS = 0
// expect-change: LDST_ALIGN_LAT = 0
// expect-change: BUS_CYCLES = CPU_CYCLES
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   .rept   5
        ldr     x2, [x1]
        str     x3, [x1, #8]
        ldr     x4, [x1, #17]           // unaligned, and within the line
        .endr
        repeat  x9
        finish
        zeroed  buffer, 64, 64
