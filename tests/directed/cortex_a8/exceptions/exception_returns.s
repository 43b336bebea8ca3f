@ Four supervisor calls in a round, whose handlers return in four ways. A return that fails its condition
@ stands in front of the first.
@ proves: 0x09 each supervisor call is an exception taken
@ proves: 0x0A MOVS PC, SUBS PC, RFE and LDM with PC and the saved status are exception returns
@ proves: 0x0A a return that fails its condition is none
@ proves: 0x0C a supervisor call is no software change of the PC, an exception return is
@ proves: 0x0D an exception return is no immediate branch
@ proves: 0x0E exception returns are no procedure returns
@ proves: 0x12 exception returns are nothing the predictor predicts
@ engine: bare
@ vary: N = 20, 70
@ expect-change: EXC_TAKEN = 4 * N
@ expect-change: EXC_RETURN = 4 * N
@ expect-change: PC_WRITE_RETIRED = (4 + 4 + 4 + 1) * N
@ expect-change: BR_IMMED_RETIRED = (4 + 1) * N
@ expect-change: BR_RETURN_RETIRED = 0
@ expect-change: BR_PRED = (4 + 4 + 1) * N
@ expect-change: INST_RETIRED = (4 * 2 + 2 + 4 * 2 + 3 + 2 + 3 + 3) * N
        .include "directed.inc"
_start: adr     r0, vectors
        mcr     p15, 0, r0, c12, c0, 0
        address sp, stack
        adr     r4, moves
        adr     r5, subtracts
        adr     r6, loads
        adr     r7, pops
        mov     r8, #N
loop:   mov     r9, r4
        svc     #0
        mov     r9, r5
        svc     #0
        mov     r9, r6
        svc     #0
        mov     r9, r7
        svc     #0
        repeat  r8
        finish

moves:  cmp     r8, r8
        movsne  pc, lr
        movs    pc, lr
subtracts:
        add     lr, lr, #4
        subs    pc, lr, #4
loads:  push    {r0, lr}
        nop
        ldm     sp!, {r0, pc}^
pops:   srsdb   sp!, #19
        nop
        rfeia   sp!

        .balign 32
vectors:
        b       .
        b       .
        b       handle
        b       .
        b       .
        b       .
        b       .
        b       .
handle: bx      r9
        .bss
        .space  256
stack:  .space  16
