/* Sets the monitor up, has a counter overflow with its interrupt enabled, and resets the machine; then prints what
 * the monitor has, and what it counts. The word at `passes` is outside of what QEMU loads again. */
        .include "virt.inc"
        .global _start
        .equ PASSES, 0x42000000
_start: ldr sp, =stack_top
        ldr r4, =PASSES
        ldr r5, [r4]
        add r5, r5, #1
        str r5, [r4]
        cmp r5, #1
        bne second
        mov r0, #2
        mcr p15, 0, r0, c9, c12, 5      /* PMNXSEL */
        mov r0, #8
        mcr p15, 0, r0, c9, c13, 1
        mvn r0, #0
        mcr p15, 0, r0, c9, c13, 2
        mcr p15, 0, r0, c9, c12, 1
        mcr p15, 0, r0, c9, c14, 1
        mcr p15, 0, r0, c9, c14, 0
        mov r0, #9
        mcr p15, 0, r0, c9, c12, 0      /* E, D */
        nop
        mrc p15, 0, r1, c9, c12, 3
        ldr r0, =overflowed
        bl print
        ldr r0, =0x84000009             /* PSCI: reset */
        hvc #0
1:      b 1b

        .macro show name, crm, op2
        mrc p15, 0, r1, c9, \crm, \op2
        ldr r0, =9f
        bl print
        .section .rodata
9:      .asciz "\name "
        .text
        .endm
second: show pmnc, c12, 0
        show cntens, c12, 1
        show flag, c12, 3
        show pmnxsel, c12, 5
        show ccnt, c13, 0
        show useren, c14, 0
        show intens, c14, 1
        mov r0, #2
        mcr p15, 0, r0, c9, c12, 5
        show evtsel, c13, 1
        show pmcnt, c13, 2
        count 0x08
        .rept 100
        nop
        .endr
        counted "counts"
        b power_off
        .ltorg
        .balign 32
vectors:
        .rept 8
        b .
        .endr
        .section .rodata
overflowed: .asciz "overflowed "
        .bss
        .balign 8
        .space 1024
stack_top:
