// After twelve lines they go to memory, which takes one each 30 cycles; four on their way would take 50 each to be read.
// proves: 0x002B each is a write, which the shared cache hands on
// proves: 0x0029 it keeps none
// proves: 0x0011 what memory's bandwidth takes, and none of its latency
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// set: memory.latency_cycles = 200
// set: memory.line_cycles = 30
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
_start: address x1, buffer
        number  x9, LINES
loop:   stp     q0, q0, [x1], #32
        stp     q0, q0, [x1], #32
        subs    x9, x9, #1
        b.ne    loop
        finish
        .bss
        .balign 4096
buffer: .space  LINES * 64
