/* Linked to where QEMU's `virt` has flash memory: an access that is refused, to a register that the core has not
 * (PMCEID0). Prints the exception's LR less its own address, "refused 4", and reads PMNC behind it. */
        .include "virt.inc"
        .global _start
_start: ldr r0, =vectors
        mcr p15, 0, r0, c12, c0, 0
        isb
        cpsid if, #0x13
access: mrc p15, 0, r0, c9, c12, 6
back:   mrc p15, 0, r1, c9, c12, 0
        ldr r0, =pmnc_text
        bl print
        b power_off

undefined:
        ldr r1, =access
        sub r1, lr, r1
        ldr r0, =refused_text
        bl print
        cps #0x13
        b back
        .ltorg
        .balign 32
vectors:
        b .
        b undefined
        .rept 6
        b .
        .endr
refused_text: .asciz "refused "
pmnc_text: .asciz "pmnc "
