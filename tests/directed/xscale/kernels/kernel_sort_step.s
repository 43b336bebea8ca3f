@ The second element, loaded in cycle 1, can be compared in cycle 4; the branch is taken, as predicted,
@ the counter and its branch are cycles 6 and 7.
@ kernel: compare and swap of a sort: two neighbours that are in order already
@ machine: ixp425
@ vary: N = 100, 300
@ expect-change: CPU_CYCLES = 8 * N
@ expect-change: INSTRUCTION = 7 * N
@ expect-change: BRANCH_MISS = 0
        .include "directed.inc"
_start: mov     r4, #0x200000           @ data
        number  r8, N
loop:   ldr     r0, [r4], #4
        ldr     r1, [r4]
        bic     r4, r4, #256
        cmp     r0, r1
        ble     1f
        str     r0, [r4]
        str     r1, [r4, #-4]
1:      repeat  r8
        finish
        .data
        .balign 512
array:  .set    element, 0
        .rept   65
        .word   element
        .set    element, element + 3
        .endr
