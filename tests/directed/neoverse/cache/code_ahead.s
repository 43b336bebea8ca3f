// 1024 lines of code that level 2 holds, 16 instructions each, of which the last are delivered 3 cycles after the first. A line is asked for 8
// cycles before that and takes 10: it is there 3 - 8 + 10 cycles after the one before it.
// proves: 0x0001 each is missing
// proves: 0x0023 the front end waits for what its predictor did not ask for early enough
// set: l1i.size_kb = 4
// set: l1i.ways = 4
// set: l2.size_kb = 256
// set: l2.hit_cycles = 10
// set: dispatch.width = 4
// set: branch.directs_fetch = yes
// set: units.integer = 4
// set: branch.ahead_cycles = 8
// vary: N = 20, 30, 50
// expect-change: L1I_CACHE_REFILL = 1024 * N
// expect-change: CPU_CYCLES >= (1024 * (3 - 8 + 10) - 2) * N
// expect-change: CPU_CYCLES <= (1024 * (3 - 8 + 10) + 40) * N
        .include "directed.inc"
        pass_code 1024
