/* Runs until somebody ends it. */
        .arm
        .global _start
_start: b _start

        .section .note.GNU-stack, "", %progbits
