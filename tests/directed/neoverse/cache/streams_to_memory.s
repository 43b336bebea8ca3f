// Stores write whole lines that no cache has. After twelve lines the next ones are written to memory, one each 30 cycles. To
// read them would take 50 cycles each, with four on their way at once.
// proves: 0x002B each is a write, which the shared cache hands on
// proves: 0x0029 it keeps none
// proves: 0x0011 what memory's bandwidth takes, and none of its latency; the bus never turns around
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// set: memory.latency_cycles = 200
// set: memory.line_cycles = 30
// set: memory.turnaround_cycles = 20
// set: l2.fill_buffers = 4
// set: write_stream.l2_lines = 4
// set: write_stream.llc_lines = 8
// set: write_stream.memory_lines = 12
// vary: LINES = 512, 1024, 2048
// expect-change: L1D_CACHE_REFILL_WR = 0
// expect-change: L3D_CACHE_ALLOCATE = 0
// expect-change: CPU_CYCLES >= 30 * LINES - 600
// expect-change: CPU_CYCLES <= 30 * LINES + 600
        .include "directed.inc"
_start: write_lines
        finish_lines
