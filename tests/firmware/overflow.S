/* Overflow interrupts of a Cortex-A8 come behind the very instruction whose event made the counter wrap.
 *
 * For each row counter 0 is set to minus N of an event and a straight piece of code runs; its handler notes where
 * the interrupt came. With the distance from the first instruction behind "on" all is known by hand. Then what a
 * flag and its enable do to the line. Status: how many are wrong. */
        .syntax unified
        .arm

        .equ SYS_EXIT_EXTENDED, 0x20
        .equ APPLICATION_EXIT, 0x20026
        .equ VIC, 0xff000000
        .equ LINE, 1 << 20

        .section .vectors, "ax"
        .balign 32
vectors:
        b start
        b .
        b .
        b .
        b .
        b .
        b irq
        b .

        .text
        .global start
start:
        ldr r0, =vectors
        mcr p15, 0, r0, c12, c0, 0
        isb
        msr cpsr_c, #0xd2
        ldr sp, =irq_stack
        msr cpsr_c, #0xd3
        ldr r0, =VIC
        ldr r1, =LINE
        str r1, [r0, #0x10]             /* INTENABLE */
        ldr r4, =rows
        mov r10, #0                     /* wrong rows */
next:
        ldr r5, [r4], #4                /* event */
        cmn r5, #1
        beq finish
        ldr r6, [r4], #4                /* N */
        ldr r7, [r4], #4                /* code */
        ldr r8, [r4], #4                /* instructions in front of the interrupt */
        mvn r0, #0
        mcr p15, 0, r0, c9, c12, 2      /* CNTENC */
        mcr p15, 0, r0, c9, c12, 3      /* FLAG   */
        mov r0, #0
        mcr p15, 0, r0, c9, c12, 0      /* PMNC   */
        mcr p15, 0, r0, c9, c12, 5      /* PMNXSEL */
        mcr p15, 0, r5, c9, c13, 1      /* EVTSEL */
        rsb r0, r6, #0
        mcr p15, 0, r0, c9, c13, 2      /* PMCNT  */
        mov r0, #1
        mcr p15, 0, r0, c9, c12, 1      /* CNTENS */
        mcr p15, 0, r0, c9, c14, 1      /* INTENS */
        mov r9, #0                      /* where it came */
        cpsie i
        mov r0, #1
        blx r7
        cpsid i
        sub r9, r9, r11                 /* r11: first instruction behind PMNC */
        cmp r9, r8, lsl #2
        addne r10, r10, #1
        b next

/* A flag that is set raises the interrupt when that is enabled; clearing it lets the line fall. */
finish:
        mvn r0, #0
        mcr p15, 0, r0, c9, c14, 2      /* INTENC */
        mcr p15, 0, r0, c9, c12, 3      /* FLAG   */
        mcr p15, 0, r0, c9, c13, 2      /* PMCNT: the next wraps */
        mov r0, #0
        mcr p15, 0, r0, c9, c13, 1      /* software increments */
        mov r0, #1
        mcr p15, 0, r0, c9, c12, 1
        mcr p15, 0, r0, c9, c12, 0
        mcr p15, 0, r0, c9, c12, 4      /* SWINCR */
        mrc p15, 0, r1, c9, c12, 3
        cmp r1, #1
        addne r10, r10, #1
        mov r9, #0
        cpsie i
        nop
        ldr r2, =VIC
        ldr r3, [r2, #8]                /* RAWINTR */
        orrs r1, r9, r3
        addne r10, r10, #1
        adr r11, 1f
        mcr p15, 0, r0, c9, c14, 1      /* INTENS */
1:      nop
        cmp r9, r11
        addne r10, r10, #1
        cpsid i
        ldr r3, [r2, #8]
        cmp r3, #0
        addne r10, r10, #1
        mcr p15, 0, r0, c9, c12, 0      /* another: up again, while nobody hears of it */
        mvn r1, #0
        mcr p15, 0, r1, c9, c13, 2
        mcr p15, 0, r0, c9, c12, 4
        ldr r3, [r2, #8]
        cmp r3, #LINE
        addne r10, r10, #1
        mcr p15, 0, r0, c9, c12, 3      /* FLAG */
        ldr r3, [r2, #8]
        cmp r3, #0
        addne r10, r10, #1

        ldr r2, =APPLICATION_EXIT
        mov r3, r10
        ldr sp, =stack
        push {r2, r3}
        mov r1, sp
        mov r0, #SYS_EXIT_EXTENDED
        svc #0x123456
        b .

/* Stops counting first: its own instructions stay out. */
irq:
        mov r0, #0
        mcr p15, 0, r0, c9, c12, 0
        mov r0, #1
        mcr p15, 0, r0, c9, c12, 3
        sub r9, lr, #4
        subs pc, lr, #4

        .macro begin name
        .balign 64
\name:
        adr r11, 1f
        ldr r1, =memory
        mov r3, #4
        mcr p15, 0, r0, c9, c12, 0      /* on: its own count is in front */
1:
        .endm
        .macro end
        mov r2, #0
        mcr p15, 0, r2, c9, c12, 0
        bx lr
        .ltorg
        .endm

        begin nops
        .rept 40
        nop
        .endr
        end

        begin loads
        .rept 10
        nop
        ldr r2, [r1]
        .endr
        end

        begin stores
        .rept 10
        str r2, [r1]
        nop
        nop
        .endr
        end

        begin conditional
        cmp r3, r3
        .rept 10
        ldrne r2, [r1]
        ldreq r2, [r1]
        cmp r3, r3
        .endr
        end

        .section .rodata
        .balign 4
rows:                                   /* event, N, code, instructions in front */
        .irp n, 1, 2, 3, 17, 40
        .word 0x08, \n, nops, \n
        .endr
        .word 0x06, 1, loads, 2
        .word 0x06, 7, loads, 14
        .word 0x07, 1, stores, 1
        .word 0x07, 5, stores, 13
        .word 0x06, 1, conditional, 3
        .word 0x06, 10, conditional, 30
        .word 0x08, 5, conditional, 5
        .word -1

        .bss
        .balign 8
memory: .space 64
        .space 256
stack:  .space 256
irq_stack:
