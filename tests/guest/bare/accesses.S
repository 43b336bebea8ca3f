/* Rounds in two address spaces, each a load and a store of the next word of `walked`. */
        .global walked
        .macro prepare
        movw r4, #:lower16:walked
        movt r4, #:upper16:walked
        .endm
        .macro round
        ldr r2, [r4]
        str r2, [r4], #4
        .endm
        .include "spaces.inc"

        .bss
        .balign 64
        .type walked, %object
walked: .space 4 * 900
        .size walked, . - walked

        .section .note.GNU-stack, "", %progbits
