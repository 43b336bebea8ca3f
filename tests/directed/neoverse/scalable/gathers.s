// N rounds of a gather of two doublewords 256 bytes apart, one of four words, one by a predicate of one element, one by
// addresses, and two scatters: an access for each active element.
// A window of one entry has no room for a wrong path.
// proves: 0x0040 a gather is an access for each active element
// proves: 0x0041 a scatter is an access for each active element
// scalable: SVE
// set: window.entries = 1
// set: store_buffer.merge_bytes = 0
// vary: N = 1, 10, 500
// expect-change: LD_SPEC = 4 * N
// expect-change: ST_SPEC = 2 * N
// expect-change: L1D_CACHE_RD = (2 + 4 + 1 + 2) * N
// expect-change: L1D_CACHE_WR = (2 + 4) * N
        .include "directed.inc"
        .arch   armv8.2-a+sve
_start: number  x9, N
        address x1, buffer
        mov     x2, #256
        index   z0.d, #0, x2
        mov     w2, #64
        index   z1.s, #0, w2
        index   z2.s, #-3, #-4
        mov     x3, #512
        index   z3.d, x1, x3
        add     x4, x1, #2048
        ptrue   p0.d, vl2
        ptrue   p1.d, vl1
        ptrue   p2.s, vl4
loop:   ld1d    {z4.d}, p0/z, [x1, z0.d]
        ld1w    {z5.s}, p2/z, [x1, z1.s, uxtw]
        ld1d    {z6.d}, p1/z, [x1, z0.d]
        ld1d    {z7.d}, p0/z, [z3.d, #8]
        st1d    {z4.d}, p0, [x1, z0.d]
        st1w    {z5.s}, p2, [x4, z2.s, sxtw #2]
        repeat  x9
        finish
        .bss
        .balign 4096
buffer: .skip   8192
