// A jump through a register to one of two places that a pseudo-random bit chooses: its target is often predicted wrongly.
// proves: 0x00CA an indirect branch is predicted wrongly
// proves: 0x00CB because of its address
// proves: 0x00CC no conditional one is
// vary: N = 1000, 5000
// expect-change: BR_INDIRECT_MISPRED >= N // 5
// expect-change: BR_INDIRECT_MISPRED_ADDR = BR_INDIRECT_MISPRED
// expect-change: BR_MIS_PRED = BR_INDIRECT_MISPRED + BR_COND_MISPRED
// expect-change: BR_COND_MISPRED <= N // 50
        .include "directed.inc"
_start: number  x9, N
        first_random
        adr     x6, one
loop:   next_random
        ubfx    x2, x1, #60, #1
        add     x2, x6, x2, lsl #3
        br      x2
one:    nop
        b       both
        nop
both:   repeat  x9
        finish
