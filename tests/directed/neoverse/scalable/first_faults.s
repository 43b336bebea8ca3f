// N rounds of a first-fault load that runs into a page that is not there, one that does not, and a non-fault load that
// does. The first fault register loses elements in two.
// A window of one entry has no room for a wrong path.
// proves: 0x80BC first-fault and non-fault loads count
// proves: 0x80BD those count that clear bits of the first fault register
// scalable: SVE
// set: window.entries = 1
// vary: N = 1, 10, 500
// expect-change: SVE_LDFF_SPEC = 3 * N
// expect-change: SVE_LDFF_FAULT_SPEC = 2 * N
// expect-change: LD_SPEC = 3 * N
        .include "directed.inc"
        .arch   armv8.2-a+sve
_start: mov     x0, #0                          // mmap of two pages, munmap of the second
        mov     x1, #8192
        mov     x2, #3
        mov     x3, #0x22
        mov     x4, #-1
        mov     x5, #0
        mov     x8, #222
        svc     #0
        mov     x10, x0
        add     x0, x0, #4096
        mov     x1, #4096
        mov     x8, #215
        svc     #0
        number  x9, N
        add     x1, x10, #4096 - 8
        ptrue   p0.d
loop:   setffr
        ldff1d  {z0.d}, p0/z, [x1, xzr, lsl #3]
        nop
        setffr
        ldff1d  {z1.d}, p0/z, [x10, xzr, lsl #3]
        nop
        setffr
        ldnf1d  {z2.d}, p0/z, [x1]
        nop
        repeat  x9
        finish
