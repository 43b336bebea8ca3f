/* Monitor mode and Nonsecure state of a Cortex-A8, with the performance monitor in it. Status: the number of the first
 * check that is wrong. PROHIBITED: it runs where pins prohibit non-invasive debug in Secure state. */
        .syntax unified
        .arch armv7-a
        .arch_extension sec
        .arm

        .equ SYS_EXIT_EXTENDED, 0x20
        .equ APPLICATION_EXIT, 0x20026
        .equ VIC, 0xff000000
        .equ LINE, 1
        .equ NOWHERE, 0xc0000000
        .equ NS, 1
        .equ IRQ, 2
        .equ EA, 8

        .section .vectors, "ax"
        .balign 32
secure_vectors:
        b start
        b .
        b secure_call
        b .
        b .
        b .
        b .
        b .
monitor_vectors:
        b .
        b .
        b monitor_call
        b .
        b monitor_abort
        b .
        b monitor_irq
        b .
nonsecure_vectors:
        b .
        b nonsecure_undefined
        b nonsecure_call
        b .
        b nonsecure_abort
        b .
        b .
        b .

        .text
/* r0: 0: nothing, 1: SCR becomes r1. Leaves SPSR, LR and CPSR in r4 to r6. */
monitor_call:
        mrs r4, spsr
        mov r5, lr
        mrs r6, cpsr
        cmp r0, #1
        mcreq p15, 0, r1, c1, c1, 0
        movs pc, lr
monitor_abort:
        mov r7, #0x200
        mrc p15, 0, r4, c5, c0, 0       /* DFSR of Secure state */
        mrc p15, 0, r5, c6, c0, 0
        subs pc, lr, #4
monitor_irq:
        mov r7, #0x300
        mrs r6, cpsr
        ldr r5, =VIC
        mov r4, #LINE
        str r4, [r5, #0x1c]             /* SOFTINTCLEAR */
        mrc p15, 0, r4, c1, c1, 0       /* SCR */
        subs pc, lr, #4
nonsecure_undefined:
        add r7, r7, #1
        mrs r4, spsr
        movs pc, lr
nonsecure_abort:
        mov r7, #0x400
        mrc p15, 0, r4, c5, c0, 0
        subs pc, lr, #4
/* Calls come back in Supervisor mode. */
secure_call:
nonsecure_call:
        mrs r8, spsr
        orr r8, r8, #0x1f
        bic r8, r8, #0x0c
        msr spsr_cxsf, r8
        movs pc, lr
        .ltorg

        .macro check register, value
        .set checks, checks + 1
        ldr r12, =\value
        cmp \register, r12
        mov r12, #checks
        bne finish
        .endm
        .macro pool
        b .Lbehind\@
        .ltorg
.Lbehind\@:
        .endm
        .set checks, 0
        .macro supervisor_call          /* LR is Supervisor's own: nothing is called here */
        svc #0
        .endm

        .global start
start:
        ldr r0, =secure_vectors
        mcr p15, 0, r0, c12, c0, 0
        ldr r0, =monitor_vectors
        mcr p15, 0, r0, c12, c0, 1
        mov r0, #0
        mcr p15, 0, r0, c9, c14, 0      /* USEREN */

/* From Supervisor mode to Monitor mode and back: 1 to 3. */
        smc #0
behind: and r4, r4, #0x1f
        check r4, 0x13
        ldr r0, =behind
        sub r5, r5, r0
        check r5, 0
        ubfx r6, r6, #0, #9
        check r6, 0x1d6

/* Into Nonsecure state, which has a VBAR of its own and no SCR: 4 to 6. */
        mov r0, #1
        mov r1, #NS
        smc #0
        ldr r0, =nonsecure_vectors
        mcr p15, 0, r0, c12, c0, 0
        mov r7, #0
        mrc p15, 0, r0, c1, c1, 0
        check r7, 1
        and r4, r4, #0x1f
        check r4, 0x13
        mcr p15, 0, r0, c12, c0, 1
        check r7, 2

/* The monitor there: privileged, User with and without USEREN: 7 to 12. */
        mov r0, #0
        mcr p15, 0, r0, c9, c12, 5
        mov r0, #0x13
        mcr p15, 0, r0, c9, c13, 1
        mrc p15, 0, r1, c9, c13, 1
        check r1, 0x13
        check r7, 2
        msr cpsr_c, #0xd0
        mov r1, #0
        mrc p15, 0, r1, c9, c13, 1
        mcr p15, 0, r1, c9, c13, 1
        supervisor_call
        check r7, 4
        check r1, 0
        mov r0, #1
        mcr p15, 0, r0, c9, c14, 0
        msr cpsr_c, #0xd0
        mrc p15, 0, r1, c9, c13, 1
        supervisor_call
        check r7, 4
        check r1, 0x13
        pool

/* An abort goes where SCR.EA says, with its status in the registers of that state: 13 to 17. */
        ldr r2, =NOWHERE
        mov r7, #0
        ldr r3, [r2]
        check r7, 0x400
        check r4, 0x008
        mov r0, #1
        mov r1, #NS | EA | IRQ
        smc #0
        ldr r3, [r2]
        check r7, 0x200
        check r4, 0x008
        check r5, NOWHERE

/* An interrupt as well: 18 to 20. */
        ldr r0, =VIC
        mov r1, #LINE
        str r1, [r0, #0x10]             /* INTENABLE */
        str r1, [r0, #0x18]             /* SOFTINT   */
        cpsie i
        nop
        cpsid i
        check r7, 0x300
        ubfx r6, r6, #0, #9
        check r6, 0x1d6
        check r4, NS | EA | IRQ
        pool

/* Windows of counting in each state: 21 to 25. */
        .macro window
        mov r0, #0
        mcr p15, 0, r0, c9, c12, 0
        mcr p15, 0, r0, c9, c12, 5
        mov r0, #8
        mcr p15, 0, r0, c9, c13, 1
        ldr r0, =0x80000001
        mcr p15, 0, r0, c9, c12, 1
        .endm
        .macro on value
        mov r2, #\value                 /* PMNC */
        mcr p15, 0, r2, c9, c12, 0
        .endm
        .macro off
        mov r2, #0
        mcr p15, 0, r2, c9, c12, 0
        mrc p15, 0, r1, c9, c13, 2
        mrc p15, 0, r3, c9, c13, 0      /* CCNT */
        .endm
        window
        on 0x07
        .rept 9
        nop
        .endr
        off
        check r1, 10
        mov r0, #1
        mov r1, #0
        smc #0                          /* Secure from here on */
        window
        on 0x07
        .rept 9
        nop
        .endr
        off
        check r1, 10 - 10 * PROHIBITED
        cmp r3, #0
        moveq r1, #0
        movne r1, #1
        check r1, 1
        window
        on 0x27                         /* DP: CCNT stands still, too */
        .rept 9
        nop
        .endr
        off
        cmp r3, #0
        moveq r1, #0
        movne r1, #1
        check r1, 1 - PROHIBITED
        window                          /* from Secure into Nonsecure state */
        mov r0, #1
        mov r1, #NS
        on 0x07
        .rept 5
        nop
        .endr
        smc #0
        .rept 7
        nop
        .endr
        off
        check r1, 8 + 13 - 13 * PROHIBITED
        mov r0, #1
        mov r1, #0
        smc #0

/* Secure User mode, where SDER.SUNIDEN permits it: 26 and 27. */
        .macro secure_user sder, expected
        mov r0, #\sder
        mcr p15, 0, r0, c1, c1, 1
        window
        on 0x07
        nop
        msr cpsr_c, #0xd0
        .rept 5
        nop
        .endr
        supervisor_call
        off
        check r1, \expected
        .endm
        secure_user 0, 15 - 15 * PROHIBITED
        secure_user 2, 15 - 9 * PROHIBITED

        mov r12, #0
finish:
        mov r0, #1
        mov r1, #0
        mov r9, r12
        ldr r2, =APPLICATION_EXIT
        mov r3, r9
        ldr sp, =stack_end
        push {r2, r3}
        mov r1, sp
        mov r0, #SYS_EXIT_EXTENDED
        svc #0x123456
        b .
        .ltorg

        .bss
        .balign 8
        .space 64
stack_end:
