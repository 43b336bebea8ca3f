/* Exceptions and Exception levels of AArch64: calls up, interrupts by their routing, what EL0 keeps over an
 * exception, address translation in EL1, the system counter. Exit status: 0, or the number of the wrong check. */
        .arch armv8.2-a

        .macro vectors name, own, below, irq, fiq
        .balign 2048
\name:
        .irp entry, wrong, wrong, wrong, wrong, \own, \irq, \fiq, wrong, \below, \irq, \fiq, wrong, wrong, wrong, wrong, wrong
        .balign 128
        b \entry
        .endr
        .endm

        .macro expect reg, value, number        /* clobbers x28 */
        mov w27, #\number
        ldr x28, =\value
        cmp \reg, x28
        b.ne wrong
        .endm

        .macro go level, to                     /* down, from EL3 */
        mov x0, #0x3c0 | \level << 2 | ((\level > 0) & 1)
        msr spsr_el3, x0
        adr x0, \to
        msr elr_el3, x0
        eret
        .endm

        .text
        vectors vectors_1, in_el1, in_el1, irq_1, wrong
        vectors vectors_2, wrong, in_el2, wrong, wrong
        vectors vectors_3, wrong, in_el3, irq_3, fiq_3

        .global _start
_start:
        ldr x0, =vectors_1
        msr vbar_el1, x0
        ldr x0, =vectors_2
        msr vbar_el2, x0
        ldr x0, =vectors_3
        msr vbar_el3, x0
        mov x0, #0x531                          /* NS, HCE, RW */
        msr scr_el3, x0
        mov x0, #1 << 31
        msr hcr_el2, x0
        ldr x26, =0xff000000                    /* interrupt controller: line 0 is software's */
        mov w0, #1
        str w0, [x26, #0x10]
        mov x25, #0                             /* where in_el1 to in_el3 go on */

/* ---- what EL0 changes stays ---- */
        mov x0, #0x1111
        msr sp_el0, x0
        adr x25, back_1
        go 0, user_1
user_1:
        fmov d31, #1.0
        mov x5, #77
        ldr x6, =0x1234
        msr tpidr_el0, x6
        add sp, sp, #1
        cmp x5, #77
        svc #5
back_1: /* in EL1 */
        mrs x1, esr_el1
        expect x1, 0x56000005, 1
        mrs x1, sp_el0
        expect x1, 0x1112, 2
        fmov x1, d31
        expect x1, 0x3ff0000000000000, 3
        expect x5, 77, 4
        mrs x1, tpidr_el0
        expect x1, 0x1234, 5
        mrs x1, spsr_el1
        expect x1, 0x600003c0, 6                /* Z, C: equal */
        mrs x1, CurrentEL
        expect x1, 4, 7
        adr x25, back_2
        hvc #9
after_2:
back_2: /* in EL2 */
        mrs x1, esr_el2
        expect x1, 0x5a000009, 8
        mrs x1, elr_el2
        expect x1, after_2, 9
        adr x25, back_3
        smc #3
back_3: /* in EL3 */
        mrs x1, esr_el3
        expect x1, 0x5e000003, 10
        mrs x1, spsr_el3
        expect x1, 0x600003c9, 11               /* Z, C: of the last comparison */

/* ---- interrupts ---- */
        adr x25, wrong
        mov w0, #1
        str w0, [x26, #0x18]                    /* asserted; EL3 masks it */
        nop
        nop
        go 1, pending_1
pending_1:                                      /* masked in EL1, and not routed to EL3 */
        nop
        msr daifclr, #2
        nop
taken_1_from:
        b wrong
irq_1:  mrs x1, elr_el1
        ldr x2, =taken_1_from - 4
        mov w27, #12
        cmp x1, x2
        b.ne wrong
        mrs x1, spsr_el1
        and x1, x1, #0x3ff
        expect x1, 0x345, 13
        adr x25, back_4
        smc #0
back_4: mov x0, #0x533                          /* IRQ to EL3: no mask of EL1's matters */
        msr scr_el3, x0
        go 1, to_3
to_3:   nop
        b wrong
irq_3:  mrs x1, elr_el3
        expect x1, to_3, 14
        mov w0, #1
        str w0, [x26, #0x0c]                    /* now it is an FIQ */
        mov x0, #0x535                          /* FIQ to EL3 */
        msr scr_el3, x0
        go 0, to_3_again
to_3_again:
        b wrong
fiq_3:  mrs x1, elr_el3
        expect x1, to_3_again, 15
        mov w0, #1
        str w0, [x26, #0x1c]                    /* no longer */

/* ---- translation in EL1, every address its own: 1 GiB blocks; the rest is not there ---- */
        adr x25, back_5
        go 1, translate
translate:
        ldr x0, =tables
        ldr x1, =0x40000705                     /* memory, EL1 */
        str x1, [x0, #8]
        msr ttbr0_el1, x0
        ldr x0, =0x19 | 1 << 23                 /* 39 bits, TTBR0 only */
        msr tcr_el1, x0
        mov x0, #0xff
        msr mair_el1, x0
        isb
        mrs x0, sctlr_el1
        orr x0, x0, #1
        msr sctlr_el1, x0
        isb
        ldr x3, =data
        ldr x4, =0x0123456789abcdef
        str x4, [x3]
        ldr x1, [x3]
        expect x1, 0x0123456789abcdef, 16
        dc zva, x3
        ldr x1, [x3]
        expect x1, 0, 17
        tlbi vmalle1
        ldr x1, [x3, #8]
        smc #0
back_5:
/* ---- the system counter ---- */
        mrs x0, cntpct_el0
        mov x2, #3000
1:      subs x2, x2, #1
        b.ne 1b
        mrs x1, cntpct_el0
        sub x1, x1, x0
        cmp x1, #900                            /* about 3000 cycles of 3 GHz in ticks of 1 GHz */
        mov w27, #18
        b.lo wrong
        cmp x1, #2000
        b.hi wrong
        mov w27, #0
        b leave

/* ---- handlers ---- */
in_el1: cbz x25, wrong
        br x25
in_el2: cbz x25, wrong
        br x25
in_el3: cbz x25, wrong
        br x25
wrong:  cbnz w27, leave
        mov w27, #99
leave:
        adr x1, block
        str x27, [x1, #8]
        mov w0, #0x18
        hlt #0xf000
        .ltorg
        .balign 8
block:  .quad 0x20026, 0
        .balign 64
data:   .space 64
        .balign 4096
tables: .space 4096
