// A chase through 2048 lines, 128 KB in 32 pages: twice level 2, so that with LRU no line is there
// when it is needed again. Every load waits 10 cycles for level 2's answer and 200 more for memory.
// proves: 0x4005 a chase beyond level 2 stalls its length times the latency
// proves: 0x0011 a load that misses level 2 takes the lookup and the latency
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 0
// set: memory.latency_cycles = 200
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: CPU_CYCLES = 2048 * (10 + 200) * N
// expect-change: STALL_BACKEND_MEM = 2048 * 200 * N
        .include "directed.inc"
_start: link
        number  x9, 2048 * N
loop:   ldr     x1, [x1]
        repeat  x9
        finish
        zeroed  buffer, LINES*STEP, 4096
