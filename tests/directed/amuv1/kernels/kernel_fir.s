// Outputs do not need each other and overlap. 6 multiply-accumulates for the one unit that has them take
// 6 cycles; 2 multiplications for the other one, 8 loads for three units, 12 integer operations for four
// and 22 instructions 8 wide take fewer.
// kernel: FIR of 8 taps: one output from 8 samples
// set: units.multicycle = 2
// vary: N = 200, 600
// expect-change: CPU_CYCLES = 6 * N
// expect-change: INST_RETIRED = 22 * N
        .include "directed.inc"
_start: address x1, samples
        number  x9, N
loop:   ldr     w10, [x1]
        ldr     w11, [x1, #4]
        ldr     w12, [x1, #8]
        ldr     w13, [x1, #12]
        ldr     w14, [x1, #16]
        ldr     w15, [x1, #20]
        ldr     w16, [x1, #24]
        ldr     w17, [x1, #28]
        mul     w2, w10, w20
        madd    w2, w11, w21, w2
        madd    w2, w12, w22, w2
        madd    w2, w13, w23, w2
        mul     w3, w14, w24
        madd    w3, w15, w25, w3
        madd    w3, w16, w26, w3
        madd    w3, w17, w27, w3
        add     w2, w2, w3
        str     w2, [x1, #512]
        add     x1, x1, #4
        and     x1, x1, #0xfffffffffffffeff
        repeat  x9
        finish
        zeroed  samples, 1024, 1024
