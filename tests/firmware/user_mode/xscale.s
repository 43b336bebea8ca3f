@ In front of a program for Linux: where its stack is, and the registers it begins with. As firmware it
@ begins at start, with what an operating system has done by then: each section at its own address,
@ cacheable, by a table that is there already; branch prediction on.
@ No branch but the last instruction, which predictors see.
        .syntax unified
        .arch   armv5te
        .section .start, "ax"
        .arm
        .global start, linux
start:  ldr     r0, =table
        mcr     p15, 0, r0, c2, c0, 0   @ translation table base
        mvn     r0, #0
        mcr     p15, 0, r0, c3, c0, 0   @ domains
        mcr     p15, 0, r0, c8, c7, 0   @ TLBs
        mrc     p15, 0, r0, c1, c0, 0
        orr     r0, r0, #0x1800
        orr     r0, r0, #0x0005
        mcr     p15, 0, r0, c1, c0, 0   @ control: I, Z, C, M
linux:  ldr     sp, =stack_end
        ldr     r12, =_start
        mov     r0, #0
        mov     r1, #0
        mov     r2, #0
        bx      r12
        .ltorg

        .section .start.table, "a"
        .balign 16384
table:  .set    section, 0
        .rept   4096
        .word   section << 20 | 0x0c0e  @ write-back
        .set    section, section + 1
        .endr

        .section .start.stack, "aw", %nobits
        .space  65536
stack_end:
