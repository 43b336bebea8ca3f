@ Accesses that follow each other in one block: more than have a callback for their distance from the BLOCK
@ record, then an instruction that makes two (the .inst is SWP R3, R2, [R1]) and one that makes several, and a
@ fault between others.
    .syntax unified
    .arch armv7-a
    .arm
    .data
buf: .space 64
    .text
    .global _start
_start:
    mov r1, #0x20000            @ words: block 0x10000 insns 20 bytes 80 isa 1
    ldr r3, [r1, #0]            @ words: access 1 0x20000
    str r3, [r1, #4]            @ words: access 2 0x20004
    ldr r3, [r1, #8]            @ words: access 3 0x20008
    str r3, [r1, #12]           @ words: access 4 0x2000c
    ldr r3, [r1, #16]           @ words: access 5 0x20010
    str r3, [r1, #20]           @ words: access 6 0x20014
    ldr r3, [r1, #24]           @ words: access 7 0x20018
    str r3, [r1, #28]           @ words: access 8 0x2001c
    ldr r3, [r1, #0]            @ words: access 9 0x20000
    str r3, [r1, #4]            @ words: access 10 0x20004
    ldr r3, [r1, #8]            @ words: access 11 0x20008
    str r3, [r1, #12]           @ words: access 12 0x2000c
    ldr r3, [r1, #16]           @ words: access 13 0x20010
    str r3, [r1, #20]           @ words: access 14 0x20014
    ldr r3, [r1, #24]           @ words: access 15 0x20018
    str r3, [r1, #28]           @ words: access 16 0x2001c
    ldr r3, [r1, #0]            @ words: access 17 0x20000
    str r3, [r1, #4]            @ words: access 18 0x20004
    b 1f
1:  swp r3, r2, [r1]            @ words: block 0x10050 insns 5 bytes 20 isa 1
                                @ words: access 0 0x20000
                                @ words: access 0 0x20000
    ldr r3, [r1, #4]            @ words: access 1 0x20004
    ldr r3, [r1, #8]            @ words: access 2 0x20008
    ldm r1, {r3-r6}             @ words: run 3 0x20000
                                @ words: bytes 16
    b 2f
2:  ldr r3, [r1]                @ words: block 0x10064 insns 6 bytes 24 isa 1
                                @ words: access 0 0x20000
    mov r2, #0
    ldr r3, [r1, #4]            @ words: access 2 0x20004
    str r3, [r2]
    ldr r3, [r1, #8]
    b .
@ words: stream 1.1 blocks 3 insns 31 accesses 25 end fault
@ status: 139
