/* Code for the memory system, beside the pieces of the conformance program, and the tables that switch caches on. */
        .syntax unified
#if !defined(GENERATION)
        .fpu neon
#endif
        .arm

        .macro kernel name, text
        .section .rodata.names, "a"
9:      .asciz "\text"
        .section .rodata.kernels, "a"
        .word 9b, \name
        .text
        .balign 64
        .type \name, %function
\name:
        .endm

        .section .rodata.kernels, "a"
        .balign 4
        .global kernels, n_kernels
kernels:

        kernel stream_read, "reading 64 KB"
        ldr r0, =memory
        mov r1, #2048
1:      ldr r2, [r0], #32
        subs r1, r1, #1
        bne 1b
        mov pc, lr

        kernel stream_write, "writing 64 KB"
        ldr r0, =memory
        mov r1, #4096
1:      str r2, [r0], #16
        subs r1, r1, #1
        bne 1b
        mov pc, lr

        kernel copy, "copying 16 KB by load and store multiple"
        push {r4-r9}
        ldr r0, =memory
        add r1, r0, #32768
        mov r2, #512
1:      ldm r0!, {r3-r9, r12}
        stm r1!, {r3-r9, r12}
        subs r2, r2, #1
        bne 1b
        pop {r4-r9}
        mov pc, lr

        kernel pages, "a word of each of 64 pages, twice"
        mov r3, #2
2:      ldr r0, =memory
        mov r1, #64
1:      ldr r2, [r0]
        add r0, r0, #4096
        subs r1, r1, #1
        bne 1b
        subs r3, r3, #1
        bne 2b
        mov pc, lr

        kernel chase, "a chain of dependent loads"
        ldr r0, =memory
        mov r1, r0
        mov r2, #256
1:      add r3, r1, #1088
        str r3, [r1]
        mov r1, r3
        subs r2, r2, #1
        bne 1b
        mov r1, #256
2:      ldr r0, [r0]
        subs r1, r1, #1
        bne 2b
        mov pc, lr

        kernel branches, "branches that a random number takes"
        mov r0, #1
        mov r1, #1000
1:      lsrs r0, r0, #1
        eorcs r0, r0, #0x8e000000
        eorcs r0, r0, #0x00005500
        tst r0, #3
        beq 2f
        add r2, r2, #1
        tst r0, #4
        bne 3f
2:      add r3, r3, #1
3:      subs r1, r1, #1
        bne 1b
        mov pc, lr

        kernel calls, "nested calls"
        push {r4, lr}
        mov r4, #100
1:      bl 2f
        subs r4, r4, #1
        bne 1b
        pop {r4, pc}
2:      push {lr}
        bl 3f
        bl 3f
        pop {pc}
3:      push {lr}
        bl 4f
        pop {pc}
4:      bx lr

        kernel multiply, "multiplications and what waits for them"
        mov r0, #3
        mov r1, #200
1:      mul r2, r0, r1
        mla r3, r2, r0, r3
        umull r12, r0, r3, r2
        orr r0, r0, #3
        subs r1, r1, #1
        bne 1b
        mov pc, lr

        kernel subwords, "bytes, halfwords and doublewords"
        push {r4, r5}
        ldr r0, =memory
        mov r1, #200
