// Stores to 2048 lines beyond level 2: the store queue fills, and what waits in it are demand misses
// too. 4 misses at a time.
// proves: 0x4005 stores that miss level 2 are demand misses
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 0
// set: memory.latency_cycles = 200
// set: window.misses = 4
// set: window.stores = 8
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: CPU_CYCLES = 2048 // 4 * (10 + 200) * N
// expect-change: STALL_BACKEND_MEM >= 2048 // 4 * (200 - 8) * N
// expect-change: STALL_BACKEND_MEM <= 2048 // 4 * (10 + 200) * N
        .include "directed.inc"
_start: link
        number  x9, N
pass:   address x1, buffer
        number  x8, LINES
loop:   str     x2, [x1]
        add     x1, x1, #STEP
        repeat  x8
        repeat  x9, pass
        finish
        zeroed  buffer, LINES*STEP, 4096
