@ An undefined instruction ends its block and the program.
    .syntax unified
    .arch armv7-a
    .arm
    .data
buf: .space 4
    .text
    .global _start
_start:
    mov r1, #0x20000            @ words: block 0x10000 insns 3 bytes 12 isa 1
    ldr r2, [r1]                @ words: access 1 0x20000
    udf #0
@ words: stream 1.1 blocks 1 insns 3 accesses 1 end fault
@ status: 132
