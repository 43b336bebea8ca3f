@ BX to the next instruction, which no call has pushed.
@ proves: 0x11 BX takes nine cycles when the return stack is wrong
@ build: a32 t32
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = N * (9 + 2)
@ expect-change: BR_MIS_PRED = N
@ expect-change: BR_RETURN_RETIRED = N
        .include "directed.inc"
_start: mov     r8, #N
        address r6, next
        orr     r6, r6, #T32
loop:   bx      r6
        .balign 4
next:   repeat  r8
        finish
