// N rounds of 400 first-fault gathers of four words and 200 loads of every second byte, without a branch: the block
// writes more records than any other, and loses none.
// A window of one entry has no room for a wrong path.
// proves: 0x0040 each element of a long block is an access
// scalable: SVE
// set: window.entries = 1
// vary: N = 1, 10, 500
// expect-change: LD_SPEC = (400 + 200) * N
// expect-change: L1D_CACHE_RD = (4 * 400 + 200) * N
        .include "directed.inc"
        .arch   armv8.2-a+sve
_start: number  x9, N
        address x1, buffer
        mov     w2, #64
        index   z1.s, #0, w2
        ptrue   p0.s, vl4
        ptrue   p1.b, vl16
        pfalse  p2.b
        zip1    p1.b, p1.b, p2.b
loop:   setffr
        .rept   400
        ldff1w  {z5.s}, p0/z, [x1, z1.s, uxtw]
        .endr
        .rept   200
        ld1b    {z6.b}, p1/z, [x1]
        .endr
        repeat  x9
        finish
        .bss
        .balign 4096
buffer: .skip   8192
