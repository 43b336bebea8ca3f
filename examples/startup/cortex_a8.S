/* What a board's start-up code does before C on a Cortex-A8: FPU and NEON on; MMU, caches and branch
 * prediction on, with every address its own. Then newlib's _start. */
        .syntax unified
        .arm
        .fpu neon
        /* Megabytes [0, MEMORY_END) are Normal memory, write-back; the others are devices. */
        .equ MEMORY_END, 0x800
        .equ NORMAL, 0x00001c0e         /* section: full access, TEX 1, C, B */
        .equ DEVICE, 0x00000c16         /* section: full access, B, never executed */

        .text
        .global reset
        .type reset, %function
reset:
        mov r0, #0
        mcr p15, 0, r0, c7, c5, 0       /* ICIALLU */
        mcr p15, 0, r0, c7, c5, 6       /* BPIALL  */
        mcr p15, 0, r0, c8, c7, 0       /* TLBIALL */

        mov r0, #0xf << 20              /* CPACR: coprocessors 10 and 11 */
        mcr p15, 0, r0, c1, c0, 2
        isb
        mov r0, #1 << 30                /* FPEXC.EN */
        vmsr fpexc, r0

        mrc p15, 0, r0, c1, c0, 0
        orr r0, r0, #0x1800             /* SCTLR: I and Z, which need no MMU: what follows is fast */
        mcr p15, 0, r0, c1, c0, 0
        isb

        ldr r0, =tables
        ldr r1, =NORMAL
        ldr r2, =DEVICE
        mov r3, #0
1:      cmp r3, #MEMORY_END
        orrlo r4, r1, r3, lsl #20
        orrhs r4, r2, r3, lsl #20
        str r4, [r0, r3, lsl #2]
        add r3, r3, #1
        cmp r3, #4096
        blo 1b
        mcr p15, 0, r0, c2, c0, 0       /* TTBR0 */
        mov r1, #0
        mcr p15, 0, r1, c2, c0, 2       /* TTBCR */
        mov r1, #1
        mcr p15, 0, r1, c3, c0, 0       /* DACR: domain 0 is a client */
        dsb
        mrc p15, 0, r0, c1, c0, 1
        orr r0, r0, #0x22               /* ACTLR: L2EN; L1NEON, which the model has as neon_allocate */
        mcr p15, 0, r0, c1, c0, 1
        mrc p15, 0, r0, c1, c0, 0
        orr r0, r0, #0x0005             /* SCTLR: C, M */
        mcr p15, 0, r0, c1, c0, 0
        isb
        b _start
        .ltorg

        .data                           /* not .bss, which newlib clears */
        .balign 16384
tables: .space 16384
