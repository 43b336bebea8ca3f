// Stores write whole lines that no cache has. After four lines the next ones are written to level 2 and not read.
// proves: 0x0043 a line of a stream is not brought to level 1
// proves: 0x0053 nor to level 2
// proves: 0x0020 a whole line is written into level 2 without a refill
// proves: 0x0051 each of them writes to level 2
// proves: 0x0060 none is read
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: write_stream.l2_lines = 4
// set: write_stream.llc_lines = 0
// vary: LINES = 100, 200, 400
// expect-change: L1D_CACHE_REFILL_WR = 0
// expect-change: L2D_CACHE_REFILL_WR = 0
// expect-change: L2D_CACHE_ALLOCATE = LINES
// expect-change: L2D_CACHE_WR = LINES
// expect-change: BUS_ACCESS_RD <= 8
        .include "directed.inc"
_start: write_lines
        finish_lines
