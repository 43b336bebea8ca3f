/* What a board's start-up code does before C on a Cortex-R4F: FPU on; MPU, caches and branch
 * prediction on. Then newlib's _start. */
        .syntax unified
        .arm
        .fpu vfpv3-d16
        /* Of the MPU's regions the one with the higher number wins. */
        .equ EVERYWHERE, 31 << 1 | 1    /* 4 GB   */
        .equ DEVICE, 0x1305             /* all access, shared Device, never executed */
        .equ LOWER_HALF, 30 << 1 | 1    /* 2 GB   */
        .equ NORMAL, 0x030b             /* all access, write-back, write-allocate */

        .macro region number, base, size, access
        mov r0, #\number
        mcr p15, 0, r0, c6, c2, 0
        mov r0, #\base
        mcr p15, 0, r0, c6, c1, 0
        ldr r0, =\access
        mcr p15, 0, r0, c6, c1, 4
        ldr r0, =\size
        mcr p15, 0, r0, c6, c1, 2
        .endm

        .text
        .global reset
        .type reset, %function
reset:
        mov r0, #0xf << 20              /* CPACR: coprocessors 10 and 11 */
        mcr p15, 0, r0, c1, c0, 2
        isb
        mov r0, #1 << 30                /* FPEXC.EN */
        vmsr fpexc, r0

        region 0, 0, EVERYWHERE, DEVICE
        region 1, 0, LOWER_HALF, NORMAL
        mov r0, #0
        mcr p15, 0, r0, c7, c5, 0       /* invalidate the instruction cache */
        mcr p15, 0, r0, c15, c5, 0      /* and the data cache */
        dsb
        mrc p15, 0, r0, c1, c0, 0
        ldr r1, =0x1805                 /* SCTLR: I, Z, C, M */
        orr r0, r0, r1
        mcr p15, 0, r0, c1, c0, 0
        isb
        b _start
        .ltorg
