/* LDC and STC of each register of the first XScale generation's monitor: a word that is moved in comes out again, and
 * User mode gets an Undefined exception for either. Status: the number of the first register that is wrong. */
        .syntax unified
        .arm
        .equ SYS_EXIT_EXTENDED, 0x20
        .equ APPLICATION_EXIT, 0x20026

        .section .vectors, "ax"
vectors:
        b start
        b undefined
        b call
        .rept 5
        b .
        .endr

        .text
undefined:
        add r7, r7, #1
        movs pc, lr
call:                                   /* back to Supervisor mode */
        mrs r8, spsr
        orr r8, r8, #3
        msr spsr_cxsf, r8
        movs pc, lr

        .macro move register, value, right
        add r9, r9, #1
        mov r7, #0
        ldr r0, =\value
        ldr r1, =memory
        str r0, [r1]
        mov r0, #0
        str r0, [r1, #8]
        ldc p14, c\register, [r1]
        stc p14, c\register, [r1, #8]!
        ldr r0, [r1]
        ldr r2, =\right
        cmp r0, r2
        bne finish
        msr cpsr_c, #0xd0
        ldc p14, c\register, [r1]
        stc p14, c\register, [r1, #-8]
        svc #0
        cmp r7, #2
        bne finish
        .endm

        .global start
start:
        mov r9, #0
        move 0, 0x00701070, 0x00701070  /* PMNC: events and interrupts, not enabled */
        move 1, 0x12345678, 0x12345678
        move 2, 0xfedcba98, 0xfedcba98
        move 3, 0x00c0ffee, 0x00c0ffee
        mov r9, #0
finish:
        ldr r2, =APPLICATION_EXIT
        mov r3, r9
        ldr sp, =stack
        push {r2, r3}
        mov r1, sp
        mov r0, #SYS_EXIT_EXTENDED
        svc #0x123456
        b .
        .ltorg

        .bss
        .balign 8
memory: .space 128
stack:
