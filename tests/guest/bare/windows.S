/* Every event of the Cortex-A8, four at a time, around the same work; the guest prints what its counters show:
 * a line "EVENT COUNT" for each, and "ff COUNT" for the cycle counter, in hexadecimal. For QEMU's `virt`. */
        .syntax unified
        .arch armv7-a
        .arch_extension virt
        .fpu neon
        .arm
        .global _start
_start:
        ldr sp, =stack_top
        bl translation_on
        mrc p15, 0, r0, c1, c0, 2       /* NEON */
        orr r0, r0, #0xf00000
        mcr p15, 0, r0, c1, c0, 2
        isb
        mov r0, #0x40000000
        vmsr fpexc, r0
        ldr r9, =events
next_window:
        mov r4, #0
1:      mcr p15, 0, r4, c9, c12, 5      /* PMNXSEL */
        ldrb r0, [r9, r4]
        mcr p15, 0, r0, c9, c13, 1      /* EVTSEL */
        add r4, r4, #1
        cmp r4, #4
        bne 1b
        ldr r0, =0x8000000f
        mcr p15, 0, r0, c9, c12, 1      /* CNTENS */
        mov r0, #7
        mcr p15, 0, r0, c9, c12, 0      /* PMNC: E, P, C */
        bl work
        mov r0, #0
        mcr p15, 0, r0, c9, c12, 0
        mov r4, #0
1:      mcr p15, 0, r4, c9, c12, 5
        ldrb r0, [r9, r4]
        mrc p15, 0, r1, c9, c13, 2      /* PMCNT */
        bl print
        add r4, r4, #1
        cmp r4, #4
        bne 1b
        mov r0, #0xff
        mrc p15, 0, r1, c9, c13, 0      /* CCNT */
        bl print
        add r9, r9, #4
        ldr r0, =events_end
        cmp r9, r0
        blo next_window
        ldr r0, =0x84000008             /* PSCI: off */
        hvc #0
1:      b 1b

/* Reads, writes, branches, NEON, unaligned accesses, an exception, over more than the caches hold. */
work:
        push {r4-r8, lr}
        ldr r4, =buffer
        mov r5, #0
1:      ldr r6, [r4, r5]
        add r7, r4, r5
        str r6, [r7, #4]
        ldr r6, [r7, #13]
        add r8, r7, #0xa0000
        str r6, [r8]                    /* to where nothing was read */
        str r6, [r8, #4]
        add r8, r8, #0xa0000
        vld1.32 {d0}, [r8]              /* from where only NEON reads */
        vld1.32 {d0}, [r7]
        tst r5, #0x140
        addne r6, r6, #1
        bne 2f
        bl leaf
2:      add r5, r5, #0x48
        cmp r5, #0x90000
        blo 1b
        svc #0
        mov r0, #0
        mcr p15, 0, r0, c13, c0, 1      /* CONTEXTIDR */
        pop {r4-r8, pc}
leaf:   add r6, r6, r5
        bx lr

/* r0: two digits, r1: eight digits. */
print:
        push {r2-r5, lr}
        ldr r2, =0x09000000
        mov r3, r0, lsl #24
        mov r5, #2
        bl digits
        mov r0, #' '
        str r0, [r2]
        mov r3, r1
        mov r5, #8
        bl digits
        mov r0, #'\n'
        str r0, [r2]
        pop {r2-r5, pc}
digits:
        lsr r0, r3, #28
        lsl r3, r3, #4
        cmp r0, #10
        addlt r0, r0, #'0'
        addge r0, r0, #'a' - 10
        str r0, [r2]
        subs r5, r5, #1
        bne digits
        bx lr

/* One megabyte sections at their own addresses: memory cacheable, all else device. */
translation_on:
        ldr r0, =table
        mov r1, #0
1:      lsl r2, r1, #20
        ldr r3, =0x00000c06             /* device, full access */
        sub r5, r1, #0x400
        cmp r5, #0x40
        ldrlo r3, =0x00001c0e           /* write-back, write-allocate */
        orr r2, r2, r3
        str r2, [r0, r1, lsl #2]
        add r1, r1, #1
        cmp r1, #0x1000
        bne 1b
        ldr r1, =vectors
        mcr p15, 0, r1, c12, c0, 0      /* VBAR */
        mcr p15, 0, r0, c2, c0, 0       /* TTBR0 */
        mov r1, #0
        mcr p15, 0, r1, c2, c0, 2       /* TTBCR */
        mvn r1, #0
        mcr p15, 0, r1, c3, c0, 0       /* DACR */
        mcr p15, 0, r0, c8, c7, 0       /* TLBIALL */
        dsb
        mrc p15, 0, r1, c1, c0, 0
        ldr r2, =0x1805                 /* I, Z, C, M */
        orr r1, r1, r2
        mcr p15, 0, r1, c1, c0, 0
        isb
        bx lr

        .balign 32
vectors:
        b .
        b .
        movs pc, lr                     /* SVC */
        b .
        b .
        nop
        b .
        b .

        .data
events: .byte 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f
        .byte 0x10, 0x11, 0x12, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4b, 0x4c, 0x4d, 0x4e
        .byte 0x4f, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x08, 0x04, 0x03
events_end:
        .bss
        .balign 16384
table:  .space 16384
        .space 4096
stack_top:
        .balign 4096
buffer: .space 0x1e0000
