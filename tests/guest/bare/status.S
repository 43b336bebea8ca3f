/* Ends QEMU with exit status 7, by Arm semihosting (SYS_EXIT_EXTENDED). */
        .syntax unified
        .arch armv7-a
        .arm
        .global _start
_start: movw r0, #0x20
        adr r1, block
        svc #0x123456
1:      b 1b
block:  .word 0x20026, 7        /* ADP_Stopped_ApplicationExit */

        .section .note.GNU-stack, "", %progbits
