/* PMUv3 of a core with six counters: what counts in which Exception level, a level's control changed under way,
 * CHAIN, traps from EL0, and the overflow interrupt. Instructions are counted by hand. With GUEST it runs in
 * QEMU's virt, whose interrupt controller is another, without the last part. Exit status: 0, or the number of
 * the wrong check; QEMU's semihosting says it, too. */
        .arch armv8.2-a

#define P   (1 << 31)
#define U   (1 << 30)
#define NSK (1 << 29)
#define NSU (1 << 28)
#define NSH (1 << 27)
#define M   (1 << 26)

#define INST_RETIRED 0x08
#define CHAIN        0x1e
#define HPMD         (1 << 17)
#define SPME         (1 << 17)

        .macro vectors name, own, below, irq
        .balign 2048
\name:
        .irp entry, wrong, wrong, wrong, wrong, \own, \irq, wrong, wrong, \below, \irq, wrong, wrong, wrong, wrong, wrong, wrong
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

        .macro counter n, filter                /* INST_RETIRED, from zero */
        ldr x0, =\filter + INST_RETIRED
        msr pmevtyper\n\()_el0, x0
        msr pmevcntr\n\()_el0, xzr
        .endm

        .macro go level, to                     /* down, from EL3 */
        mov x0, #0x3c0 | \level << 2 | ((\level > 0) & 1)
        msr spsr_el3, x0
        adr x0, \to
        msr elr_el3, x0
        eret
        .endm

        .text
        vectors vectors_1, wrong, in_el1, irq_1
        vectors vectors_2, wrong, in_el2, wrong
        vectors vectors_3, wrong, in_el3, wrong

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
        mov x0, #SPME
        msr mdcr_el3, x0

/* ---- what it is ---- */
        mrs x0, id_aa64dfr0_el1
        ubfx x0, x0, #8, #4
        expect x0, 6, 1                         /* PMUv3p5 */
        mrs x0, id_dfr0_el1
        ubfx x0, x0, #24, #4
        expect x0, 6, 27
        mrs x0, pmcr_el0
        ubfx x0, x0, #11, #5
        expect x0, 6, 2
        mrs x0, S3_3_C13_C2_1                   /* AMCFGR_EL0: the activity monitors beside it, 7 counters */
        and x0, x0, #0xff
        expect x0, 6, 26

/* ---- each level alone; in EL1 and EL0 twice, by two kinds of filter ---- */
        mov x9, #6                              /* MDCR_EL2: all counters are EL1's */
        msr mdcr_el2, x9
        mov x0, #1
        msr pmcr_el0, x0
        adr x25, walked_1
        b walk
walked_1:
        mrs x0, pmevcntr0_el0
        expect x0, 42, 3                        /* EL0 */
        mrs x0, pmevcntr1_el0
        expect x0, 25, 4                        /* EL1 */
        mrs x0, pmevcntr2_el0
        expect x0, 64, 5                        /* EL2 */
        mrs x0, pmevcntr3_el0
        expect x0, 3, 6                         /* EL3 */
        mrs x0, pmevcntr4_el0
        expect x0, 25, 7
        mrs x0, pmevcntr5_el0
        expect x0, 42, 8

/* ---- EL2 forbids counting there while it runs: from the next instruction on ---- */
        ldr x9, =6 | HPMD
        adr x25, walked_2
        b walk
walked_2:
        mrs x0, pmevcntr2_el0
        expect x0, 2, 9
        mrs x0, pmevcntr0_el0
        expect x0, 42, 10
        mrs x0, pmevcntr1_el0
        expect x0, 25, 11

/* ---- two reads of the cycle counter next to each other differ, also after a taken branch ---- */
        mov x0, #1 << 31
        msr pmcntenset_el0, x0
        mov x9, #10
twice:  mrs x1, pmccntr_el0
        mrs x2, pmccntr_el0
        cmp x1, x2
        mov w27, #28
        b.hs wrong
        subs x9, x9, #1
        b.ne twice
        msr pmcntenclr_el0, x0

/* ---- without SPME nothing counts in EL3, which is Secure; the cycle counter does ---- */
        msr mdcr_el3, xzr
        mov x9, #6
        msr mdcr_el2, x9
        adr x25, walked_3
        b walk
walked_3:
        mrs x0, pmevcntr3_el0
        expect x0, 0, 12
        mrs x0, pmevcntr2_el0
        expect x0, 64, 13
        mov x0, #SPME
        msr mdcr_el3, x0

/* ---- 41 instructions from 10 below the top of 32 bits: one of them is chained ---- */
        counter 0, 0
        counter 1, 0
        mov x0, #CHAIN
        msr pmevtyper1_el0, x0
        mov w0, #-10
        msr pmevcntr0_el0, x0
        mov x0, #0xffffffff
        msr pmovsclr_el0, x0
        mov x1, #3
        mov x2, #20
        msr pmcntenset_el0, x1
        isb
1:      subs x2, x2, #1
        b.ne 1b
        msr pmcntenclr_el0, x1
        mrs x0, pmevcntr0_el0
        and x0, x0, #0xffffffff
        expect x0, 31, 14
        mrs x0, pmevcntr1_el0
        expect x0, 1, 15
        mrs x0, pmovsclr_el0
        expect x0, 1, 16

/* ---- what EL0 may not do is trapped ---- */
        msr pmuserenr_el0, xzr
        adr x25, trapped_1
        adr x26, trapped
        go 0, user_reads
trapped_1:
        mrs x0, esr_el1
        expect x0, 0x6230e5bb, 17               /* MRS X13, PMCCNTR_EL0 */
        mrs x0, elr_el1
        adr x1, user_reads
        sub x0, x0, x1
        expect x0, 0, 18
        mov x0, #1
        msr pmuserenr_el0, x0
        ldr x0, =0x123456789
        msr pmccntr_el0, x0
        adr x25, trapped_2
        mov x13, #0
        go 0, user_reads
trapped_2:
        mrs x0, esr_el1
        expect x0, 0x56000000, 19               /* the SVC behind it */
        expect x13, 0x123456789, 20
        adr x25, trapped_3                      /* a register that EL0 never has */
        go 0, user_asks
trapped_3:
        mrs x0, esr_el1
        expect x0, 0x02000000, 21
        msr pmuserenr_el0, xzr

#ifndef GUEST
/* ---- the counter passes its top in EL1: 1000 instructions are counted, and what the handler has executed ---- */
        ldr x26, =0xff000000
        mov w0, #1 << 20
        str w0, [x26, #0x10]
        counter 0, 0
        mov w0, #-1000
        msr pmevcntr0_el0, x0
        mov x0, #0xffffffff
        msr pmovsclr_el0, x0
        mov x1, #1
        msr pmintenset_el1, x1
        mov x20, #0                             /* interrupts */
        adr x25, interrupted
        adr x26, trapped
        mov x0, #0x345                          /* EL1, IRQ unmasked */
        msr spsr_el3, x0
        adr x0, busy
        msr elr_el3, x0
        eret
interrupted:
        expect x20, 1, 22
        and x21, x21, #0xffffffff
        expect x21, 1, 23                       /* the vector's branch */
        expect x22, 1, 24                       /* the flag of counter 0 */
        mrs x0, pmevcntr0_el0
        and x0, x0, #0xffffffff
        expect x0, 1007, 25                     /* 2001 and 6 of the handler, less 1000 */
#endif
        mov w27, #0
        b leave

/* Through all levels: 42 instructions in EL0, 25 in EL1, 64 in EL2, three in EL3. x25: where to go on; x9: what EL2
 * writes to MDCR_EL2. */
walk:
        counter 0, P
        counter 1, U + M
        counter 2, P + U + NSH
        counter 3, P + U + M
        counter 4, P + NSK + U
        counter 5, U + NSU + P
        mov x0, #0x3c0
        msr spsr_el1, x0
        adr x0, in_user
        msr elr_el1, x0
        mov x0, #0x3c5
        msr spsr_el3, x0
        adr x0, in_kernel
        msr elr_el3, x0
        adr x26, to_el2
        mov x1, #0x3f
        msr pmcntenset_el0, x1
        isb
        eret
in_kernel:
        mov x2, #10
1:      subs x2, x2, #1
        b.ne 1b
        eret
in_user:
        mov x2, #20
1:      subs x2, x2, #1
        b.ne 1b
        svc #0

in_el1: br x26                                  /* to_el2 or trapped */
to_el2: hvc #0

in_el2: msr mdcr_el2, x9
        mov x2, #30
1:      subs x2, x2, #1
        b.ne 1b
        smc #0

in_el3: msr pmcntenclr_el0, x1
        br x25

user_reads:
        mrs x13, pmccntr_el0
        svc #0
user_asks:
        mrs x13, pmintenset_el1
        svc #0
trapped:
        mov x9, #6
        hvc #0

#ifndef GUEST
busy:   mov x2, #1000
        msr pmcntenset_el0, x1
        isb
1:      subs x2, x2, #1
        b.ne 1b
        msr pmcntenclr_el0, x1
        hvc #0
irq_1:  mrs x21, pmevcntr0_el0
        mrs x22, pmovsclr_el0
        msr pmovsclr_el0, x22
        add x20, x20, #1
        eret
#else
irq_1:  b wrong
#endif

wrong:
        cbnz w27, leave
        mov w27, #99
leave:  adr x1, exit_block
        uxtw x27, w27
        str x27, [x1, #8]
        mov w0, #0x18                           /* SYS_EXIT */
        hlt #0xf000
        b wrong
        .balign 8
exit_block:
        .quad 0x20026, 0
        .ltorg
        .section .note.none, "", %progbits
