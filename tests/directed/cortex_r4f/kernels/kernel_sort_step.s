@ The pointer that the first load moves is an address 1 + 2 cycles later: the second load issues in
@ cycle 3, with BIC, the comparison in cycle 5, its branch in 6, the counter and the last branch, which
@ waits for it, in 7 and 8.
@ kernel: compare and swap of a sort: two neighbours that are in order already
@ vary: N = 100, 200, 400
@ expect-change: CPU_CYCLES = 9 * N
@ expect-change: INST_RETIRED = 7 * N
@ expect-change: BR_MIS_PRED = 0
        .include "directed.inc"
_start: address r4, array
        movw    r8, #N
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
