/* What a board's start-up code does before C on an XScale: MMU, caches and branch target buffer on,
 * with every address its own. Then newlib's _start. */
        .syntax unified
        .arm
        /* Megabytes [0, MEMORY_END) are cached, written back; the others are devices. */
        .equ MEMORY_END, 0x800
        .equ CACHED, 0x00000c0e         /* section: full access, C, B */
        .equ DEVICE, 0x00000c02         /* section: full access */

        .macro wait_for_cp15            /* as the manual has it, before what depends on it */
        mrc p15, 0, r1, c2, c0, 0
        mov r1, r1
        sub pc, pc, #4
        .endm

        .text
        .global reset
        .type reset, %function
reset:
        mov r0, #1                      /* CPAR: CP0, the accumulator */
        mcr p15, 0, r0, c15, c1, 0
        mov r0, #0
        mcr p15, 0, r0, c7, c7, 0       /* invalidate both caches and the BTB */
        mcr p15, 0, r0, c8, c7, 0       /* and both TLBs */

        ldr r0, =tables
        ldr r1, =CACHED
        ldr r2, =DEVICE
        mov r3, #0
1:      cmp r3, #MEMORY_END
        orrlo r4, r1, r3, lsl #20
        orrhs r4, r2, r3, lsl #20
        str r4, [r0, r3, lsl #2]
        add r3, r3, #1
        cmp r3, #4096
        blo 1b
        mcr p15, 0, r0, c2, c0, 0       /* table base */
        mov r1, #1
        mcr p15, 0, r1, c3, c0, 0       /* domain 0 is a client */
        mrc p15, 0, r0, c1, c0, 0
        ldr r1, =0x1805                 /* control: I, Z (BTB), C, M */
        orr r0, r0, r1
        mcr p15, 0, r0, c1, c0, 0
        wait_for_cp15
        b _start
        .ltorg

        .data                           /* not .bss, which newlib clears */
        .balign 16384
tables: .space 16384
