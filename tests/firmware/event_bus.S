/* Makes every event of a Cortex-R4F that is on its event bus happen, while PMNC.X is EXPORT; errors are met where
 * event_bus.py injects them. Ends with a read of CFLR. */
        .syntax unified
        .arch armv7-r
        .fpu vfpv3-d16
        .arm

        .equ SYS_EXIT_EXTENDED, 0x20
        .equ APPLICATION_EXIT, 0x20026

        .section .vectors, "ax"
        b start
        b .
        b called
        b .
        b .
        b .
        b .
        b .
called:
        movs pc, lr

        .text
        .global start
start:
        ldr sp, =stack
        mrc p15, 0, r0, c1, c0, 2
        orr r0, r0, #0xf00000           /* VFP for all */
        mcr p15, 0, r0, c1, c0, 2
        isb
        mov r0, #0x40000000
        vmsr fpexc, r0
        mov r0, #(EXPORT << 4 | 1)
        mcr p15, 0, r0, c9, c12, 0      /* PMNC */

        mov r0, #3
        mcr p15, 0, r0, c13, c0, 1      /* context ID */
        svc #1
        bl function
        ldr r4, =lines
        ldr r0, [r4, #1]
        vmov.f64 d0, #1.0
        vadd.f64 d1, d0, d0
        dsb

        add r0, r1, r2                  /* pairs: other, with an access, with a branch */
        mov r3, r5
        isb
        ldr r6, [r4]
        add r7, r1, r2
        isb
        add r7, r1, r2
        b 1f
1:      ldr r6, [r4]
        add r6, r6, #1                  /* waits for the load */

        mov r5, #40                     /* lines of one set, changed: some are written back */
2:      str r5, [r4]
        add r4, r4, #8192
        dsb
        subs r5, r5, #1
        bne 2b

        mov r8, #4                      /* each line and each doubleword is met again and again */
3:      ldr r4, =spots
        mov r5, #8
4:      ldr r0, [r4], #32
        subs r5, r5, #1
        bne 4b
        ldr r4, =doublewords
        mov r5, #8
5:      ldr r0, [r4], #8
        subs r5, r5, #1
        bne 5b
        bl code0
        bl code1
        bl code2
        subs r8, r8, #1
        bne 3b

        mov r0, #1
        mcr p15, 0, r0, c9, c12, 0      /* PMNC.X off */
        mrc p15, 0, r0, c15, c3, 0      /* CFLR */
        ldr r2, =APPLICATION_EXIT
        mov r3, #0
        push {r2, r3}
        mov r1, sp
        mov r0, #SYS_EXIT_EXTENDED
        svc #0x123456
        .ltorg

        .balign 32
code0:  bx lr
        .balign 32
code1:  bx lr
        .balign 32
code2:  bx lr
        .balign 32
function:
        bx lr

        .bss
        .balign 8192
lines:  .space 40 * 8192
spots:  .space 8 * 32
        .space 64
stack:

        .section .btcm, "aw", %nobits
doublewords:
        .space 64
