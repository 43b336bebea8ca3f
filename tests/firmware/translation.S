/* With the MMU on, pages at their own addresses: the data cache is there, and a walk over 64 KB refills its 1024
 * lines once. Counted from inside; status: 0 when right. A translation fault is the program's own Data Abort. */
        .syntax unified
        .arm
        .equ SYS_EXIT_EXTENDED, 0x20
        .equ APPLICATION_EXIT, 0x20026
        .equ LINES, 1024
        .equ SECTION, 0x00000c0e        /* full access, write-back */

        .section .vectors, "ax"
        .balign 32
vectors:
        b start
        b .
        b .
        b .
        b data_abort
        b .
        b .
        b .

        .text
        .global start
start:
        ldr r0, =vectors
        mcr p15, 0, r0, c12, c0, 0
        msr cpsr_c, #0xd7
        ldr sp, =stack
        msr cpsr_c, #0xd3
        ldr r0, =table
        ldr r1, =SECTION
        mov r2, #0
1:      orr r3, r1, r2, lsl #20
        str r3, [r0, r2, lsl #2]
        add r2, r2, #1
        cmp r2, #2048                   /* the upper half stays away */
        blo 1b
        mcr p15, 0, r0, c2, c0, 0       /* TTBR0 */
        mov r1, #0
        mcr p15, 0, r1, c2, c0, 2       /* TTBCR */
        mvn r1, #0
        mcr p15, 0, r1, c3, c0, 0       /* all domains */
        mcr p15, 0, r1, c8, c7, 0
        mrc p15, 0, r1, c1, c0, 0
        ldr r2, =0x1005                 /* I, C, M */
        orr r1, r1, r2
        mcr p15, 0, r1, c1, c0, 0
        isb

        mov r0, #0
        mcr p15, 0, r0, c9, c12, 5
        mov r1, #0x03                   /* L1D refills */
        mcr p15, 0, r1, c9, c13, 1
        mcr p15, 0, r0, c9, c13, 2
        mov r1, #1
        mcr p15, 0, r1, c9, c12, 1
        ldr r4, =memory
        ldr r5, =LINES
        mcr p15, 0, r1, c9, c12, 0
2:      ldr r6, [r4], #64
        subs r5, r5, #1
        bne 2b
        mcr p15, 0, r0, c9, c12, 0
        mrc p15, 0, r7, c9, c13, 2
        ldr r5, =LINES
        mov r10, #1
        cmp r7, r5
        bne finish
        mov r8, #0
        mov r0, #0x90000000
        ldr r1, [r0]                    /* no translation */
here:   mov r10, #2
        cmp r8, #1
        moveq r10, #0
finish:
        ldr r2, =APPLICATION_EXIT
        mov r3, r10
        ldr sp, =stack
        push {r2, r3}
        mov r1, sp
        mov r0, #SYS_EXIT_EXTENDED
        svc #0x123456
        b .

data_abort:                             /* LR is 8 behind; goes on behind the access */
        mov r8, #1
        subs pc, lr, #4
        .ltorg

        .bss
        .balign 65536
memory: .space 65536
        .balign 16384
table:  .space 16384
        .space 512
stack:
