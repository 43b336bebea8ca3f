/* Loads and stores of every form whose address is known before the block executes, often enough that the
 * library translates them without calls; blocks that Data Aborts cut short, at memory that is not there and at
 * pages without permission; a store to the device; a loop that writes over its own code. early_accesses.c runs it twice. */
        .syntax unified
        .arm
        .fpu neon
        .equ SYS_EXIT_EXTENDED, 0x20
        .equ APPLICATION_EXIT, 0x20026
        .equ ROUNDS, 3000
        .equ DEVICES, 0xff000000
        .equ NOTHING, 0x70000000        /* the library has no memory there */
        .equ REFUSED, 0x00200000        /* the table of pages refuses that */
        .equ SECTION, 0x00000c0e

        .section .vectors, "ax"
        .balign 32
vectors:
        b start
        b .
        b .
        b .
        b data_abort
        b .
        b .
        b .

        .text
        .global start
start:
        ldr r0, =vectors
        mcr p15, 0, r0, c12, c0, 0
        msr cpsr_c, #0xd7
        ldr sp, =abort_stack
        msr cpsr_c, #0xd3
        ldr sp, =stack
        mrc p15, 0, r0, c1, c0, 2
        orr r0, r0, #0xf00000
        mcr p15, 0, r0, c1, c0, 2
        isb
        mov r0, #0x40000000
        vmsr fpexc, r0
        bl translate
        ldr r11, =ROUNDS
        ldr r10, =0x55555555
1:      bl forms
        blx thumb_forms
        subs r11, r11, #1
        bne 1b
        ldr r11, =ROUNDS
2:      bl rewrite
        subs r11, r11, #1
        bne 2b
        ldr r9, =aborts
        ldr r0, [r9]
        ldr r1, =3 * ROUNDS
        subs r0, r0, r1
        ldr r1, =exit_block
        ldr r2, =APPLICATION_EXIT
        str r2, [r1]
        str r0, [r1, #4]
        mov r0, #SYS_EXIT_EXTENDED
        svc #0x123456

/* Pages at their own addresses, one of them refused. */
translate:
        ldr r0, =table
        ldr r1, =SECTION
        mov r2, #0
1:      orr r3, r1, r2, lsl #20
        str r3, [r0, r2, lsl #2]
        add r2, r2, #1
        cmp r2, #4096
        blo 1b
        mov r1, #0
        str r1, [r0, #REFUSED >> 18]
        mcr p15, 0, r0, c2, c0, 0
        mcr p15, 0, r1, c2, c0, 2
        mvn r1, #0
        mcr p15, 0, r1, c3, c0, 0
        mrc p15, 0, r0, c1, c0, 0
        orr r0, r0, #0x1000
        orr r0, r0, #5
        mcr p15, 0, r0, c1, c0, 0
        isb
        bx lr

forms:
        push {r4-r9, lr}
        movw r0, #:lower16:data
        movt r0, #:upper16:data
        mov r1, #4
        b 1f
1:      ldr r2, [r0, #8]                /* a block of each kind of address */
        strb r2, [r0, #-1]
        ldrh r3, [r0, #6]
        ldrsb r3, [r0, #-6]
        strd r2, r3, [r0, #16]
        ldrd r4, r5, [r0, r1]
        ldr r2, [r0, r1, lsl #2]
        strh r2, [r0, r1]
        ldr r2, [r0, #3]                /* unaligned */
        add r6, r0, #64
        ldr r2, [r6, #-4]!
        str r2, [r6], #8
        ldr r2, [r6], r1, lsl #1
        str r2, [r6]
        sub r6, r6, #16
        ldr r2, [r6, r1]
        add r7, r0, r1, lsl #3
        str r2, [r7, #4]
        mov r8, r0
        stmia r8!, {r2, r3, r4}
        ldmdb r8!, {r2, r3}
        stmib r8, {r2, r3}
        ldmda r8, {r2, r3}
        str r2, [r8]
        ldr r2, =0x12345678
        adr r9, forms
        ldr r2, [r9, #4]
        b 2f
2:      vldr d0, [r0, #8]
        vldr s3, [r0, #4]
        vstr d0, [r0, #-8]
        mov r2, r0
        vldmia r2!, {d0-d3}
        vstmdb r2!, {s0-s3}
        vpush {d4}
        vld1.32 {d0-d1}, [r2]!
        vst1.8 {d0}, [r2:64], r1
        vld2.16 {d0, d1}, [r2]
        vst1.32 {d0[1]}, [r2]!
        ldr r3, [r2]
        vpop {d4}
        b 3f
3:      ldr r3, =DEVICES
        ldr r4, [r3, #8]
        str r1, [r3, #0x10]             /* a line that nothing asserts */
        ldr r4, [r0]
        ldr r12, =NOTHING
        b 4f
4:      str r4, [r0, #4]                /* each loses an instruction, and what is behind goes on */
        ldr r4, [r12]
        ldr r3, [r0, #12]
        b 5f
5:      sub r2, r12, #8
        ldr r3, [r0, #12]
        ldr r12, =REFUSED - 8
        b 6f
6:      ldr r3, [r0, #12]
        stmia r12, {r1-r4}              /* two words happen */
        ldr r3, [r0, #16]
        ldr r12, =REFUSED
        b 7f
7:      ldr r3, [r0, #16]
        str r3, [r12, #4]!
        ldr r3, [r0, #20]
        pop {r4-r9, pc}

/* In front of the table of pages' hole is memory. */
data_abort:
        push {r0, r9}
        ldr r9, =aborts
        ldr r0, [r9]
        add r0, r0, #1
        str r0, [r9]
        pop {r0, r9}
        subs pc, lr, #4

        .thumb
        .thumb_func
thumb_forms:
        push {r4-r7, lr}
        ldr r0, =data
        movs r1, #4
        b 1f
1:      ldr r2, [r0, #8]
        strb r2, [r0, #1]
        ldrh r3, [r0, #6]
        ldr r2, [r0, r1]
        strh r2, [r0, r1]
        sub sp, #16
        str r2, [sp, #4]
        add r6, sp, #4
        ldr r3, [r6]
        add sp, #16
        movs r6, r0
        adds r6, #40
        subs r6, #8
        stmia r6!, {r2, r3}
        ldr r4, [r6]
        push {r2, r3}
        pop {r2, r3}
        ldr.w r4, [r0, #200]
        ldr r4, [r6, #-4]!
        str r4, [r6], #8
        ldr.w r4, [r0, r1, lsl #2]
        strd r2, r3, [r6, #8]!
        ldrd r2, r3, [r6], #-8
        ldmdb r6!, {r2, r3}
        stmdb r6, {r2, r3}
        add.w r7, r0, #256
        ldrsb.w r4, [r7, #1]
        add.w r7, r0, r1, lsl #1
        ldrsh.w r4, [r7, #2]
        mov r7, r0
        subw r7, r7, #3
        ldr.w r4, [r7]
        lsls r7, r1, #2
        ldr r4, [r7, r0]
        adr r7, thumb_forms
        ldr r4, [r7]
        ldr.w r4, 2f
        vldr d0, [r0, #8]
        vpush {d0}
        vpop {d1}
        vld1.32 {d0}, [r0]
        pop {r4-r7, pc}
        .balign 4
2:      .word 3
        .ltorg

/* A block whose store goes to data, and when it is hot to code: to an instruction of the block behind it. */
        .arm
rewrite:
        ldr r0, =data
        ldr r1, =changed
        ldr r2, [r1]
        ldr r3, =ROUNDS / 2
        cmp r11, r3
        movlo r0, r1
        b 1f
1:      ldr r3, [r1, #4]
        str r2, [r0]
        ldr r3, [r0, #4]
        b changed
        .balign 64
changed:
        mov r5, r5
        ldr r3, [r1, #8]
        bx lr
        .ltorg

        .bss
        .balign 1024
        .space 512
data:   .space 1024
        .balign 8
aborts: .space 4
exit_block: .space 8
        .space 1024
stack:  .space 256
abort_stack: .space 64
        .balign 16384
table:  .space 16384
