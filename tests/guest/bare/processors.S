/* Two processors of QEMU's `virt`: the second runs a loop of known length in User mode, the first waits for
 * it and switches the power off. */
        .syntax unified
        .arch armv7-a
        .arch_extension virt
        .arm
        .global _start
        .equ CPU_ON, 0x84000003
        .equ SYSTEM_OFF, 0x84000008
_start: ldr r0, =CPU_ON
        mov r1, #1
        ldr r2, =second
        mov r3, #0
        hvc #0
        ldr r4, =done
1:      ldr r5, [r4]
        cmp r5, #0
        beq 1b
        ldr r0, =SYSTEM_OFF
        hvc #0
2:      b 2b

second: ldr r0, =vectors
        mcr p15, 0, r0, c12, c0, 0
        mov r0, #0x10           /* User mode */
        msr spsr_cxsf, r0
        adr lr, user
        movs pc, lr
user:   movw r3, #700           /* u 1 */
3:      subs r3, r3, #1         /* u 1 + 2 * 700 */
        bne 3b
        svc #0                  /* u 1402 */

        .balign 32
vectors:
        b .
        b .
        b call                  /* SVC */
        .rept 5
        b .
        .endr
call:   ldr r4, =done
        mov r5, #1
        str r5, [r4]
4:      wfi
        b 4b
        .ltorg
done:   .word 0

        .section .note.GNU-stack, "", %progbits
