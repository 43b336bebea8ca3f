@ An inner loop of ITERATIONS. From the third run on its exit is known, up to 31 iterations; history
@ alone, of one bit, never knows it.
@ proves: 0x10 the exit of a loop of up to 31 iterations is predicted, after two runs
@ proves: 0x12 every branch that can be predicted counts
@ build: a32 t32
@ set: branch.history_bits = 1
@ let: N = 40
@ vary: ITERATIONS = 4, 12, 31
@ expect: BR_MIS_PRED <= 8
@ expect: BR_PRED = N * (ITERATIONS + 1)
        .include "directed.inc"
_start: mov     r8, #N
loop:   mov     r9, #ITERATIONS
1:      repeat  r9, 1b
        repeat  r8
        finish
