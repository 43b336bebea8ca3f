/* Overflow interrupts on one processor of QEMU's `virt`, interrupt 132 of its GIC; with REALVIEW on `realview-pb-a8`,
 * interrupt 92, also on a processor that has its vectors at 0. Prints, in hexadecimal:
 *   "entries N" of the handler while 20000 instructions ran with an overflow every 1000 and the handler
 *               clearing the flag each time
 *   "skid N"    the most instructions that ran behind an overflow before the handler did
 *   "again N"   entries for one overflow whose flag the first three of them left set
 *   "quiet N"   entries while the interrupt is enabled and nothing overflows */
        .syntax unified
        .arch armv7-a
        .arch_extension virt
        .arm
        .global _start
        .ifdef REALVIEW
        .equ DISTRIBUTOR, 0x1e001000
        .equ INTERFACE, 0x1e000000
        .equ UART, 0x10009000
        .equ IRQ, 92
        .else
        .equ DISTRIBUTOR, 0x08000000
        .equ INTERFACE, 0x08010000
        .equ UART, 0x09000000
        .equ IRQ, 132
        .endif
        .equ PERIOD, 1000

_start: ldr r0, =vectors
        .ifdef REALVIEW
        mov r1, #0
        mov r2, #16
1:      ldr r3, [r0], #4
        str r3, [r1], #4
        subs r2, r2, #1
        bne 1b
        .else
        mcr p15, 0, r0, c12, c0, 0
        .endif
        cps #0x12               /* IRQ mode */
        ldr sp, =irq_stack_top
        cps #0x13
        ldr sp, =stack_top
        ldr r0, =DISTRIBUTOR
        mov r1, #1
        str r1, [r0]
        str r1, [r0, #0x800 + IRQ]      /* GICD_ITARGETSR: processor 0 */
        mov r1, #1 << (IRQ % 32)
        str r1, [r0, #0x100 + IRQ / 32 * 4]     /* GICD_ISENABLER */
        ldr r0, =INTERFACE
        mov r1, #0xff
        str r1, [r0, #4]        /* GICC_PMR */
        mov r1, #1
        str r1, [r0]
        mov r0, #0
        mcr p15, 0, r0, c9, c12, 5      /* counter 0: instructions */
        mov r0, #8
        mcr p15, 0, r0, c9, c13, 1
        mov r0, #1
        mcr p15, 0, r0, c9, c14, 1      /* INTENS */
        mcr p15, 0, r0, c9, c12, 1      /* CNTENS */

        mov r0, #0
        bl run
        ldr r1, =entries
        ldr r1, [r1]
        ldr r0, =entries_text
        bl print
        ldr r1, =skid
        ldr r1, [r1]
        ldr r0, =skid_text
        bl print

        mov r0, #3
        bl run_once
        ldr r1, =entries
        ldr r1, [r1]
        ldr r0, =again_text
        bl print

        mov r0, #0
        mcr p15, 0, r0, c9, c12, 1
        bl run_stopped
        ldr r1, =entries
        ldr r1, [r1]
        ldr r0, =quiet_text
        bl print
        .ifdef REALVIEW
        mov r0, #0x20           /* semihosting: end, with status 0 */
        ldr r1, =ended
        svc #0x123456
        .else
        ldr r0, =0x84000008     /* PSCI: off */
        hvc #0
        .endif
1:      b 1b

/* r0: how many entries leave the flag set. The counter is at -PERIOD; once: the handler does not set it there. */
run_once:
        mov r1, #0
        b 1f
run:    mov r1, #PERIOD
1:      ldr r2, =period
        str r1, [r2]
        ldr r1, =-PERIOD
        mcr p15, 0, r1, c9, c13, 2
        ldr r2, =leave
        str r0, [r2]
        mov r0, #1
        b 2f
run_stopped:
        mov r0, #0
2:      mov r1, #0
        ldr r2, =entries
        str r1, [r2]
        mcr p15, 0, r0, c9, c12, 0      /* PMNC.E */
        cpsie i
        ldr r1, =10000
3:      subs r1, r1, #1
        bne 3b
        cpsid i
        mov r0, #0
        mcr p15, 0, r0, c9, c12, 0
        bx lr

irq:    push {r0-r4}
        mrc p15, 0, r0, c9, c13, 2      /* instructions since the overflow */
        ldr r4, =INTERFACE
        ldr r3, [r4, #0xc]      /* GICC_IAR */
        ldr r2, =entries
        ldr r1, [r2]
        add r1, r1, #1
        str r1, [r2]
        ldr r2, =leave
        ldr r1, [r2]
        subs r1, r1, #1
        strpl r1, [r2]
        bpl 1f
        mov r1, #1
        mcr p15, 0, r1, c9, c12, 3      /* FLAG */
        ldr r2, =period
        ldr r1, [r2]
        rsb r1, r1, #0
        cmp r1, #0
        beq 1f
        ldr r2, =skid
        mcr p15, 0, r1, c9, c13, 2
        ldr r1, [r2]
        cmp r0, r1
        strhi r0, [r2]
1:      str r3, [r4, #0x10]     /* GICC_EOIR */
        pop {r0-r4}
        subs pc, lr, #4

/* r0: a text, r1: eight digits. */
print:  ldr r2, =UART
1:      ldrb r3, [r0], #1
        cmp r3, #0
        strne r3, [r2]
        bne 1b
        mov r0, #8
2:      lsr r3, r1, #28
        lsl r1, r1, #4
        cmp r3, #10
        addlt r3, r3, #'0'
        addge r3, r3, #'a' - 10
        str r3, [r2]
        subs r0, r0, #1
        bne 2b
        mov r3, #'\n'
        str r3, [r2]
        bx lr
        .ltorg

        .balign 32
vectors:
        .rept 8
        ldr pc, [pc, #24]
        .endr
        .word _start, _start, _start, _start, _start, _start, irq, _start
ended:  .word 0x20026, 0

entries_text: .asciz "entries "
skid_text: .asciz "skid "
again_text: .asciz "again "
quiet_text: .asciz "quiet "
        .bss
        .balign 8
entries: .space 4
skid:   .space 4
leave:  .space 4
period: .space 4
        .space 1024
irq_stack_top:
        .space 1024
stack_top:

        .section .note.GNU-stack, "", %progbits
