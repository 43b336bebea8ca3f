/* Accesses to the monitor inside Thumb IT blocks, on QEMU's `virt`. Prints, in hexadecimal:
 *   "read N"     PMNC, read on EQ in an ITETE block whose other instructions must know their conditions
 *   "others N"   1 for the second instruction on EQ, 0x10 and 0x100 for those on NE: 1 is right
 *   "write N"    EVTSEL after writes on NE (passes), on EQ (does not), on NE
 *   "spsr N"     ITSTATE of the third of four instructions of a block, which is Undefined: no such register
 *   "after N"    what the fourth did when the handler came back behind the third
 *   "counted N"  instructions between two writes of PMNC in IT blocks: 10, of which some do not pass */
        .syntax unified
        .arch armv7-a
        .arch_extension virt
        .arm
        .global _start
_start: ldr r0, =vectors
        mcr p15, 0, r0, c12, c0, 0
        cps #0x1b
        ldr sp, =undefined_stack_top
        cps #0x13
        ldr sp, =stack_top
        adr r0, thumb + 1
        bx r0
        .thumb
thumb:  mov r5, #0
        mov r1, #0
        cmp r5, #0
        itete eq
        mrceq p15, 0, r1, c9, c12, 0
        orrne r5, r5, #0x10
        orreq r5, r5, #1
        orrne r5, r5, #0x100
        adr r0, read_text
        bl print
        mov r1, r5
        adr r0, others_text
        bl print

        mov r0, #0
        mcr p15, 0, r0, c9, c12, 5
        mov r2, #0x13
        mov r3, #0x14
        movs r4, #1
        itet ne
        mcrne p15, 0, r2, c9, c13, 1
        mcreq p15, 0, r3, c9, c13, 1
        addne r2, r2, #1
        it ne
        mcrne p15, 0, r2, c9, c13, 1
        mrc p15, 0, r1, c9, c13, 1
        adr r0, write_text
        bl print

        movs r4, #0
        mov r6, #0
        mov r7, #0
        itttt eq
        addeq r6, #1
        addeq r6, #2
        mrceq p15, 0, r1, c9, c12, 6    /* PMCEID0: the core has none */
        addeq r6, #4
        mov r1, r7
        adr r0, spsr_text
        bl print
        mov r1, r6
        adr r0, after_text
        bl print

        mov r0, #8
        mcr p15, 0, r0, c9, c13, 1
        mov r0, #1
        mcr p15, 0, r0, c9, c12, 1
        mov r1, #3
        movs r2, #0
        ite eq
        mcreq p15, 0, r1, c9, c12, 0    /* PMNC: E, P */
        addne r5, r5, #1                /* 1: does not pass */
        nop                             /* 2 */
        itt ne                          /* 3 */
        mrcne p15, 0, r1, c9, c12, 0    /* 4 */
        addne r5, r5, #1                /* 5 */
        nop
        nop
        nop
        ite ne                          /* 9 */
        mcrne p15, 0, r1, c9, c12, 0    /* 10 */
        mcreq p15, 0, r2, c9, c12, 0
        mrc p15, 0, r1, c9, c13, 2
        adr r0, counted_text
        bl print
        ldr r0, =0x84000008             /* PSCI: off */
        hvc #0
1:      b 1b

/* r0: a text, r1: eight digits. */
print:  ldr r2, =0x09000000
1:      ldrb r3, [r0], #1
        cbz r3, 2f
        str r3, [r2]
        b 1b
2:      mov r0, #8
3:      lsr r3, r1, #28
        lsl r1, r1, #4
        cmp r3, #10
        ite lt
        addlt r3, r3, #'0'
        addge r3, r3, #'a' - 10
        str r3, [r2]
        subs r0, r0, #1
        bne 3b
        mov r3, #'\n'
        str r3, [r2]
        bx lr
        .balign 4
        .ltorg
read_text: .asciz "read "
        .balign 4
others_text: .asciz "others "
        .balign 4
write_text: .asciz "write "
        .balign 4
spsr_text: .asciz "spsr "
        .balign 4
after_text: .asciz "after "
        .balign 4
counted_text: .asciz "counted "

        .arm
        .balign 32
vectors:
        b .
        b undefined
        .rept 6
        b .
        .endr

/* Leaves ITSTATE in r7, and goes on behind the instruction, of four bytes, with ITSTATE moved on. */
undefined:
        push {r0, r1}
        mrs r0, spsr
        lsr r1, r0, #8
        and r1, r1, #0xfc
        ubfx r7, r0, #25, #2
        orr r7, r7, r1
        and r1, r7, #0xe0
        lsl r0, r7, #1
        and r0, r0, #0x1f
        orr r1, r1, r0
        tst r7, #7
        moveq r1, #0
        mrs r0, spsr
        bic r0, r0, #0xfc00
        bic r0, r0, #0x06000000
        and r2, r1, #0xfc
        orr r0, r0, r2, lsl #8
        and r2, r1, #3
        orr r0, r0, r2, lsl #25
        msr spsr_cxsf, r0
        pop {r0, r1}
        add lr, lr, #2
        movs pc, lr

        .bss
        .balign 8
        .space 1024
undefined_stack_top:
        .space 1024
stack_top:

        .section .note.GNU-stack, "", %progbits
