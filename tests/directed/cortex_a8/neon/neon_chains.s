@ A chain of integers, one of sums, one of floats, and two floats that have nothing to do with each
@ other. Beside each instruction are the cycles after which the next one starts: in a chain the stage
@ of its result, less the stage in which the next reads it, and one more.
@ proves: 0x11 a result of NEON is forwarded from its stage to the one in which it is read
@ set: branch.history_bits = 0
@ let: INTEGERS = 2 + 2 + 5 + 6 + 3 + 2 + 6 + 1
@ let: SUMS = 1 + 1 + 4 + 4 + 1
@ let: FLOATS = 4 + 4 + 4 + 4 + 8 + 8 + 1
@ let: WAITS = 1 + 5 + 1
@ vary: N = 20, 100
@ expect-change: CPU_CYCLES = (INTEGERS + SUMS + FLOATS + WAITS) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        vadd.i16 d0, d0, d16            @ 2: N3 to N2
        vadd.i16 d0, d0, d16            @ 2
        vmul.i16 d0, d0, d16            @ 5: N6 to N2
        vmul.i16 d0, d0, d16            @ 6: N6 to N1
        vshr.u16 d0, d0, #1             @ 3: N3 to N1
        vshr.u16 d0, d0, #1             @ 2: N3 to N2
        vmul.i32 d0, d0, d16            @ 6: N6 of its second cycle to N2
        vadd.i32 d0, d0, d16            @ 1

        vmull.s16 q1, d16, d17          @ 1: handed to a sum of its type
        vmlal.s16 q1, d16, d17          @ 1
        vmlal.s16 q1, d16, d17          @ 4: N6 to N3
        vpadal.s16 q1, q8               @ 4
        vpadal.s16 q1, q8               @ 1

        vadd.f32 d6, d6, d16            @ 4: N5 to N2
        vadd.f32 d6, d6, d16            @ 4
        vmul.f32 q3, q3, q8             @ 4: the upper half follows in both a cycle later
        vmul.f32 q3, q3, q8             @ 4
        vmla.f32 q3, q8, q9             @ 8: N9 to N2
        vmla.f32 q3, q8, q9             @ 8
        vadd.f32 d6, d6, d16            @ 1

        vmla.f32 d8, d16, d17           @ 1: no addition that waits
        vmla.f32 d9, d16, d17           @ 5: 4 cycles in which additions wait
        vadd.f32 d10, d16, d17          @ 1
        bne     loop
        finish
