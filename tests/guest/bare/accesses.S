/* Two programs in User mode that differ by TTBR0 alone, as spaces.S has them: 300 and 900 rounds, each a load and a store
 * of the next word of `walked`. Translation stays off. */
        .syntax unified
        .arch armv7-a
        .arch_extension virt
        .arm
        .global _start, walked
        .equ SYSTEM_OFF, 0x84000008
_start: ldr r0, =vectors
        mcr p15, 0, r0, c12, c0, 0
        mov r5, #0x40000000
        movw r6, #300
next:   mcr p15, 0, r5, c2, c0, 0       /* TTBR0 */
        isb
        mov r0, #0x10                   /* User mode */
        msr spsr_cxsf, r0
        adr lr, user
        movs pc, lr

user:   mov r3, r6
        movw r4, #:lower16:walked
        movt r4, #:upper16:walked
1:      ldr r2, [r4]
        str r2, [r4], #4
        subs r3, r3, #1
        bne 1b
        svc #0

        .balign 32
vectors:
        b .
        b .
        b called
        .rept 5
        b .
        .endr
called: movw r0, #900
        cmp r6, r0
        mov r6, r0
        add r5, r5, #0x10000
        bne next
        ldr r0, =SYSTEM_OFF
        hvc #0
2:      b 2b
        .ltorg

        .bss
        .balign 64
        .type walked, %object
walked: .space 4 * 900
        .size walked, . - walked

        .section .note.GNU-stack, "", %progbits
