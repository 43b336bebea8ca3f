/* As windows.S, for an XScale of the second generation on QEMU's `versatilepb` (XSCALE) and for a Cortex-R4F on
 * `realview-pb-a8` (CORTEX_R4F): all their events, as many at a time as there are counters, around the same work.
 * Translation is on where there is any. */
        .syntax unified
        .arm
#ifdef XSCALE
        .arch armv5te
        .equ UART, 0x101f1000
        .equ COUNTERS, 4
        .macro pmnc, value
        mov r0, #\value
        mcr p14, 0, r0, c0, c1, 0
        .endm
#else
        .arch armv7-r
        .equ UART, 0x10009000
        .equ COUNTERS, 3
        .macro pmnc, value
        mov r0, #\value
        mcr p15, 0, r0, c9, c12, 0
        .endm
#endif
        .global _start
_start: ldr r0, =vectors                /* to address 0 */
        mov r1, #0
        mov r2, #16
1:      ldr r3, [r0], #4
        str r3, [r1], #4
        subs r2, r2, #1
        bne 1b
        ldr sp, =stack_top
        bl translation_on
        ldr r9, =events
next_window:
#ifdef XSCALE
        ldr r0, [r9]                    /* EVTSEL has the four numbers as they lie in memory */
        mcr p14, 0, r0, c8, c1, 0
#else
        mov r4, #0
1:      mcr p15, 0, r4, c9, c12, 5
        ldrb r0, [r9, r4]
        mcr p15, 0, r0, c9, c13, 1
        add r4, r4, #1
        cmp r4, #COUNTERS
        bne 1b
        ldr r0, =0x80000007
        mcr p15, 0, r0, c9, c12, 1
#endif
        pmnc 7                          /* E, P, C */
        bl work
        pmnc 0
        mov r4, #0
1:      ldrb r0, [r9, r4]
        bl counter
        bl print
        add r4, r4, #1
        cmp r4, #COUNTERS
        bne 1b
#ifdef XSCALE
        mrc p14, 0, r1, c1, c1, 0
#else
        mrc p15, 0, r1, c9, c13, 0
#endif
        ldr r0, =0x1ff                  /* CCNT */
        bl print
        add r9, r9, #COUNTERS
        ldr r0, =events_end
        cmp r9, r0
        blo next_window
        mov r0, #0x18                   /* semihosting: end */
        ldr r1, =0x20026
        svc #0x123456
1:      b 1b

/* r1: counter r4. */
counter:
#ifdef XSCALE
        cmp r4, #1
        mrclo p14, 0, r1, c0, c2, 0
        mrceq p14, 0, r1, c1, c2, 0
        cmp r4, #2
        mrceq p14, 0, r1, c2, c2, 0
        mrchi p14, 0, r1, c3, c2, 0
#else
        mcr p15, 0, r4, c9, c12, 5
        mrc p15, 0, r1, c9, c13, 2
#endif
        mov pc, lr

/* Reads, writes, branches, lists, multiplies, an exception, over more than the caches hold. */
work:   push {r4-r8, lr}
        ldr r4, =buffer
        mov r5, #0
1:      ldr r6, [r4, r5]
        add r7, r4, r5
        mul r8, r6, r5
        add r6, r6, r8
        str r6, [r7, #4]
        add r8, r7, #0x40000
        str r6, [r8]
        str r6, [r8, #4]
        ldm r8, {r0-r3}
        tst r5, #0x140
        addne r6, r6, #1
        bne 2f
        bl leaf
2:      add r5, r5, #0x48
        cmp r5, #0x20000
        blo 1b
        svc #0
        pop {r4-r8, pc}
leaf:   add r6, r6, r5
        bx lr

/* r0: three digits, r1: eight digits. */
print:  push {r2-r5, lr}
        ldr r2, =UART
        lsl r3, r0, #20
        mov r5, #3
        bl digits
        mov r0, #' '
        str r0, [r2]
        mov r3, r1
        mov r5, #8
        bl digits
        mov r0, #'\n'
        str r0, [r2]
        pop {r2-r5, pc}
digits: lsr r0, r3, #28
        lsl r3, r3, #4
        cmp r0, #10
        addlt r0, r0, #'0'
        addge r0, r0, #'a' - 10
        str r0, [r2]
        subs r5, r5, #1
        bne digits
        mov pc, lr

/* One megabyte sections at their own addresses: the first 64 cacheable, all else device. */
translation_on:
#ifdef XSCALE
        ldr r0, =table
        mov r1, #0
1:      lsl r2, r1, #20
        ldr r3, =0x00000c12
        cmp r1, #0x40
        ldrlo r3, =0x00000c1e           /* write-back */
        orr r2, r2, r3
        str r2, [r0, r1, lsl #2]
        add r1, r1, #1
        cmp r1, #0x1000
        bne 1b
        mcr p15, 0, r0, c2, c0, 0
        mvn r1, #0
        mcr p15, 0, r1, c3, c0, 0
        mcr p15, 0, r0, c8, c7, 0
        mrc p15, 0, r1, c1, c0, 0
        ldr r2, =0x1805                 /* I, Z, C, M */
        orr r1, r1, r2
        mcr p15, 0, r1, c1, c0, 0
        nop
        nop
#else
        mrc p15, 0, r1, c1, c0, 0
        orr r1, r1, #0x1000             /* I */
        orr r1, r1, #0x0004             /* C */
        mcr p15, 0, r1, c1, c0, 0
        isb
#endif
        mov pc, lr
        .ltorg

        .balign 4
vectors:
        .rept 8
        ldr pc, [pc, #24]
        .endr
        .word _start, _start, svc, _start, _start, _start, _start, _start
svc:    movs pc, lr

        .data
        .balign 4
events:
#ifdef XSCALE
        .byte 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x07, 0x05
#else
        .byte 0x00, 0x01, 0x03, 0x04, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x40
        .byte 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x50, 0x51, 0x52, 0x54, 0x57, 0x5a, 0x5b, 0x5c, 0x5e, 0x08, 0x04
#endif
events_end:
        .bss
        .balign 16384
table:  .space 16384
        .space 4096
stack_top:
        .balign 4096
buffer: .space 0x80000
        .section .note.GNU-stack, "", %progbits
