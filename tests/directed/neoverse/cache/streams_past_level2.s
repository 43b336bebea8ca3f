// Stores write whole lines that no cache has, from the last one down. After eight lines the next ones are written to the shared cache, past level 2.
// proves: 0x0029 a line that does not go to level 2 is written to the shared cache
// proves: 0x002B each is a write of it
// proves: 0x0020 none is written into level 2
// proves: 0x0018 none comes from level 2
// proves: 0x0061 a line is two beats
// set: bus.width_bits = 256
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// set: write_stream.l2_lines = 4
// set: write_stream.llc_lines = 8
// vary: LINES = 100, 200, 400
// expect-change: L1D_CACHE_REFILL_WR = 0
// expect-change: L2D_CACHE_ALLOCATE = 0
// expect-change: L2D_CACHE_WR = LINES
// expect-change: L2D_CACHE_WB = 0
// expect-change: L3D_CACHE_ALLOCATE = LINES
// expect-change: BUS_ACCESS_WR = 2 * LINES
        .include "directed.inc"
_start: address x1, buffer + LINES * 64
        number  x9, LINES
loop:   stp     q0, q0, [x1, #-32]!
        stp     q0, q0, [x1, #-32]!
        repeat  x9
        finish_lines
