/* Data with its most significant byte first (BE-8): in memory, by each size of access, on the stack, in an exception,
 * in devices and in blocks that the host reads and writes. Status: the number of the first check that is wrong. */
        .syntax unified
        .arm
        .equ SYS_HEAPINFO, 0x16
        .equ SYS_EXIT_EXTENDED, 0x20
        .equ APPLICATION_EXIT, 0x20026
        .equ VIC, 0xff000000
        .equ LINE, 1 << 20
        .equ ENDIAN, 1 << 9

        .section .vectors, "ax"
        .balign 32
        b start
        b .
        b call
        b .
        b .
        b .
        b irq
        b .

        .text
        .macro check register, value
        .set checks, checks + 1
        ldr r12, =\value
        cmp \register, r12
        mov r12, #checks
        bne finish
        .endm
        .set checks, 0

call:                                   /* the state of a handler, and what it reads */
        mrs r4, cpsr
        ldr r5, =word
        ldr r5, [r5]
        movs pc, lr
irq:
        mov r0, #0
        mcr p15, 0, r0, c9, c12, 0
        mov r0, #1
        mcr p15, 0, r0, c9, c12, 3
        ldr r0, =VIC
        ldr r7, [r0, #8]                /* RAWINTR: the flag is down */
        add r6, r6, #1
        subs pc, lr, #4

        .global start
start:
#ifdef CORTEX_A8
        ldr r0, =0x10000
        mcr p15, 0, r0, c12, c0, 0
#endif
        ldr sp, =stack_end
/* From 1: a word, its bytes, halves and doubles; what a program stores. */
        mrs r0, cpsr
        and r0, r0, #ENDIAN
        check r0, ENDIAN
        ldr r8, =word
        ldr r0, [r8]
        check r0, 0x12345678
        ldrb r0, [r8]
        check r0, 0x12
        ldrb r0, [r8, #3]
        check r0, 0x78
        ldrh r0, [r8, #2]
        check r0, 0x5678
        ldrd r0, r1, [r8]
        check r0, 0x12345678
        check r1, 0x9abcdef0
        ldm r8, {r0, r1}
        check r1, 0x9abcdef0
        mov r0, #0x55
        strh r0, [r8, #8]
        ldrb r0, [r8, #9]
        check r0, 0x55
        push {r1}
        ldrb r0, [sp]
        check r0, 0x9a
        pop {r1}
        setend le
        ldr r0, [r8]
        setend be
        mov r1, r0
        check r1, 0x78563412

/* From 13: an exception. */
        svc #0
        and r4, r4, #ENDIAN
        check r4, ENDIAN
        check r5, 0x12345678

/* From 15: devices, by an overflow interrupt behind the third of three loads. */
        mov r6, #0
        mov r7, #1
        ldr r0, =VIC
        ldr r1, =LINE
        str r1, [r0, #0x10]             /* INTENABLE */
        ldr r2, [r0, #0x10]
        check r2, LINE
        mov r0, #0
        mcr p15, 0, r0, c9, c12, 5
        mov r1, #6
        mcr p15, 0, r1, c9, c13, 1      /* loads */
        mvn r1, #2
        mcr p15, 0, r1, c9, c13, 2
        mov r1, #1
        mcr p15, 0, r1, c9, c12, 1
        mcr p15, 0, r1, c9, c14, 1
        cpsie i
        mcr p15, 0, r1, c9, c12, 0
        ldr r2, [r8]
        ldr r2, [r8]
        mov r9, r6
        ldr r2, [r8]
        cpsid i
        check r9, 0
        check r6, 1
        check r7, 0

/* 19: a block that the host writes. */
        ldr r1, =block
        ldr r0, =answer
        str r0, [r1]
        mov r0, #SYS_HEAPINFO
        svc #0x123456
        ldr r0, =answer
        ldr r0, [r0]
        ldr r1, =stack_end
        cmp r0, r1
        movhs r0, #1
        check r0, 1
        mov r12, #0
finish:
        ldr r2, =APPLICATION_EXIT
        mov r3, r12
        ldr sp, =stack_end
        push {r2, r3}
        mov r1, sp
        mov r0, #SYS_EXIT_EXTENDED
        svc #0x123456
        b .
        .ltorg

        .data
        .balign 8
word:   .word 0x12345678, 0x9abcdef0, 0, 0

        .bss
        .balign 8
block:  .space 8
answer: .space 16
        .space 256
stack_end:
