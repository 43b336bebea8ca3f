@ Data processing beside permutes: a pair starts in one cycle, but nothing starts between the first
@ and the last cycle of an instruction. Beside each is the cycle of the round in which it starts.
@ proves: 0x11 NEON starts two instructions in a cycle, but not within one of several cycles
@ set: branch.history_bits = 0
@ vary: N = 20, 100
@ expect-change: CPU_CYCLES = 10 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        vmul.i32 q0, q8, q9             @ 0 to 3
        vrev64.8 q1, q8                 @ 0
        vrev64.8 q2, q8                 @ 3
        vadd.i32 q3, q8, q9             @ 4
        vzip.8  q4, q5                  @ 4 to 6
        vadd.i32 q6, q8, q9             @ 6
        vtrn.8  q10, q11                @ 7 and 8
        vadd.i32 q7, q8, q9             @ 7
        vadd.i32 q12, q8, q9            @ 8
        vrev64.8 q13, q8                @ 9
        bne     loop
        finish
