/* The start of an AArch64 program in EL3, its vectors, its console: semihosting. */

        .macro table name, own, below   /* synchronous exceptions with the level's own stack, from lower levels */
        .balign 2048
\name:
        .irp entry, stray, stray, stray, stray, \own, stray, stray, stray, \below, stray, stray, stray, stray, stray, stray, stray
        .balign 128
        b \entry
        .endr
        .endm

        .section .vectors, "ax"
        table vectors_1, in_el1, in_el1
        table vectors_3, stray, in_el3

        .text
        .global _start
_start:
        ldr x0, =stack_top
        mov sp, x0
        ldr x0, =vectors_1
        msr vbar_el1, x0
        ldr x0, =vectors_3
        msr vbar_el3, x0
        mov x0, #0x531                  /* lower levels are Non-secure, AArch64 from EL2 down */
        msr scr_el3, x0
        mov x0, #1 << 31
        msr hcr_el2, x0                 /* EL1, too */
        adrp x0, tables                 /* of 1 GiB blocks; memory is the second GiB */
        ldr x1, =0x40000705             /* attribute 1, inner shareable */
        str x1, [x0, #8]
        msr ttbr0_el3, x0
        ldr x0, =0x80803519             /* TCR_EL3: 39 bits, write-back walks */
        msr tcr_el3, x0
        mov x0, #0xff00                 /* MAIR_EL3: 0 Device-nGnRnE, 1 Normal write-back */
        msr mair_el3, x0
        tlbi alle3
        dsb sy
        isb
        mrs x0, sctlr_el3
        mov x1, #0x1005                 /* I, C, M: without them each access goes to memory */
        orr x0, x0, x1
        msr sctlr_el3, x0
        isb
        bl main
        mov w19, w0
leave:  adr x1, exit_block
        str x19, [x1, #8]
        mov w0, #0x18                   /* SYS_EXIT */
        hlt #0xf000
stray:  adr x0, stray_text
        bl print
        mov w19, #2
        b leave
stray_text:
        .asciz "WRONG an exception that nothing asked for\n"
        .balign 8
exit_block:
        .quad 0x20026, 0                /* the program ends by itself */

        .global print
print:  mov x1, x0
        mov w0, #4                      /* SYS_WRITE0 */
        hlt #0xf000
        ret

/* x0 call_in_level(level, function): runs a function in EL0 or EL1, until it returns or is trapped; trap says how
 * it ended, and where that arrived. */
        .global call_in_level
call_in_level:
        stp x29, x30, [sp, #-16]!
        stp x19, x20, [sp, #-16]!
        mov x2, #0x3c0                  /* EL0, everything masked */
        mov x3, #0x3c5                  /* EL1 */
        adr x30, end_in_el0
        adr x4, end_in_el1
        cmp x0, #0
        csel x2, x2, x3, eq
        csel x30, x30, x4, eq
        msr spsr_el3, x2
        msr elr_el3, x1
        ldr x2, =lower_stack
        msr sp_el0, x2
        msr sp_el1, x2
        eret
end_in_el0:
        svc #0
end_in_el1:
        smc #1

in_el1:                                 /* notes it, and EL3 goes on */
        mrs x2, esr_el1
        ldr x1, =trap
        mov x3, #1
        stp x2, x3, [x1]
        smc #0

in_el3: mrs x2, esr_el3
        ldr x1, =0x5e000000             /* the SMC of in_el1 */
        cmp x1, x2
        b.eq 1f
        ldr x1, =trap
        mov x3, #3
        stp x2, x3, [x1]
1:      ldp x19, x20, [sp], #16
        ldp x29, x30, [sp], #16
        ret

        .data
        .balign 8
        .global trap
trap:   .quad 0, 0                      /* syndrome, Exception level */

        .bss
        .balign 4096
tables: .space 4096
        .balign 16
        .space 4096
lower_stack:
        .space 16384
stack_top:

        .section .note.none, "", %progbits
