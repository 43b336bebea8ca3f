/* Rounds of two instructions in two address spaces. */
        .macro prepare
        .endm
        .macro round
        .endm
        .include "spaces.inc"

        .section .note.GNU-stack, "", %progbits
