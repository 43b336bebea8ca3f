/* Goes from EL2 to AArch32 code in EL1. For QEMU's `virt` with virtualization. */
        .global _start
_start: mov x0, #0
        msr hcr_el2, x0
        mov x0, #0x1d3                  /* Supervisor mode */
        msr spsr_el2, x0
        adr x0, 1f
        msr elr_el2, x0
        eret
        .balign 4
1:      .inst 0xeafffffe                /* B . */
