/* Writes an x to QEMU's serial port, then runs until somebody ends it. */
        .arm
        .global _start
_start: ldr r0, =0x09000000
        mov r1, #'x'
        str r1, [r0]
1:      b 1b
        .ltorg

        .section .note.GNU-stack, "", %progbits
