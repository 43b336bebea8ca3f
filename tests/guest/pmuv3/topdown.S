/* Work for each of the four shares of the slots, one after the other. It is in registers and code alone and has no
 * library, so what a Linux machine counts of it differs from armpmu stat by the kernel's interrupts alone. */
        .equ    TURNS, 6 << 16

        .global _start
        .balign 64
_start:
        /* Retiring: operations that wait for nothing. */
        mov     w0, #TURNS
1:      .rept   4
        add     x1, x1, #1
        add     x2, x2, #1
        add     x3, x3, #1
        add     x4, x4, #1
        .endr
        subs    w0, w0, #1
        b.ne    1b

        /* Backend: a chain of multiplications. */
        mov     w0, #TURNS
        mov     x1, #3
2:      .rept   4
        mul     x1, x1, x1
        .endr
        subs    w0, w0, #1
        b.ne    2b

        /* Bad speculation: a branch on a bit of a random sequence (Marsaglia's xorshift, 13, 7, 17). */
        mov     w0, #TURNS / 4
        mov     x1, #1
3:      eor     x1, x1, x1, lsl #13
        eor     x1, x1, x1, lsr #7
        eor     x1, x1, x1, lsl #17
        tbz     x1, #20, 4f
        add     x2, x2, #1
4:      subs    w0, w0, #1
        b.ne    3b

        /* Frontend: a branch in each line of code, and more lines than the first cache holds. */
        mov     w0, #200
        .balign 64
5:      .rept   24 * 64
        b       . + 64
        .balign 64
        .endr
        subs    w0, w0, #1
        cbz     w0, 6f
        b       5b

6:      mov     w8, #93 /* exit */
        mov     w0, #0
        svc     #0
