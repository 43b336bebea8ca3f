// The same through 512 pages, which the second TLB has: 3 cycles and level 2's 10.
// proves: 0x0011 a translation that the second TLB has costs its cycles
// set: l1d.size_kb = 4
// set: l2tlb.cycles = 3
// let: LINES = 512
// let: STEP = 4160
// vary: N = 2, 3, 5
// expect-change: CPU_CYCLES = 512 * (3 + 10) * N
        .include "directed.inc"
_start: link
        number  x9, 512 * N
loop:   ldr     x1, [x1]
        repeat  x9
        finish
        zeroed  buffer, LINES*STEP, 4096
