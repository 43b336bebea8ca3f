/* What a program sets in CP15 acts, and what it reads there is what happened, on cores without the Security Extensions:
 * SCTLR.V moves the vectors, SCTLR.EE is set in a big-endian program, DFAR and DFSR are those of the last abort. Status:
 * the number of the first check that is wrong. */
        .syntax unified
        .arm
        .equ SYS_EXIT_EXTENDED, 0x20
        .equ APPLICATION_EXIT, 0x20026
        .equ V, 1 << 13
        .equ NOWHERE, 0x60000000

        .macro vectors undefined
        b .
        b \undefined
        b .
        b .
        b abort
        b .
        b .
        b .
        .endm
        .section .low, "ax"
        vectors low_undefined
abort:  mrc p15, 0, r6, c6, c0, 0       @ DFAR, of ARMv5 FAR
        mrc p15, 0, r7, c5, c0, 0
        subs pc, lr, #4
low_undefined:
        add r9, r9, #50
        movs pc, lr
        .section .high, "ax"
        b .
        b 1f
        .skip 24
1:      add r9, r9, #1
        movs pc, lr

        .text
        .macro check register, value
        .set checks, checks + 1
        ldr r12, =\value
        cmp \register, r12
        mov r12, #checks
        bne finish
        .endm
        .set checks, 0

        .global start
start:
        mov r9, #0
        udf #0
        check r9, 50
        ldr r0, =NOWHERE
        ldr r1, [r0, #8]
        check r6, NOWHERE + 8
        and r7, r7, #15                 @ its status: no longer 0
        cmp r7, #0
        movne r7, #1
        check r7, 1
        mrc p15, 0, r0, c1, c0, 0
        mov r4, r0
        orr r0, r0, #V
        mcr p15, 0, r0, c1, c0, 0
        nop
        nop
        udf #0
        udf #0
        check r9, 52
        bic r0, r0, #V
        mcr p15, 0, r0, c1, c0, 0
        nop
        nop
        udf #0
        check r9, 102
        lsr r4, r4, #25
        and r4, r4, #1
        check r4, BIG
        mov r12, #0
finish:
        ldr r1, =block
        ldr r0, =APPLICATION_EXIT
        str r0, [r1]
        str r12, [r1, #4]
        mov r0, #SYS_EXIT_EXTENDED
        svc 0x123456
        b .
        .bss
        .balign 8
block:  .skip 8
