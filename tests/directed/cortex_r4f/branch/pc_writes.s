@ Immediate branches, taken and not, and other changes of the PC.
@ proves: 0x0C every change of the PC counts: branch, call, return, move, arithmetic, load
@ proves: 0x0C one that fails its condition does not count
@ proves: 0x0D B, BL and BLX to an address count, taken or not
@ proves: 0x0D branches by a register or a load do not
@ proves: 0x12 branches to an address and returns are predictable, taken or not
@ proves: 0x12 MOV to the PC, BLX by a register, arithmetic and loads from elsewhere are not
@ let: N = 25
@ expect: PC_WRITE_RETIRED = N * (1 + 2 + 2 + 3 + 1) - 1
@ expect: BR_IMMED_RETIRED = N * (2 + 1 + 1)
@ expect: BR_PRED = N * (2 + 1 + 1 + 2)
        .include "directed.inc"
_start: address r5, table
        mov     r8, #N
        address r6, back
        str     r6, [r5]
loop:   cmp     r8, #0
        beq     loop                    @ not taken
        bl      leaf
        adr     r0, called
        blx     r0
        add     pc, pc, #0              @ to the instruction behind the next
        nop
        mov     pc, r6
        nop
back:   address r6, other
        str     r6, [r5]
        ldr     pc, [r5]
        nop
other:  address r6, back
        b       next
next:   repeat  r8
        finish
leaf:   bx      lr
called: bx      lr
        zeroed  table, 64, 4096
