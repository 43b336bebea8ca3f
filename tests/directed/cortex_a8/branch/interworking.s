@ Calls from one instruction set to the other, N times: BLX with an address, BLX with a register,
@ and their returns.
@ proves: 0x0D a BLX to an address is an immediate branch, one to a register is not
@ proves: 0x0C calls and returns that change the instruction set change the PC
@ proves: 0x0E BX LR returns to either instruction set
@ proves: 0x51 the return stack holds return addresses of both instruction sets
@ build: a32 t32
@ set: branch.history_bits = 0
@ let: N = 30
@ expect: BR_IMMED_RETIRED = N + N
@ expect: PC_WRITE_RETIRED = 4 * N + N - 1
@ expect: BR_RETURN_RETIRED = 2 * N
@ expect: BR_RETURN_MIS_PRED = 0
@ expect: BR_MIS_PRED = 3 + 2
@ expect: INST_RETIRED = 3 + N * (4 + 2 + 2) + 3
        .include "directed.inc"
_start: address r4, other + 1 - T32
        mov     r8, #N
loop:   blx     other
        blx     r4
        repeat  r8
        finish
        .balign 4
        .if     T32
        .arm
        .else
        .thumb
        .endif
other:  add     r5, r5, #1
        bx      lr
