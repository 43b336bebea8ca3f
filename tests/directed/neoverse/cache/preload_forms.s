// Preloads of each form and for each level, of eight new lines in each turn, whose pages loads have
// used before. Five are for level 1: base and number, base and two forms of an index, PRFUM, one for
// a store. Two are for level 2 and one is of instructions. A reserved hint and a preload of an SVE
// kind do nothing, and are left out.
// proves: 0x0040 a preload for level 1 looks it up
// proves: 0x0016 each asks level 2
// proves: 0x00A0 and the shared cache
// proves: 0x0042 none is a refill
// set: llc.size_kb = 1024
// vary: N = 8, 16, 24
// expect-change: L1D_CACHE_RD = 5 * N
// expect-change: L2D_CACHE_RD = 8 * N
// expect-change: L3D_CACHE_RD = 8 * N
// expect-change: L1D_CACHE_REFILL_RD = 0
// expect-change: L2D_CACHE_REFILL = 0
// expect-change: DTLB_WALK = 0
        .include "directed.inc"
        .macro  forms
        prfm    pldl1keep, [x1, #64]
        prfm    pldl1strm, [x1, x2, lsl #3]
        prfm    pldl1keep, [x1, w3, sxtw]
        prfum   pldl1keep, [x4, #-64]
        prfm    pstl1keep, [x1, #320]
        prfm    pldl2keep, [x1, #384]
        prfm    pldl3strm, [x1, #448]
        prfm    plil1keep, [x1]
        .inst   0xf9800038              // a reserved hint: type 3
        .endm
_start:
        .ifdef  BARE
        translate
        .endif
        address x1, buffer
        mov     x9, #8                  // pages
touch:  ldr     x3, [x1, #4032]
        add     x1, x1, #4096
        repeat  x9, touch
        address x1, buffer
        mov     x2, #16                 // 128 bytes
        mov     x3, #192
        mov     x9, #N
loop:   add     x4, x1, #320            // 256 after PRFUM's number
        forms
        add     x1, x1, #1024
        repeat  x9
        finish
        zeroed  tables, 4096, 4096
        zeroed  buffer, 4096*8, 4096
