/* A sequence enable, run, disable counts the instructions between, exactly; CCNT moves with a loop by its turns.
 * Prints nothing; status: how many windows are wrong. In T32 as well. */
        .syntax unified
        .equ SYS_EXIT_EXTENDED, 0x20
        .equ APPLICATION_EXIT, 0x20026

        .macro window turns
        mov r0, #0
        mcr p15, 0, r0, c9, c12, 0
        mcr p15, 0, r0, c9, c12, 5
        mov r1, #8
        mcr p15, 0, r1, c9, c13, 1
        mcr p15, 0, r0, c9, c13, 2
        mov r1, #1
        mcr p15, 0, r1, c9, c12, 1
        ldr r2, =\turns
        mcr p15, 0, r1, c9, c12, 0
1:      subs r2, r2, #1
        bne 1b
        mcr p15, 0, r0, c9, c12, 0      /* itself is out */
        mrc p15, 0, r3, c9, c13, 2
        ldr r2, =2 * \turns
        cmp r2, r3
        beq 2f
        add r10, r10, #1
2:
        .endm

        .text
        .arm
        .global start
start:
        mov r10, #0
        .irp turns, 1, 2, 3, 1000, 100000
        window \turns
        .endr
        b 3f
        .ltorg
3:      blx thumb
        ldr r2, =APPLICATION_EXIT
        mov r3, r10
        push {r2, r3}
        mov r1, sp
        mov r0, #SYS_EXIT_EXTENDED
        svc #0x123456
        .ltorg

        .thumb
        .thumb_func
thumb:
        .irp turns, 1, 7, 5000
        window \turns
        .endr
        bx lr
        .ltorg
