/* PROBE accesses memory by r0, which is ADDRESS in `data`, between other accesses. Status 0: it took a Data Abort with the
 * fault status STATUS, at that address and at its own instruction, and what stands before it has happened, nothing of it and
 * nothing behind it; with STATUS 0: no abort, and r2 is VALUE. 2 to 9: what was wrong. */
        .syntax unified
        .text
        .arm
        .global _start
_start: ldr sp, =stack_top
        ldr r0, =vectors
#ifdef HAS_VBAR
        mcr p15, 0, r0, c12, c0, 0
#else
        mov r1, #0
        mov r2, #16
1:      ldr r3, [r0], #4
        str r3, [r1], #4
        subs r2, r2, #1
        bne 1b
#endif
#ifdef HAS_FPU
        mov r0, #0xf << 20
        mcr p15, 0, r0, c1, c0, 2
        isb
        mov r0, #1 << 30
        vmsr fpexc, r0
#endif
        mrc p15, 0, r0, c1, c0, 0
        orr r0, r0, #CONTROL
        mcr p15, 0, r0, c1, c0, 0
        nop
        nop
        mov r11, #TURNS                 /* aligned, so often that the engine knows the block well; then not */
again:  ldr r0, =data
        ldr r1, =0x44332211
        str r1, [r0]
        ldr r1, =0x88776655
        str r1, [r0, #4]
        ldr r1, =ADDRESS
        cmp r11, #0
        addeq r0, r0, r1
        ldr r1, =data + 256
        mov r2, #0x22
        mov r3, #0x33
        mov r4, #0
        mov r5, #1
        mov r6, #0x66
        str r4, [r1]
        str r4, [r1, #4]
        b 1f
        .balign 64
1:      str r5, [r1]
#ifdef THUMB
        add r7, pc, #1
        bx r7
        .thumb
#endif
probe:  PROBE
        str r5, [r1, #4]
        mov r6, #0
#ifdef THUMB
        .balign 4
        bx pc
        nop
        .arm
#endif
        subs r11, r11, #1
        bpl again
        mov r7, #2
        ldr r4, =STATUS                 /* 0: none was to come */
        cmp r4, #0
        bne leave
        mov r7, #9
        ldr r4, =VALUE
        cmp r2, r4
        moveq r7, #0
        b leave
data_abort:
        mov r7, #3
        mrc p15, 0, r8, c5, c0, 0
        ldr r9, =STATUS
        cmp r8, r9
        bne leave
        mov r7, #4
        mrc p15, 0, r8, c6, c0, 0
        ldr r9, =data + ADDRESS
        cmp r8, r9
        bne leave
        mov r7, #5
        ldr r9, =probe + 8
        cmp lr, r9
        bne leave
        mov r7, #6
        cmp r6, #0x66
        cmpeq r2, #0x22
        cmpeq r3, #0x33
        bne leave
        mov r7, #7
        ldr r8, [r1]
        cmp r8, #1
        ldreq r8, [r1, #4]
        cmpeq r8, #0
        bne leave
        mov r7, #8
        ldr r9, =data
        ldr r8, [r9]
        ldr r9, =0x44332211
        cmp r8, r9
        ldr r9, =data + ADDRESS
        cmpeq r0, r9
        moveq r7, #0
leave:  ldr sp, =stack_top
        ldr r6, =0x20026
        push {r6, r7}
        mov r0, #0x20
        mov r1, sp
        svc 0x123456
        b .
        .ltorg
        .balign 32
vectors:
        .rept 8
        ldr pc, [pc, #24]
        .endr
        .word _start, _start, _start, _start, data_abort, _start, _start, _start
        .data
        .balign 64
data:   .word 0x44332211, 0x88776655, 0xccbbaa99
        .space 512
        .bss
        .balign 8
        .space 1024
stack_top:
