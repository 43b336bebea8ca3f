@ All branches are predicted right: the counter and the call issue together, the addition and the
@ return, and the loop's branch.
@ kernel: call and return: of a function that adds one
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = 3 * N
@ expect-change: INST_RETIRED = 5 * N
@ expect-change: BR_MIS_PRED = 0
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        bl      function
        bne     loop
        finish
function:
        add     r0, r0, #1
        bx      lr
