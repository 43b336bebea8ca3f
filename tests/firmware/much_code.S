/* TURNS times 13 instructions, none executed twice, and 5 more. */
    .global _start
_start:
    adr x0, _start
    .rept TURNS
    .rept 2
    ldr x1, [x0]
    add x2, x2, #1
    ldr x1, [x0, #8]
    add x2, x2, #1
    add x2, x2, #1
    add x2, x2, #1
    .endr
    b 1f
1:
    .endr
    mov x0, #0
    mov w0, #0x18 /* SYS_EXIT */
    adr x1, 2f
    hlt #0xf000
    .balign 8
2:  .quad 0x20026, 0
