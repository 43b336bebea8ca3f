@ Every kind of word, A32. Built with code at 0x10000 and data at 0x20000. The .inst is SWP R4, R5, [R1];
@ it and a STREX that stores count as a load and a store.
    .syntax unified
    .arch armv7-a
    .fpu neon
    .arm
    .data
buf: .space 512
    .text
    .global _start
_start:
    mov r1, #0x20000
    mov r2, #0x20000
    str r0, [r1, #4]!           @ words: block 0x10000 insns 17 bytes 68 isa 1
                                @ words: access 2 0x20004
    strb r0, [r2], #3           @ words: access 3 0x20000
    ldrd r4, r5, [r1, #4]       @ words: run 4 0x20008
                                @ words: bytes 8
    ldm r1, {r4-r7}             @ words: run 5 0x20004
                                @ words: bytes 16
    stmdb r1!, {r4}             @ words: access 6 0x20000
    cmp r1, r1
    ldrne r4, [r1]
    ldreq r5, [r1, #8]          @ words: mark 9
                                @ words: access 9 0x20008
    ldmne r1, {r4, r5}          @ words: mark 10
    vld4.8 {d0-d3}, [r1]        @ words: mark 11
                                @ words: run 11 0x20000
                                @ words: bytes 32
    vldm r1, {d0-d15}           @ words: run 12 0x20000
                                @ words: bytes 128
    vldr d7, [r1, #16]          @ words: access 13 0x20010
    vst1.32 {d0[1]}, [r1]       @ words: access 14 0x20000
    ldrexd r4, r5, [r1]         @ words: run 15 0x20000
                                @ words: bytes 8
    pld [r1]                    @ words: word 0xf300000000020000
    b 1f                        @ words: block 0x10044 insns 1 bytes 4 isa 1
1:  .inst 0xe1014095            @ words: block 0x10048 insns 7 bytes 28 isa 1
                                @ words: access 0 0x20000
                                @ words: access 0 0x20000
    ldr r4, [r1, #0xffd]        @ words: access 1 0x20ffd
    ldrex r4, [r1]              @ words: access 2 0x20000
    strex r5, r4, [r1]          @ words: access 3 0x20000
                                @ words: access 3 0x20000
    mov r0, #7                  @ words: mark 4
    mov r7, #1
    svc 0                       @ words: syscall 1
@ words: stream 1.1 blocks 3 insns 25 accesses 17 end exit
@ status: 7
    .data
    .space 8192
