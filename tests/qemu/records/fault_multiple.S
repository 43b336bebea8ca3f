@ A fault in the middle of an LDM that crosses into a page that is not there: the elements before it were
@ read.
    .syntax unified
    .arch armv7-a
    .arm
    .data
buf: .space 4096
    .text
    .global _start
_start:
    mov r1, #0x20000            @ words: block 0x10000 insns 5 bytes 20 isa 1
    add r1, r1, #0xff0
    add r1, r1, #8
    ldm r1, {r2-r5}             @ words: run 3 0x20ff8
                                @ words: bytes 8
    b .
@ words: stream 1.1 blocks 1 insns 5 accesses 1 end fault
@ status: 139
