@ A fault in the middle of a block: what was done before it is there, nothing behind it.
    .syntax unified
    .arch armv7-a
    .arm
    .data
buf: .space 64
    .text
    .global _start
_start:
    mov r1, #0x20000            @ words: block 0x10000 insns 10 bytes 40 isa 1
    mov r2, #0
    cmp r1, #0
    ldr r3, [r1]                @ words: access 3 0x20000
    ldreq r3, [r1]
    ldrne r3, [r1, #4]          @ words: mark 5
                                @ words: access 5 0x20004
    add r4, r4, #1              @ words: mark 6
    strne r3, [r2]
    add r4, r4, #1
    b .
@ words: stream 1.1 blocks 1 insns 10 accesses 2 end fault
@ status: 139
