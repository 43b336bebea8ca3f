/* Vectors, and what C cannot say: modes, windows of counting, interrupts. */
        .syntax unified
        .arch armv5te
        .arm

        .section .vectors, "ax"
        .global start
start:  ldr r0, =vectors                /* to address 0, where an ARMv5 core has them */
        mov r1, #0
        mov r2, #16
1:      ldr r3, [r0], #4
        str r3, [r1], #4
        subs r2, r2, #1
        bne 1b
        mrc p15, 0, r0, c1, c0, 0
        orr r0, r0, #0x1800             /* instruction cache, branch target buffer */
        mcr p15, 0, r0, c1, c0, 0
        msr cpsr_c, #0xd1
        ldr sp, =fiq_stack_top
        msr cpsr_c, #0xd2
        ldr sp, =irq_stack_top
        msr cpsr_c, #0xdf               /* System mode: User mode's stack, privileged */
        ldr sp, =stack_top
        bl main
        bl board_exit

vectors:
        .rept 8
        ldr pc, [pc, #24]
        .endr
        .word start, undefined, svc, prefetch_abort, data_abort, start, irq, fiq

        .text
        .macro enter mode
        msr cpsr_c, #0xc0 | \mode
        .endm
        .macro enter_masked
        enter 0x1f
        .endm
        .include "snippet.inc"
        ends_snippet undefined, 1
        ends_snippet prefetch_abort, 3
        ends_snippet data_abort, 4

irq:    push {r0-r3, r12, lr}
        mov r0, #6
        bl interrupted
        pop {r0-r3, r12, lr}
        subs pc, lr, #4

fiq:    push {r0-r3, r12, lr}
        mov r0, #7
        bl interrupted
        pop {r0-r3, r12, lr}
        subs pc, lr, #4

#if GENERATION == 1
#define PMNC c0, c0
#else
#define PMNC c0, c1
#endif
        .global run_counted
        .type run_counted, %function
run_counted:                            /* pmnc_on, pmnc_off, piece */
        push {r4, lr}
        mov r4, r1
        mcr p14, 0, r0, PMNC, 0
        mov lr, pc
        mov pc, r2
        mcr p14, 0, r4, PMNC, 0
        pop {r4, pc}

        .global run_with_interrupts
        .type run_with_interrupts, %function
run_with_interrupts:                    /* turns */
        msr cpsr_c, #0x1f
1:      subs r0, r0, #1
        bne 1b
        msr cpsr_c, #0xdf
        mov pc, lr
        .ltorg

        .section .note.GNU-stack, "", %progbits
