/* Two processors of QEMU's `virt` hand a turn to each other, with WFE and SEV, 500 times each, while a counter counts
 * each one's instructions; then the first switches the power off.
 *
 * QEMU 11.1 loses an SEV now and then, without armpmu, too: SEV wakes a processor without the lock under which that
 * one decides to sleep (up to 6 of 1,000 were lost here). So the processor that hands over
 * sends the event again until the other has seen the turn. */
        .syntax unified
        .arch armv7-a
        .arch_extension virt
        .arm
        .global _start
        .equ CPU_ON, 0x84000003
        .equ SYSTEM_OFF, 0x84000008
        .equ TURNS, 500

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
1:      ldr r5, [r4]
        cmp r5, #\own
        wfene
        bne 1b
        str r5, [r4, #4]
        mov r5, #\other
        str r5, [r4]
        dsb
2:      sev
        mov r7, #1000
3:      ldr r5, [r4, #4]
        cmp r5, #\other
        beq 4f
        subs r7, r7, #1
        bne 3b
        b 2b
4:      subs r6, r6, #1
        bne 1b
        .endm

_start: ldr r0, =CPU_ON
        mov r1, #1
        ldr r2, =second
        mov r3, #0
        hvc #0
        count_instructions
        take_turns 0, 1
        ldr r0, =SYSTEM_OFF
        hvc #0
3:      b 3b

second: count_instructions
        take_turns 1, 0
        sev
4:      wfi
        b 4b
        .ltorg
turn:   .word 0, 0             /* whose it is; who saw it last */

        .section .note.GNU-stack, "", %progbits
