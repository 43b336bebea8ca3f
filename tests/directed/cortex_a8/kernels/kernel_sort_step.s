@ The first element is loaded in cycle 0, its pointer moved for a result an ALU's latency and the
@ early stage later: the second element is loaded in cycle 2, beside the BIC, and compared 2 cycles
@ later; the branch sees the flags in the same cycle. It is taken, as predicted, so cycle 5 has the
@ counter and its branch.
@ kernel: compare and swap of a sort: two neighbours that are in order already
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ vary: N = 100, 300
@ expect-change: CPU_CYCLES = 6 * N
@ expect-change: INST_RETIRED = 7 * N
@ expect-change: BR_MIS_PRED = 0
        .include "directed.inc"
_start: address r4, array
        mov     r8, #N
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
