/* Code whose events are counted by hand. Each is called with BLX and returns with BX LR, as the empty one does:
 * the difference is what stands between. The table names piece, event and difference. */
        .syntax unified
        .arm

        .set PIECE_ALIGN, 64
        .include "pieces.inc"

        begin_pieces

        piece empty_piece
        bx lr

        piece hundred_nops
        .rept 100
        nop
        .endr
        bx lr
        counts "100 NOPs", hundred_nops, 0x08, 100
        counts "100 NOPs", hundred_nops, 0x0c, 0
        counts "100 NOPs", hundred_nops, 0x06, 0

        piece failing
        cmp r0, r0
        .rept 10
        addne r0, r0, #1
        ldrne r1, [sp]
        .endr
        bx lr
        counts "20 that fail their condition", failing, 0x08, 21
        counts "20 that fail their condition", failing, 0x06, 0

        piece counted_loop
        mov r0, #1000
1:      subs r0, r0, #1
        bne 1b
        bx lr
        counts "a loop of 1000", counted_loop, 0x08, 2001
        counts "a loop of 1000", counted_loop, 0x0c, 999
        counts "a loop of 1000", counted_loop, 0x0d, 1000

        piece forward
        cmp r0, r0
        .rept 8
        beq 1f
        nop
1:      bne 1f
        nop
1:
        .endr
        bx lr
        counts "8 branches taken, 8 not", forward, 0x08, 25
        counts "8 branches taken, 8 not", forward, 0x0c, 8
        counts "8 branches taken, 8 not", forward, 0x0d, 16

        piece accesses
        mov r1, sp
        .rept 5
        ldr r0, [r1, #-4]
        str r0, [r1, #-4]
        ldrd r2, r3, [r1, #-8]
        .endr
        bx lr
        counts "10 loads and 5 stores", accesses, 0x06, 10
        counts "10 loads and 5 stores", accesses, 0x07, 5
        counts "10 loads and 5 stores", accesses, 0x08, 16

        piece register_lists
        push {r4-r8, lr}
        push {r4}
        ldm sp, {r0-r3}
        pop {r4}
        pop {r4-r8, lr}
        bx lr
        counts "3 lists loaded, 2 stored", register_lists, 0x06, 3
        counts "3 lists loaded, 2 stored", register_lists, 0x07, 2

        piece calls
        mov r3, lr
        .rept 4
        bl 1f
        .endr
        mov lr, r3
        bx lr
1:      bx lr
        counts "4 calls", calls, 0x0c, 8
        counts "4 calls", calls, 0x0d, 4
        counts "4 calls", calls, 0x0e, 4
        counts "4 calls", calls, 0x08, 10

        piece exceptions
        .rept 3
        svc #1
        .endr
        bx lr
        counts "3 exceptions", exceptions, 0x09, 3
        counts "3 exceptions", exceptions, 0x0a, 3
        counts "3 exceptions", exceptions, 0x08, 27     /* SVC and the eight of its handler */

        piece contexts
        mov r0, #0
        .rept 5
        mcr p15, 0, r0, c13, c0, 1
        .endr
        cmp r0, #0
        mcrne p15, 0, r0, c13, c0, 1
        bx lr
        counts "5 writes of CONTEXTIDR", contexts, 0x0b, 5

        piece thumb_code
        mov r3, lr
        blx 1f
        mov lr, r3
        bx lr
        .thumb
1:      .rept 20
        nop
        nop.w
        .endr
        bx lr
        .arm
        .balign 4
        counts "40 NOPs of T32", thumb_code, 0x08, 44
        counts "40 NOPs of T32", thumb_code, 0x0c, 2

        piece maintenance                   /* where an emulator may go on in the same block, or not */
        mov r0, #0
        .rept 5
        mcr p15, 0, sp, c7, c10, 1
        nop
        mcr p15, 0, r0, c7, c5, 6
        ldr r1, [sp]
        .endr
        bx lr
        counts "maintenance with code between", maintenance, 0x08, 21
        counts "maintenance with code between", maintenance, 0x06, 5

        piece reserved
        .rept 10
        nop
        .endr
        bx lr
        counts "a reserved event", reserved, 0x13, 0
        counts "a reserved event", reserved, 0xff, 0
        counts "software increments nobody makes", reserved, 0x00, 0
        counts "an input nobody drives", reserved, 0x72, 0

        .global counted_loop
        piece unmasked_loop
        mov r0, #1000
        cpsie if
1:      subs r0, r0, #1
        bne 1b
        cpsid if
        bx lr

        end_pieces

        .section .note.GNU-stack, "", %progbits
