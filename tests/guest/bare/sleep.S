/* Sleeps until the timer wakes it, with interrupts masked. Prints the cycles and the instructions that the monitor
 * counted around WFI, and the timer's control register, whose bit 2 says that the time was up. */
        .include "virt.inc"
        .global _start
        .equ DISTRIBUTOR, 0x08000000
        .equ INTERFACE, 0x08010000
        .equ TIMER, 27
        .equ TICKS, 625000              /* of 16 ns: 10 ms, or 10 million cycles of the core */

        .macro sleep_counted event, text
        ldr r0, =TICKS
        mcr p15, 0, r0, c14, c3, 0      /* CNTV_TVAL */
        mov r0, #1
        mcr p15, 0, r0, c14, c3, 1      /* CNTV_CTL */
        isb
        count \event
        wfi
        counted "\text"
        .endm

_start: ldr sp, =stack_top
        cpsid if
        ldr r0, =DISTRIBUTOR
        mov r1, #1
        str r1, [r0]
        mov r1, #1 << TIMER
        str r1, [r0, #0x100]
        ldr r0, =INTERFACE
        mov r1, #0xff
        str r1, [r0, #4]
        mov r1, #1
        str r1, [r0]
        sleep_counted 0x08, "instructions"
        mrc p15, 0, r1, c14, c3, 1
        ldr r0, =timer_text
        bl print
        sleep_counted 0x11, "cycles"
        mrc p15, 0, r1, c14, c3, 1
        ldr r0, =timer_text
        bl print
        b power_off
        .ltorg
        .balign 32
vectors:
        .rept 8
        b .
        .endr
        .section .rodata
timer_text: .asciz "timer "
        .bss
        .balign 8
        .space 1024
stack_top:
