/* Two processors whose accesses are trapped from EL1 to EL2 at the same vectors, at the same time: each trap must
 * arrive with its own syndrome, stack pointers and registers. Prints "COUNT WRONG" of both, in hexadecimal. For
 * QEMU's `virt` with virtualization: starts in EL2. */
#define TRAPS 3000

        .global _start
_start:
        mov x20, #0                     /* the processor */
        ldr x0, =0xc4000003             /* PSCI: on */
        mov x1, #1
        ldr x2, =second
        mov x3, #1
        smc #0
        b both
second:
        mov x20, #1
both:
        ldr x0, =vectors
        msr vbar_el2, x0
        mov x0, #0x80000000             /* HCR_EL2.RW */
        msr hcr_el2, x0
        mov x0, #0x40000000             /* CPTR_EL2.TAM */
        msr cptr_el2, x0
        ldr x21, =stacks
        add x21, x21, x20, lsl #8
        add x0, x21, #16
        msr sp_el0, x0
        add x0, x21, #32
        msr sp_el1, x0
        mov sp, x21
        mov x22, #0                     /* traps that arrived */
        mov x23, #0                     /* wrong ones         */
        mov x24, #TRAPS
        mov x0, #0x3c5                  /* EL1h */
        msr spsr_el2, x0
        adr x0, in_el1
        msr elr_el2, x0
        isb
        eret

in_el1: mov x1, #0x11
        mov x2, #0x22
        mov x3, #0x33
        mov x4, #0x44
1:      cbnz x20, 2f
        mrs x0, S3_3_C13_C4_2           /* 0xd53bd440 */
        b 3f
2:      mrs x0, S3_3_C13_C6_1
3:      mov x5, sp                      /* back again, behind it */
        add x6, x21, #32
        cmp x5, x6
        cinc x23, x23, ne
        subs x24, x24, #1
        b.ne 1b
        hvc #0                          /* ends it */

        .balign 8
syndromes:
        .quad 0x62000000 | 3 << 20 | 2 << 17 | 3 << 14 | 13 << 10 | 4 << 1 | 1
        .quad 0x62000000 | 3 << 20 | 1 << 17 | 3 << 14 | 13 << 10 | 6 << 1 | 1

/* From EL1. */
trapped:
        mrs x7, esr_el2
        lsr x8, x7, #26
        cmp x8, #0x16                   /* HVC */
        b.eq done
        adr x8, syndromes
        ldr x8, [x8, x20, lsl #3]
        cmp x7, x8
        b.ne wrong
        cmp x1, #0x11
        b.ne wrong
        mov x8, #0x22
        cmp x2, x8
        b.ne wrong
        mov x8, #0x33
        cmp x3, x8
        b.ne wrong
        mov x8, #0x44
        cmp x4, x8
        b.ne wrong
        mov x8, sp
        cmp x8, x21
        b.ne wrong
        mrs x7, sp_el0
        add x8, x21, #16
        cmp x7, x8
        b.ne wrong
        mrs x7, sp_el1
        add x8, x21, #32
        cmp x7, x8
        b.ne wrong
        mrs x7, spsr_el2
        and x7, x7, #0xfffffff
        mov x8, #0x3c5
        cmp x7, x8
        b.eq right
wrong:  add x23, x23, #1
right:  add x22, x22, #1
        mrs x7, elr_el2
        add x7, x7, #4
        msr elr_el2, x7
        eret

done:   ldr x0, =results
        add x0, x0, x20, lsl #4
        stp x22, x23, [x0]
        dsb sy
        mov x1, #1
        ldr x0, =finished
        add x0, x0, x20, lsl #3
        str x1, [x0]
        cbnz x20, .
        ldr x0, =finished + 8
1:      ldr x1, [x0]
        cbz x1, 1b
        ldr x9, =results
        mov x10, #4
2:      ldr x1, [x9], #8
        mov x2, #16
        ldr x4, =0x09000000             /* UART */
3:      lsr x3, x1, #60
        lsl x1, x1, #4
        add x3, x3, #'0'
        cmp x3, #'9'
        b.ls 4f
        add x3, x3, #'a' - '0' - 10
4:      str w3, [x4]
        subs x2, x2, #1
        b.ne 3b
        mov w3, #'\n'
        str w3, [x4]
        subs x10, x10, #1
        b.ne 2b
        ldr x0, =0x84000008             /* PSCI: off */
        smc #0
        b .

        .balign 2048
vectors:
        .irp entry, 0, 1, 2, 3, 4, 5, 6, 7
        .balign 128
        b stray
        .endr
        .balign 128
        b trapped
        .irp entry, 9, 10, 11, 12, 13, 14, 15
        .balign 128
        b stray
        .endr
        .balign 128
stray:  add x23, x23, #1
        b done

        .data
        .balign 4096
stacks: .space 512
results: .space 32
finished: .space 16
