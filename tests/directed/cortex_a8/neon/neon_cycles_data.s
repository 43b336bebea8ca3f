@ Data processing, none of which waits for another: the cycles beside each add up. The integer
@ pipeline needs fewer and waits for the full queue.
@ proves: 0x11 NEON data processing takes its pipe for as many cycles as the manual tells
@ set: branch.history_bits = 0
@ let: CYCLES = 1 + 2 + 2 + 4 + 1 + 2 + 2 + 2 + 2 + 2 + 1 + 2
@ vary: N = 20, 100
@ expect-change: CPU_CYCLES = CYCLES * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        vadd.i32  q0, q8, q9            @ 1
        vmul.i16  q1, q8, q9            @ 2
        vmul.i32  d4, d16, d18          @ 2
        vmul.i32  q3, q8, q9            @ 4
        vmull.s16 q4, d16, d18          @ 1
        vmull.s32 q5, d16, d18          @ 2
        vmlal.s32 q6, d16, d1[0]        @ 2
        vshl.s32  q7, q8, q9            @ 2
        vsli.32   q10, q8, #3           @ 2
        vaba.s8   q11, q8, q9           @ 2
        vadd.f32  d24, d26, d28         @ 1
        vmul.f32  q15, q13, q14         @ 2
        bne     loop
        finish
