/* Vectors of all Exception levels, and what C cannot say: the way into a snippet and out of it. Starts in EL3,
 * where everything else runs, with the MMU off. */

#define FRAME_INDEX  248                /* offsets in struct frame of amu.h */
#define FRAME_LEVEL  256
#define FRAME_VECTOR 344

        .macro vector index, level
        .balign 128
        msr tpidr_el\level, x30
        adr x30, frame
        str x0, [x30]
        mov x0, #\index
        str x0, [x30, #FRAME_INDEX]
        b common_\level
        .endm

        .macro table level
        .balign 2048
        .global vectors_\level
vectors_\level:
        .irp index, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vector \index, \level
        .endr
        .endm

        .section .vectors, "ax"
        table 1
        table 2
        table 3

/* x30: the frame; x0 is saved. Ends in EL3: EL1 and EL2 ask for it with an SMC, which finds the frame full. */
        .macro common level
common_\level:
        ldr x0, [x30, #FRAME_LEVEL]
        cbnz x0, end_snippet
        stp x1, x2, [x30, #8]
        stp x3, x4, [x30, #24]
        stp x5, x6, [x30, #40]
        stp x7, x8, [x30, #56]
        stp x9, x10, [x30, #72]
        stp x11, x12, [x30, #88]
        stp x13, x14, [x30, #104]
        stp x15, x16, [x30, #120]
        stp x17, x18, [x30, #136]
        stp x19, x20, [x30, #152]
        stp x21, x22, [x30, #168]
        stp x23, x24, [x30, #184]
        stp x25, x26, [x30, #200]
        stp x27, x28, [x30, #216]
        mrs x0, tpidr_el\level
        stp x29, x0, [x30, #232]
        mov x0, #\level
        str x0, [x30, #FRAME_LEVEL]
        ldr x0, [x30, #FRAME_INDEX]
        str x0, [x30, #FRAME_VECTOR]
        mrs x0, esr_el\level
        mrs x1, elr_el\level
        stp x0, x1, [x30, #264]
        mrs x0, spsr_el\level
        mrs x1, CurrentEL
        stp x0, x1, [x30, #280]
        mrs x0, SPSel
        mrs x1, DAIF
        stp x0, x1, [x30, #296]
        mov x0, sp
        mrs x1, sp_el0
        stp x0, x1, [x30, #312]
        .if \level > 1
        mrs x0, sp_el1
        str x0, [x30, #328]
        .endif
        .if \level > 2
        mrs x0, sp_el2
        str x0, [x30, #336]
        b end_snippet
        .else
        ldr x0, [x30]                   /* which EL3's vector writes again */
        smc #0
        .endif
        .endm

        .text
        common 1
        common 2
        common 3

/* In EL3. */
end_snippet:
        msr SPSel, #1
        adr x1, saved_sp
        ldr x0, [x1]
        str xzr, [x1]
        cbz x0, stray
        mov sp, x0
        ldp x19, x20, [sp], #16
        ldp x21, x22, [sp], #16
        ldp x23, x24, [sp], #16
        ldp x25, x26, [sp], #16
        ldp x27, x28, [sp], #16
        ldp x29, x30, [sp], #16
        ret

/* An exception that no snippet caused: where there is no unit, the first access to it. */
stray:
        ldr x0, =stack_top
        mov sp, x0
        adr x0, stray_text
        bl board_write
        mov w19, #2
        b board_exit
stray_text:
        .asciz "WRONG exception: none can be here\n"
        .balign 4

/* pstate, code, x0, stack pointers of EL0 to EL3: X1 to X30 have their numbers times 0x0101010101010101. */
        .global run_snippet
        .type run_snippet, %function
run_snippet:
        stp x29, x30, [sp, #-16]!
        stp x27, x28, [sp, #-16]!
        stp x25, x26, [sp, #-16]!
        stp x23, x24, [sp, #-16]!
        stp x21, x22, [sp, #-16]!
        stp x19, x20, [sp, #-16]!
        mov x4, sp
        adr x5, saved_sp
        str x4, [x5]
        adr x5, frame
        str xzr, [x5, #FRAME_LEVEL]
        msr spsr_el3, x0
        msr elr_el3, x1
        ldp x4, x5, [x3]
        msr sp_el0, x4
        msr sp_el1, x5
        ldp x4, x5, [x3, #16]
        msr sp_el2, x4
        mov sp, x5
        mov x0, x2
        .irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
        ldr x\n, =0x0101010101010101 * \n
        .endr
        isb
        eret
        .ltorg

        .global _start
_start:
        ldr x0, =stack_top
        mov sp, x0
        ldr x0, =vectors_1
        msr vbar_el1, x0
        ldr x0, =vectors_2
        msr vbar_el2, x0
        ldr x0, =vectors_3
        msr vbar_el3, x0
        isb
        bl main
        mov w19, w0
        b board_exit

        .balign 8
        .global frame
frame:  .space 352
saved_sp: .quad 0

/* ---- the board: semihosting ---- */

        .global board_write
        .type board_write, %function
board_write:
        mov x1, x0
        mov w0, #4                      /* SYS_WRITE0 */
        hlt #0xf000
        ret

board_exit:                             /* w19: the status */
        adr x1, exit_block
        str x19, [x1, #8]
        mov w0, #0x18                   /* SYS_EXIT */
        hlt #0xf000
        b .
        .balign 8
exit_block:
        .quad 0x20026, 0                /* ADP_Stopped_ApplicationExit */

/* ---- pieces of code whose instructions are counted by hand: AMEVCNTR02_EL0 twice, and the difference ---- */

        .macro piece name
        .global \name
        .type \name, %function
\name:
        .endm
        .macro end_piece
        mrs x3, S3_3_C13_C4_2
        sub x0, x3, x2
        ret
        .endm

        piece count_nothing             /* the first read */
        mrs x2, S3_3_C13_C4_2
        end_piece

        piece count_loop                /* x0 turns of 2 */
        mrs x2, S3_3_C13_C4_2
1:      subs x0, x0, #1
        b.ne 1b
        end_piece

        piece count_calls               /* x0 turns of 7 */
        mov x9, x30
        mrs x2, S3_3_C13_C4_2
1:      bl leaf                         /* and 2 there */
        cbz xzr, 2f
        nop                             /* jumped over */
2:      nop
        sub x0, x0, #1
        cbnz x0, 1b
        mrs x3, S3_3_C13_C4_2
        sub x0, x3, x2
        ret x9
leaf:   nop
        ret

        piece count_failed              /* x0 turns of 5: what a condition leaves out counts */
        mrs x2, S3_3_C13_C4_2
1:      cmp x0, #0
        csel x1, x1, x0, eq
        b.eq 2f
2:      sub x0, x0, #1
        cbnz x0, 1b
        end_piece

        piece count_memory              /* x0 turns of 5; x1: a word of memory */
        mrs x2, S3_3_C13_C4_2
1:      ldr x4, [x1]
        stp x4, x4, [x1]
        ldaddal x4, x5, [x1]
        sub x0, x0, #1
        cbnz x0, 1b
        end_piece

        .section .bss
        .balign 4096
        .space 16384
        .global stack_top
stack_top:

        .section .note.GNU-stack, "", %progbits
