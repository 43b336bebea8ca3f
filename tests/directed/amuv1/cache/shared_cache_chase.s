// The chase beyond level 2, in the shared cache: the stall is its latency, not the memory's.
// proves: 0x4005 a miss that the shared cache answers stalls as long as that takes
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// set: llc.hit_cycles = 50
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: CPU_CYCLES = 2048 * (10 + 50) * N
// expect-change: STALL_BACKEND_MEM = 2048 * 50 * N
        .include "directed.inc"
_start: link
        number  x9, 2048 * N
loop:   ldr     x1, [x1]
        repeat  x9
        finish
        zeroed  buffer, LINES*STEP, 4096
