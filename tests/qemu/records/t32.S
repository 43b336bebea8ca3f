@ The same in Thumb: IT blocks, 16-bit and 32-bit transfers, table branches.
    .syntax unified
    .arch armv7-a
    .fpu neon
    .thumb
    .data
buf: .space 512
    .text
    .space 0x100                @ away from the start of a page, where blocks get more MARKs
    .global _start
    .thumb_func
_start:
    mov r1, #0x20000            @ words: block 0x10100 insns 17 bytes 54 isa 2
    str r0, [r1, #4]            @ words: access 1 0x20004
    str.w r0, [r1, #0x104]      @ words: access 2 0x20104
    ldm r1, {r2-r5}             @ words: run 3 0x20000
                                @ words: bytes 16
    ldrd r2, r3, [r1, #8]       @ words: run 4 0x20008
                                @ words: bytes 8
    cmp r1, r1
    itte ne
    ldrne r2, [r1]
    ldrne.w r2, [r1]            @ words: mark 8
    ldreq r3, [r1, #4]          @ words: mark 9
                                @ words: access 9 0x20004
    ldr r3, [r1]                @ words: mark 10
                                @ words: access 10 0x20000
    add r4, r1, #0x100
    mov sp, r4
    vpush {d0-d1}               @ words: run 13 0x200f0
                                @ words: bytes 16
    vpop {d0-d1}                @ words: run 14 0x200f0
                                @ words: bytes 16
    mov r0, #0
    tbb [pc, r0]                @ words: access 16 0x10136
table:
    .byte 1, 1
1:  ldrexb r2, [r1]             @ words: block 0x10138 insns 6 bytes 18 isa 2
                                @ words: access 0 0x20000
    strexb r4, r2, [r1]         @ words: access 1 0x20000
                                @ words: access 1 0x20000
    strexb r4, r2, [r1]         @ words: mark 2
    movs r0, #9                 @ words: mark 3
    movs r7, #1
    svc 0                       @ words: syscall 1
@ words: stream 1.1 blocks 2 insns 23 accesses 12 end exit
@ status: 9
