// 3 loads and 2 stores a round that lie in two lines, and one of each that does not.
// proves: 0x4020 loads and stores of two lines
// proves: 0x4021 loads
// proves: 0x4022 stores
// proves: 0x0040 a load of two lines accesses both
// proves: 0x0041 so does a store
// proves: 0x0013 each line is an access
// proves: 0x0066 of loads
// proves: 0x0067 of stores
// proves: 0x004E each line looks up the TLB, of loads
// proves: 0x004F and of stores
// vary: N = 100, 600
// expect-change: LDST_ALIGN_LAT = 5 * N
// expect-change: LD_ALIGN_LAT = 3 * N
// expect-change: ST_ALIGN_LAT = 2 * N
// expect-change: L1D_CACHE_RD = 7 * N
// expect-change: L1D_CACHE_WR = 5 * N
// expect-change: MEM_ACCESS = 12 * N
// expect-change: MEM_ACCESS_RD = 7 * N
// expect-change: MEM_ACCESS_WR = 5 * N
// expect-change: L1D_TLB_RD = 7 * N
// expect-change: L1D_TLB_WR = 5 * N
        .include "directed.inc"
_start: address x1, buffer
        add     x1, x1, #56
        number  x9, N
loop:   ldr     x2, [x1, #4]
        ldr     w3, [x1, #7]
        ldp     x4, x5, [x1]
        ldr     x6, [x1]
        str     x2, [x1, #1]
        stp     x4, x5, [x1]
        str     w3, [x1, #4]
        repeat  x9
        finish
        zeroed  buffer, 128, 64
