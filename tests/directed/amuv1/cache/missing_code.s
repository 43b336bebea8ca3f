// Code of 128 KB, twice level 2, that touches no data: dispatch waits for the front end, 210 cycles a
// line and the cycle that its taken branch ends.
// proves: 0x4005 instructions that come from memory are no memory stall
// proves: 0x0011 a line of instructions from memory stops the front end
// set: branch.late_cycles = 0
// set: branch.directs_fetch = no
// set: l1i.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 0
// set: memory.latency_cycles = 200
// vary: N = 2, 3, 5
// expect-change: CPU_CYCLES >= 2048 * 210 * N
// expect-change: CPU_CYCLES <= 2048 * 212 * N
// expect-change: STALL_BACKEND_MEM = 0
        .include "directed.inc"
_start: number  x9, N
        b       code
        .balign 64
code:   .rept   2047
        b       . + 64
        .balign 64
        .endr
        subs    x9, x9, #1
        b.eq    out
        address x1, code
        br      x1
out:    finish
