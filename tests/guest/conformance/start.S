/* Vectors, and what C cannot say: modes, windows of counting. */
        .syntax unified
        .arm

        .section .vectors, "ax"
        .balign 32
vectors:
#ifdef CORTEX_R4F                       /* they are copied to address 0 */
        .rept 8
        ldr pc, [pc, #24]
        .endr
        .word start, undefined, svc, prefetch_abort, data_abort, start, irq, fiq
#else
        b start
        b undefined
        b svc
        b prefetch_abort
        b data_abort
        b .
        b irq
        b fiq
#endif

        .text
        .global start
start:
        ldr r0, =vectors
#ifdef CORTEX_R4F
        mov r1, #0
        mov r2, #16
1:      ldr r3, [r0], #4
        str r3, [r1], #4
        subs r2, r2, #1
        bne 1b
#else
        mcr p15, 0, r0, c12, c0, 0      /* VBAR */
        isb
#endif
#ifdef NONSECURE                        /* all of it in Nonsecure state, which may mask FIQ and aborts */
        .arch_extension sec
        cps #0x16
        mov r1, #0x31                   /* SCR: AW, FW, NS */
        mcr p15, 0, r1, c1, c1, 0
        isb
        mcr p15, 0, r0, c12, c0, 0      /* VBAR of that state */
        mov r1, #0xdf
        msr spsr_fsxc, r1
        ldr lr, =1f
        movs pc, lr
1:
#endif
        mrc p15, 0, r0, c1, c0, 0
        orr r0, r0, #0x1800             /* SCTLR.I, Z */
        orr r0, r0, #4                  /* C, which does nothing without an MMU */
        mcr p15, 0, r0, c1, c0, 0
        isb
        cpsid if, #0x1f                 /* System mode: User mode's stack, privileged */
        ldr sp, =stack_top
        bl main
        bl board_exit

        .macro enter mode
        cps #\mode
        .endm
        .macro enter_masked
        cpsid if, #0x1f
        .endm
        .include "snippet.inc"
        ends_snippet undefined, 1
        ends_snippet prefetch_abort, 3
        ends_snippet data_abort, 4
        ends_snippet irq, 6
        ends_snippet fiq, 7

/* Counter 0 alone, from zero. A piece may use r0 to r3 and the flags. */
        .global count_event
        .type count_event, %function
count_event:                            /* event, piece */
        push {r4, r5, r6, lr}
        mov r4, #0
        mov r5, #1
        mcr p15, 0, r4, c9, c12, 0      /* PMNC: off                */
        mvn r2, #0
        mcr p15, 0, r2, c9, c12, 2      /* CNTENC: all              */
        mcr p15, 0, r4, c9, c12, 5      /* PMNXSEL: 0               */
        isb
        mcr p15, 0, r0, c9, c13, 1      /* EVTSEL                   */
        mcr p15, 0, r4, c9, c13, 2      /* PMCNT                    */
        mcr p15, 0, r5, c9, c12, 1      /* CNTENS: counter 0        */
        isb
        mcr p15, 0, r5, c9, c12, 0      /* PMNC: on                 */
        isb
        blx r1
        isb
        mcr p15, 0, r4, c9, c12, 0
        isb
        mrc p15, 0, r0, c9, c13, 2
        pop {r4, r5, r6, pc}

        .global count_cycles
        .type count_cycles, %function
count_cycles:                           /* pmnc, turns */
        push {r4, lr}
        mov r4, #0
        mcr p15, 0, r4, c9, c12, 0
        mvn r2, #0
        mcr p15, 0, r2, c9, c12, 2
        mov r2, #0x80000000
        mcr p15, 0, r4, c9, c13, 0      /* CCNT                     */
        mcr p15, 0, r2, c9, c12, 1      /* CNTENS: CCNT             */
        isb
        mcr p15, 0, r0, c9, c12, 0
        isb
        .balign 64
1:      subs r1, r1, #1
        bne 1b
        isb
        mcr p15, 0, r4, c9, c12, 0
        isb
        mrc p15, 0, r0, c9, c13, 0
        pop {r4, pc}
        .ltorg

        .section .note.GNU-stack, "", %progbits
