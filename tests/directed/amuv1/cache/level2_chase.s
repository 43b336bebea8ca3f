// The same chase where level 2 holds it: 10 cycles a load, and no memory stall.
// proves: 0x4005 the same footprint in level 2 is no memory stall
// proves: 0x0011 a load that level 2 answers takes its latency
// set: l1d.size_kb = 4
// set: l2.size_kb = 256
// set: llc.size_kb = 0
// set: memory.latency_cycles = 200
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: CPU_CYCLES = 2048 * 10 * N
// expect-change: STALL_BACKEND_MEM = 0
        .include "directed.inc"
_start: link
        number  x9, 2048 * N
loop:   ldr     x1, [x1]
        repeat  x9
        finish
        zeroed  buffer, LINES*STEP, 4096
