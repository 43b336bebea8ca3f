/* Loops of known lengths in both modes on one processor of QEMU's `virt`; then the power is off.
 * command.py has the arithmetic: what executes is numbered here, privileged p, User u. */
        .syntax unified
        .arch armv7-a
        .arch_extension virt
        .arm
        .global _start
        .equ UART, 0x09000000
        .equ SYSTEM_OFF, 0x84000008
_start: ldr r0, =vectors        /* p 1: a load */
        mcr p15, 0, r0, c12, c0, 0
        mov r1, #UART           /* p 3 */
        mov r0, #'o'
        str r0, [r1]            /* p 5: a store */
        mov r0, #'k'
        str r0, [r1]            /* p 7: a store */
        mov r0, #'\n'
        str r0, [r1]            /* p 9: a store */
        movw r3, #1000          /* p 10 */
1:      subs r3, r3, #1         /* p 10 + 2 * 1000 */
        bne 1b
        mov r0, #0x10           /* User mode */
        msr spsr_cxsf, r0
        adr lr, user
        movs pc, lr             /* p 2014 */

user:   adr r2, word            /* u 1 */
        movw r3, #500           /* u 2 */
2:      str r3, [r2]            /* u 2 + 4 * 500: stores and loads */
        ldr r4, [r2]
        subs r3, r3, #1
        bne 2b
        svc #0                  /* u 2003 */

        .balign 32
vectors:
        b .
        b .
        b off                   /* p 2015: SVC */
        .rept 5
        b .
        .endr
off:    ldr r0, =SYSTEM_OFF     /* p 2016: a load */
        hvc #0                  /* p 2017 */
3:      b 3b
        .ltorg
word:   .word 0

        .section .note.GNU-stack, "", %progbits
