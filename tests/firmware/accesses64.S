/* Accesses of all kinds that AArch64 has: 46,007 instructions, for the bare core or (LINUX) as a program for Linux. */
        .arch armv8.2-a
        .global _start
_start:
        mov x20, #2000                  /* turns, each on a line of its own */
        adrp x19, data
        add x19, x19, :lo12:data
1:      and x0, x20, #511
        lsl x0, x0, #6
        add x1, x19, x0
        ldp x2, x3, [x1]
        add x2, x2, x3
        stp x2, x20, [x1]
        ldr q0, [x1, #16]
        str q0, [x1, #32]
        ldaddal x2, x4, [x1]
        ldxr x5, [x1]
        stxr w6, x5, [x1]
        ldxp x5, x7, [x1]
        stxp w6, x5, x7, [x1]
        mov x8, x5
        mov x9, x7
        casp x8, x9, x2, x3, [x1]
        ldr x5, [x1, #56]
        str x5, [x1, #48]
        tbz x20, #2, 2f
        bl f
2:      subs x20, x20, #1
        b.ne 1b
#ifdef LINUX
        mov x8, #94
        mov x0, #0
        nop
        svc #0
#else
        adr x1, block
        mov w0, #0x18
        nop
        hlt #0xf000
#endif
f:      ld1 {v0.16b-v3.16b}, [x1]
        st4 {v0.8b-v3.8b}, [x1]
        ret
        .balign 8
block:  .quad 0x20026, 0
        .data
        .balign 4096
data:   .space 65536
