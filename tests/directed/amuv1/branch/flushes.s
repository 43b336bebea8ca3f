// A branch that follows a random bit, from a register: about half of its flushes cannot be avoided,
// and each costs the resolution and the refill. Memory has nothing to do with it.
// proves: 0x4005 mispredicted branches are no memory stall
// proves: 0x0011 mispredicted branches cost the refill of the pipeline
// set: branch.mispredict_cycles = 20
// vary: N = 1000, 5000
// expect-change: CPU_CYCLES > N * 20 * 4 // 10
// expect-change: CPU_CYCLES < N * (20 + 10) * 6 // 10 + 10 * N
// expect-change: STALL_BACKEND_MEM = 0
        .include "directed.inc"
_start: number  x9, N
        number  x1, 0x12345677
loop:   lsl     x2, x1, #13             // a generator of random bits
        eor     x1, x1, x2
        lsr     x2, x1, #7
        eor     x1, x1, x2
        lsl     x2, x1, #17
        eor     x1, x1, x2
        tbz     x1, #20, on
        add     x3, x3, #1
on:     repeat  x9
        finish
