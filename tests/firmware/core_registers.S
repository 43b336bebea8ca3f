/* PROBE may leave a value in r0 (x0). Status: 0 when it is EXPECT, 1 when it is not, 77 when PROBE is Undefined. */
#ifdef __aarch64__
        .arch armv8.2-a
        .text
        .global _start
_start: ldr x1, =stack_top
        mov sp, x1
        adr x1, vectors
        msr VBAR, x1
        ldr x0, =EXPECT
        PROBE
        ldr x1, =EXPECT
        cmp x0, x1
        cset x2, ne
leave:  adr x1, block
        str x2, [x1, #8]
        mov w0, #0x18
        hlt #0xf000
        b .
        .balign 2048
vectors:
        .rept 16
        .balign 128
        mov x2, #77
        b leave
        .endr
        .balign 8
block:  .quad 0x20026, 0
        .bss
        .space 4096
stack_top:
#else
        .syntax unified
        .arm
        .text
        .global _start
_start: ldr sp, =stack_top
        ldr r0, =vectors
#ifdef HAS_VBAR
        mcr p15, 0, r0, c12, c0, 0
#else
        mov r1, #0
        mov r2, #16
1:      ldr r3, [r0], #4
        str r3, [r1], #4
        subs r2, r2, #1
        bne 1b
#endif
        mov r0, #0x80
        msr spsr_cxsf, r0
        ldr r0, =0x2003
#if defined XSCALE && !defined GUEST
        mcr p15, 0, r0, c15, c1, 0      /* CPAR: coprocessors 0, 1 and 13 */
        nop
        nop
#endif
        ldr r0, =EXPECT
        mov r2, #3
        mov r3, #5
        mov r4, #0
        PROBE
        ldr r1, =EXPECT
        cmp r0, r1
        mov r1, #1
        moveq r1, #0
        b leave
undefined:
        mov r1, #77
leave:  ldr sp, =stack_top
        ldr r0, =0x20026
        push {r0, r1}
        mov r0, #0x20
        mov r1, sp
        svc 0x123456
        b .
        .ltorg
        .balign 32
vectors:
        .rept 8
        ldr pc, [pc, #24]
        .endr
        .word _start, undefined, _start, undefined, undefined, undefined, undefined, undefined
        .bss
        .balign 8
        .space 1024
stack_top:
#endif
