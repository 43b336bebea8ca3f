/* EL1 has one frame at 128 addresses, and reads and writes it at one after another, by every form of address that A64
 * has: each of them needs an entry of the first-level TLB, which has 44. Exit status: 0 when they were counted. */
        .arch armv8.2-a
        .equ FRAME, 0x40400000
        .equ WINDOW, 0x40200000
        .equ PAGES, 128
        .equ ROUNDS, 3
        .equ L1D_TLB_REFILL, 0x05

        .global _start
_start:
        ldr x0, =level_2
        ldr x1, =level_1
        orr x2, x0, #3
        str x2, [x1, #8]                        /* from 0x40000000 on */
        ldr x2, =0x40000705                     /* code and tables, at their own addresses */
        str x2, [x0]
        ldr x3, =level_3
        orr x2, x3, #3
        str x2, [x0, #8]                        /* the window */
        ldr x2, =FRAME + 0x743              /* EL0, too: LDTR */
        mov x4, #512
1:      str x2, [x3], #8
        subs x4, x4, #1
        b.ne 1b
        msr ttbr0_el1, x1
        ldr x0, =0x19 | 1 << 23                 /* 39 bits, TTBR0 only */
        msr tcr_el1, x0
        mov x0, #0xff
        msr mair_el1, x0
        isb
        mrs x0, sctlr_el1
        orr x0, x0, #1
        orr x0, x0, #4
        msr sctlr_el1, x0
        isb
        mov x0, #3 << 20                        /* floating point */
        msr cpacr_el1, x0
        mov x0, #1
        msr pmcr_el0, x0
        mov x1, #L1D_TLB_REFILL
        msr pmevtyper0_el0, x1
        msr pmevcntr0_el0, xzr
        msr pmcntenset_el0, x0
        isb
        mov x20, #ROUNDS
        mov x4, #-16
        mov w5, #4
again:  ldr x1, =WINDOW
        mov x21, #PAGES
2:      ldr x0, [x1, #256]
        str w0, [x1, x5, lsl #2]
        ldr x0, [x1, w5, uxtw #3]
        mov x2, x1
        ldrb w0, [x2, #64]!
        ldrsh x0, [x2, x4, sxtx]
        ldrsw x0, [x2, w4, sxtw]
        str x0, [x2], #8
        ldur x0, [x2, #-3]
        ldp x6, x7, [x2, #-8]
        ldp w6, w7, [x2], #16
        ldpsw x6, x7, [x2, #-4]!
        stp q0, q1, [x2, #-32]!
        ldr q0, [x2, #16]
        ldr d0, [x2, #8]
        ldr b0, [x2, x5]
        ldnp x6, x7, [x2]
        ldtr x0, [x2, #8]
        add x2, x1, #1024
        ld1 {v0.16b, v1.16b}, [x2], #32
        st2 {v0.8h, v1.8h}, [x2]
        ld1r {v0.2d}, [x2]
        ldxr x0, [x2]
        stxr w3, x0, [x2]
        ldaxp x6, x7, [x2]
        ldar x0, [x2]
        stlr x0, [x2]
        ldadd x5, x0, [x2]
        cas x5, x0, [x2]
        dc zva, x2
        add x1, x1, #4096
        subs x21, x21, #1
        b.ne 2b
        subs x20, x20, #1
        b.ne again
        isb
        mrs x10, pmevcntr0_el0
        adr x1, block
        mov x3, #1
        cmp x10, #ROUNDS * PAGES
        b.lo leave
        cmp x10, #ROUNDS * PAGES + 4            /* and those of code, tables and literals */
        b.hi leave
        mov x3, #0
leave:  str x3, [x1, #8]
        mov w0, #0x18
        hlt #0xf000
        .ltorg
        .balign 8
block:  .quad 0x20026, 0
        .balign 4096
level_1: .space 4096
level_2: .space 4096
level_3: .space 4096
