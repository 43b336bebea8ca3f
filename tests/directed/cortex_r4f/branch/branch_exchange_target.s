@ The loop's own branch is a BX with a condition that is predicted rightly; nobody has called, so the
@ return stack has no target.
@ proves: 0x11 BX with a condition takes nine cycles when only the return stack is wrong
@ proves: 0x10 a return that the return stack does not know is a flush
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = N * (1 + 9)
@ expect-change: BR_MIS_PRED = N
@ expect-change: STALL_IFETCH_CYCLES = 8 * N
        .include "directed.inc"
_start: mov     r8, #N
        adr     r6, loop
loop:   subs    r8, r8, #1
        bxne    r6
        finish
