// Two chains of 40 additions, which need nothing of each other, each with a DSB after it. The DSB is
// issued when the chain has retired and takes a cycle; the next chain's first addition is dispatched
// then and issued a cycle later: 42 cycles each.
// proves: 0x0011 a DSB waits until all before it is done, and all after it waits for the DSB
// proves: 0x0024 the back end waits for it
// set: latency.alu = 1
// set: latency.system = 1
// let: ADDS = 40
// vary: N = 100, 1000
// expect-change: CPU_CYCLES = 2 * (ADDS + 2) * N
// expect-change: STALL_BACKEND >= 2 * (ADDS - 20) * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   ADDS
        add     x1, x1, #1
        .endr
        dsb     ish
        .rept   ADDS
        add     x2, x2, #1
        .endr
        dsb     ish
        repeat  x9
        finish
