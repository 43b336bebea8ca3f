/* Pulses on PMUEXTIN0, one each 100 instructions, in a window of 10,000: 100 of them. Status: 0 when right. */
        .syntax unified
        .arm
        .equ SYS_EXIT_EXTENDED, 0x20
        .equ APPLICATION_EXIT, 0x20026
        .text
        .global start
        .type start, %function
start:
        mov r0, #0
        mcr p15, 0, r0, c9, c12, 5
        mov r1, #0x70
        mcr p15, 0, r1, c9, c13, 1
        mcr p15, 0, r0, c9, c13, 2
        mov r1, #1
        mcr p15, 0, r1, c9, c12, 1
        ldr r2, =5000
        mcr p15, 0, r1, c9, c12, 0
1:      subs r2, r2, #1
        bne 1b
        mcr p15, 0, r0, c9, c12, 0
        mrc p15, 0, r3, c9, c13, 2
        subs r3, r3, #100
        movne r3, #1
        ldr r2, =APPLICATION_EXIT
        push {r2, r3}
        mov r1, sp
        mov r0, #SYS_EXIT_EXTENDED
        svc #0x123456
        .ltorg