1:      strb r1, [r0], #1
        ldrb r2, [r0, #-1]
        add r0, r0, #1
        strh r1, [r0]
        ldrsh r3, [r0], #6
        ldrd r4, r5, [r0]
        strd r4, r5, [r0, #8]
        subs r1, r1, #1
        bne 1b
        pop {r4, r5}
        mov pc, lr

        kernel conditional, "loads and stores of which some do not happen"
        ldr r0, =memory
        mov r1, #300
1:      tst r1, #1
        ldrne r2, [r0], #4
        streq r2, [r0], #8
        tst r1, #6
        ldmeq r0, {r2, r3}
        subs r1, r1, #1
        bne 1b
        mov pc, lr

        kernel maintenance, "maintenance of caches and TLBs, with code between"
        ldr r0, =memory
        mov r1, #20
1:      str r1, [r0]
        mcr p15, 0, r0, c7, c10, 1      /* clean a line of the data cache */
        add r2, r2, #1
        add r3, r3, #1
        mcr p15, 0, r0, c7, c6, 1       /* invalidate one */
        ldr r2, [r0], #32
        mcr p15, 0, r0, c7, c5, 0       /* invalidate the instruction cache */
        mcr p15, 0, r0, c7, c5, 6       /* branch prediction */
        add r2, r2, #1
#if !defined(CORTEX_R4F)
        mcr p15, 0, r0, c8, c7, 0       /* all TLBs */
        add r2, r2, #1
#endif
        subs r1, r1, #1
        bne 1b
        mov pc, lr

#if !defined(GENERATION)
        kernel increments, "software increments"
        mov r1, #5
1:      mcr p15, 0, r1, c9, c12, 4
        subs r1, r1, #1
        bne 1b
        mov pc, lr

#if defined(CORTEX_R4F)
        kernel divide, "divisions and doubles"
        adr r0, 1f + 1
        bx r0
        .thumb
        .thumb_func
1:      movs r1, #100
        vldr d0, 3f
2:      movw r0, #54321
        udiv r2, r0, r1
        sdiv r3, r2, r1
        vadd.f64 d1, d1, d0
        vmul.f64 d2, d1, d0
        vdiv.f64 d3, d2, d0
        subs r1, #1
        bne 2b
        bx lr
        .balign 8
3:      .double 1.5
        .arm
#else
        kernel vectors, "NEON"
        ldr r0, =memory
        mov r1, #200
1:      vld1.32 {d0-d3}, [r0]!
        vadd.i32 q2, q0, q1
        vmla.i32 q3, q2, q0
        vst1.32 {d4-d7}, [r0]
        vmov r2, r3, d4
        add r2, r2, r3
        vmul.f32 q4, q0, q1
        subs r1, r1, #1
        bne 1b
        mov pc, lr
#endif

        kernel unaligned, "accesses that are not aligned"
        ldr r0, =memory + 1
        mov r1, #200
1:      ldr r2, [r0], #7
        str r2, [r0, #2]
        ldrh r3, [r0, #62]
        subs r1, r1, #1
        bne 1b
        mov pc, lr
#endif

        .text
        .ltorg
        .section .rodata.kernels, "a"
9:
n_kernels: .word (9b - kernels) / 8

        .text
        .global translate
        .type translate, %function
translate:
#if defined(CORTEX_R4F)                 /* one region: write-back, allocating for writes, too */
        mov r0, #0
        mcr p15, 0, r0, c6, c2, 0
        mcr p15, 0, r0, c6, c1, 0
        ldr r1, =0x30b
        mcr p15, 0, r1, c6, c1, 4
        mov r1, #0x3f                   /* 4 GB */
        mcr p15, 0, r1, c6, c1, 2
#else
        ldr r0, =table
        ldr r1, =0xc1e                  /* sections: full access, write-back; bit 4 as Armv5 wants it */
#if !defined(GENERATION)
        bic r1, r1, #0x10
#endif
        mov r2, #0
1:      orr r3, r1, r2, lsl #20
        str r3, [r0, r2, lsl #2]
        add r2, r2, #1
        cmp r2, #4096
        blo 1b
        mcr p15, 0, r0, c2, c0, 0
        mvn r1, #0
        mcr p15, 0, r1, c3, c0, 0
        mcr p15, 0, r1, c8, c7, 0
#endif
        mrc p15, 0, r1, c1, c0, 0
        ldr r2, =0x1805                 /* I, Z, C, M */
        orr r1, r1, r2
        mcr p15, 0, r1, c1, c0, 0
#if !defined(GENERATION)                /* floating point and vectors */
        mov r1, #0xf00000
        mcr p15, 0, r1, c1, c0, 2
        isb
        mov r1, #0x40000000
        fmxr fpexc, r1
#endif
        mov pc, lr
        .ltorg

        .bss
        .balign 65536
memory: .space 65536 * 5
        .balign 16384
table:  .space 16384

        .section .note.GNU-stack, "", %progbits
