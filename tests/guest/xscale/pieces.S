/* Code whose events are counted by hand. Each is called by writing the PC and returns with MOV PC, LR, as the empty
 * one does: the difference is what stands between. The table names piece, event and difference. */
        .syntax unified
        .arch armv5te
        .arm

        .set PIECE_ALIGN, 32
        .include "pieces.inc"

        begin_pieces

        piece empty_piece
        mov pc, lr

        piece hundred_moves
        .rept 100
        mov r1, r1
        .endr
        mov pc, lr
        counts "100 moves", hundred_moves, 0x07, 100
        counts "100 moves", hundred_moves, 0x05, 0
        counts "100 moves", hundred_moves, 0x0a, 0
        counts "100 moves", hundred_moves, 0x0d, 0

        piece failing
        cmp r0, r0
        .rept 10
        addne r0, r0, #1
        ldrne r1, [sp]
        .endr
        mov pc, lr
        counts "20 that fail their condition", failing, 0x07, 21
        counts "20 that fail their condition", failing, 0x0a, 0

        piece counted_loop
        mov r0, #1000
1:      subs r0, r0, #1
        bne 1b
        mov pc, lr
        counts "a loop of 1000", counted_loop, 0x07, 2001
        counts "a loop of 1000", counted_loop, 0x05, 1000
        counts "a loop of 1000", counted_loop, 0x0d, 999

        piece thousand_turns
        mov r0, #1000
1:      subs r0, r0, #1
        bne 1b
        mov pc, lr

        piece forward
        cmp r0, r0
        .rept 8
        beq 1f
        mov r1, r1
1:      bne 1f
        mov r1, r1
1:
        .endr
        mov pc, lr
        counts "8 branches taken, 8 not", forward, 0x07, 25
        counts "8 branches taken, 8 not", forward, 0x05, 16
        counts "8 branches taken, 8 not", forward, 0x0d, 8

        piece accesses
        .rept 5
        ldr r0, [sp, #-4]
        str r0, [sp, #-4]
        ldrd r2, r3, [sp, #-8]
        ldrb r0, [sp, #-4]
        strh r0, [sp, #-4]
        .endr
        mov pc, lr
        counts "20 accesses and 5 of two words", accesses, 0x0a, 30
        counts "20 accesses and 5 of two words", accesses, 0x07, 25

        piece register_lists
        push {r4-r8, lr}
        push {r4}
        ldm sp, {r0-r3}
        pop {r4}
        pop {r4-r8, lr}
        mov pc, lr
        counts "lists of 18 words", register_lists, 0x0a, 18
        counts "lists of 18 words", register_lists, 0x07, 5

        piece calls
        mov r3, lr
        .rept 4
        bl 1f
        .endr
        mov lr, r3
        mov pc, lr
1:      mov pc, lr
        counts "4 calls", calls, 0x05, 4
        counts "4 calls", calls, 0x0d, 8
        counts "4 calls", calls, 0x07, 10

        piece pc_writers
        mov r3, lr
        ldr r0, =1f
        push {r0}
        pop {pc}                        /* 1 */
1:      ldr r0, =2f
        str r0, [sp, #-4]
        ldr pc, [sp, #-4]               /* 2 */
2:      ldr r0, =3f
        push {r0}
        push {r0}
        ldm sp!, {r1, pc}               /* 3 */
3:      blx 4f                          /* 4 */
        cmp r0, r0
        movne pc, lr
        mov lr, r3
        mov pc, lr
        .ltorg
        .thumb
        .balign 4
4:      b 5f                            /* 5 */
        nop
5:      bx lr                           /* 6: docs/choices.md, xscale-pc-changed */
        .arm
        counts "6 ways to the PC", pc_writers, 0x0d, 6
        counts "6 ways to the PC", pc_writers, 0x05, 1

        piece exceptions
        .rept 3
        svc #1
        .endr
        mov pc, lr
        counts "3 exceptions", exceptions, 0x07, 27      /* SVC, its vector, and the seven of its handler */
        counts "3 exceptions", exceptions, 0x0d, 6       /* the vector's LDR PC and the handler's MOVS PC */
        counts "3 exceptions", exceptions, 0x05, 3       /* a branch of the handler, not taken */

        piece maintenance
        mov r0, #0
        .rept 5
        mcr p15, 0, r0, c7, c10, 4
        mcr p15, 0, sp, c7, c10, 1
        .endr
        mov pc, lr
        counts "10 cache operations", maintenance, 0x07, 11
        counts "10 cache operations", maintenance, 0x0a, 0
        counts "10 cache operations", maintenance, 0x0b, 0

        piece reserved
        .rept 10
        mov r1, r1
        .endr
        mov pc, lr
        counts "a reserved event", reserved, 0x0e, 0
        counts "a reserved event", reserved, 0x0f, 0
        counts "a reserved event", reserved, 0x18, 0
        counts "a reserved event", reserved, 0xfe, 0
        counts "an input nobody drives", reserved, 0x13, 0
        counts "the event that switches off", reserved, 0xff, 0

        end_pieces

        .section .note.GNU-stack, "", %progbits
