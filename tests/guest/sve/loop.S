/* N times one instruction, INSN, of SVE: for EL1 of QEMU's virt, with MMU and caches on. It ends the machine. */
        .arch   armv8.2-a+sve
        .global _start
_start: mrs     x0, cpacr_el1
        orr     x0, x0, #3 << 16                /* ZEN: no traps of SVE */
        orr     x0, x0, #3 << 20
        msr     cpacr_el1, x0
        adr     x0, tables                      /* of 1 GiB blocks; memory is the second GiB */
        ldr     x1, =0x40000705
        str     x1, [x0, #8]
        msr     ttbr0_el1, x0
        ldr     x0, =0x80803519                 /* TCR_EL1: 39 bits */
        msr     tcr_el1, x0
        mov     x0, #0xff00                     /* MAIR_EL1: 1 Normal write-back */
        msr     mair_el1, x0
        tlbi    vmalle1
        dsb     sy
        isb
        mrs     x0, sctlr_el1
        mov     x1, #0x1005                     /* I, C, M */
        orr     x0, x0, x1
        msr     sctlr_el1, x0
        isb
        adr     x1, buffer
        mov     x5, #3
        mov     x6, #0
        ptrue   p0.b
        ptrue   p1.d                            /* of bytes every eighth */
        whilelo p2.b, xzr, x5                   /* the first three */
        pfalse  p3.b
        index   z5.d, #0, #8
        mov     x2, #N
loop:   INSN
        subs    x2, x2, #1
        b.ne    loop
        mov     x0, #0x8                        /* PSCI SYSTEM_OFF */
        movk    x0, #0x8400, lsl #16
        hvc     #0
        .balign 256
buffer: .space  256
        .balign 4096
tables: .space  4096
