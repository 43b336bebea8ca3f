/* N times one instruction, INSN, of SVE: for EL1 of QEMU's virt, with MMU and caches on. It ends the machine. */
        .arch   armv8.2-a+sve
        .global _start
_start: mrs     x0, cpacr_el1
        orr     x0, x0, #3 << 16                /* ZEN: no traps of SVE */
        orr     x0, x0, #3 << 20
        msr     cpacr_el1, x0
        adr     x0, tables                      /* of 1 GiB blocks; memory is the second GiB */
#include "../mmu64.inc"
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
