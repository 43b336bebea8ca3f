/* Which attributes of the page tables make memory that L1D keeps: for each, whether loads are L1D accesses. Prints
 * bit masks, bit n for the attributes number n; command.py says which are right.
 *   "sections"  TEX, C, B as they are, in sections: n = TEX * 4 + C * 2 + B
 *   "pages"     the same in small pages
 *   "large"     the same in large pages
 *   "remapped"  with TEX remap, where n = TEX[0], C, B has the type 0 Strongly-ordered, 1 Device, 2 Normal without
 *               inner cache, 3 to 5 Normal with the three kinds of it, 6 and 7 as 2 and 3
 *   "long"      long descriptors, 2 MiB blocks, with the attributes of `kinds`
 *   "longer"    the same in pages of 4 KiB */
        .include "virt.inc"
        .global _start
        .equ DATA, 0x42000000           /* of one section, one block, and behind it no code */

/* The bit of r4 in r10 if loads of DATA are accesses of L1D. */
        .macro try
        dsb
        mcr p15, 0, r4, c8, c7, 0       /* TLBIALL */
        dsb
        isb
        count 0x04
        ldr r0, =DATA
        ldr r1, [r0]
        ldr r1, [r0, #8]
        ldr r1, [r0, #16]
        mov r0, #0
        mcr p15, 0, r0, c9, c12, 0
        mrc p15, 0, r1, c9, c13, 2
        cmp r1, #2                      /* the load of the literal, and those three */
        mov r0, #1
        orrhs r10, r10, r0, lsl r4
        .endm

        .macro told text
        mov r1, r10
        ldr r0, =9f
        bl print
        mov r10, #0
        .section .rodata
9:      .asciz "\text "
        .text
        .endm

_start: ldr sp, =stack_top
        bl translation_on
        mov r10, #0
        ldr r5, =table + (DATA >> 18)

        mov r4, #0
1:      ldr r6, =DATA | 0xc02           /* a section, full access */
        bl attributes_at_12
        str r6, [r5]
        try
        add r4, r4, #1
        cmp r4, #32
        bne 1b
        told "sections"

        ldr r7, =pages
        orr r6, r7, #1
        str r6, [r5]
        mov r4, #0
1:      ldr r6, =DATA | 0x32            /* a small page */
        bl attributes_at_6
        str r6, [r7]
        try
        add r4, r4, #1
        cmp r4, #32
        bne 1b
        told "pages"

        mov r4, #0
1:      ldr r6, =DATA | 0x31            /* a large page */
        bl attributes_at_12
        str r6, [r7]
        try
        add r4, r4, #1
        cmp r4, #32
        bne 1b
        told "large"

        ldr r0, =0x0000aaa4             /* PRRR: 0 SO, 1 Device, all others Normal */
        mcr p15, 0, r0, c10, c2, 0
        ldr r0, =1 << 6 | 2 << 8 | 3 << 10 | 1 << 14    /* NMRR, inner: 3, 4, 5 and 7 are cached */
        mcr p15, 0, r0, c10, c2, 1
        mrc p15, 0, r0, c1, c0, 0
        orr r0, r0, #1 << 28            /* TRE */
        mcr p15, 0, r0, c1, c0, 0
        isb
        mov r4, #0
1:      ldr r6, =DATA | 0xc02
        bl attributes_at_12
        str r6, [r5]
        try
        add r4, r4, #1
        cmp r4, #8
        bne 1b
        told "remapped"
        b long_descriptors

/* r6: with TEX, C, B of r4 in place. */
attributes_at_12:
        and r0, r4, #3
        orr r6, r6, r0, lsl #2
        lsr r0, r4, #2
        orr r6, r6, r0, lsl #12
        bx lr
attributes_at_6:
        and r0, r4, #3
        orr r6, r6, r0, lsl #2
        lsr r0, r4, #2
        orr r6, r6, r0, lsl #6
        bx lr
        .ltorg

/* Four blocks of 1 GiB at their own addresses, the second by a table of 2 MiB blocks. All are cacheable (attributes
 * 3) but the first, a device's (0). */
long_descriptors:
        mrc p15, 0, r0, c1, c0, 0
        bic r0, r0, #1
        bic r0, r0, #1 << 28
        mcr p15, 0, r0, c1, c0, 0       /* translation off */
        isb
        ldr r0, =level_1
        mov r3, #0
        ldr r2, =0x401                  /* a block, accessed, attributes 0 */
        strd r2, r3, [r0]
        ldr r2, =level_2 + 3
        strd r2, r3, [r0, #8]
        ldr r2, =0x8000040d
        strd r2, r3, [r0, #16]
        ldr r2, =0xc000040d
        strd r2, r3, [r0, #24]
        ldr r0, =level_2
        mov r8, #512
        ldr r2, =0x4000040d
1:      strd r2, r3, [r0], #8
        add r2, r2, #0x200000
        subs r8, r8, #1
        bne 1b
        ldr r0, =0xff440400             /* MAIR0: Strongly-ordered, Device, Normal without and with caches */
        mcr p15, 0, r0, c10, c2, 0
        ldr r0, =0x00f44fbb             /* MAIR1: write-through; inner with, outer without; the reverse; SO */
        mcr p15, 0, r0, c10, c2, 1
        mov r0, #0x80000000             /* TTBCR: long descriptors */
        mcr p15, 0, r0, c2, c0, 2
        ldr r0, =level_1
        mov r1, #0
        mcrr p15, 0, r0, r1, c2
        mcr p15, 0, r0, c8, c7, 0
        dsb
        mrc p15, 0, r0, c1, c0, 0
        orr r0, r0, #1
        mcr p15, 0, r0, c1, c0, 0
        isb

        ldr r5, =level_2 + ((DATA - 0x40000000) >> 21) * 8
        mov r4, #0
1:      ldr r6, =DATA | 0x401
        orr r6, r6, r4, lsl #2
        str r6, [r5]
        try
        add r4, r4, #1
        cmp r4, #8
        bne 1b
        told "long"

        ldr r7, =pages
        orr r6, r7, #3
        str r6, [r5]
        mov r0, #0
        str r0, [r7, #4]
        mov r4, #0
1:      ldr r6, =DATA | 0x403
        orr r6, r6, r4, lsl #2
        str r6, [r7]
        try
        add r4, r4, #1
        cmp r4, #8
        bne 1b
        told "longer"
        b power_off
        .ltorg

        .balign 32
vectors:
        .rept 8
        b .
        .endr
        .bss
        .balign 4096
pages:  .space 4096
level_2: .space 4096
level_1: .space 4096
        .space 1024
stack_top:
