// A chain of 8 multiplications decides a branch: the flush begins when the chain is done. The branch
// goes by a random bit of it.
// proves: 0x0011 a misprediction is known when the branch is resolved
// set: latency.multiply_long = 5
// set: branch.mispredict_cycles = 20
// vary: N = 1000, 5000
// expect-change: CPU_CYCLES > N * 8 * 5 + N * 20 * 4 // 10
        .include "directed.inc"
_start: number  x9, N
        number  x1, 0x12345677
        number  x4, 0x19660d
        number  x5, 0x3c6ef35f
loop:   .rept   8
        mul     x1, x1, x4
        .endr
        eor     x1, x1, x9
        add     x1, x1, x5
        tbz     x1, #30, on
        add     x3, x3, #1
on:     repeat  x9
        finish
