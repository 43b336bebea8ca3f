/* Two processors of QEMU's `virt` hand a turn to each other, with WFE and SEV, 20,000 times each, while a counter counts
 * each one's instructions; then the first switches the power off. */
        .syntax unified
        .arch armv7-a
        .arch_extension virt
        .arm
        .global _start
        .equ CPU_ON, 0x84000003
        .equ SYSTEM_OFF, 0x84000008
        .equ TURNS, 20000

        .macro count_instructions
        mov r0, #8
        mov r1, #0
        mcr p15, 0, r1, c9, c12, 5
        mcr p15, 0, r0, c9, c13, 1
        mov r0, #1
        mcr p15, 0, r0, c9, c12, 1
        mcr p15, 0, r0, c9, c12, 0
        .endm

        /* Until the turn is `own`; then it is the other's. */
        .macro take_turns own, other
        ldr r4, =turn
        ldr r6, =TURNS
1:      wfe
        ldr r5, [r4]
        cmp r5, #\own
        bne 1b
        mov r5, #\other
        str r5, [r4]
        dsb
        sev
        subs r6, r6, #1
        bne 1b
        .endm

_start: ldr r0, =CPU_ON
        mov r1, #1
        ldr r2, =second
        mov r3, #0
        hvc #0
        count_instructions
        take_turns 0, 1
        ldr r4, =turn
2:      ldr r5, [r4]            /* the second's last */
        cmp r5, #0
        bne 2b
        ldr r0, =SYSTEM_OFF
        hvc #0
3:      b 3b

second: count_instructions
        sev                     /* the first's event may have come before it was on */
        take_turns 1, 0
        sev
4:      wfi
        b 4b
        .ltorg
turn:   .word 0

        .section .note.GNU-stack, "", %progbits
