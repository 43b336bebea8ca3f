// A division, and three stores that are complete before it: four instructions retire together. The
// first two stores are to the same 16 bytes and become one access, the third is another.
// proves: 0x0041 stores that wait for the same bytes are one access
// proves: 0x0067 each of them is an access of the load-store unit
// proves: 0x004F and looks up the TLB
// set: store_buffer.merge_bytes = 16
// vary: N = 100, 600
// expect-change: L1D_CACHE_WR = 2 * N
// expect-change: MEM_ACCESS_WR = 3 * N
// expect-change: L1D_TLB_WR = 3 * N
        .include "directed.inc"
_start: address x1, buffer
        mov     x5, #1
        number  x9, N
loop:   udiv    x5, x5, x5
        str     x2, [x1]
        str     x3, [x1, #8]
        str     x4, [x1, #16]
        repeat  x9
        finish
        zeroed  buffer, 64, 64
