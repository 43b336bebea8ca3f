// N rounds in EL1 of two IRQs and an FIQ, which software sets off; the handler returns behind the loop that waits.
// engine: bare
// proves: 0x0086 an IRQ counts, an FIQ does not
// proves: 0x0087 an FIQ counts, an IRQ does not
// proves: 0x0009 each is an exception
// vary: N = 1, 10, 200
// expect-change: EXC_IRQ = 2 * N
// expect-change: EXC_FIQ = N
// expect-change: EXC_TAKEN = 3 * N
// expect-change: EXC_RETURN = 3 * N
        .include "directed.inc"
        .balign 2048
vectors:
        .rept   4
        .balign 128
        b       .
        .balign 128
        b       handle
        .balign 128
        b       handle
        .balign 128
        b       .
        .endr
handle: str     w22, [x21, #0x1c]       // SOFTINTCLEAR
        msr     elr_el1, x20
        eret
        .macro  interrupt number, line
        msr     daifclr, #3
        adr     x20, 1f
        mov     w0, #\line
        str     w0, [x21, #0x18]        // SOFTINT
0:      b       0b
1:
        .endm
_start: adr     x0, vectors
        msr     vbar_el1, x0
        mov     x0, #0x531              // RW, HCE, NS
        msr     scr_el3, x0
        mov     x0, #1 << 31            // RW
        msr     hcr_el2, x0
        mov     x0, #0x3c5              // to EL1
        msr     spsr_el3, x0
        return_to_main
        eret
main:   interrupt 0, 1
        interrupt 1, 2
        interrupt 2, 1
        repeat  x9, main
        finish
