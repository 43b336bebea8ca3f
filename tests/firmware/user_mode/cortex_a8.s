@ In front of a program for Linux: where its stack is, and the registers it begins with. As firmware it
@ begins at start, with what an operating system has done by then: each section at its own address,
@ cacheable, by a table that is there already; VFP and NEON on.
@ No branch but the last instruction, which predictors see.
        .syntax unified
        .arch   armv7-a
        .fpu    neon
        .section .start, "ax"
        .arm
        .global start, linux

        .macro  number register, value
        movw    \register, #:lower16:\value
        movt    \register, #:upper16:\value
        .endm

start:  mrc     p15, 0, r0, c1, c0, 2
        orr     r0, r0, #0xf << 20
        mcr     p15, 0, r0, c1, c0, 2   @ CPACR
        isb
        mov     r0, #1 << 30
        vmsr    fpexc, r0
        number  r0, table
        mcr     p15, 0, r0, c2, c0, 0   @ TTBR0
        mov     r0, #0
        mcr     p15, 0, r0, c2, c0, 2   @ TTBCR
        mvn     r0, #0
        mcr     p15, 0, r0, c3, c0, 0   @ DACR
        mcr     p15, 0, r0, c8, c7, 0   @ TLBIALL
        mrc     p15, 0, r0, c1, c0, 0
        orr     r0, r0, #0x1000
        orr     r0, r0, #0x0005
        mcr     p15, 0, r0, c1, c0, 0   @ SCTLR: I, C, M
        isb
linux:  number  sp, stack_end
        number  r12, _start
        mov     r0, #0
        mov     r1, #0
        mov     r2, #0
        bx      r12

        .section .start.table, "a"
        .balign 16384
table:  .set    section, 0
        .rept   4096
        .word   section << 20 | 0x0c0e  @ write-back, write-allocate
        .set    section, section + 1
        .endr

        .section .start.stack, "aw", %nobits
        .space  65536
stack_end:
