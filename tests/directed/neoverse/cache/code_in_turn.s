// 1024 lines of code that level 2 holds, and passes one every 7 cycles: slower than they are asked for and delivered.
// proves: 0x0001 each is missing
// set: l1i.size_kb = 4
// set: l1i.ways = 4
// set: l2.size_kb = 256
// set: l2.hit_cycles = 10
// set: l2.line_cycles = 7
// set: dispatch.width = 4
// set: branch.directs_fetch = yes
// set: units.integer = 4
// set: branch.ahead_cycles = 24
// vary: N = 20, 30, 50
// expect-change: L1I_CACHE_REFILL = 1024 * N
// expect-change: CPU_CYCLES >= (1024 * 7 - 2) * N
// expect-change: CPU_CYCLES <= (1024 * 7 + 40) * N
        .include "directed.inc"
        pass_code 1024
