// 2048 lines beyond level 2, whose loads do not need each other: eight misses at a time, so 8 lines
// every 210 cycles. Dispatch waits for most of that; it loses no cycle twice, however many misses are
// outstanding in it.
// proves: 0x4005 misses that overlap stall once
// proves: 0x0011 misses overlap as far as there are entries for them
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 0
// set: memory.latency_cycles = 200
// set: window.misses = 8
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: CPU_CYCLES = 2048 // 8 * (10 + 200) * N
// expect-change: STALL_BACKEND_MEM <= 2048 // 8 * (10 + 200) * N
// expect-change: STALL_BACKEND_MEM >= 2048 // 8 * (200 - 8) * N
        .include "directed.inc"
_start: link
        number  x9, N
pass:   address x1, buffer
        number  x8, LINES
loop:   ldr     x2, [x1]
        add     x1, x1, #STEP
        repeat  x8
        repeat  x9, pass
        finish
        zeroed  buffer, LINES*STEP, 4096
