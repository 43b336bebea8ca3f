@ All branches are predicted right and only end their cycles: the counter and the call, the addition
@ and the return, the loop's branch: 3 cycles. LR is there for the return, a cycle behind the call.
@ kernel: call and return: of a function that adds one
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 3 * N
@ expect-change: INST_RETIRED = 5 * N
@ expect-change: BR_RETURN_RETIRED = N
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
