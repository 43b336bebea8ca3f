/* What start-up code does before C on an AArch64 core: floating point and SIMD on; from whichever
 * Exception level to EL1; MMU and caches on, with every address its own. Then main, whose result is
 * the program's status. There is no C library: see aarch64.ld. */
        .text
        .global _start
        .type _start, %function
_start:
        ldr x0, =stack_top
        mov sp, x0
        adr x2, in_el1
        mrs x0, currentel
        cmp x0, #3 << 2
        b.lo 1f
        mov x1, #0x431                  /* SCR_EL3: EL2 and EL1 are AArch64 and Non-secure */
        msr scr_el3, x1
        msr cptr_el3, xzr
        mov x1, #0x3c5                  /* EL1, its own stack pointer, everything masked */
        msr spsr_el3, x1
        msr elr_el3, x2
        mov x1, #1 << 31                /* HCR_EL2: EL1 is AArch64 */
        msr hcr_el2, x1
        mov x1, #0x33ff                 /* CPTR_EL2: nothing is trapped */
        msr cptr_el2, x1
        ldr x1, =stack_top
        msr sp_el1, x1
        eret
1:      cmp x0, #2 << 2
        b.lo in_el1
        mov x1, #1 << 31
        msr hcr_el2, x1
        mov x1, #0x33ff
        msr cptr_el2, x1
        mov x1, #0x3c5
        msr spsr_el2, x1
        msr elr_el2, x2
        ldr x1, =stack_top
        msr sp_el1, x1
        eret

in_el1:
        mov x0, #3 << 20                /* CPACR_EL1.FPEN */
        msr cpacr_el1, x0
        ldr x0, =tables                 /* of 1 GiB blocks: the first four GiB */
        ldr x1, =0x0060000000000401     /* [0, 1 GiB): attribute 0, never executed */
        str x1, [x0]
        ldr x2, =0x40000705             /* [1, 4 GiB): attribute 1, inner shareable */
        mov x4, #0x40000000
        mov x3, #1
2:      str x2, [x0, x3, lsl #3]
        add x2, x2, x4
        add x3, x3, #1
        cmp x3, #4
        b.lo 2b
        msr ttbr0_el1, x0
        ldr x0, =0x80803519             /* TCR_EL1: 39 bits, write-back walks, TTBR0 alone */
        msr tcr_el1, x0
        ldr x0, =0xff00                 /* MAIR_EL1: 0 Device-nGnRnE, 1 Normal write-back */
        msr mair_el1, x0
        tlbi vmalle1
        dsb sy
        isb
        mrs x0, sctlr_el1
        ldr x1, =0x1005                 /* I, C, M */
        orr x0, x0, x1
        msr sctlr_el1, x0
        isb
        bl main
        mov w19, w0
        adr x1, status
        str x19, [x1, #8]
        mov w0, #0x18                   /* semihosting's SYS_EXIT */
        hlt #0xf000
        b .
        .balign 8

        .data
        .balign 8
status: .quad 0x20026, 0                /* the program ends by itself, with this status */

        .bss
        .balign 4096
tables: .space 4096
        .space 65536
stack_top:

        .section .note.GNU-stack, "", %progbits
